import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { app } from '../../../examples/library/library.ts';
import { planFor } from '../../../test/fixtures/episode-setup.ts';
import { startServer } from '../../../test/fixtures/serve/start-server.ts';
import { createWorld } from '../../worlds/world.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..', '..');
const program = join(root, 'test', 'fixtures', 'serve', 'conformance.py');
/** A Python that has openenv-core: it brings some 300 MB with it, so that it is not installed for every test run. */
const python = process.env['ESPALIER_OPENENV_PYTHON'] ?? '';

describe.runIf(existsSync(python))(
  'openenv-core itself, from PyPI: `npm run test:peers -- openenv` installs it',
  () => {
    it('plays an episode, calls tools, and finds nothing to complain about', async () => {
      const world = createWorld(app);
      const task = world.task('lend-to-reader', 3);
      const actions = planFor(world.open(task));
      const server = await startServer();
      try {
        const args = [program, server.url, 'lend-to-reader', '3', JSON.stringify(actions)];
        const { stdout } = await run(python, args, { timeout: 120_000 });
        expect(JSON.parse(stdout)).toMatchObject({
          validation: [true, 'simulation', []],
          played: {
            instruction: task.instruction,
            first: [null, false],
            results: [...actions.slice(1).map(() => [null, false]), [1, true]],
            state: ['peer', actions.length],
            refusal: expect.stringContaining('(code: EXECUTION_ERROR)'),
          },
          tools: { tools: expect.arrayContaining(['list_books', 'finish']), books: expect.any(Number) },
          mcp: { tools: expect.arrayContaining(['list_books', 'finish']), books: expect.any(Number) },
        });
      } finally {
        await server.stop();
      }
    }, 150_000);

    it('[SRV-57] takes the folder that `espalier new server` writes', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'espalier-new-server-'));
      try {
        await run(process.execPath, [join(root, 'bin', 'espalier.js'), 'new', 'server', 'help-desk', '--dir', folder]);
        const cwd = join(folder, 'help-desk');
        await run(join(dirname(python), 'uv'), ['lock', '--quiet'], { cwd, timeout: 120_000 });
        const { stdout } = await run(join(dirname(python), 'openenv'), ['validate', '.'], { cwd, timeout: 60_000 });
        expect(stdout).toContain('Ready for multi-mode deployment');
      } finally {
        rmSync(folder, { recursive: true });
      }
    }, 200_000);
  },
);
