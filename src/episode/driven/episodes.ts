import type { Environment } from '../../core/contracts.ts';
import type { EpisodeEnd, EpisodeHead } from '../../core/episode/events.ts';
import type { Journal, ResumableJournal, UnfinishedEpisode } from '../../core/episode/journal.ts';
import { EspalierError } from '../../core/errors.ts';
import type { Task } from '../../core/records.ts';
import type { DrivenEpisode, OpenEpisodeOptions } from './contract.ts';
import { openEpisode, resumeEpisode, type ResumedEpisode, type ResumeRequest } from './driven-episode.ts';

/** What a server opens episodes with. */
export interface Episodes {
  readonly environment: Environment;
  /** Opens a task for a client, and records what it does. Throws when the task does not open. */
  open(request: OpenRequest): Promise<DrivenEpisode>;
  /**
   * Goes on with an episode of an earlier server in the branches that are open. Without one, it ends as abandoned.
   * Throws when no branch reaches its recorded state; the episode has ended then.
   */
  resume(episode: UnfinishedEpisode, request: EpisodeResume): Promise<ResumedEpisode>;
  /**
   * Abandons every episode that is still open, without waiting for a world that hangs. Those that `isKept` names are left
   * unfinished in the journal: a later server resumes them.
   */
  close(isKept?: (key: string) => boolean): Promise<void>;
}

interface EpisodeResume extends Omit<ResumeRequest, 'events'>, Pick<OpenRequest, 'environment' | 'showsScreen'> {}

interface OpenRequest extends Pick<OpenEpisodeOptions, 'showsScreen'> {
  readonly task: Task;
  /** Who takes the steps: recorded as the student. */
  readonly client: string;
  /** The environment of the task, where a server has several; the usual one when left out. */
  readonly environment?: Environment | undefined;
}

/** A journal that cannot be resumed will do for episodes that end with their server. */
type EpisodesJournal = Journal & Partial<Pick<ResumableJournal, 'resume'>>;

export interface EpisodesOptions
  extends Omit<OpenEpisodeOptions, 'head' | 'journal' | 'actor' | 'signal' | 'onEnd' | 'onRelease' | 'showsScreen'> {
  /** Opened for the first episode, so that a client that only looks leaves no trace. Null keeps nothing. */
  readonly journal: (() => EpisodesJournal) | null;
  /** Name of the run in its store. */
  readonly run: string;
  /** Name of what drives the episodes, such as mcp: recorded as their strategy. */
  readonly driver: string;
  /** Episodes that may be open at once. */
  readonly most?: number | undefined;
  onEnd?(key: string, end: EpisodeEnd): void;
}

/** The round of episodes that were driven from outside. Rounds of collected runs count from 1. */
export const drivenRound = 0;
const round = drivenRound;

/** Numbers the episodes of clients after those that the run has already. */
export function createEpisodes(options: EpisodesOptions): Episodes {
  const { journal: openJournal, onEnd, most = Infinity, ...rest } = options;
  let journal: EpisodesJournal | null = null;
  const nextHead = createNumbering(options);
  /** The branches of each episode that go on, by its key. */
  const open = new Map<string, Map<number, DrivenEpisode>>();
  const opening = new Set<Promise<unknown>>();
  const closing = new AbortController();
  const optionsOf = (head: EpisodeHead, { environment, showsScreen }: Partial<OpenRequest>): OpenEpisodeOptions => ({
    ...rest,
    environment: environment ?? options.environment,
    head,
    journal,
    showsScreen,
    signal: closing.signal,
    onBranch(branch) {
      open.set(head.key, (open.get(head.key) ?? new Map()).set(branch.branch, branch));
    },
    onBranchEnd: branch => void open.get(head.key)?.delete(branch),
    onRelease: () => void open.delete(head.key),
    onEnd(ended) {
      // A server runs for hours: what was done is not lost when it is killed.
      journal?.flush();
      onEnd?.(head.key, ended);
    },
  });
  const start = async <T>(work: () => Promise<T>): Promise<T> => {
    if (closing.signal.aborted) throw closed();
    if (open.size + opening.size >= most) throw tooMany(most);
    journal ??= openJournal?.() ?? null;
    const started = work();
    opening.add(started);
    try {
      return await started;
    } finally {
      opening.delete(started);
    }
  };
  return {
    environment: options.environment,
    open: request => start(() => openEpisode(optionsOf(nextHead(journal, request.task, request.client), request))),
    resume: (episode, request) =>
      start(async () => {
        const { head, events } = episode;
        nextHead.take(journal, head);
        // The events stay where they are: a server that is killed while it resumes has lost nothing.
        const log = journal?.resume?.(episode) ?? null;
        const begun = log === null ? null : { begin: () => log };
        return resumeEpisode({ ...optionsOf(head, request), journal: begun }, { ...request, events });
      }),
    async close(isKept = () => false) {
      for (const key of [...open.keys()].filter(isKept)) open.delete(key);
      closing.abort();
      await Promise.allSettled(opening);
      const branches = [...open.values()].flatMap(found => [...found.values()]);
      await Promise.allSettled(branches.map(branch => branch.abandon('the server closed')));
    },
  };
}

interface NextHead {
  (journal: Journal | null, task: Task, client: string): EpisodeHead;
  /** An episode that has its head already. */
  take(journal: Journal | null, head: EpisodeHead): void;
}

function createNumbering({ run, driver }: EpisodesOptions): NextHead {
  /** The next trial of each task. The keys themselves are many more, and a server runs for long. */
  let trials: Map<string, number> | null = null;
  let index = 0;
  const known = (journal: Journal | null): Map<string, number> => {
    if (trials !== null) return trials;
    trials = new Map();
    for (const key of journal?.done(run) ?? []) {
      index++;
      const [, task, trial] = drivenKey.exec(key) ?? [];
      if (task !== undefined) trials.set(task, Math.max(trials.get(task) ?? 0, Number(trial) + 1));
    }
    return trials;
  };
  const next = (journal: Journal | null, task: Task, client: string): EpisodeHead => {
    const taken = known(journal);
    const trial = taken.get(task.id) ?? 0;
    taken.set(task.id, trial + 1);
    const agents = { student: client, teacher: null, strategy: driver };
    return { run, key: keyOf(task, trial), index: index++, phase: 'collect', round, trial, task, ...agents };
  };
  const take: NextHead['take'] = (journal, { task, trial, index: own }) => {
    const taken = known(journal);
    taken.set(task.id, Math.max(taken.get(task.id) ?? 0, trial + 1));
    index = Math.max(index, own + 1);
  };
  return Object.assign(next, { take });
}

const drivenKey = new RegExp(`^collect/${round}/(.+)/(\\d+)$`);

function keyOf(task: Task, trial: number): string {
  return `collect/${round}/${task.id}/${trial}`;
}

function tooMany(most: number): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'unavailable',
    message: `${most} episodes are open already.`,
    expected: 'Try again when one of them has ended.',
  });
}

function closed(): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'unavailable',
    message: 'The server is closing: no episode is opened any more.',
    expected: 'Start it again.',
  });
}
