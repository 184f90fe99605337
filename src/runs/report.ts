import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { evaluate, type EvaluateOptions, type Evaluation, type LevelEvaluation } from '../analysis/evaluate.ts';
import { heldOutKinds } from '../analysis/held-out-kinds.ts';
import { countFailedChecks, countFaults, outcomeOf } from '../analysis/faults.ts';
import { chooseGallery } from '../analysis/gallery.ts';
import type { ReportData, ReportRound } from '../analysis/report/data.ts';
import { readStudentName } from '../analysis/training-seeds.ts';
import { judgeReviewer } from '../analysis/reviewer.ts';
import type { EpisodeSource, EpisodeSummary } from '../core/episode/journal.ts';
import { foldEpisode, type EpisodeRecord } from '../core/episode/record.ts';
import { EspalierError } from '../core/errors.ts';
import { createArchive, type Archive } from '../dataset/archive.ts';
import { candidatesOf } from '../dataset/candidate.ts';
import { readManifest } from '../dataset/manifest.ts';
import { baselineNames, intervalsOf } from './evaluate.ts';
import { findConfig, openRun, runPaths } from './folder/folder.ts';

export interface ReportOptions {
  /** Folder of the run. */
  readonly folder: string;
  /** How the report was asked for. */
  readonly command: string;
  readonly machine: string;
  readonly version: string;
  /** What the levels depend on; by what the run itself has when left out. */
  readonly levels?: LevelOptions;
}

const arm = 'run';
const treesShown = 6;

/** All that the store of a run says, for a report of one arm. */
export function readReport({ folder, command, machine, version, levels }: ReportOptions): ReportData {
  const store = openRun(folder);
  try {
    const config = findConfig(folder);
    const evaluations = readEvaluations(store, levels ?? levelOptions(store));
    const latest = evaluations.students.at(-1);
    const { rounds, archive } = readRounds(store, folder, evaluations.students);
    if (rounds.length === 0) throw empty(folder);
    const { rejected, lived, passed, interval } = judgeReviewer(collected(store));
    return {
      title: `Espalier: ${config?.run ?? folder}`,
      command,
      seed: config?.seed ?? 0,
      machine,
      version,
      arms: [{ id: arm, label: config?.run ?? 'run', about: aboutRun(store), rounds }],
      baselines: evaluations.baselines.map(evaluation => ({ name: evaluation.student, ...ratesOf(evaluation) })),
      claims: [],
      templates: latest === undefined ? [] : templatesOf(latest),
      archiveMap: archive === null ? null : archiveMap(archive),
      rejections: rejected === 0 ? [] : [{ arm, rejected, lived, passed, interval }],
      gallery: chooseGallery(collected(store), treesShown),
      faults: countFaults(store.summaries({ phase: 'collect' })),
      failedChecks: countFailedChecks(store.summaries()),
    };
  } finally {
    store.close();
  }
}

function* collected(store: EpisodeSource, round?: number): Generator<EpisodeRecord> {
  for (const stored of store.episodes({ phase: 'collect', ...(round === undefined ? {} : { round }) }))
    yield foldEpisode(stored);
}

interface Evaluations {
  /** One for each round that has any: the latest student in it. */
  readonly students: readonly Evaluation[];
  readonly baselines: readonly Evaluation[];
}

export type LevelOptions = Pick<EvaluateOptions, 'trainedApps' | 'kinds'>;

/** What the levels of an evaluation depend on: where the run trained, and what its held-out templates need. */
export function levelOptions(store: EpisodeSource): LevelOptions {
  const apps = new Set(Array.from(store.summaries({ phase: 'collect' }), ({ head }) => head.task.environment));
  const planned = Iterator.from(store.episodes({ phase: 'evaluate', round: 0 }))
    .filter(({ head }) => head.student === 'planner')
    .map(foldEpisode);
  return { ...(apps.size === 0 ? {} : { trainedApps: apps }), kinds: heldOutKinds(planned) };
}

function readEvaluations(store: EpisodeSource, levels: LevelOptions): Evaluations {
  // By round and policy; in each round the one that was evaluated last comes last.
  const groups = new Map<string, EpisodeSummary[]>();
  for (const summary of store.summaries({ phase: 'evaluate' })) {
    const name = JSON.stringify([summary.head.round, readStudentName(summary.head.student).name]);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [summary]);
    else group.push(summary);
  }
  const latest = new Map<number, Evaluation>();
  const baselines: Evaluation[] = [];
  for (const group of groups.values()) {
    const result = evaluate(group, {
      ...levels,
      random: intervalsOf(readStudentName(group[0]?.head.student ?? '').name),
    });
    if (result === null) continue;
    if (baselineNames.includes(result.student)) baselines.push(result);
    else latest.set(result.round, result);
  }
  return { students: [...latest.values()].toSorted((a, b) => a.round - b.round), baselines };
}

interface Rounds {
  readonly rounds: readonly ReportRound[];
  /** Of all rounds; null when nothing was collected. */
  readonly archive: Archive | null;
}

