import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { environments } from '../../../catalog.ts';
import { createSystemTimers } from '../../../system/clock.ts';
import type { Action } from '../../../core/action.ts';
import { createRandom } from '../../../core/random.ts';
import type { Layout, Observation } from '../../../core/records.ts';
import { appKit, defineApp } from '../../../worlds/app/app.ts';
import {
  button,
  checkbox,
  combobox,
  dialog,
  list,
  listItem,
  page,
  region,
  text,
  textbox,
} from '../../../worlds/app/elements.ts';
import { createWorld } from '../../../worlds/world.ts';
import { createAppSession, type AppSession } from './app-session.ts';
import { createBrowserPool, type BrowserPool } from '../browser/pool.ts';
import type { Pictures } from '../tab/tab.ts';

const options = {
  viewport: { width: 1000, height: 600 },
  look: { theme: 'light', density: 'comfortable' },
  pictures: null,
} as const;
let pool: BrowserPool;
beforeAll(() => {
  pool = createBrowserPool({ timers: createSystemTimers() });
});
afterAll(() => pool.close());

const state = z.strictObject({
  note: z.string(),
  done: z.boolean(),
  colour: z.enum(['red', 'green', 'blue']),
  asks: z.boolean(),
  count: z.number(),
});
type Desk = z.infer<typeof state>;
const { gesture, template } = appKit<Desk>(state);
const nothing = z.strictObject({});
const value = z.strictObject({ value: z.string() });
const setNote = gesture('note', {
  about: 'a',
  input: value,
  run(draft, input) {
    draft.note = input.value;
    if (input.value.includes('!')) throw new Error('It cannot take this.');
  },
});
const setColour = gesture('colour', {
  about: 'a',
  input: z.strictObject({ value: z.enum(['red', 'green', 'blue']) }),
  run: (draft, input) => void (draft.colour = input.value),
});
const toggle = gesture('toggle', { about: 'a', input: nothing, run: draft => void (draft.done = !draft.done) });
const ask = gesture('ask', { about: 'a', input: nothing, run: draft => void (draft.asks = !draft.asks) });
const add = gesture('count', { about: 'a', input: nothing, run: draft => void draft.count++ });
const rows = Array.from({ length: 40 }, (_, index) => listItem(`Row ${index}`, [text(`This is row ${index}`)]));

/** e1 is the title, e2 the tick, e3 the colour, e4 counts, e5 asks; the last one, below the fold, counts too. */
const desk = createWorld(
  defineApp<Desk>({
    id: 'desk',
    title: 'Desk',
    about: 'Everything that people can act on.',
    state,
    init: () => ({ note: 'one two', done: false, colour: 'red', asks: false, count: 0 }),
    commands: [setNote, setColour, toggle, ask, add],
    view: ({ note, done, colour, asks, count }) =>
      page('Desk', [
        region('Things', [
          textbox('Title', note, { enter: setNote.entering({}) }),
          checkbox('Done', done, toggle.with({})),
          combobox('Colour', colour, { enter: setColour.entering({}), options: ['red', 'green', 'blue'] }),
          button('Count', add.with({})),
          button('Ask', ask.with({})),
          text(`Counted ${count}`),
        ]),
        asks && dialog('Sure?', [button('Cancel', ask.with({})), button('Go on', add.with({}))]),
        list('Rows', rows),
        button('Count below', add.with({})),
      ]),
    templates: [
      template('count', {
        about: 'Count.',
        split: 'train',
        sample: () => ({}),
        instruction: () => 'Count once.',
        checks: () => [{ name: 'counted', test: final => final.count === 1 }],
        allow: () => ['/count'],
      }),
    ],
  }),
);

async function openDesk(pictures: Pictures | null = null): Promise<AppSession> {
  return createAppSession(desk.open(desk.task('count', 1)), { pool, ...options, pictures });
}

async function taken(session: AppSession, ...actions: readonly Action[]): Promise<Desk> {
  for (const action of actions) expect(await session.step(action), JSON.stringify(action)).toEqual({ applied: true });
  return session.state() as Desk;
}

