import { describe, expect, it } from 'vitest';
import { contents, createWeighingPolicy, headsOf, noTimers, tasksOf } from '../../../test/fixtures/episode-setup.ts';
import { createMemoryJournal } from '../../../test/fixtures/memory-journal.ts';
import { openBuiltIn } from '../../catalog.ts';
import { createManualClock } from '../../core/clock.ts';
import { createRandom } from '../../core/random.ts';
import { createTrail } from '../../worlds/trail.ts';
import { createLinear } from '../strategies/linear.ts';
import { runSchedule, type ScheduledResult, type Scheduler } from './scheduler.ts';
import {
  agreementOf,
  branchWidth,
  createEchoTtrl,
  createTrace,
  createUniform,
  createXrpo,
  halfWidth,
  mixedGain,
  mixedProbability,
  spreadOf,
} from './schedules.ts';
import { tQuantile } from './t-quantile.ts';

describe('worked numbers', () => {
  it('[SCHED-2] TRACE: P(mixed) of .5 is .5, .875, .992 and of .1 is .18, .344, .570 for 2, 4, 8 trials', () => {
    const rounded = (p: number): number[] => [2, 4, 8].map(m => Number(mixedProbability(p, m).toFixed(3)));
    expect(rounded(0.5)).toEqual([0.5, 0.875, 0.992]);
    expect(rounded(0.1)).toEqual([0.18, 0.344, 0.57]);
    // Two failures: Beta(1,3), so the third differs with 1/4, and the fourth alone with 3/4·1/4.
    expect([0, 1].map(given => mixedGain({ trials: 2, passed: 0 }, given))).toEqual([0.25, 0.1875]);
  });

  it('[SCHED-3] XRPO: rewards 1,0,0,1 have s = .5774, h(4) = .9187, h(5) = .7169', () => {
    const s = spreadOf(2, 4);
    expect([s, halfWidth(s, 4), halfWidth(s, 5)].map(value => Number(value.toFixed(4)))).toEqual([
      0.5774, 0.9187, 0.7169,
    ]);
    expect([tQuantile(11), tQuantile(30), tQuantile(120)]).toEqual(
      [2.201, 2.0423, 1.9799].map(t => expect.closeTo(t, 3)),
    );
  });

  it('[SCHED-4] ECHO-TTRL: 1 + ⌊7·σ(1)·(1 − .25)⌋ = 4; one trial where all agree', () => {
    expect(branchWidth({ most: 8, entropy: 1, confidence: 0.25 })).toBe(4);
    expect(branchWidth({ most: 8, entropy: 1, confidence: 1 })).toBe(1);
    const ending = (text: string): ScheduledResult => ({
      task: 0,
      trial: 0,
      passed: true,
      entropy: null,
      ending: text,
    });
    expect(agreementOf({ results: [ending('a'), ending('a'), ending('b'), ending('c')] })).toBe(0.5);
  });
});

/** Tasks that pass with these probabilities; returns the trials that each got. */
function simulate(scheduler: Scheduler, chances: readonly number[], seed = 'bandit') {
  const random = createRandom(seed);
  const results: ScheduledResult[] = [];
  for (;;) {
    const round = scheduler.next(results, chances.length);
    if (round.length === 0) break;
    for (const task of round) {
      const passed = random.chance(chances[task] as number);
      results.push({ task, trial: 0, passed, entropy: null, ending: String(passed) });
    }
  }
  const groups = chances.map((_, task) => results.filter(result => result.task === task));
  const mixed = groups.filter(group => new Set(group.map(({ passed }) => passed)).size === 2).length;
  return { trials: groups.map(group => group.length), mixed };
}

describe('the next trial', () => {
  const ended = (task: number, passed: boolean, entropy: number | null = null): ScheduledResult => ({
    task,
    trial: 0,
    passed,
    entropy,
    ending: String(passed),
  });
  const both = (task: number, entropy: number | null = null) =>
    [true, false].map(passed => ended(task, passed, entropy));

  it('[SCHED-3] XRPO: at T = 3, .2018 + λ·√(ln 4/4) beats λ·√(ln 4/2) below λ = .827', () => {
    const results = [...both(0), ...both(0), ended(1, false), ended(1, false)];
    const next = (explore: number) => createXrpo({ first: 2, batch: 2, episodes: 7, explore }).next(results, 2);
    expect([next(0.8), next(0.85)]).toEqual([[0], [1]]);
  });

  it('[SCHED-4] ECHO-TTRL: H/H̄ of 1.78 and .22 give 3 trials and 2, with what each had beside its first ones taken off', () => {
    const sizes = { first: 2, batch: 20, most: 8 };
    // σ(1.78) = .856 and σ(.22) = .555; 1 + ⌊7·σ·(1 − .5)⌋.
    const unsure = [...both(0, 2), ...both(1, 0.25)];
    expect(createEchoTtrl({ ...sizes, episodes: 7 }).next(unsure, 2)).toEqual([0, 0, 1]);
    const more = [...both(0), ...both(0), ...both(1)];
    expect(createEchoTtrl({ ...sizes, episodes: 7 }).next(more, 2)).toEqual([1]);
  });
});

