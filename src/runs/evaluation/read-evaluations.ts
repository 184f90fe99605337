import type { Comparison } from '../../analysis/compare.ts';
import { evaluate, type EvaluateOptions, type Evaluation, type LevelEvaluation } from '../../analysis/evaluate.ts';
import { heldOutKinds } from '../../analysis/held-out-kinds.ts';
import { readStudentName } from '../../analysis/training-seeds.ts';
import { chooseGallery, drawEpisode, type DrawnTree } from '../../analysis/gallery.ts';
import type { ReportComparison, ReportData, ReportDifference } from '../../analysis/report/data.ts';
import type { EpisodeSource, EpisodeSummary } from '../../core/episode/journal.ts';
import { foldEpisode, type EpisodeRecord } from '../../core/episode/record.ts';
import { baselineNames, baselineRound } from './baselines.ts';
import type { EvaluationRecord, RecordedName, RecordedStudent } from './evaluation-record.ts';
import { compareStudents, intervalsOf } from './intervals.ts';

export interface Evaluations {
  /** One for each round: the student that was evaluated last in it. */
  readonly students: readonly Evaluation[];
  readonly baselines: readonly Evaluation[];
  /** Every student that was compared with another, the latest comparison last. */
  readonly comparisons: readonly ReportComparison[];
}

export type LevelOptions = Pick<EvaluateOptions, 'trainedApps' | 'kinds'>;

/** What the levels of an evaluation depend on: where the run trained, and what its held-out templates need. */
export function levelOptions(store: EpisodeSource): LevelOptions {
  return levelsFor(
    store,
    new Set(Array.from(store.summaries({ phase: 'collect' }), ({ head }) => head.task.environment)),
  );
}

/** The same, of a run that is known to have trained on these apps. */
export function levelsFor(store: EpisodeSource, apps: ReadonlySet<string>): LevelOptions {
  const planned = Iterator.from(store.episodes({ phase: 'evaluate', round: baselineRound }))
    .filter(({ head }) => head.student === 'planner')
    .map(foldEpisode);
  return { ...(apps.size === 0 ? {} : { trainedApps: apps }), kinds: heldOutKinds(planned) };
}

/** All evaluations in a store. */
export function readEvaluations(store: EpisodeSource, record: EvaluationRecord, levels: LevelOptions): Evaluations {
  const found = [...groupEpisodes(store).values()].flatMap(group => {
    const { name } = readStudentName(group[0]?.head.student ?? '');
    const result = evaluate(group, { ...levels, random: intervalsOf(name) });
    return result === null ? [] : [result];
  });
  const students = found.filter(({ student }) => !baselineNames.includes(student));
  return {
    students: latestByRound(students, record),
    baselines: found.filter(({ student }) => baselineNames.includes(student)),
    comparisons: record.comparisons.flatMap(pair => {
      const [student, against] = [find(students, pair.student), find(students, pair.against)];
      return student === undefined || against === undefined ? [] : [compared(student, against)];
    }),
  };
}

/** By round and policy; students that differ by their training seed alone are one policy. The policy that was run last in a round comes last. */
function groupEpisodes(store: EpisodeSource): Map<string, EpisodeSummary[]> {
  return Map.groupBy(store.summaries({ phase: 'evaluate' }), ({ head }) =>
    JSON.stringify([head.round, readStudentName(head.student).name]),
  );
}

/**
 * The record knows the order of evaluations. Runs of earlier versions have none: there the last in the store counts. A student that acted
 * alone stands for its round; one that was run in another way does so only where there is no other.
 */
function latestByRound(students: readonly Evaluation[], record: EvaluationRecord): Evaluation[] {
  const latest = new Map(students.map(student => [student.round, student]));
  const [assisted, own] = [true, false].map(isAssisted =>
    record.students.filter(({ strategy }) => (strategy !== undefined) === isAssisted),
  ) as [RecordedStudent[], RecordedStudent[]];
  for (const entry of [...assisted, ...own]) {
    const student = find(students, entry);
    if (student !== undefined) latest.set(student.round, student);
  }
  return [...latest.values()].toSorted((a, b) => a.round - b.round);
}

