import { crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Certificate } from '../../core/episode/certificate.ts';
import type { EpisodeEnd, EpisodeEvent, EpisodeHead } from '../../core/episode/events.ts';
import type { EpisodeSummary, StoredEpisode } from '../../core/episode/journal.ts';
import type { Task } from '../../core/records.ts';
import { damaged } from '../faults.ts';
import { headText, type Ending, type Entry } from '../journal.ts';
import { readVerdict } from '../records.ts';
import { sealOf } from '../rows.ts';
import type { SqlValue } from './statements.ts';

/** A finished episode as its row: what is asked for in columns, the task and the events in one compressed body. */
export interface EpisodeRow {
  readonly run: string;
  readonly key: string;
  readonly phase: string;
  readonly round: number;
  readonly place: number;
  readonly outcome: string;
  readonly events: number;
  readonly head: string;
  readonly ending: string;
  readonly body: Uint8Array;
  readonly seal: number;
}

/** An event takes two lines: its record, and its screen where that is a text of its own. JSON has no line breaks. */
export function linesOf({ body, content }: Pick<Entry, 'body' | 'content'>): [string, string] {
  return [body, typeof content === 'string' ? JSON.stringify(content) : ''];
}

export function attachedBy({ address, content, pictures }: Entry): [string, Uint8Array][] {
  const named = pictures.map(({ hash, data }): [string, Uint8Array] => [hash, data]);
  return address === null || content === null || typeof content === 'string' ? named : [...named, [address, content]];
}

export function pack(lines: readonly string[]): Buffer {
  return zstdCompressSync(lines.join('\n'));
}

export function unpack(body: Uint8Array, store: string): string[] {
  try {
    return zstdDecompressSync(body).toString().split('\n');
  } catch (cause) {
    throw damaged(store, 'an episode cannot be unpacked', cause);
  }
}

export function rowOf({ head, end, events }: Ending, lines: readonly string[]): EpisodeRow {
  const { run, key, phase, round, index } = head;
  const values = { run, key, phase, round, place: index, outcome: end.outcome, events };
  const row = { ...values, head: headText(head), ending: JSON.stringify(end) };
  const body = pack([JSON.stringify(head.task), ...lines]);
  return { ...row, body, seal: sealOfRow({ ...row, body }) };
}

function sealOfRow(row: Omit<EpisodeRow, 'seal'>): number {
  const { run, key, phase, round, place, outcome, events, head, ending, body } = row;
  return crc32(body, sealOf([run, key, phase, round, place, outcome, events, head, ending]));
}

/** Values for `commitEpisodes`: a list a column. */
export function commitValues(
  store: number,
  rows: readonly EpisodeRow[],
  attached: ReadonlyMap<string, Uint8Array>,
): SqlValue[] {
  const column = <K extends keyof EpisodeRow>(name: K): EpisodeRow[K][] => rows.map(row => row[name]);
  return [
    store,
    column('run'),
    column('key'),
    column('phase'),
    column('round'),
    column('place'),
    column('outcome'),
    column('events'),
    column('head'),
    column('ending'),
    column('body'),
    column('seal'),
    [...attached.keys()].map(hash => Buffer.from(hash, 'hex')),
    [...attached.values()],
  ];
}

export interface CertificateRow {
  readonly leaf: number;
  readonly result: string;
  readonly body: string;
  readonly seal: number;
}

/** Values for `addCertificate`. */
export function certificateValues(
  store: number,
  { run, key }: Pick<EpisodeHead, 'run' | 'key'>,
  certificate: Certificate,
): SqlValue[] {
  const { leaf, result } = certificate;
  const values = [run, key, leaf, result, JSON.stringify(certificate)];
  return [store, ...values, sealOf(values)];
}

export function readCertificate(
  { run, key, leaf, result, body, seal }: CertificateRow & Pick<EpisodeRow, 'run' | 'key'>,
  store: string,
): Certificate {
  if (sealOf([run, key, leaf, result, body]) !== seal) throw damaged(store, `a certificate of ${key} was altered`);
  return JSON.parse(body) as Certificate;
}

/** Refuses a row that is not as it was written. */
function checkRow(row: EpisodeRow, store: string): void {
  if (sealOfRow(row) !== row.seal) throw damaged(store, `the record of episode ${row.key} was altered`);
}

export function readSummary(row: EpisodeRow, store: string): Omit<EpisodeSummary, 'certificates'> {
  checkRow(row, store);
  const [task = ''] = unpack(row.body, store);
  return summaryOf(row, task);
}

export function readEpisode(row: EpisodeRow, store: string): Omit<StoredEpisode, 'certificates'> {
  checkRow(row, store);
  const [task = '', ...lines] = unpack(row.body, store);
  const events = readEvents(lines);
  if (events.length !== row.events)
    throw damaged(store, `episode ${row.key} has ${events.length} of its ${row.events} events`);
  return { ...summaryOf(row, task), events };
}

function summaryOf(row: EpisodeRow, task: string): Omit<EpisodeSummary, 'certificates'> {
  const head = JSON.parse(row.head) as Omit<EpisodeHead, 'task'>;
  return {
    head: { ...head, task: JSON.parse(task) as Task },
    end: readVerdict(JSON.parse(row.ending) as EpisodeEnd),
  };
}

export function readEvents(lines: readonly string[]): EpisodeEvent[] {
  const events: EpisodeEvent[] = [];
  for (let at = 0; at + 1 < lines.length; at += 2) {
    const event = readVerdict(JSON.parse(lines[at] as string) as EpisodeEvent);
    const screen = lines[at + 1] as string;
    events.push(screen === '' ? event : ({ ...event, screen: JSON.parse(screen) as string } as EpisodeEvent));
  }
  return events;
}
