import type { Comparison } from '../analysis/compare.ts';
import { evaluate, type Evaluation } from '../analysis/evaluate.ts';
import type { ReportData, RunDifference } from '../analysis/report/data.ts';
import type { EpisodeSource, EpisodeSummary } from '../core/episode/journal.ts';
import { invalidOption } from '../core/errors.ts';
import { agentEpisodes } from './evaluation/agent-episodes.ts';
import { readEvaluationRecord } from './evaluation/evaluation-record.ts';
import { compareStudents, intervalsOf } from './evaluation/intervals.ts';
import { levelOptions, readEvaluations } from './evaluation/read-evaluations.ts';
import { openRun, runNameOf } from './folder/folder.ts';
import { readReport, type ReportOptions } from './report.ts';

export interface ComparedRunsOptions extends Omit<ReportOptions, 'folder' | 'episodes'> {
  /** Folders of the runs. All are compared with the first. */
  readonly folders: readonly string[];
}

/** The data of a report on several runs: their curves side by side, and each against the first, pair by pair. */
export function readComparedRuns({ folders, ...options }: ComparedRunsOptions): ReportData {
  if (new Set(folders).size < folders.length)
    throw invalidOption(`A run is named twice: ${folders.join(' ')}.`, 'Expected different runs.');
  const labels = labelsOf(folders);
  const reports = folders.map(folder => readReport({ ...options, folder }));
  const [first] = reports as [ReportData];
  const measured = folders.map(measuredIn);
  return {
    ...first,
    title: `Espalier: ${labels.join(', ')}`,
    arms: reports.flatMap(({ arms }, index) =>
      arms.map(arm => ({ ...arm, id: armId(arm.id, index), label: labels[index] as string })),
    ),
    templates: mergedTemplates(reports),
    rejections: reports.flatMap(({ rejections }, index) =>
      rejections.map(one => ({ ...one, arm: armId(one.arm, index) })),
    ),
    comparisons: [],
    runDifferences: measured.slice(1).flatMap((own, index) =>
      differencesOf(own, measured[0] as Measured, {
        run: labels[index + 1] as string,
        against: labels[0] as string,
      }),
    ),
  };
}

/** Names of the folders; the whole paths where two are the same. */
function labelsOf(folders: readonly string[]): readonly string[] {
  const names = folders.map(runNameOf);
  return new Set(names).size === names.length ? names : folders;
}

/** The report is about the first arm, which keeps its id. */
function armId(id: string, index: number): string {
  return index === 0 ? id : `${id}-${index + 1}`;
}

type Template = ReportData['templates'][number];

/** Every template once, with the estimates of all runs. */
function mergedTemplates(reports: readonly ReportData[]): readonly Template[] {
  const found = new Map<string, Template>();
  for (const [index, { templates }] of reports.entries())
    for (const { template, level, estimates } of templates) {
      const key = `${level} ${template}`;
      const own = Object.entries(estimates).map(([id, estimate]) => [armId(id, index), estimate] as const);
      found.set(key, {
        template,
        level,
        estimates: { ...found.get(key)?.estimates, ...Object.fromEntries(own) },
      });
    }
  return [...found.values()];
}

interface Measured {
  /** The student that was evaluated last. */
  readonly student: Evaluation | null;
  /** What was collected in the last round, as if it were an evaluation. */
  readonly collected: Evaluation | null;
}

function measuredIn(folder: string): Measured {
  const opened = openRun(folder);
  try {
    const store = agentEpisodes(opened);
    const { students } = readEvaluations(store, readEvaluationRecord(folder), levelOptions(store));
    return { student: students.at(-1) ?? null, collected: collectedIn(store) };
  } finally {
    opened.close();
  }
}

function collectedIn(store: EpisodeSource): Evaluation | null {
  const all = [...store.summaries({ phase: 'collect' })];
  const last = Math.max(...all.map(({ head }) => head.round));
  const asEvaluated = ({ head, ...rest }: EpisodeSummary): EpisodeSummary => ({
    ...rest,
    head: { ...head, phase: 'evaluate', student: 'collected' },
  });
  const own = all.filter(({ head }) => head.round === last).map(asEvaluated);
  return evaluate(own, { random: intervalsOf('collected') });
}

const levels = [
  ['newInstances', 'new instances'],
  ['heldOut', 'held-out templates'],
  ['heldOut2', 'the second held-out set'],
  ['heldOut3', 'the third held-out set'],
  ['unseenApps', 'unseen apps'],
] as const;

type Names = Pick<RunDifference, 'run' | 'against'>;

function differencesOf(own: Measured, against: Measured, names: Names): readonly RunDifference[] {
  return [
    ...paired(own.student, against.student, name => name).map(one => ({ ...names, ...one })),
    ...paired(own.collected, against.collected, name => `${name}, collected`).map(one => ({ ...names, ...one })),
  ];
}

function paired(
  own: Evaluation | null,
  against: Evaluation | null,
  nameOf: (level: string) => string,
): Omit<RunDifference, keyof Names>[] {
  if (own === null || against === null) return [];
  const compared = compareStudents(own, against);
  return levels.flatMap(([level, name]) => {
    const [found, rate, rateAgainst] = [compared[level], own[level]?.overall, against[level]?.overall];
    if (found === null || rate === undefined || rateAgainst === undefined) return [];
    return [{ measured: nameOf(name), rate, rateAgainst, difference: differenceOf(found) }];
  });
}

function differenceOf({ difference: { mean, low, high }, pairs, unpaired, wins, losses, ties }: Comparison) {
  return { mean, low, high, pairs, unpaired, wins, losses, ties };
}
