import { defineConfig } from 'vitest/config';
import config from './vitest.config.ts';

/** They start browsers, programs or servers, search for plans, or wait for timers. `npm test` runs them. */
const slow = [
  'src/envs/web/**',
  'src/envs/apps/**',
  'src/envs/mcp/**',
  'src/envs/synth/**',
  'src/envs/python/**',
  'src/store/**',
  'src/system/**',
  'src/serve/**',
  'src/cli/**',
  'src/forge/**',
  'src/runs/certify/certify.test.ts',
  'src/runs/environments/**',
  'src/runs/models/**',
  'src/models/endpoints/**',
  'src/agents/planner/**',
  'src/episode/strategies/laws.test.ts',
  'src/worlds/laws.test.ts',
  'src/agents/learned/student.test.ts',
  'src/analysis/bootstrap.test.ts',
  'src/dataset/export-dataset.test.ts',
];

/** `npm run unit`: the fast tests, in less than a minute. */
export default defineConfig({
  ...config,
  test: {
    ...config.test,
    include: ['src/**/*.test.ts', 'test/architecture.test.ts', 'test/spec.test.ts', 'test/tree.test.ts'],
    exclude: ['node_modules/**', ...slow],
  },
});