function press(...keys: readonly string[]): Action[] {
  return keys.map(key => ({ kind: 'press', key }));
}

/** A click in the middle of an element. */
async function pointAt(session: AppSession, ref: string): Promise<Action & { kind: 'click-at' }> {
  const { box } = ((await session.observe()).layout as Layout).elements.find(element => element.ref === ref)!;
  return { kind: 'click-at', x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height / 2) };
}

describe('pointing', () => {
  it.each(environments.map(({ id }) => id))(
    '[WEB-14] a click in the middle of an element is a click on it: %s',
    async id => {
      const world = await environments.find(known => known.id === id)!.load();
      const task = world.task(world.templates[0]!.id, 2);
      const [session, headless] = [await createAppSession(world.open(task), { pool, ...options }), world.open(task)];
      const random = createRandom(id);
      for (let step = 0; step < 8; step++) {
        const { elements } = (await session.observe()).layout as Layout;
        const isWhole = (ref: string): boolean =>
          elements.some(({ ref: other, box }) => other === ref && box.y > 60 && box.y + box.height < 600);
        const offered = headless.candidates().map(({ action }) => action);
        const clicks = offered.filter(action => action.kind === 'click' && isWhole(action.ref));
        const action = random.pick(clicks) as Action & { kind: 'click' };
        headless.step(action);
        const outcome = await session.step(await pointAt(session, action.ref));
        expect([outcome.applied, session.state()], `${step} ${action.ref}`).toEqual([true, headless.state()]);
        expect((await session.observe()).text).toBe(headless.observe().text);
      }
      await session.close();
    },
  );

  it('[WEB-14] double clicks, right clicks and drags do what they do in a browser', async () => {
    const session = await openDesk();
    const at = await pointAt(session, 'e4');
    expect(await taken(session, { ...at, double: true })).toMatchObject({ count: 2 });
    expect(await taken(session, { ...at, button: 'right' })).toMatchObject({ count: 2 });
    const { x, y } = await pointAt(session, 'e1');
    const field = (await session.observe()).layout!.elements[0]!.box;
    const drag = {
      kind: 'drag',
      from: { x: Math.round(field.x + field.width - 4), y },
      to: { x: Math.round(field.x + 2), y },
    } as const;
    expect(await taken(session, { kind: 'click-at', x, y }, drag, { kind: 'type', text: 'new' })).toMatchObject({
      note: 'new',
    });
    await session.close();
  });

  it('[WEB-14] what is pointed at outside of the screen is refused, and nothing happens', async () => {
    const session = await openDesk();
    const before = session.digest();
    const points: Action[] = [
      { kind: 'click-at', x: 1000, y: 10 },
      { kind: 'hover-at', x: 10, y: 600 },
      { kind: 'scroll', x: 5000, y: 5000, dx: 0, dy: 10 },
      { kind: 'drag', from: { x: 10, y: 10 }, to: { x: 10, y: 600 } },
    ];
    for (const action of points) {
      const { applied, problem } = await session.step(action);
      expect([applied, problem?.code]).toEqual([false, 'invalid-action']);
      expect(problem?.message).toMatch(/^\(\d+, \d+\) lies outside of the page: it is 1000 wide and 600 high\.$/);
    }
    expect((await session.step({ kind: 'click-at', x: -1, y: 0 })).problem?.code).toBe('invalid-action');
    expect(await taken(session, { kind: 'hover-at', x: 999, y: 599 })).toMatchObject({ count: 0 });
    expect(session.digest()).not.toBe(before);
    await session.close();
  });
});

