import { environments } from '../../src/catalog.ts';
import type { Planner, StateEnvironment } from '../../src/core/contracts.ts';
import { EspalierError } from '../../src/core/errors.ts';
import { createSynthApp } from '../../src/envs/synth/app/synth-app.ts';
import { synthSpec } from '../../src/envs/synth/generate/synth-spec.ts';
import { forgeApp } from '../../src/forge/forge-app.ts';
import { createWorld } from '../../src/worlds/world.ts';
import { createPlanner } from '../../src/agents/planner/planner.ts';
import type { PassingRun } from './inject.ts';

/** Where tasks come from: written by hand, forged from the commands of the built-in apps, or in made-up apps. */
const taskSources = ['own', 'forged', 'synth'] as const;
type TaskSource = (typeof taskSources)[number];

export interface SourcedRun extends PassingRun {
  readonly source: TaskSource;
}

const clock = { now: () => performance.now() };
const synthSeeds = [1, 2, 3];

/** A planner that gives up early, and at the same place on every machine. */
export function createBenchPlanner(): Planner {
  return createPlanner({ clock, maxNodes: 600, maxMilliseconds: Infinity, patience: 3 });
}

/** Runs of the planner that pass, in training templates of all three sources. */
export async function* passingRuns(progress: (text: string) => void): AsyncGenerator<SourcedRun> {
  for await (const [source, environment] of worlds()) {
    const seeds = source === 'own' ? [700, 701] : [700];
    for (const { id } of environment.templates.filter(({ split }) => split === 'train'))
      for (const seed of seeds) {
        progress(`injecting errors: ${source} ${environment.id}/${id} …`);
        const run = passingRun(environment, id, seed);
        if (run !== null) yield { ...run, source };
      }
  }
}

async function* worlds(): AsyncGenerator<readonly [TaskSource, StateEnvironment]> {
  for (const { load } of environments) yield ['own', await load()];
  for (const { app } of environments)
    yield ['forged', createWorld(forgeApp(await app(), { kinds: ['commands', 'chains', 'questions'] }))];
  for (const seed of synthSeeds) yield ['synth', createWorld(createSynthApp(synthSpec(seed)))];
}

/** The planner's run of a task; null when it finds none, or the template makes no task of this seed. */
function passingRun(environment: StateEnvironment, template: string, seed: number): PassingRun | null {
  try {
    const task = environment.task(template, seed);
    const plan = createBenchPlanner().plan(environment.open(task));
    return plan.outcome === 'solved' && plan.actions.length <= task.budget.steps
      ? { environment, task, actions: plan.actions }
      : null;
  } catch (cause) {
    if (cause instanceof EspalierError) return null;
    throw cause;
  }
}
