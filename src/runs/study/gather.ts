import { join } from 'node:path';
import { compare, type ComparisonByLevel } from '../../analysis/compare.ts';
import { evaluate, type Evaluation } from '../../analysis/evaluate.ts';
import type { ReportArm, ReportData } from '../../analysis/report/data.ts';
import type { EpisodeSource } from '../../core/episode/journal.ts';
import { createRandom } from '../../core/random.ts';
import { baselineNames } from '../evaluate.ts';
import { openRun } from '../folder/folder.ts';
import { levelOptions } from '../evaluation/read-evaluations.ts';
import { readReport, type ReportOptions } from '../report.ts';
import type { Arm } from './arms.ts';

export interface GatherOptions extends ReportOptions {
  readonly arms: readonly Arm[];
}

/** What the arms of a study came to, side by side; claims are left to whoever makes them. */
export function gatherStudy({ folder, arms, ...about }: GatherOptions): ReportData {
  // Only the first arm has the planner's paths, which tell the kinds of held-out templates.
  const levels = readRun(join(folder, arms[0]?.id ?? ''), levelOptions);
  const found = arms.map(arm => ({ arm, report: readReport({ ...about, levels, folder: join(folder, arm.id) }) }));
  const main = (found[0] as (typeof found)[number]).report;
  return {
    ...main,
    title: 'Speculative rollback correction',
    arms: found.map(({ arm, report }) => named(arm, report)),
    templates: templatesOf(found),
    archiveMap: main.archiveMap === null ? null : { ...main.archiveMap, arm: arms[0]?.id ?? '' },
    rejections: found.flatMap(({ arm, report }) => report.rejections.map(entry => ({ ...entry, arm: arm.id }))),
    faults: found.flatMap(({ arm, report }) =>
      report.faults.map(fault => ({
        ...fault,
        reason: fault.reason === null ? arm.label : `${arm.label}: ${fault.reason}`,
      })),
    ),
  };
}

function named({ id, label, about }: Arm, { arms }: ReportData): ReportArm {
  return { ...(arms[0] as ReportArm), id, label, about };
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

/** The students of two arms at the end of these rounds, on the same tasks. */
export function compareArms(
  folder: string,
  first: [arm: string, round: number],
  second: [arm: string, round: number],
): ComparisonByLevel {
  const [left, right] = [first, second].map(([arm, round]) => evaluationOf(join(folder, arm), round)) as [
    Evaluation,
    Evaluation,
  ];
  return compare(left, right, { random: createRandom(`${first.join(' ')} ${second.join(' ')}`) });
}

function evaluationOf(folder: string, round: number): Evaluation {
  return readRun(folder, store => {
    const own = [...store.summaries({ phase: 'evaluate', round })].filter(
      ({ head }) => !baselineNames.includes(head.student),
    );
    return evaluate(own, { ...levelOptions(store), random: createRandom(folder) }) as Evaluation;
  });
}

function readRun<T>(folder: string, read: (store: EpisodeSource) => T): T {
  const store = openRun(folder);
  try {
    return read(store);
  } finally {
    store.close();
  }
}
