import type { Environment } from '../../core/contracts.ts';
import { invalidOption } from '../../core/errors.ts';
import type { Task } from '../../core/records.ts';
import { requireUse } from './named-tasks.ts';
import { openTask } from './open-environment.ts';

/**
 * The task that a name means: `star-message`, `star-message/7` or `mail/star-message/7`. The seed is 1 when left out. What is served may be
 * recorded and trained on, so seeds that are kept for evaluation are refused.
 */
export async function taskNamed(environment: Environment, name: string): Promise<Task> {
  const own = `${environment.id}/`;
  const found = /^([^/]+)(?:\/(\d{1,9}))?$/.exec(name.startsWith(own) ? name.slice(own.length) : name);
  if (found === null) {
    throw invalidOption(
      `"${name}" is not a task of "${environment.id}".`,
      `Expected a template of it, and a seed: ${own}${environment.templates[0]?.id ?? 'template'}/1.`,
    );
  }
  const template = found[1] as string;
  if (found[2] === undefined) return openTask(environment, template);
  const seed = Number(found[2]);
  requireUse(name, seed, 'collect');
  return openTask(environment, template, seed);
}
