/** What a batch starts with. */
export interface BatchPlan {
  /** Rollouts of earlier batches that were paused: these go on first. */
  readonly resumed: readonly string[];
  /** How many new rollouts are started. */
  readonly started: number;
}

/** Fills a batch of so many rollouts at once: paused ones first, oldest first, then new ones. */
export function planBatch(paused: readonly string[], wanted: number): BatchPlan {
  const resumed = paused.slice(0, wanted);
  return { resumed, started: wanted - resumed.length };
}

export interface BatchState {
  readonly running: readonly string[];
  readonly finished: number;
  /** How many finished rollouts end the batch. */
  readonly needed: number;
}

/** The rollouts to pause now: all that still run when enough have finished. Their tokens are kept. */
export function toPause({ running, finished, needed }: BatchState): readonly string[] {
  return finished >= needed ? running : [];
}
