import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createManualClock } from '../../src/core/clock.ts';
import { createStudyBudget, createTimeShares } from './study-budget.ts';

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

  it('[SEARCH-67] of a study that goes on keeps back a part of what is left, not of all that there was', () => {
    const clock = createManualClock(0);
    const phases = [{ name: 'round 3', share: 1 }];
    const seconds = (): number => 50 * 60;
    const budget = createStudyBudget({ folder: join(folder, 'later'), minutes: 60, phases, clock, seconds });
    expect(budget.endOf('round 3')).toBe(0.96 * 10 * 60_000);
  });

  it('[SEARCH-61] gives the last apps as much as the first, though searches of all run over', () => {
    const [apps, tasks, late] = [11, 40, 30];
    const share = createTimeShares(apps * 94, apps * tasks);
    let now = 0;
    const taken = Array.from({ length: apps }, () => {
      const begun = now;
      now = Math.max(now, share(tasks, now)) + late;
      return now - begun;
    });
    expect(taken).toEqual([94 + late, ...Array.from({ length: apps - 1 }, () => 94)]);
  });

  it('[SEARCH-61] shares time out by the number of tasks, and hands on what is left', () => {
    const share = createTimeShares(100, 10);
    expect(share(5, 0)).toBe(50);
    // The first app was done early: the others have more.
    expect(share(3, 20)).toBe(68);
    expect(share(2, 68)).toBe(100);
    expect(createTimeShares(Infinity, 3)(1, 0)).toBe(Infinity);
  });
});
