import { describe, expect, test } from 'vitest';
import { contents, headsOf, tasksOf } from '../../../test/fixtures/episode-setup.ts';
import { createMemoryJournal } from '../../../test/fixtures/memory-journal.ts';
import { partsFor, type HostileData, type Misdeed } from '../../../test/fixtures/workers/hostile-job.ts';
import type { EpisodeEnd } from '../../core/episode/events.ts';
import { mail } from '../../envs/apps/mail/mail.ts';
import { createTrail } from '../../worlds/trail.ts';
import { createWorld } from '../../worlds/world.ts';
import { runEpisodes, type RunTotals } from '../../episode/engine.ts';
import { createSystemClock, createSystemTimers } from '../clock.ts';
import { createWorkerPool } from './pool.ts';

const job = new URL('../../../test/fixtures/workers/hostile-job.ts', import.meta.url).href;
const [clock, timers] = [createSystemClock(), createSystemTimers()];
const world = createWorld(mail);

interface Ran {
  readonly totals: RunTotals;
  readonly all: unknown;
  readonly ends: ReadonlyMap<number, EpisodeEnd>;
  readonly strays: readonly string[];
}

/** Long enough for a busy machine, short enough for a test that waits for it. */
const [patient, impatient] = [30_000, 1500];

interface RunWith {
  readonly workers: number;
  readonly signal?: AbortSignal;
}

async function runWith(data: HostileData, workers: number, signal?: AbortSignal): Promise<Ran> {
  return runPool(data, { workers, ...(signal === undefined ? {} : { signal }) });
}

async function runPool(data: HostileData, { workers, signal }: RunWith): Promise<Ran> {
  const strays: string[] = [];
  const pool =
    workers === 0
      ? null
      : createWorkerPool({
          job,
          data,
          seed: 'seed',
          workers,
          clock,
          stallMilliseconds: Object.values(data.misdeeds).some(isLong) ? impatient : patient,
          memory: 256,
          onStray: message => strays.push(message),
        });
  const journal = createMemoryJournal();
  try {
    const totals = await runEpisodes({
      seed: 'seed',
      concurrency: 4,
      clock,
      timers,
      createTrail,
      plan: headsOf(tasksOf(world, 'star-message', [1, 2, 3, 4, 5, 6])),
      start: partsFor(data),
      journal,
      ...(pool === null ? {} : { runEpisode: pool.runEpisode }),
      ...(signal === undefined ? {} : { signal }),
    });
    const stored = [...journal.episodes()];
    const ends = new Map(stored.map(({ head, end }) => [head.task.seed, end]));
    return { totals, all: contents(stored), ends, strays };
  } finally {
    await pool?.close();
  }
}

const isLong = (misdeed: Misdeed): boolean => misdeed === 'loop' || misdeed === 'compute';

const harmless: HostileData = { misdeeds: {}, in: 'policy' };

