import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeExamined, isRight, readCases, writeCase, type Case } from './adversarial/certify/case.ts';
import { examine, judge, placeOf, type Examined } from './adversarial/certify/examine.ts';
import { followWalk, generate } from './adversarial/certify/generate.ts';
import { library } from './adversarial/certify/library.ts';
import { writePage, type Slot } from './adversarial/certify/page.ts';
import { createPageWorld } from './adversarial/certify/page-world.ts';
import { shrink, withoutStep, type Smaller } from './adversarial/certify/shrink.ts';
import { actionFor, type WalkStep } from './adversarial/certify/walk-step.ts';
import { actionSchema } from '../src/core/action.ts';
import { createSystemTimers } from '../src/system/clock.ts';
import { isLong } from './long-form.ts';
import type { Session } from '../src/core/contracts.ts';
import type { Observation, Task } from '../src/core/records.ts';
import { createBrowserPool, type BrowserPool } from '../src/envs/web/browser/pool.ts';

const folder = join(import.meta.dirname, './adversarial/certify');
const cases = readCases(readFileSync(join(folder, 'cases.jsonl'), 'utf8'));
/** Names of the cases and seeds that are wrong today. It must shrink to nothing. */
const knownWrong = new Set(readFileSync(join(folder, 'known-wrong.txt'), 'utf8').split('\n').filter(Boolean));
const seeds = Array.from({ length: 10 }, (_, index) => `test/${index}`);
const names = [...library.keys()];
const lanes = 5;
const click = (target: string): WalkStep => ({ kind: 'click', target });

let pool: BrowserPool;
beforeAll(() => {
  pool = createBrowserPool({ timers: createSystemTimers(), pages: lanes + 2 });
});
afterAll(() => pool.close());

/** Does work for every item, a few at a time. */
async function inLanes<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const runLane = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: lanes }, runLane));
}

/** Those that came out wrong and are not on the list of known ones. */
async function surprises<T>(items: readonly T[], run: (item: T) => Promise<[string, Examined]>): Promise<string[]> {
  const found: string[] = [];
  await inLanes(items, async item => {
    const [name, examined] = await run(item);
    const isFine = isRight(examined.outcome);
    expect(examined.certificate, name).not.toBe('wrong');
    if (!isFine && !knownWrong.has(name)) found.push(`"${name}": ${describeExamined(examined)}`);
  });
  return found;
}

describe('generated pages', () => {
  it('[GEN-1] every case that was ever found goes on as a fresh replay does (short form: every 160th)', async () => {
    const run = async ({ name, slots, steps, found }: Case): Promise<[string, Examined]> => [
      name,
      // Only a second replay shows that fresh ones differ.
      await examine({ pool, library, certifies: found.startsWith('unsteady') }, slots, followWalk(steps)),
    ];
    // The newest, and of the others every 160th; all of them in the long form.
    const due = cases.filter((_, index) => isLong || index % 160 === 0 || index >= cases.length - 6);
    expect(await surprises(due, run)).toEqual([]);
  });

  it('[GEN-2] pages of fixed seeds are restored right or replayed right, and certified right', async () => {
    const run = async (seed: string): Promise<[string, Examined]> => {
      const { slots, next } = generate(seed, names);
      return [seed, await examine({ pool, library, certifies: true }, slots, next)];
    };
    expect(await surprises(isLong ? seeds : seeds.slice(0, 4), run)).toEqual([]);
  });

  it('[GEN-1] the list of known ones names cases and seeds that there are', () => {
    const known = new Set([...cases.map(({ name }) => name), ...seeds]);
    expect([...knownWrong].filter(name => !known.has(name))).toEqual([]);
    expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
  });
});

describe('the judge', () => {
  const slots: readonly Slot[] = [{ feature: 'closure-counter', number: 1, seed: 'x' }];
  const walk: readonly WalkStep[] = [click('button "Do 1a"'), { kind: 'rollback', node: 0 }, click('button "Show"')];
  const html = writePage(slots, library);

  it('[GEN-5] finds out a session that says it was restored and was not', async () => {
    const world = await createPageWorld(pool, () => html);
    const open = async (task: Task): Promise<Session> => {
      const session = await world.environment.open(task);
      const first = await session.digest();
      let lies = false;
      return {
        ...session,
        digest: () => (lies ? first : session.digest()),
        restore: () => {
          lies = true;
        },
        step: action => {
          lies = false;
          return session.step(action);
        },
      };
    };
    const lying = { ...world, environment: { ...world.environment, open } };
    const honest = await judge(world, followWalk(walk), true);
    expect(honest).toMatchObject({ outcome: 'restored', certificate: 'right', difference: null });
    const found = await judge(lying, followWalk(walk), true);
    expect(found).toMatchObject({ outcome: 'restored-wrong', certificate: 'none', difference: { what: 'text' } });
  });

  it('[GEN-6] says of a page that takes too long in which step it is', async () => {
    const opening = await examine({ pool, library, certifies: false, most: 1 }, slots, followWalk(walk));
    expect(opening).toMatchObject({ outcome: 'stuck', problem: 'not done after 1 ms, while it was opened' });
    expect(placeOf(walk.slice(0, 2), false)).toBe('in step 2: roll back to step 0');
    expect(placeOf(walk, true)).toBe('in a fresh replay');
  });

  it('[GEN-8] tells a page that differs and says why from one that just differs', async () => {
    let loads = 0;
    const steps: readonly WalkStep[] = [click('button "Do 1a"')];
    const named = await createPageWorld(
      pool,
      () => `${html.replace('Show<', `Show ${loads++}<`)}<progress></progress>`,
    );
    const examined = await judge(named, followWalk(steps), true);
    expect(examined).toMatchObject({ outcome: 'refused', certificate: 'none' });
    expect(isRight(examined.outcome)).toBe(false);
  });

  it('[GEN-5] tells a page that differs each time it is opened from one that is restored wrong', async () => {
    let loads = 0;
    const moody = await createPageWorld(pool, () => html.replace('Show<', `Show ${loads++}<`));
    const steps: readonly WalkStep[] = [click('button "Do 1a"')];
    expect(await judge(moody, followWalk(steps), true)).toMatchObject({ outcome: 'unsteady', certificate: 'none' });
  });
});

