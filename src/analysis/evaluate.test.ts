import { describe, expect, it } from 'vitest';
import { type EpisodeSketch, sketchSummary } from '../../test/fixtures/analysis-episodes.ts';
import type { Certificate } from '../core/episode/certificate.ts';
import type { EpisodeSummary } from '../core/episode/journal.ts';
import { createRandom } from '../core/random.ts';
import { compare } from './compare.ts';
import { estimateText, percentText, type Estimate } from './estimate.ts';
import { type Evaluation, evaluate, pooled } from './evaluate.ts';
import { countFaults } from './faults.ts';
import { fullText } from './report/words.ts';
import { compareWithBaselines } from './table.ts';
import { readStudentName, studentName } from './training-seeds.ts';

const options = { random: createRandom('evaluate') };

/** One episode for each letter: P passed, F failed, D discarded, E errored. */
function episodes(letters: string, sketch: Partial<EpisodeSketch> = {}): EpisodeSummary[] {
  const outcomes = { P: 'passed', F: 'failed', D: 'discarded', E: 'errored' } as const;
  return [...letters].map((letter, seed) =>
    sketchSummary({ seed, ...sketch, outcome: outcomes[letter as keyof typeof outcomes] }),
  );
}

function evaluated(summaries: readonly EpisodeSummary[]): Evaluation {
  const evaluation = evaluate(summaries, options);
  if (evaluation === null) throw new Error('nothing was evaluated');
  return evaluation;
}

