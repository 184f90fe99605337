import { join } from 'node:path';
import type { Evaluation } from '../../src/analysis/evaluate.ts';
import type { ReportArm, ReportData } from '../../src/analysis/report/data.ts';
import type { EpisodeSource } from '../../src/core/episode/journal.ts';
import { levelOptions, type LevelOptions } from '../../src/runs/evaluation/read-evaluations.ts';
import { readReport, type ReportOptions } from '../../src/runs/report.ts';
import { arms, imitations, type Arm } from './arms.ts';
import { paidBy, tasksWithin } from './teachers.ts';
import { readGroup, readRun, readStudents } from './student-group.ts';
import { stepsOfSolved } from './worlds/taught-points.ts';

export interface TeachersOptions extends ReportOptions {
  readonly rounds: number;
  readonly students: number;
}

export interface TeachersOutcome {
  readonly data: ReportData;
  /** The students of each arm at its end, by the id of the arm. */
  readonly evaluations: ReadonlyMap<string, Evaluation>;
}

/** What the ways to ask the teacher came to, side by side; claims are left to whoever makes them. */
export function gatherTeachers({ folder, rounds, students, ...about }: TeachersOptions): TeachersOutcome {
  const levels = readRun(join(folder, arms[0]?.id ?? ''), appsOf);
  const found = arms.map(arm => ({ arm, report: readReport({ ...about, levels, folder: join(folder, arm.id) }) }));
  const main = (found[0] as (typeof found)[number]).report;
  const shown = imitations.map(arm => ({
    arm,
    evaluation: readGroup({ folder, id: arm.id, students }, levels),
    cost: costOf(folder, arm.currency),
  }));
  const evaluations = new Map([
    ...arms.map(({ id }) => [id, readStudents(join(folder, id), levels, rounds)] as const),
    ...shown.map(({ arm, evaluation }) => [arm.id, evaluation] as const),
  ]);
  return {
    evaluations,
    data: {
      ...main,
      arms: [...found.map(({ arm, report }) => named(arm, report)), ...shown.map(imitationArm)],
      templates: templatesOf(found),
      archiveMap: main.archiveMap === null ? null : { ...main.archiveMap, arm: arms[0]?.id ?? '' },
      rejections: [],
      faults: found.flatMap(({ arm, report }) =>
        report.faults.map(fault => ({
          ...fault,
          reason: fault.reason === null ? arm.label : `${arm.label}: ${fault.reason}`,
        })),
      ),
    },
  };
}

/** Held-out templates of made-up apps are not told apart by kind: no planner runs on them. */
function appsOf(store: EpisodeSource): LevelOptions {
  const { trainedApps } = levelOptions(store);
  return trainedApps === undefined ? {} : { trainedApps };
}

/** Demonstrated steps of an imitation: each is a query, and a step that the teacher gave. */
function costOf(folder: string, currency: 'queries' | 'steps'): number {
  const solved = stepsOfSolved(join(folder, 'demonstrations'));
  const steps = new Map(solved);
  const taught = tasksWithin(paidBy(join(folder, arms[0]?.id ?? ''))[currency], solved);
  return taught.reduce((sum, task) => sum + (steps.get(task) ?? 0), 0);
}

interface Imitated {
  readonly arm: Arm;
  readonly evaluation: Evaluation;
  readonly cost: number;
}

function imitationArm({ arm: { id, label, about }, evaluation, cost }: Imitated): ReportArm {
  const { newInstances, heldOut, unseenApps } = evaluation;
  return {
    id,
    label,
    about,
    rounds: [
      {
        round: 1,
        episodes: { passed: 0, uncertified: 0, failed: 0, discarded: 0, errored: 0 },
        newInstances: newInstances?.overall ?? null,
        heldOut: heldOut?.overall ?? null,
        unseenApps: unseenApps?.overall ?? null,
        queries: cost,
        shown: cost,
        reviews: 0,
        corrections: 0,
        skipped: 0,
        rows: cost,
        archive: null,
        seconds: 0,
      },
    ],
  };
}

function named({ id, label, about }: Arm, { arms: [own] }: ReportData): ReportArm {
  return { ...(own as ReportArm), id, label, about };
}

function templatesOf(found: readonly { readonly arm: Arm; readonly report: ReportData }[]): ReportData['templates'] {
  const rows = new Map<string, ReportData['templates'][number]>();
  for (const { arm, report } of found) {
    for (const { template, level, estimates } of report.templates) {
      const row = rows.get(`${level} ${template}`) ?? { template, level, estimates: {} };
      const own = Object.values(estimates)[0];
      if (own !== undefined) row.estimates[arm.id] = own;
      rows.set(`${level} ${template}`, row);
    }
  }
  return [...rows.values()];
}
