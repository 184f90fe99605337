import { resolve } from 'node:path';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import { causeText } from '../../core/errors.ts';
import type { Outcome } from '../../core/episode/events.ts';
import type { RunSummary } from '../../server/studio/api.ts';
import type { Host } from '../host.ts';
import { readOutline } from './episode-details.ts';
import { createRunAgents, type RunAgents } from './run-agents.ts';
import { createFailureCauses, type FailureCauses } from './filters/failure-causes.ts';
import { createWhereFilter, type WhereFilter } from './filters/where-filter.ts';
import { openRunIndex, type RunIndex } from './run-index.ts';
import type { ReviewQueue } from '../reviews/contract.ts';
import { openReviewQueue } from '../reviews/review-queue.ts';
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
  close(): Promise<void>;
}

export interface OpenedRunOptions {
  readonly id: string;
  readonly name: string;
  readonly folder: string;
  readonly host: Host;
}

/** A run counts as live for so long after it was written to. */
const liveMilliseconds = 4000;
const rateMilliseconds = 10_000;
/** Records of episodes that are kept in memory. */
const mostRecords = 4;

export function openStudioRun({ id, name, folder, host }: OpenedRunOptions): OpenedRun {
  const worlds = createRunWorlds(folder, host);
  let agents: RunAgents | null = null;
  let problem: string | null = null;
  const pulse = createPulse();
  const { opened, known } = createLazyIndex(folder);
  const reviews = openReviewQueue(folder, () => host.clock.now());
  const watch = watchReviews(reviews);
  const record = createRecordCache(opened);
  const refresh = (): boolean => {
    const before = problem;
    try {
      const isFirst = known() === null;
      const run = opened();
      const hasAsked = watch.refresh();
      const hasNews = isFirst || run.refresh();
      problem = null;
      if (hasNews && !isFirst) pulse.beat(host.clock.now(), opened().isReading() ? 0 : opened().rows().length);
      return hasNews || hasAsked || isFirst || before !== null;
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
    where: createWhereFilter({ folder, host, index: opened }),
    causes: createFailureCauses(opened),
    get index() {
      return opened();
    },
    get agents() {
      return (agents ??= createRunAgents(folder, host));
    },
    record,
    summary() {
      const figures = figuresOf(problem === null ? known() : null);
      return {
        id,
        name,
        folder: resolve(folder),
        problem,
        waiting: watch.waiting(),
        ...pulse.read(host.clock.now()),
        ...figures,
      };
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
}

function createLazyIndex(folder: string): LazyIndex {
  let index: RunIndex | null = null;
  return {
    known: () => index,
    opened() {
      if (index !== null) return index;
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

interface Pulse {
  beat(at: number, count: number): void;
  read(now: number): Pick<RunSummary, 'isLive' | 'rate'>;
}

/** When a run was written to lately, and how fast. */
function createPulse(): Pulse {
  const seen: { readonly at: number; readonly count: number }[] = [];
  return {
    beat(at, count) {
      seen.push({ at, count });
      if (seen.length > 100) seen.shift();
    },
    read(now) {
      const recent = seen.filter(({ at }) => now - at < rateMilliseconds);
      const [first, last] = [recent[0], recent.at(-1)];
      const isLive = last !== undefined && now - last.at < liveMilliseconds;
      if (first === undefined || last === undefined || last.at <= first.at) return { isLive, rate: 0 };
      return { isLive, rate: Math.round(((last.count - first.count) / (last.at - first.at)) * 10_000) / 10 };
    },
  };
}

type Figures = Omit<RunSummary, 'waiting' | 'id' | 'name' | 'folder' | 'problem' | 'isLive' | 'rate'>;

function figuresOf(index: RunIndex | null): Figures {
  const outcomes: Record<Outcome, number> = { passed: 0, failed: 0, discarded: 0, errored: 0 };
  const sums = { cost: 0, tokens: 0, corrections: 0, taken: 0 };
  const students = new Set<string>();
  const environments = new Set<string>();
  const isReading = index?.isReading() === true;
  for (const row of index === null || isReading ? [] : index.rows()) {
    outcomes[row.outcome]++;
    for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += row[name];
    students.add(row.student);
    environments.add(row.environment);
  }
  return {
    outcomes,
    ...sums,
    students: [...students].slice(0, 20),
    environments: [...environments].slice(0, 20),
    unfinished: index?.listing.unfinished().length ?? 0,
    version: index?.version() ?? 0,
    isReading,
  };
}
