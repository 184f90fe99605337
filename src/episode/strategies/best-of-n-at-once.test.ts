import { describe, expect, it } from 'vitest';
import { app } from '../../../examples/library/library.ts';
import { contents, planFor, run, runOne, type Ran } from '../../../test/fixtures/episode-setup.ts';
import { startHttpModel } from '../../../test/fixtures/models/http-model.ts';
import type { Asked, Scripted } from '../../../test/fixtures/models/scripted-upstream.ts';
import type { Action } from '../../core/action.ts';
import type { Environment } from '../../core/contracts.ts';
import { toolCallOf } from '../../core/episode/action-tools.ts';
import type { Decision, OrdinaryPolicy } from '../../core/episode/agents.ts';
import type { StoredEpisode } from '../../core/episode/journal.ts';
import { foldEpisode } from '../../core/episode/record.ts';
import { createWorld } from '../../worlds/world.ts';
import { createLlmPolicy } from '../../agents/llm/llm-policy.ts';
import { createBestOfN } from './best-of-n.ts';

const world = createWorld(app);
const task = world.task('lend-to-reader', 3);
const plan = planFor(world.open(task));
const finish: Action = { kind: 'finish' };
const idle: Action = { kind: 'click', ref: 'e999' };

/** Follows one script in each attempt; each fork takes the next one. Answers come when they are let through. */
function scripts(lines: readonly (readonly (Action | null)[])[], pass: () => Promise<void>): OrdinaryPolicy {
  let forks = 0;
  const follow = (line: readonly (Action | null)[]): OrdinaryPolicy => ({
    name: 'scripts',
    async act({ history }): Promise<Decision> {
      await pass();
      return { action: line[history.length] ?? null, cost: 0.1 * (1 + history.length) };
    },
    fork: () => follow(lines[++forks] ?? []),
  });
  return follow(lines[0] ?? []);
}

/** Lets questions through when `most` of them wait, the last one first; counts those that wait. */
function gate(most: number): { readonly pass: () => Promise<void>; readonly peaks: number[] } {
  let waiting: (() => void)[] = [];
  const peaks: number[] = [];
  const open = (): void => {
    if (waiting.length === 0) return;
    peaks.push(waiting.length);
    const now = waiting.toReversed();
    waiting = [];
    for (const go of now) go();
  };
  return {
    peaks,
    pass: () =>
      new Promise(resolve => {
        waiting.push(resolve);
        if (waiting.length === most) open();
        else if (waiting.length === 1) setTimeout(open, 20);
      }),
  };
}

const lines = [[finish], plan, [idle, finish]];

describe('best of n at once', () => {
  it('[SRC-14] asks all attempts at once, and verifies each by itself', async () => {
    const { pass, peaks } = gate(3);
    const parts = { environment: world, student: scripts(lines, pass), strategy: createBestOfN({ attempts: 3 }) };
    const record = await runOne({ task, concurrency: 3, parts });
    expect(peaks).toEqual([3, 2, 1, 1]);
    const ends = record.leaves.map(({ node, verdict }) => [record.tree.path(node).length, verdict?.pass]);
    expect(ends).toEqual([
      [1, false],
      [2, false],
      [4, true],
    ]);
    expect(record.rollbacks).toEqual([]);
    expect(record.end.counts).toMatchObject({ taken: 7, forks: 2 });
  });

  it('[SRC-14] gives the same events whatever the order of answers', async () => {
    const once = async (pass: () => Promise<void>): Promise<Ran> =>
      run({
        tasks: [task, task],
        concurrency: 6,
        parts: () => ({ environment: world, student: scripts(lines, pass), strategy: createBestOfN({ attempts: 3 }) }),
      });
    const [backwards, forwards] = [await once(gate(3).pass), await once(() => Promise.resolve())];
    expect(contents(backwards.stored)).toEqual(contents(forwards.stored));
  });

  it('[SRC-14] attempts beyond the forks take over the cursors of those that ended', async () => {
    const { pass, peaks } = gate(2);
    const student = scripts([[finish], plan], pass);
    const strategy = createBestOfN({ attempts: 4, choose: 'verifier' });
    const parts = { environment: world, student, strategy, limits: { forks: 1 } };
    const record = await runOne({ task, concurrency: 4, parts });
    expect(record.leaves.map(({ verdict }) => verdict?.pass)).toEqual([false, false, false, true]);
    expect(record.end).toMatchObject({ outcome: 'passed', counts: { forks: 1, rollbacks: 2 } });
    expect(Math.max(...peaks)).toBe(2);
  });

  it('[ROL-12] an attempt ends after three unusable answers in a row, and the others go on', async () => {
    const student = scripts([[null], [idle, null], plan], () => Promise.resolve());
    const parts = { environment: world, student, strategy: createBestOfN({ attempts: 3, choose: 'verifier' }) };
    const record = await runOne({ task, concurrency: 3, parts });
    expect(record.leaves.map(({ node }) => record.tree.path(node).length)).toEqual([0, 1, 4]);
    expect(record.end.outcome).toBe('passed');
  });

  it('[ROL-2] an attempt whose student breaks ends the episode at the policy', async () => {
    let asked = 0;
    const broken = scripts(lines, () => (++asked === 2 ? Promise.reject(new Error('gone')) : Promise.resolve()));
    const parts = { environment: world, student: broken, strategy: createBestOfN({ attempts: 3 }) };
    const record = await runOne({ task, concurrency: 3, parts });
    expect(record.end).toMatchObject({ outcome: 'errored', boundary: 'policy' });
    expect(asked).toBe(3);
  });

  it('[SRC-14] one after another where a fork is no whole session, or the student cannot be asked at once', async () => {
    const { lightForks: _light, ...heavy } = world;
    const { fork: _fork, ...alone } = scripts([plan], () => Promise.resolve());
    const student = scripts([plan], () => Promise.resolve());
    const strategy = createBestOfN({ attempts: 2 });
    const settings: { environment: Environment; student: OrdinaryPolicy }[] = [
      { environment: heavy, student },
      { environment: world, student: alone },
    ];
    for (const setting of settings) {
      const record = await runOne({ task, concurrency: 4, parts: { ...setting, strategy } });
      expect(record.end).toMatchObject({ outcome: 'passed', counts: { forks: 0, rollbacks: 1 } });
    }
  });
});

