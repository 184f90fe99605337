import { describe, expect, it } from 'vitest';
import { app } from '../../../examples/library/library.ts';
import { actionKey, type Action } from '../../core/action.ts';
import type { Session } from '../../core/contracts.ts';
import { describeStep } from '../../core/episode/view.ts';
import { EspalierError } from '../../core/errors.ts';
import { createWorld } from '../../worlds/world.ts';
import type { FoundStep } from './explorer.ts';
import { searchTree, type SearchOptions } from './levin-search.ts';
import { createScorePrior, type Moment, type ReadyPrior } from './prior.ts';
import { locate, shortenPath } from './shorten-path.ts';
import { createWordScorer } from './word-prior.ts';

const world = createWorld(app);
const options: SearchOptions = {
  prior: createScorePrior(createWordScorer()),
  maxNodes: 300,
  maxSteps: 8,
  temperatures: [1, 2],
};

/** The same line where the screen has what it names. */
function describeAt(text: string, screen: string): string {
  const [, name = ''] = /"([^"]+)"/.exec(text) ?? [];
  return screen.includes(name) ? text : `${name} is not on the screen`;
}

function openTask(template: string, seed: number) {
  return world.open(world.task(template, seed));
}

describe('Levin tree search', () => {
  it('[SEARCH-1] finds steps that the verifier passes, the same ones every time, and leaves the session alone', async () => {
    for (let seed = 1; seed <= 4; seed++) {
      const session = openTask('lend-to-reader', seed);
      const found = await searchTree(session, options);
      expect(session.digest()).toBe(world.open(session.task).digest());
      for (const { action } of found.path?.steps ?? []) expect(session.step(action).applied).toBe(true);
      session.step({ kind: 'finish' });
      expect([seed, session.verify().pass]).toEqual([seed, true]);
      expect(await searchTree(world.open(session.task), options)).toEqual(found);
    }
  });

  it('[SEARCH-2] tries no more actions than its budget, and says that it found nothing', async () => {
    const found = await searchTree(openTask('lend-to-reader', 1), { ...options, maxNodes: 3 });
    expect(found).toMatchObject({ path: null, nodes: 3 });
  });

  it('[SEARCH-2] takes a known action again at no cost when it restarts with another temperature', async () => {
    const session = openTask('lend-to-reader', 1);
    // The second run of the same temperature repeats the first: only its last nodes are new.
    const once = await searchTree(session, { ...options, maxNodes: 8, temperatures: [1] });
    const twice = await searchTree(session, { ...options, maxNodes: 8, temperatures: [1, 1] });
    expect(twice).toEqual(once);
  });

  it('[SEARCH-3] asks the verifier once about states that it judges alike', async () => {
    const session = openTask('lend-to-reader', 2);
    const count = { asked: 0, judged: new Set<string>() };
    const found = await searchTree(counting(session, count), options);
    expect(found.path).not.toBeNull();
    expect(found.verifierCalls).toBe(count.asked);
    expect(count.asked).toBe(count.judged.size);
    expect(count.asked).toBeLessThan(found.states);
  });

  it('[SEARCH-20] tries steps in unchecked forks, and shortens what it found in ordinary ones', async () => {
    const asked: (boolean | undefined)[] = [];
    const watched = (session: Session): Session => ({
      ...session,
      async fork(wanted) {
        asked.push(wanted?.unchecked);
        return watched((await session.fork?.(wanted)) as Session);
      },
    });
    const session = watched(openTask('lend-to-reader', 2));
    const { path } = await searchTree(session, options);
    expect(asked.length).toBeGreaterThan(1);
    expect(new Set(asked)).toEqual(new Set([true]));
    asked.length = 0;
    await shortenPath(session, path as NonNullable<typeof path>);
    expect(new Set(asked)).toEqual(new Set([undefined]));
  });

  it('[SEARCH-92] tells its prior every screen on the way to a state', async () => {
    const moments: Moment[] = [];
    const prior: ReadyPrior = (moment, temperature) => {
      moments.push(moment);
      return options.prior(moment, temperature) as ReturnType<ReadyPrior>;
    };
    await searchTree(openTask('lend-to-reader', 2), { ...options, prior });
    expect(moments.some(({ history }) => history.length > 2)).toBe(true);
    for (const { history, screen, screenBefore, screens = [] } of moments) {
      expect(screens).toHaveLength(history.length + 1);
      expect([screens.at(-2) ?? null, screens.at(-1)]).toEqual([screenBefore, screen]);
      for (const [at, text] of history.entries()) expect(text).toBe(describeAt(text, screens[at] as string));
    }
  });

  it('[SEARCH-4] leaves out steps that the task passes without', async () => {
    const session = openTask('lend-to-reader', 3);
    const { path } = await searchTree(session, options);
    if (path === null) throw new Error('nothing was found');
    const screen = session.observe().text;
    const detour = { action: { kind: 'click', ref: 'e3' } as const, text: 'click', screen };
    const walker = session.fork();
    walker.step(detour.action);
    const back = { action: { kind: 'click', ref: 'e1' } as const, text: 'click', screen: walker.observe().text };
    const longer = { ...path, steps: [detour, back, ...path.steps] };
    expect(await shortenPath(session, longer)).toEqual(await shortenPath(session, path));
  });

  it('[SEARCH-55] leaves out a detour after which another text stands in the row of what comes next', async () => {
    const session = openTask('lend-to-reader', 3);
    const { path } = await searchTree(session, options);
    const { steps } = await shortenPath(session, path as NonNullable<typeof path>);
    const opened = steps.findIndex(({ screen }) => screen.includes('button "Lend"'));
    const walker = session.fork();
    const taken: FoundStep[] = [];
    const take = (action: Action): void => {
      const screen = walker.observe().text;
      expect(walker.step(action).applied).toBe(true);
      taken.push({ action, text: describeStep(action, screen), screen });
    };
    const refOf = (name: string): string =>
      new RegExp(String.raw`\[(e\d+)\] \w+ "${name}"`).exec(walker.observe().text)?.[1] ?? '';
    for (const { action } of steps.slice(0, opened)) take(action);
    take({ kind: 'fill', ref: refOf('Reader'), text: 'Somebody Else' });
    take({ kind: 'click', ref: refOf('Lend') });
    take({ kind: 'click', ref: refOf('Take back') });
    for (const step of steps.slice(opened)) {
      // The notice that the book is back stands in the row of everything on this small page.
      expect(walker.observe().text).not.toBe(step.screen);
      take({ ...step.action, ref: refOf(step.action.kind === 'fill' ? 'Reader' : 'Lend') } as Action);
    }
    expect(walker.verify().pass).toBe(true);
    const shorter = await shortenPath(session, { steps: taken, state: null });
    expect(shorter.steps).toEqual(steps);
  });

  it('[SEARCH-55] finds an element again by role and name, then by the texts around it, and takes no other row for it', () => {
    const bank = (ref: string, ...texts: string[]): string[] => [
      '  row ""',
      ...texts.map(text => `    cell "${text}"`),
      `    [${ref}] button "Remove"`,
    ];
    const tableOf = (...rows: string[][]): string => ['table "Banks"', ...rows.flat()].join('\n');
    const screen = tableOf(
      bank('e1', 'Chase checking', '6742', 'Preferred'),
      bank('e2', 'Citibank savings', '1104', 'Backup'),
    );
    const now = tableOf(
      bank('e5', 'Chase checking', '6742', 'Backup'),
      bank('e6', 'Citibank savings', '1104', 'Preferred'),
    );
    const remove = (ref: string) => ({ action: { kind: 'click', ref } as const, screen });
    expect(locate(remove('e1'), now)).toEqual({ kind: 'click', ref: 'e5' });
    expect(locate(remove('e2'), now)).toEqual({ kind: 'click', ref: 'e6' });
    const gone = tableOf(bank('e5', 'Chase checking', '6742', 'Backup'));
    expect(locate(remove('e2'), gone)).toBeNull();
  });

  it('[SEARCH-10] holds one fork at a time where the session has no snapshots, and finds the same path', async () => {
    const session = openTask('lend-to-reader', 1);
    const open = { now: 0, most: 0 };
    const walked = await searchTree(withoutSnapshots(session, open), options);
    const { path } = await searchTree(session, options);
    expect(walked.path?.steps).toEqual(path?.steps);
    expect(open).toEqual({ now: 0, most: 1 });
  });

  it('[SEARCH-11] goes on after a verdict or a step that breaks, and ends when everything breaks', async () => {
    const session = openTask('lend-to-reader', 1);
    const { path, nodes } = await searchTree(session, options);
    const needed = new Set(path?.steps.map(({ action }) => actionKey(action)));
    let [verdicts, steps] = [0, 0];
    const some = await searchTree(
      breaking(session, {
        verify: () => [1, 2].includes(verdicts++),
        step: action => !needed.has(actionKey(action)) && steps++ % 4 === 0,
      }),
      options,
    );
    expect(some.failures).toBeGreaterThan(2);
    expect(some.path).not.toBeNull();
    const all = breaking(session, { verify: () => false, step: () => true });
    await expect(searchTree(all, options)).rejects.toThrow('the page is gone');
    expect(nodes).toBeGreaterThan(4);
  });

  it('[SEARCH-12] finds different solutions of a task, and every one of them passes', async () => {
    const session = openTask('lend-to-reader', 1);
    const { path, others, nodes, nodesToSolve } = await searchTree(session, { ...options, solutions: 3 });
    const paths = [path, ...others].map(one => one?.steps ?? []);
    expect(paths.length).toBeGreaterThan(1);
    expect(new Set(paths.map(steps => steps.map(({ text }) => text).join())).size).toBe(paths.length);
    for (const steps of paths) {
      const walker = session.fork();
      for (const { action } of steps) expect(walker.step(action).applied).toBe(true);
      expect(walker.verify().pass).toBe(true);
    }
    expect(nodes).toBeGreaterThan(nodesToSolve ?? Infinity);
    const first = await searchTree(session, options);
    expect(first).toMatchObject({ path, nodes: nodesToSolve, others: [] });
  });

  it('[SEARCH-13] ends when its time is over', async () => {
    let asked = 0;
    const found = await searchTree(openTask('lend-to-reader', 1), { ...options, isOverdue: () => asked++ >= 3 });
    expect(found).toMatchObject({ path: null, isOverdue: true, nodes: 2 });
  });
});

