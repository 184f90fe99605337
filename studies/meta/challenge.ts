import { openEnvironment } from '../../src/runs/environments/open-environment.ts';
import type { Environment } from '../../src/core/contracts.ts';
import type { Task } from '../../src/core/records.ts';
import type { Host } from '../../src/runs/host/host.ts';
import { firstEvaluationSeed } from '../../src/worlds/app/task-split.ts';

/** Tasks of five families: those that a meta-agent may look at and be evaluated on, and the hidden ones. */
export interface Challenge {
  readonly practised: readonly Posed[];
  readonly hidden: readonly Posed[];
  close(): Promise<void>;
}

/** A task with its world. */
export interface Posed {
  readonly family: string;
  readonly environment: Environment;
  readonly task: Task;
}

/** A template of each family: other seeds give other tasks. */
const families = [
  { family: 'questions', environment: 'problem:gcd', template: 'gcd-easy' },
  { family: 'mazes', environment: 'maze:4,2', template: 'length-4-turns-2' },
  { family: 'mail', environment: 'mail', template: 'star-message' },
  { family: 'library', environment: 'retrieval:7', template: 'one-hop' },
  { family: 'terminal', environment: 'terminal:files', template: 'files/number-pages' },
] as const;

/** Seeds of training and of evaluation never give the same task. */
export async function openChallenge(host: Host, count: number): Promise<Challenge> {
  const opened = await Promise.all(
    families.map(async each => ({ ...each, environment: await openEnvironment(each.environment, { host }) })),
  );
  const draw = async (first: number): Promise<Posed[]> => {
    const all: Posed[] = [];
    for (const { family, environment, template } of opened)
      for (let at = 0; at < count; at++)
        all.push({ family, environment, task: await environment.task(template, first + at) });
    return all;
  };
  return {
    practised: await draw(1),
    hidden: await draw(firstEvaluationSeed + 77),
    async close() {
      for (const { environment } of opened) await environment.close?.();
    },
  };
}
