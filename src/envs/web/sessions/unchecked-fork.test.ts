import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { take } from '../../../../test/fixtures/pages/retrace.ts';
import { createPages } from '../../../../test/fixtures/pages/site-pages.ts';
import { createSystemTimers } from '../../../system/clock.ts';
import type { Session, Snapshot } from '../../../core/contracts.ts';
import { createBrowserPool, type BrowserPool } from '../browser/pool.ts';

/** A signal that was given cannot be taken back, which only a comparison tells. */
const oneWay = `<button onclick="stop.abort()">Stop</button><button onclick="out.textContent = stop.signal.aborted">Show</button>
  <p role="status" id="out"></p><script>const stop = new AbortController()</script>`;
const counter = `<button onclick="out.textContent = ++n">Add</button><button onclick="window.kept = n">Keep</button>
  <button onclick="out.textContent = window.kept ?? 'nothing'">Show</button><p role="status" id="out"></p><script>let n = 0</script>`;

let own: BrowserPool;
let pool: BrowserPool;
let opened: number;
beforeEach(() => {
  own = createBrowserPool({ timers: createSystemTimers() });
  opened = 0;
  pool = {
    ...own,
    open(viewport) {
      opened++;
      return own.open(viewport);
    },
  };
});
afterEach(() => own.close());

async function open(body: string): Promise<Session> {
  const environment = createPages({ pool, pages: { '/': body } });
  return environment.open(await environment.task('look', 1));
}

async function forked(session: Session, unchecked: boolean): Promise<Session> {
  return (await session.fork?.({ unchecked })) as Session;
}

const shown = async (session: Session): Promise<string> => {
  await take(session, 'Show');
  return /status.*|true|false/s.exec((await session.observe()).text)?.[0] ?? '';
};

describe('an unchecked fork of a session in a page', () => {
  it('[SITE-60] goes back without a comparison, and its forks do', async () => {
    const session = await open(oneWay);
    const first = await forked(session, true);
    await take(first, 'Stop');
    const second = await forked(await forked(session, true), false);
    expect(await shown(second)).toContain('true');
    expect(opened).toBe(1);
  });

  it('[SITE-60] leaves ordinary sessions of the page their proof, also where the page seems to show their state', async () => {
    const session = await open(oneWay);
    const [unchecked, ordinary] = [await forked(session, true), await forked(session, false)];
    await take(unchecked, 'Stop');
    // Brings the page back to where all of them began, but for the signal.
    await (await forked(session, true)).observe();
    expect(await shown(session)).toContain('false');
    expect(await shown(ordinary)).toContain('false');
    expect(opened).toBe(3);
  });

  it('[SITE-60] gives no snapshot to sessions with proof', async () => {
    const session = await open(counter);
    const unchecked = await forked(session, true);
    await take(unchecked, 'Add');
    const snapshot = (await unchecked.snapshot?.()) as Snapshot;
    await expect(session.restore?.(snapshot)).rejects.toThrow('a restore on the way to it was not compared');
    await take(unchecked, 'Add');
    await unchecked.restore?.(snapshot);
    expect((await unchecked.observe()).text).toContain('1');
  });

  it('[SITE-60] has the states and digests of an ordinary one, members of the window included', async () => {
    const session = await open(counter);
    const steps = ['Add', 'Keep', 'Add', 'Show'];
    const walk = async (unchecked: boolean): Promise<readonly string[]> => {
      const seen: string[] = [];
      let at = await forked(session, unchecked);
      for (const step of steps) {
        const [next, aside] = [await forked(at, unchecked), await forked(at, unchecked)];
        await take(aside, 'Keep', 'Show');
        await take(next, step);
        seen.push(await next.digest(), (await next.observe()).text);
        at = next;
      }
      return seen;
    };
    expect(await walk(true)).toEqual(await walk(false));
    expect(opened).toBe(1);
  });
});
