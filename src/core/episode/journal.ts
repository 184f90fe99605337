import type { EpisodeEnd, EpisodeEvent, EpisodeHead, Outcome, Phase } from './events.ts';

/** Takes the events of one attempt at an episode. Nothing of it shows to readers before its end is written. */
export interface EpisodeLog {
  /** Keeps a picture or a record, once for all that are alike, and gives its address: the SHA-256 of it in hexadecimal. */
  attach(data: Uint8Array): string;
  append(event: EpisodeEvent): void;
  end(end: EpisodeEnd): void;
}

/** Where a run writes what happens, before it acts on it. */
export interface Journal {
  /** Keys of the episodes that have ended: what a resumed run leaves out. */
  done(run: string): ReadonlySet<string>;
  begin(head: EpisodeHead): EpisodeLog;
  /** Returns when everything written so far will survive a crash. */
  flush(): void;
}

export interface EpisodeFilter {
  readonly run?: string;
  readonly phase?: Phase;
  readonly round?: number;
  readonly outcome?: Outcome;
}

/** A finished episode: what its journal says. */
export interface StoredEpisode {
  readonly head: EpisodeHead;
  readonly events: readonly EpisodeEvent[];
  readonly end: EpisodeEnd;
}

export interface EpisodeSummary {
  readonly head: EpisodeHead;
  readonly end: EpisodeEnd;
}

/** Reads finished episodes, in the order of run, phase, round and plan; a run may go on writing meanwhile. */
export interface EpisodeSource {
  episodes(filter?: EpisodeFilter): Iterable<StoredEpisode>;
  summaries(filter?: EpisodeFilter): Iterable<EpisodeSummary>;
  /** What was attached, by its address; null when there is none. */
  attachment(address: string): Uint8Array | null;
}