describe('a pool of workers', () => {
  test('[WORK-1] gives what one thread gives, whatever their number', async () => {
    const here = await runWith(harmless, 0);
    expect(here.ends.size).toBe(6);
    expect((await runWith(harmless, 1)).all).toEqual(here.all);
    expect((await runWith(harmless, 2)).all).toEqual(here.all);
  });

  const cases: readonly [Misdeed, string, RegExp][] = [
    ['loop', 'deadline', /did not return in 1500 ms/],
    ['bomb', 'out of memory', /more than 256 MiB/],
    ['buffers', 'out of memory', /more than 256 MiB/],
    ['exit', 'exited', /exit code 3/],
    ['reject', 'threw', /nobody waits for this/],
  ];
  test.each(cases)(
    '[WORK-2] code that does "%s" costs its own episode, and is named',
    async (misdeed, reason, message) => {
      const { ends } = await runWith({ misdeeds: { 3: misdeed }, in: 'policy' }, 2);
      const { outcome, boundary, ...end } = ends.get(3) as EpisodeEnd;
      expect({ outcome, boundary, reason: end.reason }).toEqual({ outcome: 'errored', boundary: 'policy', reason });
      expect(end.message).toMatch(/^The student "test student" broke its worker/);
      expect(end.message).toMatch(message);
      // What it did before stays.
      expect(end.counts).toMatchObject({ taken: 1, cost: 0.5, tokens: 7 });
      const harmed = [...ends].filter(([seed, { outcome: other }]) => seed !== 3 && other === 'errored');
      expect(harmed).toEqual([]);
      expect(ends.size).toBe(6);
    },
  );

  test('[WORK-2] [ROL-39] agents that compute for long in turns are not taken for a loop', async () => {
    const misdeeds = { 1: 'compute', 2: 'compute', 3: 'compute', 4: 'compute' } as const;
    const { ends, strays } = await runWith({ misdeeds, in: 'policy' }, 1);
    expect([...ends.values()].filter(({ outcome }) => outcome === 'errored')).toEqual([]);
    expect(strays).toEqual([]);
  });

  test.each([
    ['view', 'environment', /^The environment of task/],
    ['strategy', 'strategy', /^The strategy "test strategy"/],
    ['planner', 'environment', /^The environment of task/],
  ] as const)('[WORK-2] [WORK-8] a loop in a %s is told as one of the %s', async (where, boundary, message) => {
    const { ends } = await runWith({ misdeeds: { 2: 'loop' }, in: where }, 2);
    expect(ends.get(2)).toMatchObject({ outcome: 'errored', boundary, message: expect.stringMatching(message) });
    expect(ends.size).toBe(6);
  });

  test('[WORK-2] an error overtakes nothing that its episode told before', async () => {
    for (let times = 0; times < 4; times++) {
      const { ends } = await runWith({ misdeeds: { 1: 'reject', 3: 'reject', 5: 'reject' }, in: 'policy' }, 1);
      for (const seed of [1, 3, 5]) expect(ends.get(seed)?.counts, `${times}`).toMatchObject({ taken: 1, tokens: 7 });
    }
  });

  test('[WORK-6] code that kills its own process costs its own episode, and is named', async () => {
    const { ends } = await runWith({ misdeeds: { 3: 'kill' }, in: 'policy' }, 2);
    expect(ends.get(3)).toMatchObject({
      outcome: 'errored',
      boundary: 'policy',
      message: expect.stringContaining('process.kill of its own process was called'),
    });
    expect([...ends.values()].filter(({ outcome }) => outcome === 'errored')).toHaveLength(1);
  });

  test('[WORK-2] code that breaks what the language has costs its own episode', async () => {
    const { ends } = await runWith({ misdeeds: { 3: 'patch' }, in: 'policy' }, 2);
    expect(ends.get(3)).toMatchObject({ outcome: 'errored', message: expect.stringContaining('patched') });
    const harmed = [...ends].filter(([seed, { outcome }]) => seed !== 3 && outcome === 'errored');
    expect(harmed).toEqual([]);
    expect(ends.size).toBe(6);
  });

  test('[WORK-3] an error that is thrown later than its episode breaks no other episode, and is told', async () => {
    const { ends, strays } = await runWith({ misdeeds: { 1: 'throw later', 4: 'throw later' }, in: 'policy' }, 1);
    const errored = [...ends].filter(([, { outcome }]) => outcome === 'errored').map(([seed]) => seed);
    expect(errored.filter(seed => seed !== 1 && seed !== 4)).toEqual([]);
    expect(ends.size).toBe(6);
    expect(strays.join()).toContain('too late');
  });

  test('[WORK-7] kept workers run the next job as new workers would, and a stopped pool takes none', async () => {
    const options = { job, workers: 2, clock, memory: 256, stallMilliseconds: patient, onStray: () => undefined };
    const pool = createWorkerPool({ ...options, data: harmless, seed: 'seed' });
    const runIn = async (data: HostileData, seed: string, signal?: AbortSignal): Promise<unknown> => {
      const journal = createMemoryJournal();
      await runEpisodes({
        seed,
        concurrency: 4,
        clock,
        timers,
        createTrail,
        plan: headsOf(tasksOf(world, 'star-message', [1, 2, 3, 4, 5, 6])),
        start: partsFor(data),
        journal,
        runEpisode: pool.runEpisode,
        ...(signal === undefined ? {} : { signal }),
      });
      return contents([...journal.episodes()]);
    };
    const throwing: HostileData = { misdeeds: { 3: 'reject' }, in: 'policy' };
    try {
      const first = await runIn(harmless, 'seed');
      expect(pool.reopen?.({ ...options, data: throwing, seed: 'seed' })).toBe(true);
      expect(await runIn(throwing, 'seed')).toEqual((await runWith(throwing, 2)).all);
      expect(pool.reopen?.({ ...options, data: harmless, seed: 'seed' })).toBe(true);
      expect(await runIn(harmless, 'seed')).toEqual(first);
      const stop = new AbortController();
      const stopped = runIn(harmless, 'seed', stop.signal);
      setTimeout(() => stop.abort(), 1);
      await stopped;
      expect(pool.reopen?.({ ...options, data: harmless, seed: 'seed' })).toBe(false);
    } finally {
      await pool.close();
    }
  });

  test('[WORK-4] a run is stopped within seconds, also when all its workers loop', async () => {
    const stop = new AbortController();
    const data = { misdeeds: { 1: 'loop', 2: 'loop', 3: 'loop', 4: 'loop' }, in: 'policy' } as const;
    setTimeout(() => stop.abort(), 700);
    const started = clock.now();
    const { totals } = await runWith(data, 2, stop.signal);
    expect(totals.stopped).toBe(true);
    expect(clock.now() - started).toBeLessThan(10_000);
  });
});
