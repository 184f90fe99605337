import type { Clock } from '../../core/clock.ts';
import type { EpisodeEnd, EpisodeEvent } from '../../core/episode/events.ts';
import type { EpisodeLog, Journal } from '../../core/episode/journal.ts';
import type { Task } from '../../core/records.ts';

/** How an episode of a client ended. */
export type Ending = Pick<EpisodeEnd, 'outcome' | 'reason' | 'boundary' | 'message' | 'verdict'>;

/** Writes one episode. */
export interface Recording {
  append(event: EpisodeEvent): void;
  /** `steps` are the steps that were taken; the last one is the leaf. */
  end(ending: Ending, steps: number): void;
}

/** Where the episodes of clients go. */
export interface Recorder {
  begin(task: Task, client: string): Recording;
}

export interface RecorderOptions {
  /** Opened for the first episode: whoever only looks what is on offer leaves no trace. Null when none are to be kept. */
  readonly journal: (() => Journal) | null;
  /** Name of the run in its store. */
  readonly run: string;
  readonly clock: Clock;
  /** What the leaves of these episodes need before they are trained on. */
  readonly certification: EpisodeEnd['certification'];
  onEnd?(key: string, end: EpisodeEnd): void;
}

/** Rounds of collected runs count from 1: what clients did stands before them. */
const round = 0;

/** Numbers the episodes of clients after those that the run has already. */
export function createRecorder({ journal: openJournal, run, clock, certification, onEnd }: RecorderOptions): Recorder {
  let journal: Journal | null = null;
  const keys = new Set<string>();
  let index = 0;
  const open = (): void => {
    if (journal !== null || openJournal === null) return;
    journal = openJournal();
    for (const key of journal.done(run)) keys.add(key);
    index = keys.size;
  };
  const recorded = (task: Task): { key: string; trial: number } => {
    for (let trial = 0; ; trial++) {
      const key = `collect/${round}/${task.id}/${trial}`;
      if (keys.has(key)) continue;
      keys.add(key);
      return { key, trial };
    }
  };
  return {
    begin(task, client) {
      const started = clock.now();
      open();
      const { key, trial } = recorded(task);
      const agents = { student: client, teacher: null, strategy: 'mcp' };
      const head = { run, key, index: index++, phase: 'collect', round, trial, task, ...agents } as const;
      const log: EpisodeLog | undefined = journal?.begin(head);
      return {
        append: event => log?.append(event),
        end(ending, steps) {
          const spent = { counts: countsOf(steps), milliseconds: clock.now() - started };
          const end: EpisodeEnd = { ...ending, leaf: steps, certification, ...spent };
          log?.end(end);
          // Who answers for hours is not to lose what was done when it is killed.
          journal?.flush();
          onEnd?.(key, end);
        },
      };
    },
  };
}

function countsOf(steps: number): EpisodeEnd['counts'] {
  const none = { reviews: 0, corrections: 0, interventions: 0, rollbacks: 0, forks: 0, cost: 0, tokens: 0 };
  return { steps, taken: steps, ...none };
}