describe('keyboard', () => {
  it('[WEB-15] Tab goes from one element to the next, and Enter and Space press', async () => {
    const session = await openDesk();
    const focus = async (): Promise<string | null> => (await session.observe()).layout!.focus;
    const visited: (string | null)[] = [await focus()];
    for (let step = 0; step < 5; step++) {
      await taken(session, ...press('Tab'));
      visited.push(await focus());
    }
    expect(visited).toEqual([null, 'e1', 'e2', 'e3', 'e4', 'e5']);
    expect(await taken(session, ...press('Shift+Tab', 'Enter', 'Space'))).toMatchObject({ count: 2 });
    expect(await taken(session, ...press('Shift+Tab', 'Shift+Tab', 'Space'))).toMatchObject({ done: true });
    await session.close();
  });

  it('[WEB-15] Escape leaves a dialog', async () => {
    const session = await openDesk();
    expect(await taken(session, await pointAt(session, 'e5'))).toMatchObject({ asks: true });
    expect(await taken(session, ...press('Escape'))).toMatchObject({ asks: false });
    await session.close();
  });

  it('[WEB-15] what is typed goes to where the caret is', async () => {
    const session = await openDesk();
    const typed = { kind: 'type', text: 'Zwölf, 12' } as const;
    expect(await taken(session, ...press('Tab', 'Control+a'), typed)).toMatchObject({ note: 'Zwölf, 12' });
    expect(await taken(session, ...press('Home', 'Delete', 'End', 'Backspace'))).toMatchObject({ note: 'wölf, 1' });
    expect(await taken(session, ...press('ArrowLeft', 'Shift+x', '+'))).toMatchObject({ note: 'wölf, X+1' });
    await session.close();
  });

  it('[WEB-15] a choice is made with the arrows', async () => {
    const session = await openDesk();
    await taken(session, ...press('Tab', 'Tab', 'Tab', 'Space', 'ArrowDown', 'ArrowDown'));
    expect(session.state()).toMatchObject({ colour: 'red' });
    expect(await taken(session, ...press('Enter'))).toMatchObject({ colour: 'blue' });
    await session.close();
  });

  it('[WEB-15] keys that there are none of, and going back, are refused', async () => {
    const session = await openDesk();
    const before = session.digest();
    for (const key of ['Any', 'Control+', 'a+b', 'Hyper+x']) {
      const problem = { code: 'invalid-action', message: `There is no key "${key}".` };
      expect(await session.step({ kind: 'press', key })).toEqual({ applied: false, problem });
    }
    expect((await session.step({ kind: 'back' })).problem?.message).toContain('no history to go back in');
    expect(session.digest()).toBe(before);
    await session.close();
  });

  it('[WEB-16] what one page copied no other can paste, and what was done is not undone', async () => {
    const [one, other] = [await openDesk(), await openDesk()];
    await taken(one, ...press('Tab', 'Control+a', 'Control+c', 'Control+Insert'));
    await taken(other, ...press('Tab', 'Control+a', 'Control+v', 'Shift+Insert', 'Meta+v'));
    expect(other.state()).toMatchObject({ note: 'one two' });
    await taken(one, { kind: 'type', text: 'x' }, ...press('Control+z', 'Control+Shift+z', 'Control+y', 'Control+x'));
    expect(one.state()).toMatchObject({ note: 'x' });
    await Promise.all([one.close(), other.close()]);
  });
});

describe('an app that breaks', () => {
  it('[WEB-20] leaves the state, the page and the person as they were', async () => {
    const [session, headless] = [await openDesk(), desk.open(desk.task('count', 1))];
    await taken(session, ...press('Tab', 'End'));
    const before = await momentOf(session);
    for (let time = 0; time < 2; time++) {
      await expect(session.step({ kind: 'type', text: 'Oh!' })).rejects.toMatchObject({ code: 'command-failed' });
      expect(await momentOf(session)).toEqual(before);
    }
    await expect(session.step({ kind: 'fill', ref: 'e1', text: '!' })).rejects.toMatchObject({
      code: 'command-failed',
    });
    expect(await momentOf(session)).toEqual(before);
    expect(await taken(session, { kind: 'type', text: 'Oh' })).toMatchObject({ note: 'one twoOh' });
    const click: Action = { kind: 'click', ref: 'e4' };
    headless.step({ kind: 'fill', ref: 'e1', text: 'one twoOh' });
    headless.step(click);
    await taken(session, click);
    expect([session.digest(), (await session.observe()).text]).toEqual([headless.digest(), headless.observe().text]);
    await session.close();
  });
});