describe('allocation', () => {
  const chances = Array.from({ length: 40 }, (_, task) => [0.02, 0.1, 0.5, 0.9, 0.98][task % 5] as number);
  const sizes = { first: 2, batch: 20, episodes: 240 };

  it('[SCHED-2] TRACE has at least as many mixed groups as equal shares, at equal episodes', () => {
    const seeds = Array.from({ length: 20 }, (_, at) => `bandit ${at}`);
    const mixedOf = (scheduler: Scheduler): number =>
      seeds.reduce((sum, seed) => sum + simulate(scheduler, chances, seed).mixed, 0);
    const [trace, uniform] = [simulate(createTrace(sizes), chances), simulate(createUniform(sizes), chances)];
    expect(trace.trials.reduce((sum, count) => sum + count)).toBe(240);
    expect(uniform.trials).toEqual(chances.map(() => 6));
    expect(mixedOf(createTrace(sizes))).toBeGreaterThan(mixedOf(createUniform(sizes)));
  });

  it('[SCHED-3] XRPO gives more to tasks whose trials differ than to those that all fail', () => {
    const { trials } = simulate(createXrpo({ ...sizes, explore: 0.1 }), chances);
    const of = (kind: number): number =>
      trials.filter((_, task) => task % 5 === kind).reduce((sum, count) => sum + count);
    expect(of(2)).toBeGreaterThan(of(0));
  });

  it('[SCHED-4] ECHO-TTRL gives more to tasks whose trials disagree', () => {
    const { trials } = simulate(createEchoTtrl({ ...sizes, most: 8 }), chances);
    const of = (kind: number): number =>
      trials.filter((_, task) => task % 5 === kind).reduce((sum, count) => sum + count);
    expect(of(2)).toBeGreaterThan(of(4));
  });
});

const world = await openBuiltIn('mail');
const heads = headsOf(tasksOf(world, 'star-message', [1, 2, 3]));

async function runWith(
  scheduler: Scheduler,
  concurrency: number,
  { journal = createMemoryJournal(), most = Infinity } = {},
) {
  let begun = 0;
  const totals = await runSchedule({
    scheduler,
    tasks: heads,
    journal,
    concurrency,
    seed: 'seed',
    clock: createManualClock(),
    timers: noTimers,
    createTrail,
    mayBegin: () => ++begun <= most,
    start: () => ({ environment: world, student: createWeighingPolicy(), strategy: createLinear() }),
    headOf: (first, { index, trial }) => ({ ...first, index, trial, key: `collect/0/${first.task.id}/${trial}` }),
    read(keys) {
      const ended = [...journal.episodes()].filter(({ head }) => keys.has(head.key));
      return new Map(
        ended.map(({ head, end }) => [
          head.key,
          { passed: end.outcome === 'passed', entropy: null, ending: String(end.counts.steps) },
        ]),
      );
    },
  });
  return { totals, journal };
}

describe('a scheduled run', () => {
  const scheduler = createTrace({ first: 2, batch: 4, episodes: 14 });

  it('[SCHED-1] is the same whatever the concurrency', async () => {
    const [one, five] = [await runWith(scheduler, 1), await runWith(scheduler, 5)];
    expect(one.totals.ended).toBe(14);
    expect(contents(five.journal.episodes())).toEqual(contents(one.journal.episodes()));
  });

  it.each([1, 5, 9, 13])(
    '[SCHED-1] stopped after %i episodes and run again, it ends as if it had not been stopped',
    async most => {
      const whole = await runWith(scheduler, 1);
      const { journal, totals } = await runWith(scheduler, 2, { most });
      expect(totals.stopped).toBe(true);
      const again = await runWith(scheduler, 2, { journal });
      expect(again.totals.skipped + again.totals.ended).toBe(14);
      expect(contents(journal.episodes())).toEqual(contents(whole.journal.episodes()));
    },
  );
});
