import type { Clock } from '../../src/core/clock.ts';

/** A part of a study that fills one core. */
export interface Job {
  readonly id: string;
  /** What it does, for the console. */
  readonly label: string;
  /** Ids of the jobs that must end before it. */
  readonly needs?: readonly string[];
  /** Rough share of the time, to tell how much is left. */
  readonly seconds: number;
  run(signal: AbortSignal): Promise<void>;
}

export interface ScheduleOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Jobs that run at the same time: one for each core that the study counts on. */
  readonly atOnce: number;
  onChange?(progress: ScheduleProgress): void;
}

export interface ScheduleProgress {
  readonly done: number;
  readonly all: number;
  readonly running: readonly string[];
  readonly secondsLeft: number;
}

/** Runs jobs, the first ones first; one that needs another waits for it. When one fails the others are stopped before it is told. */
export async function runJobs(jobs: readonly Job[], options: ScheduleOptions): Promise<void> {
  const own = new AbortController();
  const signal = AbortSignal.any([options.signal, own.signal]);
  const waiting = [...jobs];
  const done = new Set<string>();
  const running = new Map<string, Promise<void>>();
  const tell = createTeller(jobs, options);
  while (waiting.length + running.size > 0) {
    while (!signal.aborted && running.size < options.atOnce) {
      const at = waiting.findIndex(({ needs = [] }) => needs.every(id => done.has(id)));
      const [job] = at < 0 ? [] : waiting.splice(at, 1);
      if (job === undefined) break;
      const work = job.run(signal).then(
        () => void done.add(job.id),
        (cause: unknown) => {
          own.abort(cause);
        },
      );
      running.set(
        job.id,
        work.finally(() => running.delete(job.id)),
      );
    }
    tell(done, running);
    if (running.size === 0) break;
    await Promise.race(running.values());
  }
  if (own.signal.aborted) throw own.signal.reason;
}

function createTeller(jobs: readonly Job[], { clock, atOnce, onChange }: ScheduleOptions) {
  const started = clock.now();
  const weightOf = (known: (job: Job) => boolean): number =>
    jobs.filter(known).reduce((sum, { seconds }) => sum + seconds, 0);
  return (done: ReadonlySet<string>, running: ReadonlyMap<string, unknown>): void => {
    const spent = (clock.now() - started) / 1000;
    const [ended, all] = [weightOf(({ id }) => done.has(id)), weightOf(() => true)];
    // A job that runs is taken as half done.
    const half = weightOf(({ id }) => running.has(id)) / 2;
    // The first jobs say little of the others: the estimate counts as if some jobs had ended in their time.
    const counted = all / 5;
    const pace = (spent + counted / atOnce) / (ended + half + counted);
    onChange?.({
      done: done.size,
      all: jobs.length,
      running: jobs.filter(({ id }) => running.has(id)).map(({ label }) => label),
      secondsLeft: ended === 0 ? all / atOnce : pace * (all - ended - half),
    });
  };
}
