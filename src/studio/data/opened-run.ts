import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import { causeText } from '../../core/errors.ts';
import type { RunSummary } from '../api/api.ts';
import { runPaths } from '../../runs/folder/folder.ts';
import type { Host } from '../../runs/host/host.ts';
import { readOutline } from './episode-details.ts';
import { createRunAgents, type RunAgents } from './run-agents.ts';
import { createFailureCauses, type FailureCauses } from './filters/failure-causes.ts';
import { createWhereFilter, type WhereFilter } from './filters/where-filter.ts';
import { openRunIndex, type RunIndex } from './run-index.ts';
import type { ReviewQueue } from '../../runs/agents/reviews/contract.ts';
import { openReviewQueue } from '../../runs/reviews/review-queue.ts';
import { createFigures } from './live/run-figures.ts';
import { watchRun } from './live/watch-run.ts';
import { watchReviews } from './review-list.ts';
import { createRunWorlds, type RunWorlds } from './run-worlds.ts';

/** A run that is looked at: its index, its worlds and its agents, each opened when it is needed. */
export interface OpenedRun {
  readonly id: string;
  readonly folder: string;
  /** Throws when the store cannot be read. */
  readonly index: RunIndex;
  readonly worlds: RunWorlds;
  readonly agents: RunAgents;
  readonly where: WhereFilter;
  readonly causes: FailureCauses;
  readonly reviews: ReviewQueue;
  record(episode: number): EpisodeRecord;
  summary(): RunSummary;
  /** Looks for news; true when there are any. */
  refresh(): boolean;
  /** Another store lies where this one was: the run has to be opened anew. */
  isReplaced(): boolean;
  /** Its episodes are not read to the end yet. */
  isReading(): boolean;
  close(): Promise<void>;
}

export interface OpenedRunOptions {
  readonly id: string;
  readonly name: string;
  readonly folder: string;
  readonly host: Host;
  /** Its version grows from here. */
  readonly version: number;
}

/** Records of episodes that are kept in memory. */
const mostRecords = 4;

export function openStudioRun({ id, name, folder, host, version }: OpenedRunOptions): OpenedRun {
  const worlds = createRunWorlds(folder, host);
  let agents: RunAgents | null = null;
  let problem: string | null = null;
  const { opened, known, isReplaced } = createLazyIndex(folder);
  const live = watchRun(folder, host);
  const reviews = openReviewQueue(folder, () => host.clock.now());
  const watch = watchReviews(reviews);
  const record = createRecordCache(opened);
  const figuresOf = createFigures();
  const refresh = (): boolean => {
    const before = problem;
    try {
      const isFirst = known() === null;
      const run = opened();
      const hasAsked = watch.refresh();
      const hasNews = isFirst || run.refresh();
      const hasMoved = live.refresh(run);
      problem = null;
      return hasNews || hasAsked || hasMoved || before !== null;
    } catch (cause) {
      problem = causeText(cause);
      return before !== problem;
    }
  };
  return {
    id,
    folder,
    worlds,
    reviews,
    refresh,
    isReplaced,
    where: createWhereFilter({ folder, host, index: opened }),
    causes: createFailureCauses(opened),
    get index() {
      return opened();
    },
    get agents() {
      return (agents ??= createRunAgents(folder, host));
    },
    record,
    isReading: () => problem === null && known()?.isReading() === true,
    summary() {
      const { figures, broke } = figuresOf(problem === null ? known() : null);
      problem ??= broke;
      const place = { id, name, folder: resolve(folder), problem, waiting: watch.waiting() };
      return { ...place, ...live.read(), ...figures, version: version + figures.version };
    },
    async close() {
      known()?.close();
      agents?.close();
      await worlds.close();
    },
  };
}

interface LazyIndex {
  /** Opens it the first time; throws when the store cannot be read. */
  opened(): RunIndex;
  known(): RunIndex | null;
  isReplaced(): boolean;
}

function createLazyIndex(folder: string): LazyIndex {
  let index: RunIndex | null = null;
  let file: number | null = null;
  const numberOfFile = (): number | null => statSync(runPaths(folder).store, { throwIfNoEntry: false })?.ino ?? null;
  return {
    known: () => index,
    isReplaced() {
      const now = file === null ? null : numberOfFile();
      return now !== null && now !== file;
    },
    opened() {
      if (index !== null) return index;
      file = numberOfFile();
      index = openRunIndex(folder);
      index.refresh();
      return index;
    },
  };
}

function createRecordCache(index: () => RunIndex): (episode: number) => EpisodeRecord {
  const records = new Map<number, EpisodeRecord>();
  return episode => {
    const known = records.get(episode) ?? readOutline(index().listing, episode);
    if (!records.has(episode) && records.size >= mostRecords) records.clear();
    records.set(episode, known);
    return known;
  };
}
