import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { createTestFolder } from './scripts/test-folder.ts';

/** The slowest files of `npm test`. They start first, so that no worker waits at the end. */
const longest = [
  'test/docs.test.ts',
  'test/demo.test.ts',
  'test/package.test.ts',
  'test/web.test.ts',
  'test/containment.test.ts',
  'test/cli-run.test.ts',
  'test/plugins.test.ts',
  'test/built-in/shop.test.ts',
  'test/built-in/tracker.test.ts',
  'test/built-in/mail.test.ts',
  'test/certify.test.ts',
  'src/envs/web/site-faults.test.ts',
  'src/system/workers/pool.test.ts',
  'test/crash.test.ts',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const found = longest.findIndex(name => moduleId.endsWith(name));
      return found < 0 ? longest.length : found;
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
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
  },
});
