import process from 'node:process';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openBuiltIn } from '../../../catalog.ts';
import { createSystemTimers } from '../../../system/clock.ts';
import type { Action } from '../../../core/action.ts';
import type { StateEnvironment, StateSession } from '../../../core/contracts.ts';
import { createRandom } from '../../../core/random.ts';
import { createAppSession, type AppSession } from './app-session.ts';
import { LostError } from '../browser/connection.ts';
import type { Page } from '../browser/page.ts';
import { createBrowserPool, type BrowserPool } from '../browser/pool.ts';

const timers = createSystemTimers();
const look = {
  viewport: { width: 1000, height: 600 },
  look: { theme: 'light', density: 'comfortable' },
  pictures: null,
} as const;
const unhandled: unknown[] = [];
const hear = (cause: unknown): void => void unhandled.push(cause);
let world: StateEnvironment;
let pool: BrowserPool;
let isHasty = false;

beforeAll(async () => {
  process.on('unhandledRejection', hear);
  world = await openBuiltIn('shop');
});
beforeEach(() => {
  pool = createBrowserPool({ timers: { after: (wait, run) => timers.after(isHasty ? 50 : wait, run) } });
});
afterEach(async () => {
  isHasty = false;
  await pool.close();
});
afterAll(() => void process.off('unhandledRejection', hear));

/** Told of everything that is asked of the page of a session, before it is. */
type Watch = (asked: string, page: Page) => void;

interface Pair {
  readonly session: AppSession;
  readonly headless: StateSession;
}

