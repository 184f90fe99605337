import type { Certificate } from './certificate.ts';
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
  /** Adds a certificate to an episode that has ended. A leaf that agreed or diverged takes no further one. */
  certify(episode: Pick<EpisodeHead, 'run' | 'key'>, certificate: Certificate): void;
  /** Returns when everything written so far will survive a crash. */
  flush(): void;
  /** What is written meanwhile is written at once: all of it or nothing. Costs less than one by one, where there is such a way. */
  together?(work: () => void): void;
}

/** An episode that has begun and has not ended. */
export interface UnfinishedEpisode {
  /** Number of the attempt in the journal. */
  readonly attempt: number;
  readonly head: EpisodeHead;
  readonly events: readonly EpisodeEvent[];
}

/** A journal that lets a server go on after a restart. */
export interface ResumableJournal extends Journal {
  /** Returns when everything written so far will survive the end of this process; `flush` also survives a power cut. */
  save(): void;
  /** The episodes of a run that did not end: the last attempt at each. */
  unfinished(run: string): UnfinishedEpisode[];
  /** The log of an unfinished attempt: further events follow those that it has. */
  resume(episode: UnfinishedEpisode): EpisodeLog;
}

export interface EpisodeFilter {
  readonly run?: string;
  readonly phase?: Phase;
  readonly round?: number;
  readonly outcome?: Outcome;
  /** Events of other episodes are not read. */
  readonly wants?: (episode: Pick<EpisodeSummary, 'head' | 'end'>) => boolean;
}

export interface EpisodeSummary {
  readonly head: EpisodeHead;
  readonly end: EpisodeEnd;
  /** In the order they were written, after the episode ended. */
  readonly certificates: readonly Certificate[];
}

/** A finished episode: what its journal says. */
export interface StoredEpisode extends EpisodeSummary {
  readonly events: readonly EpisodeEvent[];
}

/** Reads finished episodes, in the order of run, phase, round and plan; a run may go on writing meanwhile. */
export interface EpisodeSource {
  episodes(filter?: EpisodeFilter): Iterable<StoredEpisode>;
  summaries(filter?: EpisodeFilter): Iterable<EpisodeSummary>;
  /** What was attached, by its address; null when there is none. */
  attachment(address: string): Uint8Array | null;
}