describe('evaluation', () => {
  it('[EST-8] never mixes new instances with held-out templates, nor in what was collected', () => {
    const evaluation = evaluated([
      ...episodes('PPPF'),
      ...episodes('FF', { split: 'test', template: 'merge-threads' }),
      ...episodes('FFFF', { phase: 'collect' }),
    ]);
    expect(evaluation.newInstances?.overall).toMatchObject({ rate: 0.75, passed: 3, n: 4, errored: 0 });
    expect(evaluation.heldOut?.overall).toMatchObject({ rate: 0, passed: 0, n: 2 });
    expect(evaluate(episodes('PP', { phase: 'collect' }), options)).toBeNull();
    expect(evaluated(episodes('PP')).heldOut).toBeNull();
  });

  it('[SPLIT-2] has the second held-out set in figures of its own, and in none of the first', () => {
    const second = episodes('PPF', { split: 'test-2', template: 'retire-rules' });
    const first = episodes('FF', { split: 'test', template: 'merge-threads' });
    const [without, both] = [
      evaluated([...episodes('PPPF'), ...first]),
      evaluated([...episodes('PPPF'), ...first, ...second]),
    ];
    expect(both.heldOut2?.overall).toMatchObject({ passed: 2, n: 3 });
    expect(both.heldOut2?.templates.map(({ template }) => template)).toEqual(['retire-rules']);
    expect([both.newInstances, both.heldOut]).toEqual([without.newInstances, without.heldOut]);
    expect(without.heldOut2).toBeNull();
    expect(compare(both, both, options)).toMatchObject({ heldOut: { pairs: 2 }, heldOut2: { pairs: 3, ties: 3 } });
    expect(compareWithBaselines(both, [], options)[0]).toMatchObject({ heldOut: { n: 2 }, heldOut2: { n: 3 } });
  });

  it('[EST-9] counts errored episodes apart: no reward is not a reward of 0', () => {
    const { newInstances } = evaluated(episodes('PPFE'));
    expect(newInstances?.overall).toMatchObject({ passed: 2, n: 3, errored: 1, raw: 0.5 });
    expect(newInstances?.overall.rate).toBeCloseTo(2 / 3, 12);
    expect(evaluated(episodes('EE')).newInstances).toMatchObject({
      overall: { rate: null, low: 0, high: 1, n: 0, errored: 2, raw: 0 },
      steps: null,
    });
  });

  it('[EST-15] counts what passed without the certificate it needs apart, in no rate, and against the agent in the raw one', () => {
    const leaf = { leaf: 0, milliseconds: 1 };
    const agreed: Certificate = { result: 'agreed', ...leaf };
    const difference = { step: 1, node: 1, what: 'verdict', expected: 'true', got: 'false' } as const;
    const diverged: Certificate = { result: 'diverged', ...leaf, ...difference };
    const page = { app: 'page', end: { certification: 'by-replay' } } as const;
    const summaries = [
      ...episodes('P', { ...page, seed: 1, certificates: [agreed] }),
      ...episodes('P', { ...page, seed: 2, certificates: [diverged] }),
      ...episodes('P', { ...page, seed: 3 }),
      ...episodes('F', { ...page, seed: 4 }),
    ];
    const { newInstances, trials } = evaluated(summaries);
    const counts = { passed: 1, n: 2, errored: 0, uncertified: 2, raw: 0.25 };
    expect(newInstances?.overall).toMatchObject({ rate: 0.5, ...counts });
    expect(newInstances?.templates[0]?.estimate).toMatchObject({ rate: 0.5, ...counts });
    expect(trials.map(({ passed }) => passed)).toEqual([true, null, null, false]);
    expect(fullText(newInstances?.overall as Estimate)).toContain('1 of 2, 2 passed, not certified');
    expect(countFaults(summaries)).toEqual([
      { outcome: 'uncertified', boundary: null, reason: 'its replay differs: verdict', count: 1 },
      { outcome: 'uncertified', boundary: null, reason: 'not replayed yet', count: 1 },
      { outcome: 'failed', boundary: null, reason: null, count: 1 },
    ]);
  });

  it('[EST-9] counts a discarded episode as not passed', () => {
    expect(evaluated(episodes('PD')).newInstances?.overall).toMatchObject({ rate: 0.5, n: 2 });
  });

  it('[EST-4] weighs apps alike, and gives each template its Wilson interval', () => {
    const { newInstances } = evaluated([...episodes('PPPFF'), ...episodes('FF', { app: 'shop', template: 'buy' })]);
    expect(newInstances?.overall.rate).toBeCloseTo(0.3, 12);
    expect(newInstances?.apps.map(({ app, estimate }) => [app, estimate.rate])).toEqual([
      ['mail', 0.6],
      ['shop', 0],
    ]);
    const star = newInstances?.templates.find(({ template }) => template === 'star-message')?.estimate;
    expect(star?.low).toBeCloseTo(0.2307, 4);
    expect(star?.high).toBeCloseTo(0.8824, 4);
  });

  it('[EST-2] averages pass@k and pass^k over the tasks that have enough trials', () => {
    const trials = (letters: string, seed: number): EpisodeSummary[] =>
      [...letters].flatMap((letter, trial) => episodes(letter, { seed, trial }));
    const { newInstances } = evaluated([...trials('PPF', 1), ...trials('PFE', 2)]);
    expect(newInstances?.attempts.map(({ k, tasks }) => [k, tasks])).toEqual([
      [1, 2],
      [2, 2],
      [3, 1],
    ]);
    expect(newInstances?.attempts[1]).toMatchObject({ passAtK: 1 });
    expect(newInstances?.attempts[1]?.passHatK).toBeCloseTo(1 / 6, 12);
    expect(newInstances?.attempts[2]?.passHatK).toBe(0);
    expect(evaluated(episodes('PF')).newInstances?.attempts).toEqual([]);
  });

  it('[EST-3] refuses episodes of two policies or two rounds', () => {
    const mixed = [...episodes('P'), ...episodes('P', { student: 'random' })];
    expect(() => evaluate(mixed, options)).toThrow('mix ranker in round 1 with random in round 1');
    expect(() => evaluate([...episodes('P'), ...episodes('P', { round: 2 })], options)).toThrow('round 2');
  });
});

describe('training seeds', () => {
  const seeded = (outcomes: string, seed: number) =>
    episodes(outcomes, { student: studentName('ranker', seed) }).map(({ head, ...rest }) => ({
      ...rest,
      head: { ...head, key: `${head.key} ${seed}` },
    }));

  it('[EST-16] students that differ by their seed alone are one policy', () => {
    expect(readStudentName(studentName('a, training seed x', 3))).toEqual({ name: 'a, training seed x', seed: '3' });
    const both = evaluated([...seeded('PPPF', 1), ...seeded('PFPF', 2)]);
    expect(both.student).toBe('ranker');
    expect(both.newInstances?.overall).toMatchObject({ rate: 5 / 8, passed: 5, n: 8 });
    const apart = pooled([evaluated(seeded('PPPF', 1)), evaluated(seeded('PFPF', 2))], options);
    expect(apart?.newInstances?.overall).toMatchObject({ rate: 5 / 8, n: 8 });
  });

  it('[EST-16] are compared with the same seed of the other side', () => {
    const first = evaluated([...seeded('PP', 1), ...seeded('PP', 2)]);
    const second = evaluated([...seeded('PF', 1), ...seeded('FF', 2)]);
    expect(compare(first, second, options).newInstances).toMatchObject({ pairs: 4, unpaired: 0, wins: 2 });
  });
});

