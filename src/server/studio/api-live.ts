/** Types of what is told of a run while it is written. */

/** How far a run is with the episodes it has planned. */
export interface RunProgress {
  readonly phase: 'collect' | 'evaluate';
  readonly round: number;
  readonly planned: number;
  readonly done: number;
  /** At the pace since its start; null before its first episode has ended. */
  readonly secondsLeft: number | null;
}

/** What came in each second, lately. */
export interface RunRates {
  readonly episodes: number;
  readonly steps: number;
  /** US dollars. */
  readonly cost: number;
}
