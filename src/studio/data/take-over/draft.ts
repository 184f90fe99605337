import {
  appendFileSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { actionSchema } from '../../../core/action.ts';
import { episodeEventSchema, episodeHeadSchema, type EpisodeEvent } from '../../../core/episode/events.ts';
import { causeText, EspalierError } from '../../../core/errors.ts';
import { parseRecord } from '../../../core/records.ts';
import { writeWhole } from '../../../runs/folder/folder.ts';
import { makeFolder } from '../../../modules/make-folder.ts';

const headerSchema = z.strictObject({
  request: z.strictObject({
    run: z.string(),
    /** 0 where a task is played from its start. */
    episode: z.int().nonnegative(),
    node: z.int().nonnegative(),
    person: z.string(),
    replaces: z.int().positive().nullable(),
  }),
  head: episodeHeadSchema,
  /** Of the episode that it was taken over from. */
  phase: z.enum(['collect', 'evaluate']),
  /** The step that was wrong. */
  replaced: z.strictObject({ id: z.int(), text: z.string(), action: actionSchema }).nullable(),
  /** The node that the person goes on from, and the one that is replaced, as the new episode numbers them. */
  start: z.int().nonnegative(),
  replaces: z.int().positive().nullable(),
});
export type DraftHeader = z.infer<typeof headerSchema>;

/** A branch that a person has begun and not kept, as it was written while it grew. */
export interface DraftedBranch extends DraftHeader {
  readonly events: readonly EpisodeEvent[];
  readonly attachments: readonly Uint8Array[];
}

export interface Draft {
  append(event: EpisodeEvent): void;
  attach(data: Uint8Array): void;
  remove(): void;
}

function draftsFolder(folder: string): string {
  return join(folder, 'take-overs');
}

function pathOf(folder: string, id: string): string {
  return join(draftsFolder(folder), `${id}.jsonl`);
}

/** Writes a branch beside the store while it grows, so that a crash loses nothing. */
export function beginDraft(folder: string, id: string, header: DraftHeader): Draft {
  makeFolder(draftsFolder(folder));
  writeWhole(pathOf(folder, id), `${JSON.stringify(header)}\n`);
  return draftAt(pathOf(folder, id));
}

/** Goes on with what was written; a last line that a crash cut short is dropped. */
export function continueDraft(folder: string, id: string): Draft {
  const path = pathOf(folder, id);
  const text = readFileSync(path, 'utf8');
  writeWhole(path, text.slice(0, text.lastIndexOf('\n') + 1));
  return draftAt(path);
}

/** A step of a branch could not be written, and so was not taken. */
export class DraftWriteError extends EspalierError {
  constructor(path: string, cause: unknown) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : null;
    super({
      boundary: 'store',
      code: code === 'ENOSPC' || code === 'EDQUOT' ? 'disk-full' : 'unavailable',
      message:
        code === 'ENOENT' || code === 'ENOTDIR'
          ? `The step was not taken: the file of this branch, ${path}, is gone.`
          : `The step was not taken: ${path} cannot be written (${causeText(cause)}).`,
      expected: 'Put the folder of the run back or make it writable, then try again.',
      cause,
    });
    this.name = 'DraftWriteError';
  }
}

function draftAt(path: string): Draft {
  const write = (line: object): void => {
    try {
      appendWhole(path, `${JSON.stringify(line)}\n`);
    } catch (cause) {
      throw new DraftWriteError(path, cause);
    }
  };
  return {
    append: event => write({ event }),
    attach: data => write({ attachment: Buffer.from(data).toString('base64') }),
    remove: () => rmSync(path, { force: true }),
  };
}

/** Appends all of a line or nothing of it. A file that is gone is not made anew: it would lack its header. */
function appendWhole(path: string, line: string): void {
  const file = openSync(path, constants.O_WRONLY | constants.O_APPEND);
  try {
    const { size } = fstatSync(file);
    try {
      appendFileSync(file, line, { flush: true });
    } catch (cause) {
      ftruncateSync(file, size);
      throw cause;
    }
  } finally {
    closeSync(file);
  }
}

/** Ids of the branches that were begun and not kept. */
export function listDrafts(folder: string): readonly string[] {
  const place = draftsFolder(folder);
  const names = existsSync(place) ? readdirSync(place) : [];
  return names.filter(name => name.endsWith('.jsonl')).map(name => name.slice(0, -'.jsonl'.length));
}

/** Null when there is no such branch. A last line that was cut short by a crash is left out. */
export function readDraft(folder: string, id: string): DraftedBranch | null {
  if (!/^[\w-]+$/.test(id) || !existsSync(pathOf(folder, id))) return null;
  const path = pathOf(folder, id);
  const [first = '', ...lines] = readFileSync(path, 'utf8').split('\n');
  lines.pop();
  const kind = { what: `unfinished branch in ${path}`, code: 'corrupt-record' } as const;
  const header = parseRecord(headerSchema, parseLine(first, 1, id), kind);
  const read = lines.map((line, index) => parseLine(line, index + 2, id) as { event?: unknown; attachment?: string });
  return {
    ...header,
    events: read.flatMap(({ event }) =>
      event === undefined ? [] : [parseRecord(episodeEventSchema, event, kind) as EpisodeEvent],
    ),
    attachments: read.flatMap(({ attachment }) =>
      attachment === undefined ? [] : [Buffer.from(attachment, 'base64')],
    ),
  };
}

/** What stands in a damaged line helps nobody: its number does. */
function parseLine(line: string, number: number, id: string): unknown {
  try {
    const parsed: unknown = JSON.parse(line);
    if (typeof parsed === 'object' && parsed !== null) return parsed;
  } catch {
    // Told below.
  }
  throw new EspalierError({
    boundary: 'store',
    code: 'corrupt-record',
    message: `The unfinished branch ${id} is damaged: line ${number} of take-overs/${id}.jsonl cannot be read.`,
    expected: 'Discard it, or put back a copy of that file.',
  });
}

export function removeDraft(folder: string, id: string): void {
  rmSync(pathOf(folder, id), { force: true });
}