describe('comparison', () => {
  it('[EST-10] pairs the same tasks and counts wins, losses and flips', () => {
    const { newInstances } = compare(evaluated(episodes('PPPFFEP')), evaluated(episodes('PFFPFPEP')), options);
    expect(newInstances).toMatchObject({ pairs: 5, unpaired: 3, wins: 2, losses: 1, ties: 2 });
    expect(newInstances?.difference.mean).toBeCloseTo(0.2, 12);
    expect(newInstances?.flips).toEqual([
      { task: 'mail/star-message/1', trial: 0, change: 'fail-to-pass' },
      { task: 'mail/star-message/2', trial: 0, change: 'fail-to-pass' },
      { task: 'mail/star-message/3', trial: 0, change: 'pass-to-fail' },
    ]);
  });

  it('[EST-10] is tighter than two separate intervals where both find the same tasks hard', () => {
    const first = evaluated(episodes(`${'PF'.repeat(24)}${'PP'.repeat(6)}`));
    const second = evaluated(episodes('PF'.repeat(30)));
    const difference = compare(first, second, options).newInstances?.difference;
    const alone = first.newInstances?.overall;
    expect(difference?.mean).toBeCloseTo(0.1, 12);
    expect(difference!.high - difference!.low).toBeLessThan((alone!.high - alone!.low) * 0.75);
  });

  it('[EST-10] turns its sign when the sides change places, and has nothing to say without pairs', () => {
    const [first, second] = [evaluated(episodes('PPF')), evaluated(episodes('FPF'))];
    const [there, back] = [compare(first, second, options), compare(second, first, options)];
    expect(back.newInstances?.difference.mean).toBe(-(there.newInstances?.difference.mean ?? 0));
    expect(there.heldOut).toBeNull();
  });

  it('[EST-11] lays the baselines beside, each with the paired difference', () => {
    const baselines = ['random', 'replay', 'planner'].map((student, index) =>
      evaluated(episodes(['FFFF', 'PFFF', 'PPPP'][index] as string, { student })),
    );
    const rows = compareWithBaselines(evaluated(episodes('PPPF')), baselines, options);
    expect(rows.map(row => [row.name, row.newInstances?.rate, row.subject?.newInstances?.difference.mean])).toEqual([
      ['ranker', 0.75, undefined],
      ['random', 0, 0.75],
      ['replay', 0.25, 0.5],
      ['planner', 1, -0.25],
    ]);
    expect(rows[0]?.steps).toEqual({ newInstances: 4, heldOut: null, heldOut2: null, heldOut3: null });
  });
});

describe('figures', () => {
  it('[EST-12] writes a rate with its interval, and never rounds to none or all', () => {
    const estimate = { low: 0.1334, high: 0.2888, passed: 20, n: 100, errored: 0, uncertified: 0, raw: 0.2 };
    expect(estimateText({ ...estimate, rate: 0.2 })).toBe('20\u00A0% (13–29)');
    expect(estimateText({ ...estimate, rate: null })).toBe('–');
    expect([0, 0.001, 0.999, 1].map(percentText)).toEqual(['0\u00A0%', '< 1\u00A0%', '> 99\u00A0%', '100\u00A0%']);
  });

  it('[EST-13] counts what did not pass by outcome, boundary and reason', () => {
    const stuck = { end: { reason: 'out of steps' } };
    expect(countFaults([...episodes('PPE'), ...episodes('FF', stuck), ...episodes('D', stuck)])).toEqual([
      { outcome: 'failed', boundary: null, reason: 'out of steps', count: 2 },
      { outcome: 'errored', boundary: 'environment', reason: null, count: 1 },
      { outcome: 'discarded', boundary: null, reason: 'out of steps', count: 1 },
    ]);
  });
});
