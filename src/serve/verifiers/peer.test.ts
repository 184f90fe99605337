import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { app } from '../../../examples/library/library.ts';
import { planFor } from '../../../test/fixtures/episode-setup.ts';
import { startScriptedUpstream } from '../../../test/fixtures/models/scripted-upstream.ts';
import { startServer } from '../../../test/fixtures/serve/start-server.ts';
import { toolCallOf } from '../../core/episode/action-tools.ts';
import type { JsonObject } from '../../core/json.ts';
import { createWorld } from '../../worlds/world.ts';

const run = promisify(execFile);
const program = join(import.meta.dirname, '..', '..', '..', 'test', 'fixtures', 'serve', 'verifiers_client.py');
/** A Python that has verifiers. */
const python = process.env['ESPALIER_VERIFIERS_PYTHON'] ?? '';

describe.runIf(existsSync(python))('verifiers itself, from PyPI: `npm run test:peers -- verifiers` installs it', () => {
  it('runs a group of rollouts with its own client', async () => {
    const world = createWorld(app);
    const plan = planFor(world.open(world.task('lend-to-reader', 3))).map(toolCallOf);
    const out = mkdtempSync(join(tmpdir(), 'espalier-verifiers-peer-'));
    const model = await startScriptedUpstream(({ body }) => {
      const said = (body['messages'] as JsonObject[]).filter(({ role }) => role === 'assistant').length;
      return { calls: [plan[said] ?? { name: 'finish', input: {} }] };
    });
    const server = await startServer({ out, withVerifiers: true });
    try {
      const { stdout } = await run(python, [program, server.verifiersAddress, model.url, '4'], { timeout: 500_000 });
      expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
        ok: [true, true, true, true],
        rewards: [1, 1, 1, 1],
        turns: Array.from({ length: 4 }, () => plan.length),
        branches: [1, 1, 1, 1],
        aligned: [true, true, true, true],
        refusal: expect.stringContaining('There is no environment "nowhere"'),
      });
    } finally {
      await server.stop();
      await model.close();
      rmSync(out, { recursive: true, force: true });
    }
  }, 520_000);
});
