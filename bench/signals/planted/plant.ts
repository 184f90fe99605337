import type { StateSession } from '../../../src/core/contracts.ts';
import type { StoredEpisode } from '../../../src/core/episode/journal.ts';
import type { Random } from '../../../src/core/random.ts';
import { recordRun } from '../recorded-run.ts';
import type { ExpertRun } from './experts.ts';
import { plantedKinds, type Planted, type PlantedKind } from './kinds.ts';

/** A failure whose first wrong step is known. */
export interface PlantedFailure {
  readonly kind: PlantedKind;
  readonly run: ExpertRun;
  readonly stored: StoredEpisode;
  /** The wrong step, from 1. */
  readonly step: number;
}

/** Plants each kind of error once, at a step drawn at random, and keeps the runs that now fail. */
export function plantErrors(run: ExpertRun, random: Random): readonly PlantedFailure[] {
  const states = statesBefore(run);
  return (Object.keys(plantedKinds) as PlantedKind[]).flatMap(kind => {
    for (const at of random.shuffle(states.map((_, index) => index))) {
      const session = states[at] as StateSession;
      const made: Planted | null = plantedKinds[kind]({ actions: run.actions, at, session, states, random });
      if (made === null || made.actions.length > run.task.budget.steps) continue;
      const stored = recordRun(
        run.environment,
        { task: run.task, actions: made.actions },
        { key: `${run.source} ${run.task.id} ${kind}`, student: 'planted' },
      );
      if (stored.end.verdict?.pass === false && made.wrong < stored.end.counts.steps)
        return [{ kind, run, stored, step: made.wrong + 1 }];
    }
    return [];
  });
}

function statesBefore({ environment, task, actions }: ExpertRun): readonly StateSession[] {
  const session = environment.open(task);
  return actions.map(action => {
    const before = session.fork();
    session.step(action);
    return before;
  });
}
