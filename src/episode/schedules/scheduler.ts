import type { EpisodeHead } from '../../core/episode/events.ts';
import { runEpisodes, type RunOptions, type RunTotals } from '../engine.ts';

/** What is known of an episode that ended, for whoever decides what runs next. */
export interface ScheduledResult {
  /** Place of its task in the list of tasks. */
  readonly task: number;
  readonly trial: number;
  /** Null when it broke. */
  readonly passed: boolean | null;
  /** Mean entropy of the student's choices; null when it does not say. */
  readonly entropy: number | null;
  /** What the attempt came to, without a verdict: attempts that end alike agree. */
  readonly ending: string;
}

/** An episode to run: one more trial of a task. */
interface Slot {
  readonly task: number;
  readonly trial: number;
}

/**
 * Decides what a run does next, given everything that ended so far. It is asked round by round: a round ends before the next one
 * is decided, so that decisions do not depend on which episode ends first.
 */
export interface Scheduler {
  readonly name: string;
  /** The tasks of the next round, once for each trial; none when the run is done. Results are in the order of rounds and slots. */
  next(results: readonly ScheduledResult[], tasks: number): readonly number[];
}

export interface ScheduleOptions extends Omit<RunOptions, 'plan'> {
  readonly scheduler: Scheduler;
  /** The first trial of each task. */
  readonly tasks: readonly EpisodeHead[];
  /** The head of another trial. */
  headOf(first: EpisodeHead, place: { readonly index: number; readonly trial: number }): EpisodeHead;
  /** What the journal has of these episodes. Those that are not there did not end. */
  read(keys: ReadonlySet<string>): ReadonlyMap<string, Pick<ScheduledResult, 'passed' | 'entropy' | 'ending'>>;
}

/** Runs what a scheduler asks for, round by round. Episodes that the journal has are read, not run. */
export async function runSchedule({ scheduler, tasks, headOf, read, ...options }: ScheduleOptions): Promise<RunTotals> {
  const results: ScheduledResult[] = [];
  const trials = new Map<number, number>();
  let totals: RunTotals | null = null;
  for (let index = 0; ; ) {
    const wanted = scheduler.next(results, tasks.length);
    const slots = wanted.map((task): Slot => {
      const trial = trials.get(task) ?? 0;
      trials.set(task, trial + 1);
      return { task, trial };
    });
    const plan = slots.map(({ task, trial }) => headOf(tasks[task] as EpisodeHead, { index: index++, trial }));
    const round = await runEpisodes({ ...options, plan });
    totals = totals === null ? round : sumOf(totals, round);
    if (slots.length === 0 || round.stopped) return totals;
    const ended = read(new Set(plan.map(({ key }) => key)));
    for (const [at, slot] of slots.entries()) {
      const end = ended.get((plan[at] as EpisodeHead).key);
      if (end !== undefined) results.push({ ...slot, ...end });
    }
  }
}

function sumOf(one: RunTotals, other: RunTotals): RunTotals {
  const added = <K extends string>(a: Readonly<Record<K, number>>, b: Readonly<Record<K, number>>): Record<K, number> =>
    Object.fromEntries(Object.entries(a).map(([key, count]) => [key, (count as number) + b[key as K]])) as Record<
      K,
      number
    >;
  return {
    ended: one.ended + other.ended,
    skipped: one.skipped + other.skipped,
    stopped: other.stopped,
    outcomes: added(one.outcomes, other.outcomes),
    certificates: added(one.certificates, other.certificates),
  };
}
