import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench } from '../measure.ts';
import { makespanRatio } from './makespan.ts';
import { episodeMemory } from './memory.ts';
import { prefixShares } from './prefix.ts';
import { addedByProxy } from './proxy.ts';

/** What it takes to ask models: against a local endpoint that answers after a heavy-tailed delay. */
export const modelsBench: Bench = {
  group: 'models',
  onDemand: true,
  figures: [
    'models.makespan-ratio',
    'proxy.capacity',
    'proxy.added-median',
    'proxy.added-p99',
    'models.episode-memory',
    'models.prefix-share',
  ],
  async *run() {
    const folder = mkdtempSync(join(tmpdir(), 'espalier-bench-'));
    try {
      yield await makespanRatio(folder);
      yield* addedByProxy(folder);
      yield await episodeMemory(folder);
      yield* prefixShares(folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};