/** The data without the screen is what the verifier reads. */
function counting(session: Session, count: { asked: number; judged: Set<string> }): Session {
  const state = (): string => {
    const { ui: _ui, ...data } = (session as ReturnType<typeof openTask>).state() as { ui: unknown };
    return JSON.stringify(data);
  };
  return {
    ...session,
    fork: async () => counting((await session.fork?.()) as Session, count),
    judgedState: state,
    verify() {
      count.asked++;
      count.judged.add(state());
      return session.verify();
    },
  };
}

/** Forks by a path of their own, as sessions in pages without snapshots. */
function withoutSnapshots(session: Session, open: { now: number; most: number }): Session {
  const { snapshot: _snapshot, restore: _restore, ...rest } = session;
  return {
    ...rest,
    async fork() {
      const forked = withoutSnapshots((await session.fork?.()) as Session, open);
      open.most = Math.max(open.most, ++open.now);
      let isOpen = true;
      const close = async (): Promise<void> => {
        if (isOpen) open.now--;
        isOpen = false;
        await forked.close();
      };
      return { ...forked, close };
    },
  };
}

interface Breaks {
  verify(): boolean;
  step(action: Action): boolean;
}

function breaking(session: Session, breaks: Breaks): Session {
  const broken = (boundary: 'verifier' | 'environment') =>
    new EspalierError({ boundary, code: 'check-failed', message: 'the page is gone', expected: 'Expected a page.' });
  return {
    ...session,
    fork: async () => breaking((await session.fork?.()) as Session, breaks),
    async verify() {
      if (breaks.verify()) throw broken('verifier');
      return session.verify();
    },
    async step(action) {
      if (breaks.step(action)) throw broken('environment');
      return session.step(action);
    },
  };
}
