import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { BaselineCell, BoardCell, BoardTrial, Grid } from '../../analysis/leaderboard/board.ts';
import { trialOf } from '../../analysis/evaluate.ts';
import { createAnnotator, type AnnotatedEpisode } from '../../analysis/signals/annotate-episodes.ts';
import { rewardHack } from '../../analysis/signals/hacking/reward-hack.ts';
import type { EpisodeSummary, StoredEpisode } from '../../core/episode/journal.ts';
import { releaseFamily } from '../../envs/releases/family.ts';
import { readRelease } from '../../envs/releases/release-file.ts';
import { placeIn } from '../../worlds/family.ts';
import { familyOf } from '../environments/families.ts';
import { baselineNames } from '../evaluation/baselines.ts';
import { readEvaluationRecord } from '../evaluation/evaluation-record.ts';
import { openRun, runPaths } from '../folder/folder.ts';
import { cellsOf, entrantsOf, type GridConfig, type PlannedCell } from './grid-config.ts';

/** Told after each cell. */
export type OnRead = (cells: number, of: number) => void;

/** Reads the episodes of a board, and inspects their logs: runs of all entrants at a task are compared with each other. */
export async function readGrid(folder: string, config: GridConfig, onRead?: OnRead): Promise<Grid> {
  const planned = cellsOf(config);
  const [cells, baselines]: [BoardCell[], BaselineCell[]] = [[], []];
  for (const environment of config.environments) {
    const own = planned.filter(cell => cell.environment === environment);
    const read = await readColumn(folder, own, () => onRead?.(cells.length + 1, planned.length));
    cells.push(...read.cells);
    baselines.push(...read.baselines);
  }
  const { title, environments } = config;
  return { title, entrants: entrantsOf(config), environments, dates: datesOf(environments), cells, baselines };
}

/** The days on which releases among the environments were frozen. */
function datesOf(environments: readonly string[]): Readonly<Record<string, string>> {
  const isRelease = (name: string): boolean => familyOf(name)?.family === releaseFamily;
  return Object.fromEntries(
    environments.filter(isRelease).map(name => [name, readRelease(resolve(placeIn(name))).date]),
  );
}

interface Column {
  readonly cells: readonly BoardCell[];
  readonly baselines: readonly BaselineCell[];
}

/** The cells of one environment. All that passed a task, baselines too, are held against each other. */
async function readColumn(folder: string, planned: readonly PlannedCell[], onRead: () => void): Promise<Column> {
  const inspection = createInspection();
  const found: { readonly cell: PlannedCell; readonly episodes: EpisodeSummary[] }[] = [];
  const baselines: EpisodeSummary[] = [];
  for (const cell of planned) {
    const episodes: EpisodeSummary[] = [];
    for (const stored of episodesOf(join(folder, cell.folder))) {
      const { head, end, certificates } = stored;
      await inspection.add(cell.folder, stored);
      (baselineNames.includes(head.student) ? baselines : episodes).push({ head, end, certificates });
    }
    found.push({ cell, episodes });
    onRead();
  }
  const said = inspection.findings();
  const trial = (cell: PlannedCell, summary: EpisodeSummary): BoardTrial =>
    boardTrial(cell, summary, said.get(placeOf(cell.folder, summary.head.key)) ?? honest);
  const cells = found.map(({ cell, episodes }) => ({
    entrant: cell.entrant,
    environment: cell.environment,
    folder: cell.folder,
    planned: 0,
    trials: episodes.map(summary => trial(cell, summary)),
  }));
  // Every entrant has the same tasks: whoever has most shows how many there are.
  const most = Math.max(0, ...cells.map(({ trials }) => trials.length));
  const [first] = planned;
  const byName = Map.groupBy(baselines, ({ head }) => head.student);
  return {
    cells: cells.map(cell => ({ ...cell, planned: most })),
    baselines:
      first === undefined
        ? []
        : [...byName].map(([name, own]) => ({
            name,
            environment: first.environment,
            trials: own.map(summary => trial(first, summary)),
          })),
  };
}

/** The episodes of the cell's own student, and of the baselines that were run beside it; none where it has not begun. */
function* episodesOf(folder: string): Generator<StoredEpisode> {
  const student = readEvaluationRecord(folder).students.at(-1);
  if (student === undefined || !existsSync(runPaths(folder).store)) return;
  const store = openRun(folder);
  try {
    const wants = ({ head }: Pick<EpisodeSummary, 'head'>): boolean =>
      baselineNames.includes(head.student) || (head.student === student.name && head.round === student.round);
    yield* store.episodes({ phase: 'evaluate', wants });
  } finally {
    store.close();
  }
}

interface Finding {
  readonly gamed: string | null;
  readonly suspect: string | null;
}

const honest: Finding = { gamed: null, suspect: null };

function placeOf(folder: string, key: string): string {
  return `${folder} ${key}`;
}

/** Compares all episodes of a task, whichever cell they are of. */
function createInspection() {
  const annotator = createAnnotator({ signals: [rewardHack] });
  return {
    async add(folder: string, stored: StoredEpisode): Promise<void> {
      // Signals compare within a run, and tell episodes apart by their keys.
      const head = { ...stored.head, run: 'board', key: placeOf(folder, stored.head.key) };
      await annotator.episode({ ...stored, head });
    },
    findings(): ReadonlyMap<string, Finding> {
      const found = new Map<string, Finding>();
      for (const { lines } of annotator.groups())
        for (const line of lines) if (line.episode !== null) found.set(line.episode, findingOf(line));
      return found;
    },
  };
}

/** An audit of `cheating` is a pass that rests on an exploit. */
function findingOf({ annotations }: AnnotatedEpisode): Finding {
  const audit = annotations.find(({ label }) => label === 'audit')?.note;
  const exploits = annotations.filter(({ label }) => label !== 'audit' && label !== 'score-anomaly');
  if (audit === 'cheating')
    return { gamed: (exploits.find(one => one.note !== 'suspect') ?? exploits[0])?.label ?? audit, suspect: null };
  return audit === 'suspicious' ? { gamed: null, suspect: exploits[0]?.label ?? audit } : honest;
}

function boardTrial({ environment }: PlannedCell, summary: EpisodeSummary, finding: Finding): BoardTrial {
  const { head, end } = summary;
  const { cost, tokens, queries = 0, taken } = end.counts;
  const trial = trialOf(summary);
  return {
    ...trial,
    environment,
    episode: head.key,
    costs: { dollars: cost, tokens, seconds: end.milliseconds / 1000, questions: queries, steps: taken },
    // What did not pass was not gamed, whatever was tried.
    ...(trial.passed === true ? finding : honest),
    broke: end.outcome === 'errored' ? (end.boundary ?? 'unknown') : null,
  };
}
