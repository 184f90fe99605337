import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createManualClock } from '../../../core/clock.ts';
import { createStudyBudget } from './study-budget.ts';

const folder = mkdtempSync(join(tmpdir(), 'espalier-budget-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('time of a study', () => {
  it('[SEARCH-28] is shared out among the phases that are left, and an ended phase stays ended', () => {
    const clock = createManualClock(1_000_000);
    const phases = [
      { name: 'round 1', share: 6 },
      { name: 'words', share: 2 },
      { name: 'guided', share: 2 },
    ];
    const seconds = (): number => (clock.now() - 1_000_000) / 1000;
    const open = (minutes: number | null) => createStudyBudget({ folder, minutes, phases, clock, seconds });
    expect(open(null).endOf('round 1')).toBe(Infinity);

    const budget = open(100);
    // A part of the hundred minutes is kept for training and tables.
    expect(budget.endOf('round 1')).toBe(1_000_000 + 96 * 60_000 * 0.6);
    clock.advance(76 * 60_000);
    budget.end('round 1');
    // The first phase took too long: the others halve what is left.
    expect(budget.endOf('words')).toBe(clock.now() + 10 * 60_000);
    clock.advance(30 * 60_000);
    expect(budget.endOf('words')).toBe(clock.now());
    expect([open(100).isEnded('round 1'), open(100).isEnded('words')]).toEqual([true, false]);
  });
});
