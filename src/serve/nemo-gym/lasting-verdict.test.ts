import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { app } from '../../../examples/library/library.ts';
import { planFor } from '../../../test/fixtures/episode-setup.ts';
import { createGymClient, messageItem, responseOf, rowOf } from '../../../test/fixtures/serve/gym-client.ts';
import { startServer, stoppedAfterEach } from '../../../test/fixtures/serve/start-server.ts';
import { toolCallOf } from '../../core/episode/action-tools.ts';
import { createWorld } from '../../worlds/world.ts';

const start = stoppedAfterEach();
const world = createWorld(app);
const plan = planFor(world.open(world.task('lend-to-reader', 3))).map(toolCallOf);
const row = rowOf('library', 'lend-to-reader/3');
const folder = mkdtempSync(join(tmpdir(), 'espalier-gym-verdict-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a verdict', () => {
  it('[NG-11] is told again after the server was killed, also when it was killed before it had answered', async () => {
    const out = join(folder, 'killed');
    const { gymUrl } = await start({ out });
    const client = createGymClient(gymUrl);
    await client.post('seed_session', row);
    for (const { name, input } of plan) await client.post(name, input);
    const body = { ...row, response: responseOf(messageItem('Done.')) };
    const first = (await client.post('verify', body)).json();
    expect(first).toMatchObject({ reward: 1, finished: 1, steps: plan.length });
    for (const wasWritten of [true, false]) {
      // What a killed server leaves behind: its files as they are now.
      const left = join(folder, `left-${wasWritten}`, 'killed');
      cpSync(out, left, { recursive: true, filter: path => !/-(shm|lock)$/.test(path) });
      if (!wasWritten) {
        const file = join(left, 'sessions.jsonl');
        const [opened] = readFileSync(file, 'utf8').split('\n');
        writeFileSync(file, `${opened}\n`);
      }
      for (const run of ['first', 'second']) {
        const after = await startServer({ out: left });
        const again = createGymClient(after.gymUrl, {}, client.cookie());
        expect([run, (await again.post('verify', body)).json()]).toEqual([run, first]);
        await after.stop();
      }
    }
  });

  it('[NG-4] comes with the conversation of the request that asks, which is not kept', async () => {
    const { gymUrl } = await start();
    const client = createGymClient(gymUrl);
    await client.post('seed_session', row);
    const ask = async (text: string) =>
      (await client.post('verify', { ...row, response: responseOf(messageItem(text)) })).json();
    const first = await ask('first');
    const second = await ask('second');
    expect(second).toEqual({ ...first, response: responseOf(messageItem('second')) });
  });
});

describe('sessions of NeMo Gym', () => {
  it('[NG-12] are bounded as those of one client', async () => {
    const { gymUrl } = await start({ clientSessions: 2 });
    const open = async () => (await createGymClient(gymUrl).post('seed_session', row)).status;
    expect([await open(), await open(), await open()]).toEqual([200, 200, 503]);
  });
});
