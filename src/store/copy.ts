import { picturesIn } from '../core/episode/call-log.ts';
import type { Certificate } from '../core/episode/certificate.ts';
import type { EpisodeEvent, EpisodeHead } from '../core/episode/events.ts';
import type { EpisodeLog, EpisodeSource, Journal, ResumableJournal, StoredEpisode } from '../core/episode/journal.ts';
import { damaged } from './faults.ts';

type Attachments = Pick<EpisodeSource, 'attachment'>;

/** Writes a finished episode as another store has it, with all that it names. */
export function copyEpisode(episode: StoredEpisode, from: Attachments, to: Pick<Journal, 'begin' | 'certify'>): void {
  const log = to.begin(episode.head);
  appendAll(log, episode.events, from);
  log.end(episode.end);
  for (const certificate of episode.certificates) to.certify(episode.head, certificate);
}

function appendAll(log: EpisodeLog, events: readonly EpisodeEvent[], from: Attachments): void {
  for (const event of events) {
    for (const data of attachmentsOf(event, from)) log.attach(data);
    log.append(event);
  }
}

/** The address of what an event names. */
export function addressIn(event: EpisodeEvent): string | undefined {
  return event.kind === 'call' ? event.record : event.kind === 'step' ? event.image?.hash : undefined;
}

/** What an event names, in the order that it was attached in: the record of a call comes after the pictures in it. */
function attachmentsOf(event: EpisodeEvent, { attachment }: Attachments): Uint8Array[] {
  const address = addressIn(event);
  if (address === undefined) return [];
  const data = attachment(address);
  if (data === null) throw damaged('The store', `${address} is missing`);
  if (event.kind === 'step') return [data];
  return [...picturesIn(data).flatMap(picture => attachment(picture) ?? []), data];
}

export interface Copied {
  readonly episodes: number;
  /** Episodes that the other store had already. */
  readonly known: number;
  /** Attempts that have begun and not ended. */
  readonly unfinished: number;
}

/** Copies all episodes of a store that another one does not have. A copy that was cut off is gone on with. */
export function copyStore(
  from: ResumableJournal & EpisodeSource,
  to: ResumableJournal & EpisodeSource,
  { runs: named = [] }: { readonly runs?: readonly string[] } = {},
): Copied {
  const done = new Map<string, ReadonlySet<string>>();
  const tally = { episodes: 0, known: 0, unfinished: 0 };
  const isKnown = (run: string, key: string): boolean => {
    const keys = done.get(run) ?? to.done(run);
    done.set(run, keys);
    return keys.has(key);
  };
  const certified = new Map<string, readonly Certificate[]>();
  for (const episode of from.episodes()) {
    const { head, certificates } = episode;
    if (isKnown(head.run, head.key)) {
      tally.known++;
      if (certificates.length > 0) certified.set(nameOf(head), certificates);
    } else {
      copyEpisode(episode, from, to);
      tally.episodes++;
    }
  }
  if (certified.size > 0) copyCertificates(certified, to);
  for (const run of new Set([...done.keys(), ...named])) tally.unfinished += copyUnfinished(from, to, run);
  to.flush();
  return tally;
}

function nameOf({ run, key }: Pick<EpisodeHead, 'run' | 'key'>): string {
  return JSON.stringify([run, key]);
}

/** Episodes may have been certified after they were copied. */
function copyCertificates(certified: ReadonlyMap<string, readonly Certificate[]>, to: Journal & EpisodeSource): void {
  const missing = [...to.summaries()].flatMap(({ head: { run, key }, certificates: there }) => {
    const isThere = (one: Certificate): boolean =>
      there.some(({ leaf, result }) => leaf === one.leaf && (result !== 'broken' || one.result === 'broken'));
    const found = certified.get(nameOf({ run, key })) ?? [];
    return found.filter(one => !isThere(one)).map(certificate => ({ run, key, certificate }));
  });
  for (const { run, key, certificate } of missing) to.certify({ run, key }, certificate);
}

function copyUnfinished(from: ResumableJournal & Attachments, to: ResumableJournal, run: string): number {
  const known = new Set(to.unfinished(run).map(({ head }) => head.key));
  // What an attempt attached is found only when it has ended: one that attached something is begun anew.
  const isPlain = (event: EpisodeEvent): boolean =>
    event.kind !== 'call' && (event.kind !== 'step' || event.image === undefined);
  const missing = from.unfinished(run).filter(({ head, events }) => !known.has(head.key) && events.every(isPlain));
  for (const { head, events } of missing) appendAll(to.begin(head), events, from);
  to.save();
  return missing.length;
}
