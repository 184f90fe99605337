import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Evaluation, Level, LevelEvaluation } from '../analysis/evaluate.ts';
import { countFailedChecks, countFaults, outcomeOf } from '../analysis/faults.ts';
import { countCauses } from '../analysis/signals/causes.ts';
import { readTriedPlaces } from './annotations/tried-places.ts';
import { readIntegrity } from './folder/integrity-file.ts';
import { countContracts } from '../analysis/signals/contracts/count-contracts.ts';
import { chooseGallery } from '../analysis/gallery.ts';
import type { ReportData, ReportRound } from '../analysis/report/data.ts';
import { countThreats, isUnderThreat } from '../analysis/threats/count-threats.ts';
import { countTrust } from '../analysis/trust/count-trust.ts';
import { countUsers } from '../analysis/users/count-users.ts';
import { judgeReviewer } from '../analysis/reviewer.ts';
import type { EpisodeSource, EpisodeSummary } from '../core/episode/journal.ts';
import { foldEpisode, type EpisodeRecord } from '../core/episode/record.ts';
import { EspalierError } from '../core/errors.ts';
import { createArchive, type Archive } from '../dataset/archive/archive.ts';
import { candidatesOf } from '../dataset/rows/candidate.ts';
import { readManifest } from '../dataset/rows/manifest.ts';
import { isByPerson } from '../core/episode/events.ts';
import { agentEpisodes } from './evaluation/agent-episodes.ts';
import { baselineNames } from './evaluation/baselines.ts';
import { readEvaluationRecord } from './evaluation/evaluation-record.ts';
import { drawEvaluations, levelOptions, readEvaluations, type LevelOptions } from './evaluation/read-evaluations.ts';
import { findConfig, openRun, runNameOf, runPaths } from './folder/folder.ts';
import { agentTexts } from './inspect.ts';

export interface ReportOptions {
  /** Folder of the run. */
  readonly folder: string;
  /** How the report was asked for. */
  readonly command: string;
  readonly machine: string;
  readonly version: string;
  /** What the levels depend on; by what the run itself has when left out. */
  readonly levels?: LevelOptions;
  /** Only these episodes of the run. */
  readonly episodes?: EpisodeSource | undefined;
}

const arm = 'run';
const treesShown = 6;

/** The data of a report on one run. */
export function readReport(options: ReportOptions): ReportData {
  const { folder, command, machine, version, levels } = options;
  const opened = openRun(folder);
  try {
    const all = options.episodes ?? opened;
    // Branches of people are training data, and change no rate.
    const store = agentEpisodes(all);
    const config = findConfig(folder);
    const evaluations = readEvaluations(store, readEvaluationRecord(folder), levels ?? levelOptions(store));
    const latest = evaluations.students.at(-1);
    const { rounds, archive } = readRounds(store, folder, evaluations.students);
    if (rounds.length === 0) throw empty(folder);
    if (archive !== null && store !== all) offerPeople(archive, all);
    const { rejected, lived, passed, interval } = judgeReviewer(collected(store));
    return {
      title: `Espalier: ${runNameOf(folder)}`,
      command,
      seed: config?.seed ?? 0,
      machine,
      version,
      arms: [{ id: arm, label: runNameOf(folder), about: aboutRun(store), rounds }],
      baselines: evaluations.baselines.map(evaluation => ({ name: evaluation.student, ...ratesOf(evaluation) })),
      claims: [],
      recorded: [],
      templates: latest === undefined ? [] : templatesOf(latest),
      archiveMap: archive === null ? null : archiveMap(archive),
      rejections: rejected === 0 ? [] : [{ arm, rejected, lived, passed, interval }],
      comparisons: evaluations.comparisons,
      gallery: chooseGallery(collected(store), treesShown),
      evaluationGallery: drawEvaluations(store, evaluations),
      faults: countFaults(store.summaries({ phase: 'collect' })),
      failedChecks: countFailedChecks(store.summaries()),
      causes: countCauses(failedIn(store), {
        run: folder,
        collected: collectedIn(store),
        tried: readTriedPlaces(folder, opened),
      }),
      contracts: countContracts(store.episodes()),
      integrity: readIntegrity(folder),
      ...trustIn(store),
    };
  } finally {
    opened.close();
  }
}

/** Trust, threats and users of what was evaluated. Baselines are trusted with nothing. */
function trustIn(store: EpisodeSource): Pick<ReportData, 'trust' | 'threats' | 'users'> {
  const wants = ({ head }: Pick<EpisodeSummary, 'head'>): boolean => !baselineNames.includes(head.student);
  const filter = { phase: 'evaluate', wants } as const;
  return {
    trust: countTrust(store.episodes(filter)),
    threats: countThreats(
      store.episodes({ phase: 'evaluate', wants: summary => wants(summary) && isUnderThreat(summary) }),
    ),
    users: countUsers(store.episodes(filter)),
  };
}

/** What people added is exported with the rest. */
function offerPeople(archive: Archive, all: EpisodeSource): void {
  const wants = ({ head }: Pick<EpisodeSummary, 'head'>): boolean => isByPerson(head) && head.task.split === 'train';
  for (const stored of all.episodes({ phase: 'collect', wants }))
    if (wants(stored)) for (const candidate of candidatesOf(foldEpisode(stored))) archive.offer(candidate);
}

function* collected(store: EpisodeSource, round?: number): Generator<EpisodeRecord> {
  for (const stored of store.episodes({ phase: 'collect', ...(round === undefined ? {} : { round }) }))
    yield foldEpisode(stored);
}

/** Worlds that episodes were collected in. */
function collectedIn(store: EpisodeSource): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { head } of store.summaries({ phase: 'collect' })) found.add(head.task.environment);
  return found;
}

/** What did not pass. Baselines fail by design: their causes teach nothing. */
function* failedIn(store: EpisodeSource): Generator<EpisodeRecord> {
  for (const outcome of ['failed', 'discarded', 'errored'] as const)
    for (const stored of store.episodes({ outcome }))
      if (stored.head.phase === 'collect' || !baselineNames.includes(stored.head.student)) yield foldEpisode(stored);
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
      // Every step of a planner is a query to the teacher.
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
    heldOut2: evaluation?.heldOut2?.overall ?? null,
    heldOut3: evaluation?.heldOut3?.overall ?? null,
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

/** Estimated from the time of each episode: this many ran at once. */
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
  const level = (name: Level, found: LevelEvaluation | null): ReportData['templates'][number][] =>
    (found?.templates ?? []).map(({ app, template, estimate }) => ({
      template: `${app}/${template}`,
      level: name,
      estimates: { [arm]: estimate },
    }));
  return [
    ...level('new-instances', evaluation.newInstances),
    ...level('held-out', evaluation.heldOut),
    ...level('held-out-2', evaluation.heldOut2),
    ...level('held-out-3', evaluation.heldOut3),
  ];
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

/** Strategy, student and teacher of the run, in a line. */
function aboutRun(store: EpisodeSource): string {
  const kinds = new Set<string>();
  for (const { head } of store.summaries({ phase: 'collect' })) {
    const { strategy, student, teacher } = head;
    kinds.add([strategy, ...agentTexts({ student, teacher })].join(', '));
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
