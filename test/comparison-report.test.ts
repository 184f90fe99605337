import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { app } from '../examples/library/library.ts';
import type { ReportData } from '../src/analysis/report/data.ts';
import { writeReport } from '../src/analysis/report/write-report.ts';
import type { Policy } from '../src/core/episode/agents.ts';
import { createWorld } from '../src/worlds/world.ts';
import { evaluate } from '../src/library/evaluate.ts';
import { report } from '../src/library/report.ts';
import { createPlanner } from '../src/agents/planner/planner.ts';
import { createPlannerPolicy } from '../src/agents/planner/planner-teacher.ts';
import { createRandomPolicy } from '../src/agents/random.ts';
import type { EvaluatedStudents } from '../src/runs/evaluate-students.ts';

const options = { environments: [createWorld(app)], instances: 2, baselines: false };
const clock = { now: () => 0 };
const good = (): Policy => ({
  ...createPlannerPolicy(createPlanner({ clock, maxMilliseconds: Infinity })),
  name: 'good',
});
const bad = (): Policy => ({ ...createRandomPolicy(), name: 'bad' });

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-comparison-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the report of two students', () => {
  let evaluated: EvaluatedStudents;
  let data: ReportData;
  let page = '';
  beforeAll(async () => {
    const run = join(folder, 'pair');
    evaluated = await evaluate({ ...options, folder: run, student: good, against: bad });
    ({ data } = await report({ folder: run }));
    page = readFileSync(join(run, 'report.html'), 'utf8').replaceAll('\u00A0', ' ');
  });

  it('[REP-12] has both rates and the paired difference, as the console has them', () => {
    const [comparison] = data.comparisons;
    expect(data.comparisons).toHaveLength(1);
    expect(comparison).toMatchObject({
      student: { name: 'good', newInstances: { rate: 1, n: 4 }, heldOut: { rate: 1, n: 2 } },
      against: { name: 'bad', newInstances: { rate: 0, n: 4 }, heldOut: { rate: 0, n: 2 } },
      newInstances: { mean: 1, pairs: 4, wins: 4, losses: 0, ties: 0 },
      heldOut: { mean: 1, pairs: 2 },
    });
    expect(comparison?.newInstances).toMatchObject(evaluated.against?.comparison.newInstances?.difference as object);
    expect(comparison?.templates).toContainEqual({
      template: 'library/lend-to-reader',
      level: 'new-instances',
      student: expect.objectContaining({ passed: 2, n: 2 }) as object,
      against: expect.objectContaining({ passed: 0, n: 2 }) as object,
    });
    expect(comparison?.flips).toHaveLength(6);
  });

  it('[REP-12] draws both rates, the difference, every template and the tasks that only one passed', () => {
    const section = /<section id="comparison">[\s\S]*?<\/section>/.exec(page)?.[0] ?? '';
    expect(section).toContain('good minus bad, in percentage points: +100');
    expect(section.match(/class="strip difference (better|open)"/g)).toHaveLength(2);
    expect(section.match(/class="strip arm-0"/g)).toHaveLength(2 + 3);
    expect(section.match(/class="strip arm-1"/g)).toHaveLength(2 + 3);
    expect(section).toContain('6 trials that only one of them passed');
    expect(section).not.toContain('NaN');
  });

  it('[REP-13] draws evaluation episodes: the same task by both students', () => {
    const trees = data.evaluationGallery;
    expect(trees.map(({ student }) => student)).toEqual(['bad', 'good', 'bad', 'good', 'bad', 'good']);
    const tasks = trees.map(({ app: id, template, instruction }) => `${id}/${template} ${instruction}`);
    expect(tasks.filter((_, at) => at % 2 === 0)).toEqual(tasks.filter((_, at) => at % 2 === 1));
    expect(page).toContain('Evaluation episodes as trees');
    expect(page.match(/class="card"/g)).toHaveLength(6);
  });

  it('[REP-14] counts the checks that did not hold for each policy by itself', () => {
    expect(new Set(data.failedChecks.map(({ policy }) => policy))).toEqual(new Set(['evaluated: bad']));
    expect(data.failedChecks.every(({ of }) => of === 2)).toBe(true);
    expect(page).toContain('Checks that did not hold: evaluated: bad');
    const mixed = { ...data, failedChecks: data.failedChecks.map(({ policy: _policy, ...check }) => check) };
    expect(writeReport(mixed as unknown as ReportData)).toContain('Checks that did not hold: all policies');
  });
});

describe('the report of one student', () => {
  it('[REP-13] draws its evaluation episodes', async () => {
    const run = join(folder, 'one');
    await evaluate({ ...options, folder: run, student: bad, levels: ['new-instances'] });
    const { data } = await report({ folder: run });
    expect(data.comparisons).toEqual([]);
    expect(data.evaluationGallery.map(({ student, outcome }) => [student, outcome])).toContainEqual(['bad', 'failed']);
  });

  it('[RUN-34] shows the student that was asked for, also when only the other one had to run', async () => {
    const run = join(folder, 'later');
    await evaluate({ ...options, folder: run, student: good });
    await evaluate({ ...options, folder: run, student: good, against: bad });
    const { data } = await report({ folder: run });
    expect(data.arms[0]?.rounds.at(-1)?.newInstances?.rate).toBe(1);
    expect(data.templates.every(({ estimates }) => estimates['run']?.rate === 1)).toBe(true);
  });
});
