import { crc32 } from 'node:zlib';
import type { SQLInputValue } from 'node:sqlite';

/** A row of the journal: `begin`, the events of an attempt, and `end` when it came to one. */
export interface EventRow {
  readonly attempt: number;
  readonly kind: string;
  readonly body: string;
  /** The screen of a step, the task of a beginning, the record of a call. */
  readonly blob: number | null;
  readonly seal: number;
}

/** A row for each episode that has ended, so that they can be found without reading the journal. */
export interface EpisodeRow {
  readonly attempt: number;
  readonly run: string;
  readonly key: string;
  readonly phase: string;
  readonly round: number;
  readonly place: number;
  readonly outcome: string;
  /** Events between its beginning and its end. */
  readonly events: number;
  readonly task: number;
  readonly head: string;
  readonly ending: string;
  readonly seal: number;
}

export const episodeColumns = 'attempt, run, key, phase, round, place, outcome, events, task, head, ending';

/** Finds bytes that changed on the disk: SQLite itself does not look at the content of its pages. */
export function sealOf(values: readonly SQLInputValue[]): number {
  return crc32(values.join('\n'));
}

export function sealOfEvent({ attempt, kind, body, blob }: Omit<EventRow, 'seal'>): number {
  return sealOf([attempt, kind, body, blob]);
}

/** The values of `episodeColumns`, in their order. */
export function episodeValues(row: Omit<EpisodeRow, 'seal'>): SQLInputValue[] {
  const { attempt, run, key, phase, round, place, outcome, events, task, head, ending } = row;
  return [attempt, run, key, phase, round, place, outcome, events, task, head, ending];
}
