import { invalidOption, type EspalierError } from '../../core/errors.ts';
import { suggestion } from '../../core/naming/closest.ts';
import { endOfEvaluationSeeds, firstEvaluationSeed, isEvaluationSeed } from '../settings/seeds.ts';
import { exactTask } from './open-environment.ts';
import { allTemplates, type Choice, type Worlds } from './worlds.ts';

/** What tasks are for: their seeds come from ranges that do not overlap. */
export type TaskUse = 'collect' | 'evaluate';

/** The tasks with these ids, `mail/star-message/17`, each once, in the order given. */
export function namedTasks(worlds: Worlds, ids: readonly string[], use: TaskUse): Choice[] {
  const templates = new Map(
    allTemplates(worlds).map(choice => [`${choice.environment.id}/${choice.template.id}`, choice]),
  );
  return [...new Set(ids)].map(id => {
    const [, template = '', seed = ''] = /^(.+)\/(\d{1,9})$/.exec(id) ?? [];
    if (seed === '') throw notAnId(id);
    const choice = templates.get(template);
    if (choice === undefined) throw unknownTask(id, template, [...templates.keys()]);
    requireUse(id, Number(seed), use);
    return { ...choice, seed: Number(seed) };
  });
}

/** Refuses an id that a folder of tasks does not hold. */
export async function requireExact(choices: readonly Choice[]): Promise<void> {
  for (const { environment, template, seed } of choices)
    if (seed !== undefined && template.tasks !== undefined) await exactTask(environment, template.id, seed);
}

/** A task that is evaluated on must never be trained on. */
export function requireUse(id: string, seed: number, use: TaskUse): void {
  if (isEvaluationSeed(seed) === (use === 'evaluate')) return;
  const range = `${firstEvaluationSeed} to ${endOfEvaluationSeeds - 1}`;
  throw invalidOption(
    use === 'collect'
      ? `The seed of the task "${id}" is kept for evaluation, so it must not be collected on.`
      : `The task "${id}" may have been collected on: its seed is not kept for evaluation.`,
    use === 'collect'
      ? `Expected a seed outside ${range}.`
      : `Expected a seed from ${range}, such as in the keys that espalier inspect lists for an evaluation.`,
  );
}

function notAnId(id: string): EspalierError {
  return invalidOption(
    `"${id}" is no id of a task.`,
    'Expected environment, template and seed, such as mail/star-message/17, or the path of a file with one id a line.',
  );
}

function unknownTask(id: string, template: string, known: readonly string[]): EspalierError {
  return invalidOption(
    `There is no template for the task "${id}" in this run.${suggestion(template, known)}`,
    `Expected an id that begins with one of: ${known.join(', ')}.`,
  );
}