function readRounds(store: EpisodeSource, folder: string, students: readonly Evaluation[]): Rounds {
  const ends = summariesByRound(store);
  const numbers = [...new Set([...ends.keys(), ...students.map(({ round }) => round)])].toSorted((a, b) => a - b);
  const archive = createArchive();
  const asked = { reviews: 0, corrections: 0, shown: 0, skipped: 0 };
  let demonstrated = 0;
  const exported = exportedRows(folder, numbers.at(-1));
  const rounds = numbers.map((round): ReportRound => {
    const own = ends.get(round) ?? [];
    const config = findConfig(folder, round);
    for (const record of collected(store, round)) {
      if (record.head.task.split === 'train') for (const candidate of candidatesOf(record)) archive.offer(candidate);
    }
    for (const { counts } of own.map(({ end }) => end)) {
      asked.reviews += counts.reviews;
      asked.corrections += counts.corrections;
      asked.shown += counts.shown ?? 0;
      asked.skipped += counts.skipped ?? 0;
      // Every step that a planner shows was asked of it.
      if (config?.student.kind !== 'planner') continue;
      demonstrated += counts.taken;
      asked.shown += counts.taken;
    }
    const student = students.find(evaluation => evaluation.round === round);
    return {
      round,
      episodes: outcomesOf(own),
      ...ratesOf(student),
      queries: asked.reviews + asked.corrections + demonstrated,
      ...asked,
      rows: exported?.round === round ? exported.rows : null,
      archive: own.length === 0 ? null : archiveFigures(archive),
      seconds: secondsOf(own, config?.concurrency ?? 1),
    };
  });
  return { rounds, archive: ends.size === 0 ? null : archive };
}

function ratesOf(evaluation: Evaluation | undefined) {
  return {
    newInstances: evaluation?.newInstances?.overall ?? null,
    heldOut: evaluation?.heldOut?.overall ?? null,
    newComposition: evaluation?.newComposition?.overall ?? null,
    unseenSkill: evaluation?.unseenSkill?.overall ?? null,
    unseenApps: evaluation?.unseenApps?.overall ?? null,
  };
}

function summariesByRound(store: EpisodeSource): Map<number, EpisodeSummary[]> {
  return Map.groupBy(store.summaries({ phase: 'collect' }), ({ head }) => head.round);
}

function outcomesOf(summaries: readonly EpisodeSummary[]): ReportRound['episodes'] {
  const outcomes = { passed: 0, uncertified: 0, failed: 0, discarded: 0, errored: 0 };
  for (const summary of summaries) outcomes[outcomeOf(summary)]++;
  return outcomes;
}

/** So many episodes run at any time, each of which says how long it took. */
function secondsOf(summaries: readonly EpisodeSummary[], concurrency: number): number {
  return summaries.reduce((sum, { end }) => sum + end.milliseconds, 0) / 1000 / concurrency;
}

function archiveFigures(archive: Archive): NonNullable<ReportRound['archive']> {
  const { entries, filled, bins, coverage, meanQuality } = archive.figures();
  return { entries, bins: filled, reachable: bins, coverage, quality: meanQuality };
}

/** Training rows in the export of the run, and the round that they go up to. */
function exportedRows(folder: string, last: number | undefined): { rows: number; round: number | undefined } | null {
  const { export: exported } = runPaths(folder);
  if (!existsSync(join(exported, 'manifest.json'))) return null;
  const { filter, files } = readManifest(exported);
  const training = files.filter(({ table }) => table === 'next-actions' || table === 'corrections');
  const format = training[0]?.format;
  const rows = training.filter(file => file.format === format).reduce((sum, file) => sum + file.rows, 0);
  return { rows, round: filter.round ?? last };
}

function templatesOf(evaluation: Evaluation): ReportData['templates'] {
  const level = (
    name: 'new-instances' | 'held-out',
    found: LevelEvaluation | null,
  ): ReportData['templates'][number][] =>
    (found?.templates ?? []).map(({ app, template, estimate }) => ({
      template: `${app}/${template}`,
      level: name,
      estimates: { [arm]: estimate },
    }));
  return [...level('new-instances', evaluation.newInstances), ...level('held-out', evaluation.heldOut)];
}

function archiveMap(archive: Archive): ReportData['archiveMap'] {
  const [rows, columns] = archive.figures().descriptors;
  if (rows === undefined || columns === undefined) return null;
  const entries = archive.entries();
  const rowLabels = Object.keys(rows.labels);
  const columnLabels = Object.keys(columns.labels);
  const countOf = (row: string, column: string): number =>
    entries.filter(({ bin }) => bin[0] === row && bin[1] === column).length;
  return {
    arm,
    rowTitle: rows.name,
    columnTitle: columns.name,
    rows: rowLabels,
    columns: columnLabels,
    counts: rowLabels.map(row => columnLabels.map(column => countOf(row, column))),
  };
}

/** Who did what in the run, in a line. */
function aboutRun(store: EpisodeSource): string {
  const kinds = new Set<string>();
  for (const { head } of store.summaries({ phase: 'collect' })) {
    const { strategy, student, teacher } = head;
    kinds.add(`${strategy}, student ${student}${teacher === null ? '' : `, teacher ${teacher}`}`);
  }
  return kinds.size === 0 ? 'evaluation only' : [...kinds].join('; ');
}

function empty(folder: string): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'unavailable',
    message: `The run in ${folder} has no finished episode.`,
    expected: 'Expected at least one: let espalier collect or eval run a little longer.',
  });
}
