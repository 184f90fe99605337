import { availableParallelism, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { createTestFolder } from './scripts/test-folder.ts';

/**
 * The order of `npm test`: first what takes seconds and finds most mistakes, then the slowest files, so that no worker is left
 * with a long one at the end.
 */
const first = [
  'test/architecture.test.ts',
  'test/spec.test.ts',
  'test/docs.test.ts',
  'test/demo.test.ts',
  'test/web.test.ts',
  'test/package.test.ts',
  'test/built-in/shop.test.ts',
  'test/built-in/tracker.test.ts',
  'test/certify.test.ts',
  'src/system/workers/pool.test.ts',
  'test/crash.test.ts',
  'test/containment.test.ts',
  'src/envs/web/site-faults.test.ts',
  'src/envs/web/rollback-document.test.ts',
  'src/envs/web/rollback-data.test.ts',
  'src/envs/web/miniwob/environment.test.ts',
  'src/envs/web/site/fork.test.ts',
  'test/built-in/mail.test.ts',
  'test/cli-run.test.ts',
];

/**
 * Twice as many as cores: half of the time tests wait for pages, timers and other programs. A worker takes up to two gigabytes, its
 * browser included.
 */
const workers = Math.max(2, Math.min(4, 2 * availableParallelism(), Math.floor(totalmem() / 2 ** 31)));

class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const found = first.findIndex(name => moduleId.endsWith(name));
      return found < 0 ? first.length : found;
    };
    // oxlint-disable-next-line unicorn/no-array-sort -- not that of an array
    const usual = await super.sort(files);
    return usual.toSorted((one, other) => place(one) - place(other));
  }
}

export default defineConfig({
  resolve: { conditions: ['espalier-source', 'node'] },
  ssr: { resolve: { conditions: ['espalier-source', 'node'] } },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    isolate: false,
    env: {
      // For the programs that tests start: each compiles hundreds of modules.
      NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
      TMPDIR: createTestFolder(),
    },
    maxWorkers: workers,
    sequence: { sequencer: InOrder },
  },
});
