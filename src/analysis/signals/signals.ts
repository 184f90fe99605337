import { createRegistry } from '../../core/naming/registry.ts';
import { firstRejected } from './first-rejected.ts';
import { loops } from './loops.ts';
import type { Signal } from './signal.ts';
import { stalls } from './stalls.ts';

/** Adding one is a file of its own, and a line here. */
export const signals = createRegistry<Signal>({
  noun: 'signal',
  plural: 'signals',
  about: 'What can be said of the steps of an episode: --signal of inspect and export.',
  module: { member: 'signal', powers: ['name', 'annotate'] },
  entries: [loops, stalls, firstRejected],
});
