import { describe, expect, it } from 'vitest';
import { app } from '../../../examples/library/library.ts';
import { impatientTimers, planFor, runOne } from '../../../test/fixtures/episode-setup.ts';
import type { Environment } from '../../core/contracts.ts';
import type {
  Decision,
  OrdinaryTeacher,
  CorrectionRequest,
  PrivilegedTeacher,
  Review,
} from '../../core/episode/agents.ts';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import { EspalierError, type ErrorDetails } from '../../core/errors.ts';
import { createWorld } from '../../worlds/world.ts';
import { createScripted } from '../../agents/scripted.ts';
import type { EpisodeParts } from '../attempt.ts';
import { createSpeculativeRollback } from '../strategies/speculative-rollback.ts';

const world = createWorld(app);
const task = world.task('lend-to-reader', 3);
const plan = planFor(world.open(task));
const parts = {
  environment: world,
  student: createScripted({ actions: plan }),
  strategy: createSpeculativeRollback({ speculate: 1 }),
};
const rejection: Review = { accept: false, at: 0, reason: 'no' };

const taught = (given: Partial<EpisodeParts> & Pick<EpisodeParts, 'teacher'>): Promise<EpisodeRecord> =>
  runOne({ task, parts: { ...parts, ...given }, timers: impatientTimers });

/** A teacher whose answers come in this order, the last one for ever. */
function reviewing(...answers: unknown[]): OrdinaryTeacher & { asked(): number } {
  let asked = 0;
  return {
    name: 'test teacher',
    review: () => answers[Math.min(asked++, answers.length - 1)] as Review,
    correct: () => expect.fail('nothing to correct'),
    asked: () => asked,
  };
}

describe('a privileged teacher in a world that breaks', () => {
  const faults: ErrorDetails[] = [
    { boundary: 'environment', code: 'view-failed', message: 'No screen.', expected: 'Expected one.' },
    { boundary: 'verifier', code: 'check-failed', message: 'No check.', expected: 'Expected one.' },
  ];
  const asks = faults.flatMap(fault => (['review', 'correction'] as const).map(question => ({ fault, question })));

  it.each(asks)('[ROL-2] [ROL-4] ends at the $fault.boundary, asked once for a $question', async given => {
    const { fault, question } = given;
    let looked = 0;
    // The states that an agent may see are forks: these break as soon as they are looked at.
    const fork = (): never => {
      looked++;
      throw new EspalierError(fault);
    };
    const environment: Environment = {
      ...world,
      open(opened) {
        const session = world.open(opened);
        return { ...session, fork: () => ({ ...session, fork }) };
      },
    };
    const teacher: PrivilegedTeacher = {
      name: 'looking',
      privileged: true,
      review(_segment, states) {
        if (question === 'review') states.at(0);
        return rejection;
      },
      correct: () => ({ action: plan[0] ?? null }),
    };
    const { end } = await taught({ teacher, environment });
    expect(looked).toBe(1);
    expect(end).toMatchObject({
      outcome: 'errored',
      boundary: fault.boundary,
      reason: fault.code.replaceAll('-', ' '),
      message: `${fault.message} ${fault.expected}`,
      verdict: null,
    });
  });
});

describe('a correction', () => {
  const faults: [string, (correctionRequest: CorrectionRequest) => unknown, string][] = [
    ['throws', () => expect.fail('down'), 'threw'],
    ['hangs', () => new Promise<never>(() => undefined), 'deadline'],
    ['is no decision', () => 'click e3', 'out of range'],
    ['has no action, not even none', () => ({}), 'out of range'],
    ['has a malformed action', () => ({ action: { kind: 'click', ref: 'somewhere' } }), 'out of range'],
    ['is none at a price below zero', () => ({ action: null, cost: -1 }), 'out of range'],
  ];
  it.each(faults)('[ROL-4] that %s is asked for again, then the episode is errored', async (_name, answer, reason) => {
    let asked = 0;
    const teacher: OrdinaryTeacher = {
      name: 'faulty',
      review: () => rejection,
      correct(correctionRequest) {
        asked++;
        return answer(correctionRequest) as Decision;
      },
    };
    const record = await taught({ teacher });
    expect(asked).toBe(3);
    expect(record.end).toMatchObject({ outcome: 'errored', boundary: 'reviewer', reason, verdict: null });
    expect(record.end.message).toContain('failed 3 times');
    expect(record.corrections).toEqual([]);
  });
});

describe('the price of an answer', () => {
  const nonsense = { accept: false, at: 7, reason: 'no', cost: 0.5, tokens: 10 };
  const fine = { accept: true, cost: 0.25, tokens: 1 };

  it('[ROL-6] is charged also when it is out of range; reviews are those that were heard', async () => {
    const teacher = reviewing(nonsense, { cost: 0.5, tokens: 'many' }, fine);
    const record = await taught({ teacher });
    expect(record.end).toMatchObject({ outcome: 'passed', counts: { cost: 2, tokens: 14 } });
    expect(record.end.counts.reviews).toBe(record.reviews.length);
    expect(record.reviews.map(({ retries }) => retries)).toEqual([2, 0, 0, 0]);
    expect(record.reviews.reduce((asked, { retries }) => asked + 1 + retries, 0)).toBe(teacher.asked());
  });

  it('[ROL-6] is charged when no answer was ever heard', async () => {
    const { end } = await taught({ teacher: reviewing(nonsense) });
    expect(end).toMatchObject({ boundary: 'reviewer', counts: { reviews: 0, cost: 1.5, tokens: 30 } });
  });

  it('[ROL-7] counts against the budget: who answers nonsense is not asked beyond it', async () => {
    const teacher = reviewing(nonsense);
    const { end } = await taught({ teacher, limits: { cost: 1 } });
    expect(end).toMatchObject({ outcome: 'errored', boundary: 'budget', reason: 'out of cost', counts: { cost: 1 } });
    expect(teacher.asked()).toBe(2);
  });
});
