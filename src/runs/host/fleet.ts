import type { EpisodeHead } from '../../core/episode/events.ts';
import type { Journal } from '../../core/episode/journal.ts';
import type { Progress, RunTotals } from '../../episode/engine.ts';
import type { Spent } from './budget.ts';
import type { PoolRequest } from './pool.ts';

/** What episodes keep busy: a core, endpoints of models, or a browser. */
export type WorkerNeeds = 'core' | 'model' | 'browser';

/** A budget for all machines of a run. */
export interface SharedSpending {
  /** Null for no limit. */
  readonly dollars: number | null;
  readonly tokens: number | null;
  /** Of this run, before the fleet took it over. */
  readonly spent: Spent;
  /** Told at the end what the fleet has spent. */
  onSpent(spent: Spent): void;
  /** Told why the fleet stopped the run. */
  onExhausted(why: string): void;
}

/** The episodes of a run, to be worked on by many machines. */
export interface FleetRun {
  /** What people call it. */
  readonly name: string;
  /** What it does: runs that are equal in this share their episodes. */
  readonly identity: unknown;
  /** What a worker opens to run its episodes. */
  readonly job: PoolRequest;
  readonly needs: WorkerNeeds;
  /** What may be spent on models over all machines; null where none is asked. */
  readonly spending: SharedSpending | null;
  /** How many episodes run at once over all machines, for each place that bears so many; null for no limit. */
  readonly atOnce: { readonly most: number; placeOf(head: EpisodeHead): string } | null;
  readonly plan: Iterable<EpisodeHead>;
  /** Takes a copy of every episode. */
  readonly journal: Journal;
  /** Whether workers replay what needs a certificate. */
  readonly certifies: boolean;
  /** Ends the run early: what no worker has begun is taken back. */
  readonly signal: AbortSignal;
  /** Asked now and then: no takes back what no worker has begun, and lets the rest end. */
  mayBegin(): boolean;
  onProgress(progress: Progress): void;
  /** Told of each episode that had ended before. */
  onSkip(head: EpisodeHead): void;
}

/** Many machines that work on the same runs. */
export interface Fleet {
  run(run: FleetRun): Promise<RunTotals>;
}
