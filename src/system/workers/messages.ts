import type { EpisodeEnd, EpisodeHead } from '../../core/episode/events.ts';
import type { Finding, RecordedPath } from '../../episode/certify/certify.ts';
import type { Responder } from '../../episode/cursor/deadline.ts';
import type { PoolOptions } from '../../runs/host/pool.ts';
import type { Entry } from './episode-record.ts';
import type { WireError } from './wire-error.ts';

/** What a worker opens to run episodes. */
export type WorkerJob = Pick<PoolOptions, 'job' | 'data' | 'seed'>;

/** What a worker is started with. */
export interface WorkerSetup extends WorkerJob {
  readonly marks: SharedArrayBuffer;
}

/** From the pool to a worker. */
export type WorkerRequest =
  | { readonly kind: 'run'; readonly id: number; readonly head: EpisodeHead; readonly distrust: string | null }
  | { readonly kind: 'replay'; readonly id: number; readonly path: RecordedPath }
  /** Opens another job: later requests are for it. */
  | ({ readonly kind: 'open' } & WorkerJob)
  /** Ends what is under way. */
  | { readonly kind: 'stop' }
  /** Ends the worker. */
  | { readonly kind: 'close' };

/**
 * From a worker to the pool. What an episode does is told before code of the user's runs on: it outlives a worker that
 * breaks.
 */
export type WorkerReply =
  | { readonly kind: 'ready' }
  /** What happened in an episode. */
  | { readonly kind: 'entry'; readonly id: number; readonly entry: Entry }
  | { readonly kind: 'end'; readonly id: number; readonly end: EpisodeEnd }
  | { readonly kind: 'stopped'; readonly id: number }
  | { readonly kind: 'finding'; readonly id: number; readonly finding: Finding }
  /** Something broke that no episode is to blame for by itself: the worker is not used any more. */
  | { readonly kind: 'broken'; readonly message: string }
  /** No episode would fare better, or, with the id of a replay, the replay broke. */
  | { readonly kind: 'failed'; readonly id: number | null; readonly error: WireError };

type Boundary = Responder['boundary'];
const boundaries: readonly Boundary[] = ['strategy', 'policy', 'reviewer', 'environment', 'verifier'];

/** Written by a worker and read by the pool at any time, also while the worker is stuck in a loop. */
export interface Marks {
  /** Says that the worker still takes turns. */
  beat(): void;
  beats(): number;
  /** Whose code is running: that of the strategy while nobody is asked. */
  enter(boundary: Boundary): void;
  entered(): Boundary;
  /** How many calls into native code are under way: the worker must not be ended then. */
  callsNative(calls: number): void;
  nativeCalls(): number;
}

export const marksBytes = 12;

export function createMarks(shared: SharedArrayBuffer): Marks {
  const cells = new Int32Array(shared);
  return {
    beat: () => void Atomics.add(cells, 0, 1),
    beats: () => Atomics.load(cells, 0),
    enter: boundary => void Atomics.store(cells, 1, boundaries.indexOf(boundary)),
    entered: () => boundaries[Atomics.load(cells, 1)] ?? 'strategy',
    callsNative: calls => void Atomics.store(cells, 2, calls),
    nativeCalls: () => Atomics.load(cells, 2),
  };
}
