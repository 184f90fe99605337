import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { conditions: ['espalier-source', 'node'] },
  ssr: { resolve: { conditions: ['espalier-source', 'node'] } },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    isolate: false,
    maxWorkers: 2,
  },
});
