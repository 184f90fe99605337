import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { episodeEndSchema } from '../../core/episode/events.ts';
import { wholeLines } from '../../core/json.ts';
import type { BranchEnd } from '../../episode/driven/branches.ts';

const endSchema = episodeEndSchema.pick({
  outcome: true,
  reason: true,
  boundary: true,
  message: true,
  verdict: true,
  leaf: true,
});

/** How a session ended, as it is written down. */
export type RecordedEnd = z.infer<typeof endSchema>;

const recordSchema = z.strictObject({
  session: z.string(),
  /** Key of its episode, and its branch in it. */
  episode: z.string(),
  branch: z.int().nonnegative(),
  environment: z.string(),
  /** What the client calls the episode. */
  name: z.string().nullable(),
  /** Null while it is open. */
  end: endSchema.nullable(),
});

/** A session that outlives its connection, as it is written down. */
export type SessionRecord = z.infer<typeof recordSchema>;

/** The sessions that are to be resumed after a restart: one JSON line for each change, the last one counts. */
export interface SessionFile {
  write(record: SessionRecord): void;
  /** The last record of each session, in the order they were opened. */
  read(): SessionRecord[];
  /** Starts anew with these. */
  replace(records: readonly SessionRecord[]): void;
}

export function createSessionFile(path: string): SessionFile {
  return {
    write: record => appendFileSync(path, lineOf(record), { mode: 0o600 }),
    read() {
      if (!existsSync(path)) return [];
      const bytes = readFileSync(path);
      const lines = bytes.subarray(0, wholeLines(bytes)).toString('utf8').split('\n').slice(0, -1);
      const records = lines.map(line => recordSchema.parse(JSON.parse(line)));
      return [...new Map(records.map(record => [record.session, record])).values()];
    },
    replace(records) {
      const fresh = `${path}.new`;
      writeFileSync(fresh, records.map(lineOf).join(''), { mode: 0o600 });
      renameSync(fresh, path);
    },
  };
}

function lineOf(record: SessionRecord): string {
  return `${JSON.stringify(record)}\n`;
}

/** The part of an end that a record keeps. */
export function recordedEnd({ outcome, reason, boundary, message, verdict, leaf }: BranchEnd): BranchEnd {
  return { outcome, reason, boundary, message, verdict, leaf };
}