/** Holds answers back until so many are asked for, and a little longer, in which one too many would come. */
function barrier(count: number): () => Promise<void> {
  const opened = Promise.withResolvers<void>();
  // Too few: what is asked for is counted all the same.
  setTimeout(opened.resolve, 10_000).unref();
  let asked = 0;
  return () => {
    if (++asked === count) setTimeout(opened.resolve, 20);
    return opened.promise;
  };
}

describe('best of n with a model', () => {
  /** Answers by what the conversation holds; the n-th attempt by its first answer. Counts the requests in flight. */
  function server(pass: () => Promise<void>) {
    const flight = { now: 0, peak: 0 };
    let started = 0;
    const script = async ({ body }: Asked): Promise<Scripted> => {
      flight.now++;
      flight.peak = Math.max(flight.peak, flight.now);
      const messages = body['messages'] as { role: string; content: unknown }[];
      const own = messages.filter(({ role }) => role === 'assistant').map(({ content }) => String(content));
      const name = own[0] ?? `attempt ${++started}`;
      await pass();
      flight.now--;
      const action = plan[own.length] ?? finish;
      const { name: tool, input } = toolCallOf(action);
      return { text: name, calls: [{ name: tool, input }] };
    };
    return { script, flight };
  }

  const collect = async (episodes: number, concurrency: number, order: 'first' | 'last') => {
    const most = Math.min(concurrency, 3 * episodes);
    const { script, flight } = server(order === 'last' ? gate(most).pass : barrier(most));
    const upstream = await startHttpModel(script);
    try {
      const ran = await run({
        tasks: Array.from({ length: episodes }, () => task),
        concurrency,
        parts: () => ({
          environment: world,
          student: createLlmPolicy({ model: upstream.model, name: 'm' }),
          strategy: createBestOfN({ attempts: 3 }),
        }),
      });
      return { ...ran, peak: flight.peak };
    } finally {
      await upstream.close();
    }
  };

  it('[ROL-24] each step has the calls of its own cursor, though all asked at the same node', async () => {
    const { records } = await collect(1, 8, 'last');
    const [record] = records;
    if (record === undefined) throw new Error('no episode');
    const said = new Set<string>();
    for (const { node } of record.leaves) {
      const path = record.tree.path(node);
      const thoughts = path.map(({ thought }) => thought);
      expect(new Set(thoughts).size).toBe(1);
      said.add(String(thoughts[0]));
      for (const { id } of path) expect(record.callsFor(id)).toHaveLength(1);
      const cursors = path.map(({ id }) => record.callsFor(id)[0]?.cursor ?? 0);
      expect(new Set(cursors).size).toBe(1);
    }
    expect(said.size).toBe(3);
  });

  it('[ROL-24] older records do not number cursors: the first step at a node gets all calls there', async () => {
    const { stored } = await collect(1, 8, 'last');
    const [episode] = stored as [StoredEpisode];
    const events = episode.events.map(event => {
      if (event.kind !== 'step' && event.kind !== 'call') return event;
      const { cursor: _cursor, ...rest } = event;
      return rest;
    });
    const [record, older] = [foldEpisode(episode), foldEpisode({ ...episode, events })];
    expect(older.tree.record()).toEqual(record.tree.record());
    expect([1, 2, 3].map(node => older.callsFor(node).length)).toEqual([3, 0, 0]);
    expect([1, 2, 3].map(node => record.callsFor(node).length)).toEqual([1, 1, 1]);
  });

  it.each([
    [2, 8, 6],
    [3, 4, 4],
    [2, 1, 1],
  ])('[ROL-25] %i episodes of three attempts with a concurrency of %i have %i requests in flight', async (...given) => {
    const [episodes, concurrency, peak] = given;
    const ran = await collect(episodes, concurrency, 'first');
    expect(ran.peak).toBe(peak);
    expect(ran.totals.outcomes.passed).toBe(episodes);
  });
});
