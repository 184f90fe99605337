/** Work for a thread of its own. */
export interface ThreadJob {
  /** URL of a module that exports `run`, a `ThreadWork`. */
  readonly module: string;
  /** Given to `run`. Only what can be copied to another thread. */
  readonly data: unknown;
}

/** What the module of a job exports as `run`: its values are sent to whoever started the thread. */
export type ThreadWork<D = never, T = unknown> = (data: D) => AsyncIterable<T>;

export interface RunningThread {
  /** The next value of the work; null when there are no more. Throws what the work threw. */
  next(): Promise<unknown>;
  /** Ends the thread, whatever it does. */
  close(): Promise<void>;
}

/** Threads of this machine. */
export interface Threads {
  /** How many run at once without waiting for each other. */
  readonly count: number;
  /** The work begins at once. It waits when many of its values were not taken yet. */
  start(job: ThreadJob): RunningThread;
}
