import type { Evaluation } from '../../../src/analysis/evaluate.ts';
import type { ReportWorlds } from '../../../src/analysis/report/data.ts';
import { levelOptions, readEvaluations, type LevelOptions } from '../../../src/runs/evaluation/read-evaluations.ts';
import { readEvaluationRecord } from '../../../src/runs/evaluation/evaluation-record.ts';
import { baselineNames } from '../../../src/runs/evaluation/baselines.ts';
import { readGroup, readRun } from '../student-group.ts';
import { readPoints, type PointOptions } from './taught-points.ts';
import { demonstrationFolders } from './taught-points.ts';

export interface WorldsOutcome {
  readonly worlds: ReportWorlds;
  /** Of the points, in their order. */
  readonly evaluations: readonly Evaluation[];
}

/** What the students of every point did, and the baselines on the same tasks. */
export function gatherWorlds(options: PointOptions & { readonly baselines: string }): WorldsOutcome {
  const { baselines: folder } = options;
  const trainedApps = taughtApps(options.folder);
  const { kinds } = readRun(folder, levelOptions);
  const levels: LevelOptions = { trainedApps, ...(kinds === undefined ? {} : { kinds }) };
  const baselines = readRun(folder, store => readEvaluations(store, readEvaluationRecord(folder), levels).baselines);
  const points = readPoints(options);
  const evaluations = points.map(({ group }) => readGroup(group, levels));
  return {
    evaluations,
    worlds: {
      points: points.map(({ tasks, apps, steps, group }, index) => ({
        tasks,
        apps,
        steps,
        students: group.students,
        ...ratesOf(evaluations[index] as Evaluation),
      })),
      baselines: baselineNames.flatMap(name => {
        const found = baselines.find(({ student }) => student === name);
        return found === undefined ? [] : [{ name, ...ratesOf(found) }];
      }),
    },
  };
}

/** The ids of all apps that students of the last point were taught in. */
function taughtApps(folder: string): Set<string> {
  return new Set(
    demonstrationFolders(folder).flatMap(own =>
      readRun(own, store => Array.from(store.summaries({ phase: 'collect' }), ({ head }) => head.task.environment)),
    ),
  );
}

function ratesOf({ newInstances, heldOut, newComposition, unseenSkill, unseenApps }: Evaluation) {
  return {
    newInstances: newInstances?.overall ?? null,
    heldOut: heldOut?.overall ?? null,
    newComposition: newComposition?.overall ?? null,
    unseenSkill: unseenSkill?.overall ?? null,
    unseenApps: unseenApps?.overall ?? null,
  };
}
