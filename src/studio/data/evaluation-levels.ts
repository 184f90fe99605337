import { levelOf, type TrialLevel } from '../../analysis/evaluate.ts';
import type { IndexedRow } from './episode-rows.ts';
import type { RunIndex } from './run-index.ts';

export type LevelOf = (row: IndexedRow) => TrialLevel;

/** How far a template is from what the run trained on, as the report tells it. */
export function levelsIn({ listing }: RunIndex, training: readonly IndexedRow[]): LevelOf {
  const trained = new Set(training.map(({ environment }) => environment));
  const known = new Map<string, TrialLevel>();
  return ({ path, environment, task }) => {
    if (trained.size > 0 && !trained.has(environment)) return 'unseen-app';
    const level = known.get(path) ?? levelOf(listing.taskNumbered(task).split);
    known.set(path, level);
    return level;
  };
}

/** The nearest to training first. */
export const levelOrder: readonly TrialLevel[] = [
  'new-instances',
  'held-out',
  'held-out-2',
  'held-out-3',
  'unseen-app',
];
