import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Session } from '../../../core/contracts.ts';
import { createSystemTimers } from '../../../system/clock.ts';
import { createBrowserPool } from '../browser/pool.ts';
import { createWaiEnvironment, type WaiEnvironment } from '../wai/environment.ts';

const folder = join(import.meta.dirname, '../../../../test/fixtures/wai-study/desk');
const timers = createSystemTimers();
const pool = createBrowserPool({ timers, pages: 2 });
let desk: WaiEnvironment;

beforeAll(async () => {
  desk = await createWaiEnvironment({ folder, timers, pool, viewport: { width: 1280, height: 720 }, pictures: null });
}, 60_000);
afterAll(async () => {
  await desk.close?.();
  await pool.close();
});

const openWarm = async (template: string): Promise<Session> =>
  (await desk.openWarm?.(await desk.task(template, 1))) as Session;

async function lookOf(session: Session) {
  const look = { digest: await session.digest(), text: (await session.observe()).text };
  return { ...look, judged: await session.judgedState?.(), picture: await session.appearance?.() };
}

/** The number of the first element with these words, and of a star in its row. */
async function star(session: Session, note: string): Promise<void> {
  const { text } = await session.observe();
  const lines = text.split('\n');
  const row = lines.findIndex(line => line.includes(note));
  const ref = /\[(\w+)\]/.exec(lines.slice(row).find(line => /star/i.test(line) && /\[\w+\]/.test(line)) ?? '')?.[1];
  expect((await session.step({ kind: 'click', ref: ref ?? '' })).applied).toBe(true);
}

describe('sessions in pages that others have left', () => {
  it('[SITE-96] begin as in a fresh page, whatever was done there before', async () => {
    const fresh = await desk.open(await desk.task('function-task-click-3', 1));
    const expected = await lookOf(fresh);
    await fresh.close();
    const first = await openWarm('function-task-click-1');
    await star(first, 'Order paper');
    expect((await first.verify()).pass).toBe(true);
    await first.close();
    const opened = pool.figures().openPages;
    const second = await openWarm('function-task-click-3');
    // The same page, and the verifier of its own task.
    expect(pool.figures().openPages).toBe(opened);
    expect(await lookOf(second)).toEqual(expected);
    expect((await second.verify()).pass).toBe(false);
    await star(second, 'Book a room');
    expect((await second.verify()).pass).toBe(true);
    await second.close();
  }, 60_000);

  it('[SITE-96] have a page to themselves', async () => {
    const [left, right] = [await openWarm('function-task-click-1'), await openWarm('function-task-click-3')];
    expect(pool.figures().openPages).toBe(2);
    await star(left, 'Order paper');
    expect((await right.verify()).pass).toBe(false);
    expect((await left.verify()).pass).toBe(true);
    await Promise.all([left.close(), right.close()]);
    // What is closed twice is given away once.
    await left.close();
    const again = [await openWarm('function-task-click-1'), await openWarm('function-task-click-1')];
    expect(pool.figures().openPages).toBe(2);
    await Promise.all(again.map(session => session.close()));
  }, 60_000);
});