async function open(seed: number, watch: Watch = () => undefined): Promise<Pair> {
  const watched: BrowserPool = {
    ...pool,
    async open(viewport) {
      const page = await pool.open(viewport);
      return {
        ...page,
        send(method, params) {
          // What the program in the page is asked is the text of a function.
          const asked = /program\.answer\(\(\) => \(\(?([^]*)/.exec(String(params?.['functionDeclaration'] ?? ''))?.[1];
          watch(asked ?? method, page);
          return page.send(method, params);
        },
        evaluate(expression, options) {
          watch(expression, page);
          return page.evaluate(expression, options);
        },
      };
    },
  };
  const task = world.task(world.templates[0]!.id, seed);
  return {
    session: await createAppSession(world.open(task), { pool: watched, ...look }),
    headless: world.open(task),
  };
}

/** Steps that both take from here; says whether they are the same after each. */
async function goOn({ session, headless }: Pair, steps: number): Promise<boolean> {
  const random = createRandom(session.task.id);
  for (let step = 0; step < steps; step++) {
    const { action } = random.pick(headless.candidates());
    expect(await session.step(action)).toEqual(headless.step(action));
    expect((await session.observe()).text).toBe(headless.observe().text);
  }
  return session.digest() === headless.digest();
}

function killBrowser(): void {
  process.kill(pool.figures().processes.at(-1) as number, 'SIGKILL');
}

/** Does something the first so many times that this is asked. */
function onAsking(start: string, times: number, work: (page: Page) => void): Watch {
  let left = times;
  return (asked, page) => {
    if (left > 0 && asked.startsWith(start) && left-- > 0) work(page);
  };
}

/** Where the first button that is whole on the screen is. */
async function buttonOf({ session, headless }: Pair): Promise<{ at: Action; ref: string }> {
  const { layout } = await session.observe();
  const presses = headless.candidates().filter(({ action, role }) => action.kind === 'click' && role === 'button');
  const boxes = presses.map(({ action }) => layout!.elements.find(({ ref }) => 'ref' in action && ref === action.ref)!);
  const { box, ref } = boxes.find(({ box: { y, height } }) => y > 60 && y + height < 600)!;
  return { ref, at: { kind: 'click-at', x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height / 2) } };
}

describe('an app whose browser goes away', () => {
  it('[WEB-19] killed within a step: every session goes on as if nothing had been, in one new browser', async () => {
    let isArmed = false;
    const kill = onAsking('Input.dispatchMouseEvent', 1, killBrowser);
    const pairs = await Promise.all([open(1, (asked, page) => isArmed && kill(asked, page)), open(2), open(3)]);
    for (const pair of pairs) expect(await goOn(pair, 2)).toBe(true);
    isArmed = true;
    const digests = pairs.slice(1).map(({ session }) => session.digest());
    const [first] = pairs;
    const { ref } = await buttonOf(first);
    expect(await first.session.step({ kind: 'click', ref })).toEqual(first.headless.step({ kind: 'click', ref }));
    expect(pairs.slice(1).map(({ session }) => session.digest())).toEqual(digests);
    expect(await Promise.all(pairs.map(pair => goOn(pair, 3)))).toEqual([true, true, true]);
    expect(pool.figures()).toMatchObject({ launches: 2, openPages: 3 });
    await Promise.all(pairs.map(({ session }) => session.close()));
    expect(pool.figures().openPages).toBe(0);
  });

  it('[WEB-19] a page that crashes within a step is replaced, and the others stay', async () => {
    const crash = onAsking('Input.dispatchMouseEvent', 1, page => void page.send('Page.crash').catch(() => null));
    const pairs = await Promise.all([open(1, crash), open(2)]);
    const { ref } = await buttonOf(pairs[0]);
    expect(await pairs[0].session.step({ kind: 'click', ref })).toEqual(pairs[0].headless.step({ kind: 'click', ref }));
    expect(await Promise.all(pairs.map(pair => goOn(pair, 3)))).toEqual([true, true]);
    expect(pool.figures()).toMatchObject({ launches: 1, openPages: 2 });
  });

  it('[WEB-19] killed while nothing is done: nobody notices', async () => {
    const pair = await open(1);
    await goOn(pair, 2);
    const [snapshot, before] = [pair.session.snapshot(), await pair.session.observe()];
    await pair.session.step({ kind: 'press', key: 'Tab' });
    const [tabbed, digest] = [await pair.session.observe(), pair.session.digest()];
    killBrowser();
    expect([pair.session.digest(), pair.session.verify()]).toEqual([digest, pair.headless.verify()]);
    await vi.waitFor(() => expect(pool.figures().processes).toEqual([]), 20_000);
    await pair.session.step({ kind: 'press', key: 'Tab' });
    await pair.session.step({ kind: 'press', key: 'Shift+Tab' });
    expect(await pair.session.observe()).toEqual(tabbed);
    pair.session.restore(snapshot);
    expect(await pair.session.observe()).toEqual(before);
    expect(await goOn(pair, 2)).toBe(true);
  });

  it('[WEB-20] what was done when the page was lost is done once', async () => {
    let isArmed = false;
    // By then, the state has changed and the page is about to show it.
    const kill = onAsking('espalierFace.draw', 1, killBrowser);
    const pair = await open(1, (asked, page) => isArmed && kill(asked, page));
    const { at, ref } = await buttonOf(pair);
    isArmed = true;
    expect((await pair.session.step(at)).applied).toBe(true);
    pair.headless.step({ kind: 'click', ref });
    expect(pool.figures().launches).toBe(2);
    expect(pair.session.state()).toEqual(pair.headless.state());
  });

  it('[WEB-20] lost twice in one step: a typed error, nothing is done, and the next step works', async () => {
    let isArmed = false;
    const kill = onAsking('program.actions', 2, killBrowser);
    const pair = await open(1, (asked, page) => isArmed && kill(asked, page));
    const { at, ref } = await buttonOf(pair);
    isArmed = true;
    const cause = await pair.session.step({ kind: 'click', ref }).catch((thrown: unknown) => thrown);
    expect(cause).toBeInstanceOf(LostError);
    expect(cause).toMatchObject({ boundary: 'environment', code: 'unavailable' });
    expect(pool.figures().launches).toBe(2);
    expect(pair.session.digest()).toBe(pair.headless.digest());
    expect((await pair.session.step(at)).applied).toBe(true);
    pair.headless.step({ kind: 'click', ref });
    expect([pool.figures().launches, pair.session.state()]).toEqual([3, pair.headless.state()]);
    await pair.session.step({ kind: 'click', ref: 'e1' });
    pair.headless.step({ kind: 'click', ref: 'e1' });
    expect(await goOn(pair, 2)).toBe(true);
    await pair.session.close();
    expect(pool.figures().openPages).toBe(0);
  });

  it('[WEB-20] a page that hangs: a typed error, nothing is done, and the next step works in another page', async () => {
    let isArmed = false;
    const hang = onAsking('program.actions', 1, page => {
      page.evaluate('setTimeout(() => { for (;;); }); 0').catch(() => null);
      // Only what the session itself asks is to be late.
      isHasty = true;
    });
    const pair = await open(1, (asked, page) => isArmed && hang(asked, page));
    const { ref } = await buttonOf(pair);
    isArmed = true;
    await expect(pair.session.step({ kind: 'click', ref })).rejects.toMatchObject({ code: 'deadline' });
    isHasty = false;
    expect(pair.session.digest()).toBe(pair.headless.digest());
    expect(await goOn(pair, 2)).toBe(true);
    expect(pool.figures()).toMatchObject({ launches: 1, openPages: 1 });
  });

  it('[WEB-20] closed within a step: the step is told, and no page is left open', async () => {
    for (const isLost of [false, true]) {
      let closing: Promise<void> | null = null;
      const closer = onAsking('program.actions', 1, () => {
        if (isLost) killBrowser();
        closing = pair.session.close();
      });
      const pair: Pair = await open(1, closer);
      const { ref } = await buttonOf(pair);
      await expect(pair.session.step({ kind: 'click', ref })).rejects.toMatchObject({ code: 'closed' });
      await closing;
      await expect(pair.session.observe()).rejects.toMatchObject({ code: 'closed' });
      expect(() => pair.session.digest()).toThrow('is closed');
      expect(pool.figures().openPages).toBe(0);
    }
  });

  it('[WEB-20] closed with its pool: whoever goes on is told', async () => {
    const { session, headless } = await open(1);
    await pool.close();
    await expect(session.step(headless.candidates()[0]!.action)).rejects.toMatchObject({ code: 'closed' });
    expect(session.digest()).toBe(headless.digest());
    await session.close();
  });
});

// The last: it speaks of all that were before it.
it('[WEB-20] nothing that went away is complained about where nobody listens', async () => {
  await new Promise(resolve => setImmediate(resolve));
  expect(unhandled).toEqual([]);
});
