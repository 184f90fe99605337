import { describe, expect, it } from 'vitest';
import { demoReport, estimate } from '../../../../test/fixtures/report-data.ts';
import { verdictOf } from '../opening.ts';
import type { ReportWorlds } from '../data.ts';
import { writeReport } from '../write-report.ts';
import { worldsFigure } from './worlds.ts';

const point = (tasks: number, rate: number): ReportWorlds['points'][number] => ({
  tasks,
  apps: tasks / 10,
  steps: 5 * tasks,
  students: 2,
  newInstances: estimate(0.9, 72),
  heldOut: estimate(rate, 54),
  newComposition: estimate(rate, 20),
  unseenSkill: null,
  unseenApps: estimate(rate / 2, 96),
});

const worlds: ReportWorlds = {
  points: [point(0, 0.1), point(10, 0.2), point(100, 0.4)],
  baselines: [
    { name: 'random', newInstances: estimate(0, 72), heldOut: estimate(0, 54), unseenApps: estimate(0, 96) },
    { name: 'replay', newInstances: estimate(0.03, 72), heldOut: estimate(0.06, 54), unseenApps: estimate(0.1, 96) },
    { name: 'planner', newInstances: estimate(1, 72), heldOut: estimate(0.98, 54), unseenApps: estimate(1, 96) },
  ],
};

const plain = (text: string): string => text.replaceAll('\u00A0', ' ');

describe('curve over worlds', () => {
  it('[REP-15] has a panel a level, with a point for each number of tasks, and all baselines in words', () => {
    const markup = plain(worldsFigure(worlds).markup);
    const panels = markup.split('<figure').slice(1);
    expect(panels).toHaveLength(3);
    // The middle one draws known parts beside all; new parts were not measured.
    expect(panels.map(panel => panel.match(/class="point"/g)?.length)).toEqual([3, 6, 3]);
    for (const panel of panels) for (const tick of ['>0<', '>10<', '>100<']) expect(panel).toContain(tick);
    expect(panels[1]).toContain('Baselines: random 0 %, replay 6 %, planner 98 %.');
    expect(panels[1]?.match(/class="rule"/g)).toHaveLength(2);
    expect(markup).not.toContain('NaN');
  });

  it('[REP-15] begins the report, and says how far the students came', () => {
    const data = { ...demoReport(), worlds };
    expect(plain(verdictOf(data))).toBe(
      'Success goes from 9 % to 41 % on new templates and from 5 % to 20 % in apps never seen, with 100 forged tasks taught; 2 of 4 claims hold.',
    );
    const doubted = { ...data, worlds: { ...worlds, risen: ['unseenApps'] as const } };
    expect(plain(verdictOf(doubted))).toContain(
      'on new templates (within chance) and from 5 % to 20 % in apps never seen,',
    );
    const page = writeReport(data);
    expect(page.indexOf('class="panels three worlds"')).toBeLessThan(page.indexOf('id="claims"'));
    expect(page.indexOf('id="queries"')).toBeGreaterThan(0);
    expect(page).not.toContain('id="curve"');
  });

  it('[REP-15] draws arms against steps shown as well, where they showed any', () => {
    const data = demoReport();
    const arms = data.arms.map(arm => ({ ...arm, rounds: arm.rounds.map(round => ({ ...round, shown: 50 })) }));
    expect(writeReport(data)).not.toContain('Steps shown or given so far');
    expect(writeReport({ ...data, arms }).match(/Steps shown or given so far/g)).toHaveLength(2);
  });
});
