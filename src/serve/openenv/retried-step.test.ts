import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { app } from '../../../examples/library/library.ts';
import { planFor } from '../../../test/fixtures/episode-setup.ts';
import { startServer } from '../../../test/fixtures/serve/start-server.ts';
import { createWorld } from '../../worlds/world.ts';

const world = createWorld(app);
const wanted = { task: 'lend-to-reader', seed: 3 };
const plan = planFor(world.open(world.task(wanted.task, wanted.seed)));
const [first, second] = plan as [object, object];

const folder = mkdtempSync(join(tmpdir(), 'espalier-retried-'));
afterAll(() => rmSync(folder, { recursive: true }));

function stepsIn(out: string): number {
  const database = new DatabaseSync(join(out, 'store.db'), { readOnly: true });
  try {
    return Number(database.prepare("SELECT count(*) AS steps FROM events WHERE kind = 'step'").get()?.['steps']);
  } finally {
    database.close();
  }
}

describe('a server that stops', () => {
  it('[SRV-85] answers every step that it took, and takes no other', async () => {
    const out = join(folder, 'drained');
    const server = await startServer({ out });
    const clients = await Promise.all(Array.from({ length: 8 }, () => server.connect()));
    const sessions: string[][] = [];
    for (const client of clients) {
      const own: string[] = [];
      for (let at = 0; at < 5; at++) own.push((await client.ask('open', { ...wanted, keep: true })).data.session);
      sessions.push(own);
    }
    let answered = 0;
    for (const [at, client] of clients.entries()) {
      client.socket.on('message', () => answered++);
      for (const [id, session] of (sessions[at] ?? []).entries())
        client.send(JSON.stringify({ type: 'step', data: first, session, id: `step-${id}` }));
    }
    // Until the first of them are being taken.
    await Promise.race(clients.map(({ socket }) => once(socket, 'message')));
    await server.stop();
    expect(answered).toBeGreaterThan(0);
    expect(stepsIn(out)).toBe(answered);
    expect(await Promise.all(clients.map(({ closed }) => closed))).toEqual(clients.map(() => 1001));
  });
});

describe('a step that is sent again', () => {
  it('[SRV-86] is answered and not taken again, on another connection and after a restart', async () => {
    const out = join(folder, 'again');
    const before = await startServer({ out });
    const client = await before.connect();
    const { data: opened } = await client.ask('open', { ...wanted, keep: true });
    const place = { session: opened.session, request: 'one' };
    const told = await client.ask('step', first, place);
    expect(told).toMatchObject({ type: 'observation', request: 'one', data: { observation: { node: 1 } } });
    client.socket.terminate();
    const other = await before.connect();
    expect(await other.ask('step', first, place)).toEqual(told);
    expect(await other.ask('step', second, place)).toMatchObject({
      type: 'error',
      data: { message: expect.stringContaining('same "request"') },
    });
    await before.stop();
    expect(stepsIn(out)).toBe(1);

    const after = await startServer({ out });
    const again = await after.connect();
    expect(await again.ask('step', first, place)).toEqual(told);
    expect(await again.ask('step', second, { ...place, request: 'two' })).toMatchObject({
      data: { observation: { node: 2 } },
    });
    await again.close();
    await after.stop();
    expect(stepsIn(out)).toBe(2);
  });

  it('[SRV-86] has the same reward when it was the last one, also after a restart', async () => {
    const out = join(folder, 'last');
    const before = await startServer({ out });
    const client = await before.connect();
    const { data: opened } = await client.ask('open', { ...wanted, keep: true });
    const { session } = opened;
    for (const [at, action] of plan.slice(0, -1).entries())
      await client.ask('step', action, { session, request: `${at}` });
    const last = { session, request: 'last' };
    const told = await client.ask('step', plan.at(-1), last);
    expect(told).toMatchObject({ data: { reward: 1, done: true } });
    expect(await client.ask('step', plan.at(-1), last)).toMatchObject({ data: { reward: 1, done: true } });
    await before.stop();
    const after = await startServer({ out });
    const again = await after.connect();
    expect(await again.ask('step', plan.at(-1), last)).toEqual(told);
    await again.close();
    await after.stop();
    expect(stepsIn(out)).toBe(plan.length);
  });
});
