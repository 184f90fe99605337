import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { environments } from '../../../catalog.ts';
import { createSystemTimers } from '../../../system/clock.ts';
import type { StateEnvironment } from '../../../core/contracts.ts';
import { createRandom, type Random } from '../../../core/random.ts';
import type { Task } from '../../../core/records.ts';
import { anyCall } from '../../../worlds/any-call.ts';
import { createWorld } from '../../../worlds/world.ts';
import { varyApp, type VariationOptions } from '../../../worlds/wrappers/variation.ts';
import { createAppSession, type AppSession } from './app-session.ts';
import type { AppPageOptions } from './app-page.ts';
import { createBrowserPool, type BrowserPool } from '../browser/pool.ts';
import { isLong } from '../../../../test/long-form.ts';

const desk = { width: 1280, height: 800 };
const phone = { width: 390, height: 844 };
const plain = { viewport: desk, look: { theme: 'light', density: 'comfortable' }, pictures: null } as const;
let pool: BrowserPool;
beforeAll(() => {
  pool = createBrowserPool({ timers: createSystemTimers() });
});
afterAll(() => pool.close());

interface Trial {
  readonly world: StateEnvironment;
  readonly task: Task;
  readonly random: Random;
  readonly session: AppSession;
}

interface Ways extends Omit<AppPageOptions, 'pool'> {
  readonly vary?: VariationOptions;
  /** Tells which of the templates are tried. */
  readonly first: number;
}

async function trials(id: string, count: number, { vary, first, ...options }: Ways): Promise<Trial[]> {
  const app = await environments.find(known => known.id === id)!.app();
  const world = createWorld(vary === undefined ? app : varyApp(app, vary));
  const chosen = Array.from({ length: count }, (_, index) => (first + index * 5) % world.templates.length);
  return Promise.all(
    chosen.map(async index => {
      const task = world.task(world.templates[index]!.id, index + 1);
      const session = await createAppSession(world.open(task), { pool, ...options });
      return { world, task, session, random: createRandom(`walk ${task.id}`) };
    }),
  );
}

/** Takes the same steps headless and in the browser, and compares all there is; then goes back to states on the way. */
async function compare({ world, task, session, random }: Trial, steps: number): Promise<number> {
  const headless = world.open(task);
  const kept = [];
  for (let step = 0; step <= steps; step++) {
    const where = `${task.id}, step ${step}`;
    expect((await session.observe()).text, where).toBe(headless.observe().text);
    expect(session.digest(), where).toBe(headless.digest());
    expect(session.candidates(), where).toEqual(headless.candidates());
    kept.push({ where, snapshot: session.snapshot(), digest: session.digest(), text: headless.observe().text });
    const action = random.chance(0.15)
      ? anyCall(random.pick(world.tools), task.parameters, random)
      : random.pick(headless.candidates()).action;
    expect(await session.step(action), `${where}: ${JSON.stringify(action)}`).toEqual(headless.step(action));
  }
  expect(await session.step({ kind: 'finish', answer: 'done' })).toEqual(
    headless.step({ kind: 'finish', answer: 'done' }),
  );
  expect([session.digest(), session.verify()]).toEqual([headless.digest(), headless.verify()]);
  expect(await session.step({ kind: 'press', key: 'Tab' })).toMatchObject({ problem: { code: 'ended' } });
  for (const { where, snapshot, digest, text } of random.sample(kept, 10)) {
    session.restore(snapshot);
    expect(session.digest(), where).toBe(digest);
    expect((await session.observe()).text, where).toBe(text);
  }
  await session.close();
  return kept.length;
}

/** The long form walks further. */
const walkSteps = isLong ? 42 : 20;

/** How many states were compared. */
async function compareAll(all: readonly Trial[], steps: number): Promise<number> {
  const compared = await Promise.all(all.map(trial => compare(trial, steps)));
  return compared.reduce((sum, count) => sum + count, 0);
}

describe.each(environments.map(({ id }) => id))('%s in a browser', id => {
  it('[WEB-12] [WEB-13] has the outcomes, digests, screens and rollbacks that it has headless', async () => {
    expect(await compareAll(await trials(id, 2, { ...plain, first: 0 }), walkSteps)).toBe(2 * (walkSteps + 1));
  });

  it('[WEB-12] [WEB-13] also with other words and in another order', async () => {
    const vary = { seed: 7, labels: true, order: true };
    expect(await compareAll(await trials(id, 2, { ...plain, vary, first: 2 }), walkSteps)).toBe(2 * (walkSteps + 1));
  });

  it('[WEB-12] [WEB-13] also dark, compact and on a small screen', async () => {
    const ways = { viewport: phone, look: { theme: 'dark', density: 'compact' }, pictures: null, first: 4 } as const;
    expect(await compareAll(await trials(id, 2, ways), walkSteps)).toBe(2 * (walkSteps + 1));
  });
});

it('[WEB-12] takes texts that keyboards do not have', async () => {
  const world = await environments[0]!.load();
  const task = world.task(world.templates[0]!.id, 1);
  const [session, headless] = [await createAppSession(world.open(task), { pool, ...plain }), world.open(task)];
  const [, ref = ''] = /\[(e\d+)\] textbox/.exec(headless.observe().text) ?? [];
  const texts = [
    'a\nb',
    'tab\there',
    '😀👩‍👩‍👧',
    '  x  ',
    '<b>&amp;"\'',
    '',
    'שלום',
    'é\u0301',
    '\ud800',
    '\u0000',
    'x'.repeat(3000),
  ];
  for (const text of texts) {
    const action = { kind: 'fill', ref, text } as const;
    expect(await session.step(action)).toEqual(headless.step(action));
    expect([session.digest(), (await session.observe()).text]).toEqual([headless.digest(), headless.observe().text]);
  }
  await session.close();
});

it('[WEB-13] a rollback gives the same picture, byte for byte', async () => {
  const pictures = { type: 'image/png', marks: false } as const;
  const [trial] = await trials('tracker', 1, { ...plain, pictures, first: 1 });
  const { session, random } = trial!;
  const kept = [];
  for (let step = 0; step < 14; step++) {
    const { image } = await session.observe();
    kept.push({ step, snapshot: session.snapshot(), image: Buffer.from(image!.data) });
    await session.step(random.pick(session.candidates()).action);
  }
  for (const { step, snapshot, image } of random.shuffle(kept)) {
    session.restore(snapshot);
    const again = (await session.observe()).image!.data;
    expect(image.equals(again), `the picture after ${step} steps`).toBe(true);
  }
  expect(new Set(kept.map(({ image }) => image.toString('base64'))).size).toBeGreaterThan(5);
  await session.close();
});
