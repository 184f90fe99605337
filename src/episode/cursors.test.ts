import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { app } from '../../examples/library/library.ts';
import { strategy as beam } from '../../examples/plugins/beam.ts';
import { headsOf, noTimers, planFor, run, runOne, studentBy } from '../../test/fixtures/episode-setup.ts';
import type { Action } from '../core/action.ts';
import { createManualClock } from '../core/clock.ts';
import type { Environment } from '../core/contracts.ts';
import type { Decision } from '../core/episode/agents.ts';
import { foldEpisode } from '../core/episode/record.ts';
import { createTrail } from '../worlds/trail.ts';
import { createWorld } from '../worlds/world.ts';
import { createRandomPolicy } from '../agents/random.ts';
import { openStore } from '../store/store.ts';
import { runEpisodes } from './engine.ts';
import type { Episode } from './verbs/episode.ts';
import type { Strategy } from './strategies/strategy.ts';

const world = createWorld(app);
const task = world.task('lend-to-reader', 3);
const plan = planFor(world.open(task));
const idle: Action = { kind: 'click', ref: 'e999' };

/** Forks a fork, lets the three cursors step in turn, and ends where the last one stands. */
const threeCursors: Strategy = {
  name: 'three cursors',
  asksTeacher: false,
  async run(first) {
    const second = await first.fork();
    await second.step({ action: idle });
    const third = await second.fork();
    const cursors = [first, second, third];
    for (const action of plan) {
      for (const cursor of cursors) await cursor.step({ action });
    }
    for (const cursor of cursors) cursor.leaf({ role: 'explored', verdict: await cursor.verify(), from: null });
    return { kind: 'verified', leaf: third.at(), verdict: await third.verify(), reason: null };
  },
};

/** Counts the sessions that are open. */
function counting(environment: Environment): { readonly world: Environment; open(): number } {
  let open = 0;
  const counted = <T extends { close(): unknown; fork?(): unknown }>(session: T): T => {
    open++;
    let isOpen = true;
    return {
      ...session,
      ...(session.fork === undefined ? {} : { fork: () => counted(session.fork?.() as T) }),
      close() {
        if (isOpen) open--;
        isOpen = false;
        return session.close();
      },
    };
  };
  return { world: { ...environment, open: given => counted(environment.open(given) as never) }, open: () => open };
}

describe('cursors', () => {
  it('[ROL-20] fork, also from forks, and add to one tree, each with a session of its own', async () => {
    const { world: counted, open } = counting(world);
    const student = createRandomPolicy();
    const record = await runOne({ task, parts: { environment: counted, student, strategy: threeCursors } });
    expect(record.end).toMatchObject({ outcome: 'passed', counts: { forks: 2, taken: 3 * plan.length + 1 } });
    const paths = record.leaves.map(({ node }) => record.tree.path(node).map(({ action }) => action));
    expect(paths).toEqual([plan, [idle, ...plan], [idle, ...plan]]);
    expect(record.leaves.map(({ role, verdict }) => [role, verdict?.pass])).toEqual(
      [0, 1, 2].map(() => ['explored', true]),
    );
    expect(open()).toBe(0);
  });

  it('[ROL-20] are walked to where sessions cannot fork', async () => {
    const bare: Environment = {
      ...world,
      open(given) {
        const { fork: _fork, ...session } = world.open(given);
        return session;
      },
    };
    const parts = { student: createRandomPolicy(), strategy: threeCursors };
    const [forked, walked] = [world, bare].map(environment => run({ tasks: [task], parts: { ...parts, environment } }));
    const events = (await walked!).stored[0]!.events;
    expect(events.flatMap(event => (event.kind === 'fork' ? [[event.at, event.cursor, event.method]] : []))).toEqual([
      [0, 1, 'replay'],
      [1, 2, 'replay'],
    ]);
    expect((await walked!).records[0]!.tree.record()).toEqual((await forked!).records[0]!.tree.record());
  });

  it('[ROL-20] a fork that lies about its state is replaced by a walk', async () => {
    const lying: Environment = {
      ...world,
      open(given) {
        const session = world.open(given);
        return { ...session, fork: () => world.open(world.task('lend-to-reader', 4)) };
      },
    };
    const record = await runOne({
      task,
      parts: { environment: lying, student: createRandomPolicy(), strategy: threeCursors },
    });
    expect(record.end.outcome).toBe('passed');
  });

  it('[ROL-20] are bounded by the budget of forks', async () => {
    const student = createRandomPolicy();
    const record = await runOne({
      task,
      parts: { environment: world, student, strategy: threeCursors, limits: { forks: 1 } },
    });
    expect(record.end).toMatchObject({ outcome: 'errored', reason: 'out of forks', boundary: 'budget' });
  });

  it('[ROL-21] a beam of them gives the same events again, and draws of its own for each cursor', async () => {
    const parts = { environment: world, student: createRandomPolicy(), strategy: beam({ width: 3 }) };
    const tasks = [1, 2, 3].map(seed => world.task('lend-to-reader', seed));
    const limits = { forks: 2, leaves: 3, steps: 12 };
    const once = (concurrency: number) => run({ tasks, parts: { ...parts, limits }, concurrency });
    const [alone, together] = [await once(1), await once(3)];
    const events = alone.stored.map(({ events: own }) => own);
    expect(together.stored.map(({ events: own }) => own)).toEqual(events);
    const firsts = alone.records[0]!.tree.children(0).map(({ action }) => JSON.stringify(action));
    expect(firsts).toHaveLength(3);
    expect(new Set(firsts).size).toBeGreaterThan(1);
  });
});

describe('what an agent says of its choice', () => {
  const folder = mkdtempSync(join(tmpdir(), 'espalier-cursors-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const single: Strategy = {
    name: 'single step',
    asksTeacher: false,
    async run(episode: Episode) {
      const decision = await episode.act();
      if (decision.action !== null) await episode.step({ ...decision, action: decision.action });
      return { kind: 'discarded', leaf: episode.at(), reason: 'done' };
    },
  };

  it('[ROL-22] what an agent says of its choice is kept in the tree and in the store', async () => {
    const said = { prior: 0.25, value: -3.5, confidence: 1, logprob: -1.5, entropy: 0.75 };
    const student = studentBy(() => ({ action: idle, ...said }));
    const store = openStore({ path: join(folder, 'store.db') });
    await runEpisodes({
      plan: headsOf([task]),
      seed: 'seed',
      concurrency: 1,
      journal: store,
      clock: createManualClock(),
      timers: noTimers,
      createTrail,
      start: () => ({ environment: world, student, strategy: single }),
    });
    const [stored] = [...store.episodes()];
    expect(foldEpisode(stored!).tree.node(1)).toMatchObject(said);
    store.close();
  });

  it.each<Partial<Decision>>([
    { prior: 1.5 },
    { confidence: -1 },
    { value: Number.NaN },
    { prior: '1' as never },
    { logprob: 0.1 },
    { entropy: -1 },
  ])('[ROL-22] %j is no use', async said => {
    const student = studentBy(() => ({ action: idle, ...said }));
    const record = await runOne({ task, parts: { environment: world, student, strategy: single } });
    expect(record.end).toMatchObject({ outcome: 'discarded', leaf: 0 });
  });
});