describe('the generator', () => {
  it('[GEN-3] writes the same page from the same seed, and other pages from others', () => {
    const page = (seed: string): string => writePage(generate(seed, names).slots, library);
    expect(page('a')).toBe(page('a'));
    expect(new Set(seeds.map(page)).size).toBe(seeds.length);
  });

  it('[GEN-3] has more than 400 features, each with a name of its own and a way to change it', () => {
    expect(names.length).toBeGreaterThan(400);
    expect([...library.values()].filter(({ changes }) => changes.length === 0)).toEqual([]);
  });

  it('[GEN-7] takes every kind of action that a session in a page has', async () => {
    const box = { x: 10, y: 10, width: 40, height: 20 };
    const elements = ['e1', 'e2', 'e3'].map(ref => ({ ref, box, inView: true }));
    const seen: Observation = {
      text: '[e1] button "Do 1a"\n[e2] textbox "T"\n[e3] combobox "C" {a | b}',
      layout: { viewport: { width: 600, height: 400 }, scroll: { x: 0, y: 0 }, focus: null, elements },
    };
    const steps: WalkStep[] = [];
    for (let page = 0; page < 300; page++) {
      const { next } = generate(`kinds/${page}`, names);
      for (let taken = 0; ; taken++) {
        const step = next(seen, taken);
        if (step === null) break;
        steps.push(step);
      }
    }
    const kinds = actionSchema.options.map(({ shape }) => shape.kind.value);
    // Generated pages have no tools, and no task that could be finished.
    const wanted = kinds.filter(kind => kind !== 'call' && kind !== 'finish');
    const actions = steps.flatMap(step => (step.kind === 'rollback' ? [] : [actionFor(step, seen)]));
    const taken = new Set(actions.map(action => action?.kind));
    expect([...taken].filter(kind => kind !== undefined).toSorted()).toEqual(wanted.toSorted());
    expect(actions.some(action => action?.kind === 'click-at' && action.button === 'right')).toBe(true);
    expect(actions.some(action => action?.kind === 'click-at' && action.double === true)).toBe(true);
    const kept = { name: 'kinds', slots: [], steps, found: '' };
    expect(readCases(writeCase(kept))).toEqual([kept]);
  });

  it('[GEN-4] takes a step away so that rollbacks still go to the states they went to', () => {
    const steps: WalkStep[] = [click('a'), click('b'), { kind: 'rollback', node: 1 }, click('c')];
    expect(withoutStep(steps, 0)).toEqual([click('b'), { kind: 'rollback', node: 0 }, click('c')]);
    expect(withoutStep(steps, 1)).toEqual([click('a'), { kind: 'rollback', node: 1 }, click('c')]);
    expect(withoutStep(steps, 2)).toEqual([click('a'), click('b'), click('c')]);
    expect(withoutStep(steps, 3)).toEqual([click('a'), click('b'), { kind: 'rollback', node: 1 }]);
  });

  it('[GEN-4] makes a finding as small as it still is one', async () => {
    const slots = ['a', 'b', 'c'].map((feature, index) => ({ feature, number: index + 1, seed: '' }));
    const difference = { where: 'step 1', what: 'text', before: '1', after: '2' } as const;
    const found: Examined = {
      outcome: 'restored-wrong',
      steps: [],
      rollbacks: [],
      certificate: 'none',
      difference,
      problem: null,
    };
    const steps: WalkStep[] = [click('x'), click('b'), click('y'), { kind: 'rollback', node: 1 }, click('x')];
    const tryOut = ({ slots: left, steps: walk }: Smaller): Promise<Examined> => {
      const isWrong =
        left.some(({ feature }) => feature === 'b') &&
        walk.some(step => step.kind === 'click' && step.target === 'b') &&
        walk.some(({ kind }) => kind === 'rollback');
      return Promise.resolve(isWrong ? found : { ...found, outcome: 'restored', difference: null });
    };
    const small = await shrink({ slots, examined: { ...found, steps } }, tryOut);
    expect(small.slots.map(({ feature }) => feature)).toEqual(['b']);
    expect(small.examined.steps).toEqual([click('b'), { kind: 'rollback', node: 0 }]);
  });
});
