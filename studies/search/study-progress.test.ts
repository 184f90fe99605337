import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../src/core/clock.ts';
import type { ProgressCounter } from '../../src/runs/plan/progress-counter.ts';
import { createPhaseProgress } from './study-progress.ts';

function counter(skipped: number, ended: number, passed: number): ProgressCounter {
  const outcomes = { passed, failed: ended - passed, discarded: 0, errored: 0 };
  return { planned: skipped + ended, skipped, ended, outcomes, steps: 0, seconds: 0 };
}

describe('progress of a phase', () => {
  it('[SEARCH-106] sums up apps that are worked on at once', () => {
    const clock = createManualClock();
    const progress = createPhaseProgress('search', 12, clock);
    clock.advance(4000);
    progress.at('desk', counter(1, 2, 1));
    expect(progress.at('club', counter(0, 2, 2))).toMatchObject({ app: 'club', done: 5, solved: 3, secondsLeft: 7 });
    progress.endApp('desk', 4);
    expect(progress.at('club', counter(0, 4, 3))).toMatchObject({ done: 8, solved: 4, secondsLeft: 8 / 3 });
    progress.endApp('club', 4);
    expect(progress.at('third', counter(0, 1, 0))).toMatchObject({ done: 9, solved: 4 });
  });
});
