import { describe, expect, it } from 'vitest';
import { app } from '../../examples/library/library.ts';
import {
  contents,
  headsOf,
  noTimers,
  perfectTeacher,
  run,
  runOne,
  studentBy,
  tasksOf,
} from '../../test/fixtures/episode-setup.ts';
import { createMemoryJournal, type MemoryJournal } from '../../test/fixtures/memory-journal.ts';
import { createManualClock } from '../core/clock.ts';
import type { OrdinaryPolicy } from '../core/episode/agents.ts';
import type { EpisodeHead } from '../core/episode/events.ts';
import { createTrail } from '../worlds/trail.ts';
import { createWorld } from '../worlds/world.ts';
import { createRandomPolicy } from '../agents/random.ts';
import { runEpisodes, type Progress } from './engine.ts';
import { createLinear } from './strategies/linear.ts';
import { createSpeculativeRollback } from './strategies/speculative-rollback.ts';

const world = createWorld(app);
const tasks = tasksOf(world, 'lend-to-reader', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
const parts = {
  environment: world,
  student: createRandomPolicy(),
  teacher: perfectTeacher,
  strategy: createSpeculativeRollback(),
};

/** Answers after the others had a turn, now sooner, now later. */
function dawdling(policy: OrdinaryPolicy): OrdinaryPolicy {
  let asked = 0;
  return {
    name: policy.name,
    async act(view) {
      for (let turns = (asked++ * 7) % 5; turns > 0; turns--) await new Promise(resolve => void setImmediate(resolve));
      return policy.act(view);
    },
  };
}

/** A journal whose store fails once, after so many writes. */
function failingAfter(writes: number): MemoryJournal {
  const journal = createMemoryJournal();
  let left = writes;
  const write = (): void => {
    if (left-- === 0) throw new Error('no space left on device');
  };
  return {
    ...journal,
    begin(head) {
      const log = journal.begin(head);
      return {
        ...log,
        append(event) {
          write();
          log.append(event);
        },
        end(end) {
          write();
          log.end(end);
        },
      };
    },
  };
}

describe('engine', () => {
  it('[ROL-1] order and concurrency change nothing in what is journalled of an episode', async () => {
    const alone = await run({ tasks, parts });
    const student = dawdling(parts.student);
    const together = await run({ tasks, parts: { ...parts, student }, concurrency: 8 });
    const heads = headsOf(tasks).toReversed();
    const backwards = await run({ tasks, parts, plan: heads, concurrency: 3 });
    expect(contents(together.stored)).toEqual(contents(alone.stored));
    expect(contents(backwards.stored)).toEqual(contents(alone.stored));
  });

  it('[ROL-1] draws from its own key, and an agent does not shift the chance of another', async () => {
    const [task] = tasks as [(typeof tasks)[number]];
    const drawing = {
      ...perfectTeacher,
      review(...given: Parameters<typeof perfectTeacher.review>) {
        for (let draw = 0; draw < 7; draw++) given[0].random.next();
        return perfectTeacher.review(...given);
      },
    };
    const twice = await run({ tasks: [task, task], parts });
    const [first, second] = twice.stored.map(({ events }) => events);
    expect(first).not.toEqual(second);
    const drawn = await run({ tasks: [task, task], parts: { ...parts, teacher: drawing } });
    expect(contents(drawn.stored)).toEqual(contents(twice.stored));
  });

  it('[ROL-1] runs as many episodes at once as it is told to, and not more', async () => {
    let running = 0;
    let most = 0;
    const busy: OrdinaryPolicy = {
      name: 'busy',
      async act() {
        most = Math.max(most, ++running);
        await new Promise(resolve => void setImmediate(resolve));
        running--;
        return { action: { kind: 'finish' } };
      },
    };
    await run({ tasks, parts: { environment: world, student: busy, strategy: createLinear() }, concurrency: 5 });
    expect(most).toBe(5);
  });

  it('[ROL-2] one failing episode is an outcome, and the others go on', async () => {
    const moody = { ...parts.student, name: 'moody', act: () => Promise.reject(new Error('no mood')) };
    const { totals, stored } = await run({
      tasks,
      parts: ({ index }) => ({ ...parts, student: index % 4 === 0 ? moody : parts.student }),
      concurrency: 3,
    });
    expect(totals).toMatchObject({ ended: 12, skipped: 0, stopped: false });
    expect(totals.outcomes.errored).toBe(3);
    const errored = stored.filter(({ end }) => end.outcome === 'errored');
    expect(errored.map(({ head }) => head.index)).toEqual([0, 4, 8]);
    expect(errored[0]?.end).toMatchObject({
      boundary: 'policy',
      reason: 'threw',
      message: expect.stringContaining('The student "moody" threw: no mood.') as string,
      verdict: null,
    });
  });

  it('[ROL-9] a store that fails stops the run loudly; nothing is half-written, and a resumed run does the rest', async () => {
    for (const concurrency of [1, 4]) {
      const broken = failingAfter(40);
      const started: string[] = [];
      const begin = (head: EpisodeHead): typeof parts => {
        started.push(head.key);
        return parts;
      };
      const failure = await run({ tasks, parts: begin, journal: broken, concurrency }).catch((cause: unknown) => cause);
      expect(failure).toMatchObject({ boundary: 'store', message: expect.stringContaining('no space left') as string });
      const kept = [...broken.episodes()];
      expect(kept.length).toBeLessThan(started.length);
      expect(started.length).toBeLessThan(tasks.length);
      expect(broken.flushes()).toBe(0);
      const rest = createMemoryJournal();
      const done = new Set(kept.map(({ head }) => head.key));
      const { totals } = await run({ tasks, parts, journal: { ...rest, done: () => done } });
      expect(totals).toMatchObject({ ended: tasks.length - kept.length, skipped: kept.length });
      const whole = await run({ tasks, parts });
      expect(contents([...kept, ...rest.episodes()])).toEqual(contents(whole.stored));
    }
  });

  it('[ROL-10] a stopped run writes no more, keeps what has ended, and the next does the rest', async () => {
    const journal = createMemoryJournal();
    const stop = new AbortController();
    let told = 0;
    const onProgress = (): void => {
      if (++told === 4) stop.abort();
    };
    const student = dawdling(parts.student);
    const first = await run({
      tasks,
      parts: { ...parts, student },
      journal,
      concurrency: 3,
      signal: stop.signal,
      onProgress,
    });
    expect(first.totals).toMatchObject({ stopped: true, skipped: 0 });
    expect(first.totals.ended).toBeLessThan(tasks.length);
    expect(first.stored).toHaveLength(first.totals.ended);
    const before = journal.pending();
    await new Promise(resolve => void setTimeout(resolve, 20));
    expect(journal.pending()).toBe(before);
    const skipped: string[] = [];
    const second = await run({ tasks, parts, journal, onSkip: ({ key }) => void skipped.push(key) });
    expect(skipped).toEqual(first.stored.map(({ head }) => head.key));
    expect(second.totals).toMatchObject({
      ended: tasks.length - first.totals.ended,
      skipped: first.totals.ended,
      stopped: false,
    });
    expect(contents(second.stored)).toEqual(contents((await run({ tasks, parts })).stored));
  });

  it('[ROL-10] writes nothing after it is stopped, also when nobody waits', async () => {
    const journal = createMemoryJournal();
    const stop = new AbortController();
    const stopping = studentBy(() => {
      stop.abort();
      return { action: { kind: 'click', ref: 'e2' } };
    });
    const { totals } = await run({ tasks, parts: { ...parts, student: stopping }, journal, signal: stop.signal });
    expect(totals).toMatchObject({ ended: 0, stopped: true });
    // Only that the task was opened.
    expect(journal.pending()).toBe(1);
  });

  it('[ROL-10] does not wait for an agent that hangs when it is stopped', async () => {
    const stop = new AbortController();
    const hanging = {
      name: 'hanging',
      act: () => {
        stop.abort();
        return new Promise<never>(() => undefined);
      },
    };
    const { totals, stored } = await run({ tasks, parts: { ...parts, student: hanging }, signal: stop.signal });
    expect(totals).toMatchObject({ ended: 0, stopped: true });
    expect(stored).toEqual([]);
  });

  it('[ROL-2] keeps nothing of what has ended but the totals', async () => {
    const seen: Progress[] = [];
    let made = 0;
    function* plan(): Generator<EpisodeHead> {
      for (const head of headsOf(tasks)) {
        // Made when it is needed, not before.
        expect(made).toBe(seen.length);
        made++;
        yield head;
      }
    }
    const { totals } = await run({
      tasks: [],
      parts: {
        environment: world,
        student: studentBy(() => ({ action: { kind: 'finish' } })),
        strategy: createLinear(),
      },
      plan: plan(),
      onProgress: progress => void seen.push(progress),
    });
    expect(totals.ended).toBe(12);
    expect(seen.map(({ head }) => head.index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  it('[ROL-2] lets others have a turn in a run that never waits', async () => {
    const clock = createManualClock();
    let turns = 0;
    await run({
      tasks,
      parts: {
        environment: world,
        student: studentBy(() => ({ action: { kind: 'finish' } })),
        strategy: createLinear(),
      },
      clock,
      timers: {
        after(milliseconds, resolve) {
          expect(milliseconds).toBe(0);
          turns++;
          setImmediate(resolve);
          return () => undefined;
        },
      },
      onProgress: () => clock.advance(8),
    });
    expect(turns).toBe(4);
  });

  it('[ROL-2] what makes no sense stops the run before anything is written', async () => {
    const journal = createMemoryJournal();
    const attempt = (change: object, concurrency = 1): Promise<unknown> =>
      runEpisodes({
        seed: 'seed',
        plan: headsOf(tasks),
        concurrency,
        journal,
        createTrail,
        clock: createManualClock(),
        timers: noTimers,
        start: () => ({ ...parts, ...change }),
      });
    await expect(attempt({ teacher: null })).rejects.toThrow('asks a teacher, and there is none');
    await expect(attempt({ limits: { steps: 0 } })).rejects.toThrow('The limit "steps" is 0.');
    await expect(attempt({ limits: { step: 3 } })).rejects.toThrow('The limit "step" is 3.');
    await expect(attempt({}, 0)).rejects.toThrow('The concurrency is 0. Expected a whole number above 0.');
    expect([...journal.episodes()]).toEqual([]);
  });

  const endings: readonly [string, () => Promise<never>, string][] = [
    ['throws', () => Promise.reject(new Error('boom')), 'The strategy "broken" threw: boom.'],
    ['says nothing', () => Promise.resolve(undefined as never), 'did not say how the episode ended'],
  ];
  it.each(endings)('[ROL-23] a strategy that %s costs its episode, and is named', async (_how, runEpisode, message) => {
    const strategy = { name: 'broken', asksTeacher: false, run: runEpisode };
    const record = await runOne({ task: tasks[0] as (typeof tasks)[number], parts: { ...parts, strategy } });
    expect(record.end).toMatchObject({ outcome: 'errored', boundary: 'strategy' });
    expect(record.end.message).toContain(message);
  });
});
