import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runRl } from '../../src/runs/rl/rl.ts';
import { createSystemHost } from '../../src/system/workers/host.ts';
import { figure, type Bench } from '../measure.ts';

/** The first round starts the workers: it is not measured. */
const rounds = 6;

/** Environment steps a second that `espalier rl` collects with all cores, from the command's own function to the disk. */
export const rlBench: Bench = {
  group: 'rl',
  figures: ['rl.steps'],
  onDemand: true,
  async *run(_options, { progress }) {
    const folder = mkdtempSync(join(tmpdir(), 'espalier-bench-'));
    try {
      const values: number[] = [];
      const made = runRl({
        folder,
        draft: { run: 'bench', environments: ['mail', 'shop', 'tracker'], seed: 1 },
        // How much it has learned does not change what a step takes.
        student: 'untrained',
        estimator: 'gigpo',
        rounds,
        group: 4,
        groups: 'start',
        instances: 1,
        learning: {
          temperature: 1,
          rate: 1,
          epochs: 1,
          batch: 256,
          longest: 1,
          clipLow: 0.2,
          clipHigh: 0.28,
          kl: 0.01,
          entropy: 0,
        },
        evaluateEvery: 0,
        evaluationInstances: 1,
        baselines: false,
        host: createSystemHost(),
        signal: new AbortController().signal,
      });
      for await (const { round, update } of made) {
        progress(`rl: round ${round} of ${rounds} …`);
        if (update !== null && round > 1) values.push(update.steps / update.collectSeconds);
      }
      progress('');
      yield figure('rl.steps', '1/s', values);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};
