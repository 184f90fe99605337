import { availableParallelism, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { skipReasons } from './scripts/skip-reasons.ts';
import { createTestFolder } from './scripts/test-folder.ts';
import { LongestFirst } from './scripts/test-order.ts';

/**
 * Twice as many as cores: half of the time tests wait for pages, timers and other programs. A worker takes up to two gigabytes, its
 * browser included.
 */
const workers = Math.max(2, Math.min(4, 2 * availableParallelism(), Math.floor(totalmem() / 2 ** 31)));

export default defineConfig({
  resolve: { conditions: ['espalier-source', 'node'] },
  ssr: { resolve: { conditions: ['espalier-source', 'node'] } },
  test: {
    include: ['src/**/*.test.ts', 'studies/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    isolate: false,
    // Machines of CI are shared. What passes only at the second try is named at the end: mend it.
    retry: process.env['CI'] === undefined ? 0 : 1,
    reporters: ['default', skipReasons],
    setupFiles: ['test/short-form.ts'],
    env: {
      // For the programs that tests start: each compiles hundreds of modules.
      NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
      TMPDIR: createTestFolder(),
    },
    maxWorkers: workers,
    sequence: { sequencer: LongestFirst },
  },
});
