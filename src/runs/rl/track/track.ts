import { join } from 'node:path';
import { roundCurves } from '../../../analysis/report/round-curves.ts';
import { invalidOption } from '../../../core/errors.ts';
import { writeWhole } from '../../folder/folder.ts';
import type { RlRound } from '../rl.ts';
import { mlflowFiles } from './mlflow.ts';
import { trackedRounds } from './round-metrics.ts';
import { tensorBoardFile, tensorBoardName } from './tensorboard.ts';

const trackers = ['tensorboard', 'mlflow'] as const;
export type Tracker = (typeof trackers)[number];

export interface TrackOptions {
  /** Folder of the run. */
  readonly folder: string;
  readonly name: string;
  readonly params: Readonly<Record<string, string>>;
  readonly rounds: readonly RlRound[];
  readonly trackers: readonly Tracker[];
}

/** Reads what `--track` was given. */
export function readTrackers(given: readonly string[]): readonly Tracker[] {
  return given.map(name => {
    const known = trackers.find(tracker => tracker === name);
    if (known !== undefined) return known;
    if (name === 'wandb')
      throw invalidOption(
        'The offline files of Weights & Biases are an internal format of its package.',
        'Use --track tensorboard, then: wandb sync --sync-tensorboard <out>/tensorboard.',
      );
    throw invalidOption(`There is no tracker "${name}".`, `Expected: ${trackers.join(', ')}.`);
  });
}

/** Draws the curves of a run, and writes them for trackers of others. Everything is written again: a run that goes on stays whole. */
export function trackRounds({ folder, name, params, rounds, trackers: chosen }: TrackOptions): void {
  const tracked = trackedRounds(rounds);
  const curves = roundCurves(tracked);
  writeWhole(join(folder, 'curves.svg'), curves);
  if (chosen.includes('tensorboard'))
    writeWhole(join(folder, 'tensorboard', tensorBoardName), tensorBoardFile(tracked));
  if (chosen.includes('mlflow'))
    for (const [path, text] of mlflowFiles({ name, params, rounds: tracked, curves }))
      writeWhole(join(folder, 'mlruns', path), text);
}
