import type { EpisodeEnd, EpisodeHead } from '../../core/episode/events.ts';
import type { Finding, RecordedPath } from '../../episode/certify/certify.ts';
import type { PoolRequest } from '../../runs/host/pool.ts';
import type { Entry } from '../workers/episode-record.ts';
import type { WireError } from '../workers/wire-error.ts';

/** To the process that runs one episode at a time. */
export type AloneRequest =
  | { readonly kind: 'open'; readonly request: PoolRequest }
  | { readonly kind: 'run'; readonly head: EpisodeHead; readonly distrust: string | null }
  /** A path of the episode that ran last. */
  | { readonly kind: 'replay'; readonly path: RecordedPath };

/** An answer to each request, in their order. */
export type AloneReply =
  | { readonly kind: 'opened' }
  | { readonly kind: 'ended'; readonly entries: readonly Entry[]; readonly end: EpisodeEnd }
  | { readonly kind: 'found'; readonly finding: Finding }
  | { readonly kind: 'failed'; readonly error: WireError };
