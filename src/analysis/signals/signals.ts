import { createRegistry } from '../../core/naming/registry.ts';
import { firstRejected } from './first-rejected.ts';
import { loops } from './loops.ts';
import type { Signal } from './signal.ts';
import { stalls } from './stalls.ts';
import { calibration } from './steps/calibration.ts';
import { dataprm } from './steps/dataprm.ts';
import { grades } from './steps/grades.ts';
import { monteCarlo } from './steps/monte-carlo.ts';
import { progress } from './steps/progress.ts';

/** Adding one is a file of its own, and a line here. */
export const signals = createRegistry<Signal>({
  noun: 'signal',
  plural: 'signals',
  about: 'What can be said of the steps of an episode: --signal of inspect and export.',
  module: { member: 'signal', powers: ['name', 'annotate'] },
  entries: [loops, stalls, firstRejected, dataprm, monteCarlo, progress, calibration, grades],
});

/** What `inspect` shows beside the steps unless others are named. */
export const usualSignals: readonly string[] = [loops, stalls, firstRejected].map(({ name }) => name);
