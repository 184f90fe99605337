import { describe, expect, it } from 'vitest';
import { app } from '../../../examples/library/library.ts';
import { headsOf, impatientTimers, noTimers, planFor } from '../../../test/fixtures/episode-setup.ts';
import { createMemoryJournal } from '../../../test/fixtures/memory-journal.ts';
import type { Action } from '../../core/action.ts';
import { createManualClock, type Timers } from '../../core/clock.ts';
import type { EpisodeHead } from '../../core/episode/events.ts';
import type { Journal, StoredEpisode } from '../../core/episode/journal.ts';
import { foldEpisode } from '../../core/episode/record.ts';
import { openEpisode as openOwn } from '../../index.ts';
import { createTrail } from '../../worlds/trail.ts';
import { createWorld } from '../../worlds/world.ts';
import type { DrivenEpisode, OpenEpisodeOptions } from './contract.ts';
import { openEpisode } from './driven-episode.ts';
import { createEpisodes } from './episodes.ts';

const world = createWorld(app);
const task = world.task('lend-to-reader', 3);
const plan = planFor(world.open(task));
const idle: Action = { kind: 'fill', ref: 'e1', text: 'x' };
const [head] = headsOf([task]) as [EpisodeHead];
/** Nested so deeply that writing it as JSON fails. */
const deep = JSON.parse(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`) as unknown;

interface Opened {
  readonly episode: DrivenEpisode;
  stored(): StoredEpisode;
}

async function opened(given: Partial<OpenEpisodeOptions> = {}): Promise<Opened> {
  const journal = createMemoryJournal();
  const runtime = { clock: createManualClock(), timers: noTimers, createTrail };
  const episode = await openEpisode({ environment: world, head, journal, ...runtime, ...given });
  return {
    episode,
    stored() {
      const all = [...journal.episodes()];
      expect(all).toHaveLength(1);
      return all[0] as StoredEpisode;
    },
  };
}

/** A journal whose disk is full when it is to write this. */
function createFailingJournal(what: 'step' | 'leaf' | 'end'): Journal {
  const memory = createMemoryJournal();
  return {
    ...memory,
    begin(given) {
      const log = memory.begin(given);
      return {
        ...log,
        append: event => (event.kind === what ? expect.fail('disk full') : log.append(event)),
        end: end => (what === 'end' ? expect.fail('disk full') : log.end(end)),
      };
    },
  };
}

/** Timers that run when they are told to. */
function createHeldTimers(): Timers & { run(): void; waiting(): number } {
  const waiting = new Set<() => void>();
  return {
    after(_milliseconds, run) {
      waiting.add(run);
      return () => waiting.delete(run);
    },
    run() {
      for (const run of waiting) if (waiting.delete(run)) run();
    },
    waiting: () => waiting.size,
  };
}

describe('a driven episode', () => {
  it('[EPI-3] ends once, whatever comes after', async () => {
    const { episode, stored } = await opened();
    for (const action of plan) await episode.step(action);
    const end = await episode.finish();
    expect(end).toMatchObject({ outcome: 'passed', reason: null });
    expect(await episode.finish()).toBe(end);
    expect(await episode.abandon('the client left')).toBe(end);
    expect(await episode.fail(new Error('late'))).toBe(end);
    expect(episode.end()).toBe(end);
    const over = { boundary: 'input', code: 'already-ended', message: expect.stringContaining('has ended: passed') };
    for (const call of [
      () => episode.step(idle),
      () => episode.observe(),
      () => episode.rollback(0),
      () => episode.verify(),
    ])
      await expect(call()).rejects.toMatchObject(over);
    expect(stored().end).toEqual(end);
    expect(stored().events.filter(({ kind }) => kind === 'leaf')).toHaveLength(1);
  });

  it('[EPI-4] is abandoned by a client that leaves, and by one that calls nothing for a while', async () => {
    const left = await opened();
    await left.episode.step(idle);
    await left.episode.abandon('the client left');
    const abandoned = { outcome: 'errored', reason: 'abandoned', boundary: 'policy', verdict: null, leaf: 1 };
    expect(left.stored().end).toMatchObject({ ...abandoned, message: 'Not finished: the client left.' });

    const timers = createHeldTimers();
    const silent = await opened({ timers, idleMilliseconds: 5000 });
    expect(timers.waiting()).toBe(1);
    await silent.episode.step(idle);
    expect(timers.waiting()).toBe(1);
    timers.run();
    await expect.poll(() => silent.episode.end()).toMatchObject(abandoned);
    expect(silent.stored().end.message).toBe('Not finished: no call for 5 s.');
    expect(timers.waiting()).toBe(0);
  });

  it('[EPI-4] is not idle while a call is under way, nor after its end', async () => {
    const timers = createHeldTimers();
    const slow = Promise.withResolvers<void>();
    const environment = {
      ...world,
      open: (given: typeof task) => {
        const session = world.open(given);
        return { ...session, observe: () => slow.promise.then(() => session.observe()) };
      },
    };
    const { episode } = await opened({
      timers,
      idleMilliseconds: 5000,
      environment,
      limits: { waitMilliseconds: Infinity },
    });
    const looking = episode.observe();
    await new Promise(resolve => setImmediate(resolve));
    expect(timers.waiting()).toBe(0);
    slow.resolve();
    await looking;
    expect(timers.waiting()).toBe(1);
    await episode.finish();
    expect(timers.waiting()).toBe(0);
  });

  it('[EPI-5] is truncated without steps left, and errored without time left', async () => {
    const { episode } = await opened({ limits: { steps: 2 } });
    await episode.step(idle);
    expect(episode.ended()).toBeNull();
    await episode.step(idle);
    expect(episode.ended()).toBe('truncated');
    await expect(episode.step(idle)).rejects.toMatchObject({ message: expect.stringContaining('no steps are left') });
    expect(await episode.finish()).toMatchObject({ outcome: 'failed', reason: 'out of steps', counts: { steps: 2 } });

    const clock = createManualClock();
    const late = await opened({ clock, limits: { milliseconds: 1000 } });
    clock.advance(1000);
    await expect(late.episode.step(idle)).rejects.toMatchObject({ boundary: 'budget' });
    expect(late.stored().end).toMatchObject({ outcome: 'errored', boundary: 'budget', reason: 'out of time' });
  });

  it('[EPI-6] takes no harm from mistakes of the caller', async () => {
    const { episode, stored } = await opened();
    const mistakes: [() => Promise<unknown>, string][] = [
      [() => episode.step({ kind: 'teleport' } as never), '{"kind":"teleport"} is not an action'],
      [() => episode.step(undefined as never), 'undefined is not an action'],
      [() => episode.step(deep as never), 'cannot be written as JSON is not an action'],
      [() => episode.step({ kind: 'call', tool: 'list_books', input: deep } as never), 'is not an action'],
      [() => episode.step(idle, { confidence: 7 }), 'confidence: '],
      [() => episode.step(idle, { prior: -1 }), 'prior: '],
      [() => episode.step(idle, { value: Number.NaN }), 'value: '],
      [() => episode.step(idle, { tokens: 1.5 }), 'tokens: '],
      [() => episode.step(idle, { thought: 5 as never }), 'thought: '],
      [() => episode.step(idle, { parent: 3 } as never), 'parent'],
      [() => episode.step(idle, { seen: 5 as never }), '`seen` is 5'],
      [() => episode.step(idle, null as never), 'The remarks of a step are null'],
      [() => episode.rollback(7), 'There is no node 7'],
      [() => episode.rollback('x' as never), 'There is no node x'],
    ];
    for (const [call, message] of mistakes)
      await expect(call()).rejects.toMatchObject({ boundary: 'input', message: expect.stringContaining(message) });
    for (const action of plan) await episode.step(action);
    await expect(episode.step(idle)).rejects.toMatchObject({
      boundary: 'input',
      message: expect.stringContaining('its agent has finished'),
    });
    expect(episode.end()).toBeNull();
    expect(await episode.finish()).toMatchObject({ outcome: 'passed' });
    expect(stored().events.filter(({ kind }) => kind === 'step')).toHaveLength(plan.length);
  });

  it('[EPI-7] rolls back, verifies without ending, and does what was asked in its order', async () => {
    const { episode, stored } = await opened();
    const steps = [episode.step(idle), episode.step({ kind: 'finish' })];
    const verdict = episode.verify();
    const back = episode.rollback(0);
    const again = plan.map(action => episode.step(action));
    expect((await Promise.all([...steps, ...again])).map(({ id, parent }) => [id, parent])).toEqual([
      [1, 0],
      [2, 1],
      [3, 0],
      ...plan.slice(1).map((_, index) => [index + 4, index + 3]),
    ]);
    expect(await verdict).toMatchObject({ pass: false });
    await back;
    expect(await episode.finish()).toMatchObject({ outcome: 'passed', counts: { rollbacks: 1, steps: plan.length } });
    const record = foldEpisode(stored());
    expect(record.rollbacks).toMatchObject([{ from: 2, to: 0, method: 'restore' }]);
    expect(record.tree.leaves()).toHaveLength(2);
  });

  it('[EPI-2] ends as errored when its driver breaks, and names it', async () => {
    const { episode, stored } = await opened();
    await episode.fail(new Error('codec'));
    expect(stored().end).toMatchObject({
      outcome: 'errored',
      boundary: 'strategy',
      message: expect.stringContaining('The driver "test strategy" threw: codec.'),
    });
  });

  it('[EPI-8] tells a store that fails to whoever calls, and shows nothing of the episode', async () => {
    const journal = createFailingJournal('step');
    const { episode } = await opened({ journal });
    const failure = { boundary: 'store', message: expect.stringContaining('disk full') };
    await expect(episode.step(idle)).rejects.toMatchObject(failure);
    await expect(episode.finish()).rejects.toMatchObject(failure);
    await expect(episode.abandon('the client left')).rejects.toMatchObject(failure);
    expect(journal.done(head.run).size).toBe(0);
  });

  it.each(['step', 'leaf', 'end'] as const)(
    '[EPI-8] closes its session and leaves room for another when the store fails at the %s',
    async what => {
      let closed = 0;
      const environment = {
        ...world,
        open(given: typeof task) {
          const session = world.open(given);
          return {
            ...session,
            close() {
              closed++;
              return session.close();
            },
          };
        },
      };
      const served = createEpisodes({
        environment,
        journal: () => createFailingJournal(what),
        run: 'run',
        driver: 'rest',
        clock: createManualClock(),
        timers: noTimers,
        createTrail,
        most: 1,
      });
      for (let times = 1; times <= 2; times++) {
        const episode = await served.open({ task, client: 'one' });
        const played = episode.step(idle).then(() => episode.finish());
        await expect(played).rejects.toMatchObject({ boundary: 'store' });
        expect(closed).toBe(times);
        await expect(episode.step(idle)).rejects.toMatchObject({ boundary: 'store' });
      }
      expect(closed).toBe(2);
    },
  );

  it('[EPI-8] keeps the end that was written when what is told of it fails', async () => {
    const { episode, stored } = await opened({ onEnd: () => expect.fail('not flushed') });
    await expect(episode.finish()).rejects.toThrow('not flushed');
    expect(await episode.finish()).toEqual(stored().end);
  });
});

describe('the episodes of a server', () => {
  const options = { environment: world, run: 'run', driver: 'rest', clock: createManualClock(), createTrail };

  it('[EPI-4] are numbered after those of the run, bounded, and abandoned when the server closes', async () => {
    const journal = createMemoryJournal();
    const serve = () => createEpisodes({ ...options, journal: () => journal, timers: noTimers, most: 2 });
    const first = serve();
    await (await first.open({ task, client: 'one' })).finish('stopped');
    const [open, other] = [await first.open({ task, client: 'two' }), await first.open({ task, client: 'three' })];
    await expect(first.open({ task, client: 'four' })).rejects.toMatchObject({
      boundary: 'input',
      code: 'unavailable',
    });
    await open.step(idle);
    await first.close();
    expect(other.end()).toMatchObject({ reason: 'abandoned', message: 'Not finished: the server closed.' });
    const second = serve();
    await (await second.open({ task, client: 'five' })).finish();
    expect([...journal.episodes()].map(({ head: { trial, index, student } }) => [trial, index, student])).toEqual([
      [0, 0, 'one'],
      [1, 1, 'two'],
      [2, 2, 'three'],
      [3, 3, 'five'],
    ]);
  });

  it.each([
    ['open', { open: () => new Promise<never>(() => undefined) }],
    [
      'step',
      { open: (given: typeof task) => ({ ...world.open(given), step: () => new Promise<never>(() => undefined) }) },
    ],
    [
      'close',
      { open: (given: typeof task) => ({ ...world.open(given), close: () => new Promise<never>(() => undefined) }) },
    ],
  ])('[EPI-4] are abandoned at once when the server closes while %s hangs', async (_what, change) => {
    const journal = createMemoryJournal();
    // No deadline ever comes: only the closing ends the waits.
    const environment = { ...world, ...change };
    const served = createEpisodes({ ...options, environment, journal: () => journal, timers: noTimers });
    const played = served.open({ task, client: 'one' }).then(episode => episode.step(idle));
    const heard = played.catch((cause: unknown) => cause);
    await new Promise(resolve => setImmediate(resolve));
    await served.close();
    await heard;
    expect([...journal.episodes()].map(({ end }) => end)).toMatchObject([
      { outcome: 'errored', reason: 'abandoned', message: 'Not finished: the server closed.', verdict: null },
    ]);
    await expect(served.open({ task, client: 'two' })).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('[EPI-2] leave room again after a world that did not open', async () => {
    const broken = { ...world, open: () => new Promise<never>(() => undefined) };
    const journal = createMemoryJournal();
    const served = createEpisodes({
      ...options,
      environment: broken,
      journal: () => journal,
      timers: impatientTimers,
      most: 1,
    });
    for (let times = 0; times < 2; times++)
      await expect(served.open({ task, client: 'one' })).rejects.toMatchObject({ code: 'deadline' });
    expect([...journal.episodes()].map(({ end }) => end.reason)).toEqual(['deadline', 'deadline']);
  });
});

describe('the library', () => {
  it('[EPI-1] opens an episode with the clock of this machine, and keeps it where it is told', async () => {
    const journal = createMemoryJournal();
    const episode = await openOwn({
      environment: world,
      task,
      journal,
      client: 'script',
      limits: { milliseconds: 60_000 },
    });
    for (const action of plan) await episode.step(action);
    expect(await episode.finish()).toMatchObject({ outcome: 'passed' });
    expect([...journal.episodes()].map(({ head: { run, student } }) => [run, student])).toEqual([['driven', 'script']]);
    const kept = await openOwn({ environment: world, task });
    expect(await kept.abandon('enough')).toMatchObject({ reason: 'abandoned' });
  });
});