function find(students: readonly Evaluation[], { name, round }: RecordedName): Evaluation | undefined {
  return students.find(({ student, round: own }) => student === name && own === round);
}

function compared(student: Evaluation, against: Evaluation): ReportComparison {
  const { newInstances, heldOut } = compareStudents(student, against);
  const both = [newInstances, heldOut].filter(comparison => comparison !== null);
  return {
    student: summaryOf(student),
    against: summaryOf(against),
    newInstances: differenceOf(newInstances),
    heldOut: differenceOf(heldOut),
    templates: [
      ...templatesOfBoth('new-instances', student.newInstances, against.newInstances),
      ...templatesOfBoth('held-out', student.heldOut, against.heldOut),
    ],
    flips: both.flatMap(({ flips }) => flips.map(({ task, trial, change }) => ({ task, trial, change }))),
  };
}

function summaryOf({ student, round, newInstances, heldOut }: Evaluation): ReportComparison['student'] {
  return { name: student, round, newInstances: newInstances?.overall ?? null, heldOut: heldOut?.overall ?? null };
}

function differenceOf(comparison: Comparison | null): ReportDifference | null {
  if (comparison === null) return null;
  const { difference, pairs, unpaired, wins, losses, ties } = comparison;
  const { mean, low, high } = difference;
  return { mean, low, high, pairs, unpaired, wins, losses, ties };
}

function templatesOfBoth(
  level: ReportComparison['templates'][number]['level'],
  student: LevelEvaluation | null,
  against: LevelEvaluation | null,
): ReportComparison['templates'][number][] {
  const rows = (found: LevelEvaluation | null) =>
    new Map((found?.templates ?? []).map(({ app, template, estimate }) => [`${app}/${template}`, estimate]));
  const [own, other] = [rows(student), rows(against)];
  return [...new Set([...own.keys(), ...other.keys()])].map(template => ({
    template,
    level,
    student: own.get(template) ?? null,
    against: other.get(template) ?? null,
  }));
}

const treesShown = 6;

/**
 * Trees of evaluation episodes. Of two students: the same tasks by both, first those that only one passed. Of one: a few
 * episodes that show different things.
 */
export function drawEvaluations(store: EpisodeSource, { students, comparisons }: Evaluations): ReportData['gallery'] {
  const pair = comparisons.at(-1);
  if (pair !== undefined) return drawPair(store, pair);
  const latest = students.at(-1);
  if (latest === undefined) return [];
  return chooseGallery(recordsOf(store, { name: latest.student, round: latest.round }), treesShown);
}

function drawPair(store: EpisodeSource, { student, against, flips }: ReportComparison): DrawnTree[] {
  const own = new Map<string, EpisodeRecord>();
  const other = new Map<string, EpisodeRecord>();
  const trialOf = (task: string, trial: number): string => JSON.stringify([task, trial]);
  for (const [entry, found] of [
    [student, own],
    [against, other],
  ] as const)
    for (const record of recordsOf(store, entry)) found.set(trialOf(record.head.task.id, record.head.trial), record);
  const better = flips.filter(({ change }) => change === 'fail-to-pass');
  const worse = flips.filter(({ change }) => change === 'pass-to-fail');
  const turns = Array.from({ length: flips.length }, (_, turn) =>
    [better[turn] ?? [], worse[turn] ?? []].flat(),
  ).flat();
  const trials = [...new Set([...turns.map(({ task, trial }) => trialOf(task, trial)), ...own.keys()])];
  return trials
    .filter(trial => own.has(trial) && other.has(trial))
    .slice(0, treesShown / 2)
    .flatMap(trial => [other.get(trial), own.get(trial)])
    .map(record => drawEpisode(record as EpisodeRecord));
}

function* recordsOf(store: EpisodeSource, { name, round }: RecordedName): Generator<EpisodeRecord> {
  for (const stored of store.episodes({ phase: 'evaluate', round }))
    if (readStudentName(stored.head.student).name === name) yield foldEpisode(stored);
}