describe('where a person is', () => {
  it('[WEB-17] belongs to the digest only after pointing, scrolling or typing', async () => {
    const [session, headless] = [await openDesk(), desk.open(desk.task('count', 1))];
    expect(session.digest()).toBe(headless.digest());
    await session.observe();
    await taken(session, ...press('Tab'));
    const tabbed = session.digest();
    expect(tabbed).not.toBe(headless.digest());
    await taken(session, ...press('Tab', 'Shift+Tab'));
    expect(session.digest()).toBe(tabbed);
    await taken(session, { kind: 'scroll', x: 500, y: 300, dx: 0, dy: 200 });
    expect(session.digest()).not.toBe(tabbed);
    const away: Action = { kind: 'click', ref: 'e4' };
    await taken(session, away);
    headless.step(away);
    expect(session.digest()).toBe(headless.digest());
    await session.close();
  });

  it('[WEB-17] is not changed by what leaves no trace', async () => {
    const session = await openDesk();
    for (const start of [[], press('Tab', 'End')]) {
      await taken(session, ...start);
      const before = session.digest();
      await taken(session, { kind: 'wait', milliseconds: 500 }, ...press('Shift', 'F7', 'ArrowRight'));
      expect(session.digest()).toBe(before);
    }
    await session.close();
  });

  it('[WEB-18] a snapshot puts focus, caret, scrolling and an open choice back, and what follows is the same', async () => {
    const session = await openDesk({ type: 'image/png', marks: false });
    const scroll: Action = { kind: 'scroll', x: 500, y: 300, dx: 0, dy: 150 };
    const ways: readonly (readonly Action[])[] = [
      [...press('Tab', 'Home', 'ArrowRight', 'Shift+ArrowRight'), { kind: 'type', text: 'Q' }],
      [scroll, ...press('Tab', 'Tab', 'Tab', 'Tab', 'Enter')],
      [...press('Tab', 'Tab', 'Tab', 'Space', 'ArrowDown', 'Enter')],
      [await pointAt(session, 'e5'), ...press('Tab', 'Enter', 'Escape')],
      [{ kind: 'click-at', x: 300, y: 500 }, ...press('Tab', 'Control+a', 'Delete')],
      [{ kind: 'hover-at', x: 40, y: 200 }, scroll, { kind: 'scroll', x: 500, y: 300, dx: 0, dy: -40 }],
    ];
    const start = session.snapshot();
    const snapshots = [];
    for (const way of ways) {
      session.restore(start);
      for (const action of way) {
        const before = session.snapshot();
        await taken(session, action);
        snapshots.push({ before, action, ...(await momentOf(session)), after: session.snapshot() });
      }
    }
    for (const { before, action, after, ...snapshot } of createRandom('any order').sample(snapshots, 7)) {
      session.restore(before);
      await taken(session, action);
      expect(await momentOf(session), JSON.stringify(action)).toEqual(snapshot);
      session.restore(start);
      session.restore(after);
      expect(await momentOf(session), JSON.stringify(action)).toEqual(snapshot);
    }
    await session.close();
  });

  it('[WEB-18] forks have it as well, and snapshots go both ways', async () => {
    const session = await openDesk();
    const start = session.snapshot();
    await taken(session, ...press('Tab'));
    const fork = session.fork();
    expect([fork.digest(), fork.observe().text]).toEqual([session.digest(), (await session.observe()).text]);
    const [tabbed, before] = [fork.snapshot(), session.digest()];
    fork.step({ kind: 'click', ref: 'e4' });
    expect([fork.digest() === before, session.digest()]).toEqual([false, before]);
    fork.restore(start);
    session.restore(start);
    expect(fork.digest()).toBe(session.digest());
    session.restore(tabbed);
    expect([session.digest(), (await session.observe()).layout?.focus]).toEqual([before, 'e1']);
    for (const foreign of [null, { owner: 'x' }, desk.open(desk.task('count', 1)).snapshot()])
      expect(() => session.restore(foreign as never)).toThrow('was given to a session of task desk/count/1');
    await session.close();
  });
});

async function momentOf(session: AppSession): Promise<{ digest: string; seen: Observation; state: unknown }> {
  return { digest: session.digest(), seen: await session.observe(), state: session.state() };
}
