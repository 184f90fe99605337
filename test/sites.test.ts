import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSystemTimers } from '../src/system/clock.ts';
import type { Action } from '../src/core/action.ts';
import type { Session } from '../src/core/contracts.ts';
import { createRandom } from '../src/core/random.ts';
import { createBrowserPool, type BrowserPool } from '../src/envs/web/browser/pool.ts';
import { createWaiEnvironment, type WaiEnvironment } from '../src/envs/web/sites/wai/environment.ts';
import { createTrail } from '../src/worlds/trail.ts';
import { isLong } from './long-form.ts';

const folders = join(import.meta.dirname, 'fixtures', 'wai');
const actor = { role: 'student', name: 'random' } as const;
const timers = createSystemTimers();

let pool: BrowserPool;
const opened: WaiEnvironment[] = [];
beforeAll(() => {
  // Short, so that a page that hangs is found out soon.
  pool = createBrowserPool({ timers, patience: 4000 });
});
afterAll(async () => {
  for (const environment of opened) await environment.close?.();
  await pool.close();
});

async function openApp(name: string): Promise<WaiEnvironment> {
  const viewport = { width: 1280, height: 800 };
  const environment = await createWaiEnvironment({
    folder: join(folders, name),
    pool,
    viewport,
    pictures: null,
    timers,
  });
  opened.push(environment);
  return environment;
}

async function openSession(name: string): Promise<Session> {
  const environment = await openApp(name);
  return environment.open(await environment.task(environment.templates[0]?.id ?? '', 1));
}

/** What can be clicked under this name. */
async function named(session: Session, name: string): Promise<Action> {
  const { text } = await session.observe();
  const ref = new RegExp(`\\[(e\\d+)\\] \\w+ "${name}"`).exec(text)?.[1];
  if (ref === undefined) throw new Error(`There is no ${name} on\n${text}`);
  return { kind: 'click', ref };
}

interface Tally {
  readonly wrong: number;
  readonly replayed: number;
}

/** Random rollbacks; after each, the step that was recorded from there must lead where it led. */
async function rollBack(name: string, { steps, rollbacks }: { steps: number; rollbacks: number }): Promise<Tally> {
  const environment = await openApp(name);
  const random = createRandom(`rollbacks ${name}`);
  const trail = await createTrail(environment, await environment.task(environment.templates[0]?.id ?? '', 1));
  for (let step = 0; step < steps; step++) {
    const offered = (await trail.session().candidates?.()) ?? [];
    await trail.step(random.pick(offered).action, actor);
  }
  let [wrong, replayed] = [0, 0];
  for (let round = 0; round < rollbacks; round++) {
    const to = Math.floor(random.next() * steps);
    if ((await trail.rollback(to)).method === 'replay') replayed++;
    const recorded = trail.tree.children(to)[0];
    if (recorded === undefined) continue;
    const again = await trail.step(recorded.action, actor);
    if (again.after !== recorded.after || again.outcome.applied !== recorded.outcome.applied) wrong++;
  }
  await trail.session().close();
  return { wrong, replayed };
}

describe('going back in other people’s pages', () => {
  it('[WEB-33] timers, storage, Map and Set, chance: put back without a walk', async () => {
    expect(await rollBack('notes', { steps: 12, rollbacks: isLong ? 40 : 10 })).toEqual({ wrong: 0, replayed: 0 });
  });

  it('[WEB-33] listeners on elements and what only the document holds: never a wrong state', async () => {
    expect(await rollBack('board', { steps: 12, rollbacks: isLong ? 24 : 6 })).toMatchObject({ wrong: 0 });
  });

  it('[WEB-33] what is hidden in closures and kept from the server: never a wrong state', async () => {
    expect(await rollBack('silent', { steps: 12, rollbacks: isLong ? 24 : 6 })).toMatchObject({ wrong: 0 });
  });
});

describe('a hostile page', () => {
  it('[WEB-34] dialogs, windows and other origins are refused and told with the step', async () => {
    const session = await openSession('hostile');
    const kinds = async (name: string): Promise<string[]> =>
      ((await session.step(await named(session, name))).incidents ?? []).map(({ kind }) => kind);
    expect(await kinds('Announce')).toEqual(['dialog']);
    expect(await kinds('Print preview')).toEqual(['popup']);
    expect(await kinds('Ask the partner')).toContain('blocked');
    expect(await kinds('Partner desk')).toContain('blocked');
    expect((await session.observe()).text).toContain('Ticket desk');
    await session.close();
  });

  it('[WEB-34] a page that runs for ever is a typed error, and the next session works', async () => {
    const session = await openSession('hostile');
    const action = await named(session, 'Recount everything');
    await expect(session.step(action)).rejects.toMatchObject({ boundary: 'environment' });
    await session.close();
    const next = await openSession('notes');
    expect((await next.observe()).text.length).toBeGreaterThan(100);
    await next.close();
  });

  it('[WEB-34] a browser that is killed in the middle: the same state in another one', async () => {
    const [lost, safe] = [await openSession('notes'), await openSession('notes')];
    const random = createRandom('killed');
    const walk: Action[] = [];
    for (let step = 0; step < 4; step++) {
      const { action } = random.pick((await safe.candidates?.()) ?? []);
      walk.push(action);
      await safe.step(action);
    }
    for (const action of walk.slice(0, 3)) await lost.step(action);
    const reference = await safe.digest();
    await safe.close();
    for (const pid of pool.figures().processes) process.kill(-pid, 'SIGKILL');
    const outcome = await lost.step(walk[3] as Action);
    expect(await lost.digest()).toBe(reference);
    expect((outcome.incidents ?? []).map(({ kind }) => kind)).toContain('lost');
    await lost.close();
  });
});
