import type { EpisodeHead } from '../../core/episode/events.ts';
import { causeText } from '../../core/errors.ts';
import type { Task } from '../../core/records.ts';
import type { Choice } from '../environments/worlds.ts';
import { isEvaluationSeed } from '../settings/seeds.ts';

/** A task that its template could not make. It has no episode. */
export interface Unmade {
  readonly task: string;
  readonly message: string;
}

export interface PlanOptions {
  readonly choices: readonly Choice[];
  readonly instances: number;
  /** Attempts at each task. */
  readonly trials: number;
  /** The seed of an instance, unless the choice has one. */
  seedOf(instance: number): number;
  headOf(task: Task, place: Place): EpisodeHead;
}

export interface Place {
  readonly index: number;
  readonly trial: number;
}

/** The episodes of a run: the first instance of every template, then the second, and so on. A task comes once. */
export interface RunPlan {
  /** Episodes that there will be, as far as is known: exact once the heads were walked. */
  size(): number;
  /** Made as they are walked. */
  readonly heads: Iterable<EpisodeHead>;
  /** Filled as the heads are walked. */
  readonly unmade: readonly Unmade[];
}

export async function createPlan(options: PlanOptions): Promise<RunPlan> {
  const { trials } = options;
  const unmade: Unmade[] = [];
  const promised = await makePromised(options);
  const expected = tasksOf(options) * trials;
  let walked: number | null = null;
  function* heads(): Generator<EpisodeHead> {
    let count = 0;
    for (const head of walk(options, promised, unmade)) {
      count++;
      yield head;
    }
    walked = count;
  }
  return { size: () => walked ?? expected - unmade.length * trials, heads: heads(), unmade };
}

/** A list of tasks starts over after its last one, and a task is planned once. */
function tasksOf({ choices, instances, seedOf }: PlanOptions): number {
  const areNew = isEvaluationSeed(seedOf(0));
  const counts = choices.map(({ template, seed }) => {
    if (seed !== undefined) return 1;
    return areNew ? instances : Math.min(instances, template.tasks ?? Infinity);
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

function* walk(
  { choices, instances, trials, seedOf, headOf }: PlanOptions,
  promised: ReadonlyMap<string, Made>,
  unmade: Unmade[],
): Generator<EpisodeHead> {
  const planned = new Set<string>();
  let index = 0;
  for (let instance = 0; instance < instances; instance++) {
    for (const choice of choices) {
      const seed = choice.seed ?? seedOf(instance);
      const name = nameOf(choice, seed);
      const made = promised.get(name) ?? makeTask(choice, seed);
      if ('message' in made) unmade.push({ task: name, message: made.message });
      else if (planned.has(made.id)) continue;
      else planned.add(made.id);
      for (let trial = 0; trial < trials; trial++, index++) if ('id' in made) yield headOf(made, { index, trial });
    }
  }
}

type Made = Task | { readonly message: string };

/** A task that cannot be made does not stop the run. */
function makeTask({ environment, template }: Choice, seed: number): Made {
  try {
    return environment.task(template.id, seed) as Task;
  } catch (cause) {
    return { message: causeText(cause) };
  }
}

/** Makes the tasks of asynchronous environments beforehand: walking a plan is synchronous. */
async function makePromised({ choices, instances, seedOf }: PlanOptions): Promise<Map<string, Made>> {
  const found = new Map<string, Made>();
  for (const choice of choices) {
    for (let instance = 0; instance < instances; instance++) {
      const seed = choice.seed ?? seedOf(instance);
      const made = makeTask(choice, seed) as Made | Promise<Task>;
      if (!(made instanceof Promise)) break;
      found.set(nameOf(choice, seed), await made.catch((cause: unknown): Made => ({ message: causeText(cause) })));
    }
  }
  return found;
}

function nameOf({ environment, template }: Choice, seed: number): string {
  return `${environment.id}/${template.id}/${seed}`;
}
