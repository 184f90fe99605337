import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { app } from '../../../examples/library/library.ts';
import { planFor } from '../../../test/fixtures/episode-setup.ts';
import { rowOf } from '../../../test/fixtures/serve/gym-client.ts';
import { startServer } from '../../../test/fixtures/serve/start-server.ts';
import { toolCallOf } from '../../core/episode/action-tools.ts';
import { createWorld } from '../../worlds/world.ts';

const run = promisify(execFile);
const program = join(import.meta.dirname, '..', '..', '..', 'test', 'fixtures', 'serve', 'nemo_gym_agents.py');
/** A Python that has nemo-gym: it brings more than a gigabyte with it, so that it is not installed for every test run. */
const python = process.env['ESPALIER_NEMO_GYM_PYTHON'] ?? '';

describe.runIf(existsSync(python))('nemo-gym itself, from PyPI: `npm run test:peers -- nemo-gym` installs it', () => {
  it('runs its simple agent and its gymnasium agent to a reward, and aggregates as we do', async () => {
    const world = createWorld(app);
    const plan = planFor(world.open(world.task('lend-to-reader', 3))).map(toolCallOf);
    const calls = plan.map(({ name, input }) => [name, input]);
    const server = await startServer();
    try {
      const { hostname, port } = new URL(server.gymUrl);
      const args = [
        program,
        hostname,
        port,
        JSON.stringify(rowOf('library', 'lend-to-reader/3')),
        JSON.stringify(calls),
      ];
      const { stdout } = await run(python, args, { timeout: 500_000 });
      const found = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
      expect(found.rewards).toEqual({ simple: 1, gymnasium: 1 });
      expect(found.outputs).toHaveLength(plan.length);
      for (const [ours, theirs] of [found.key_metrics, found.agent_metrics]) expect(ours).toEqual(theirs);
    } finally {
      await server.stop();
    }
  }, 520_000);
});
