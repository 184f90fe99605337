import { hash } from 'node:crypto';
import { closeSync, existsSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { z } from 'zod';
import type { AnnotatedEpisode } from '../../analysis/signals/annotate-episodes.ts';
import { isByPerson } from '../../core/episode/events.ts';
import type { EpisodeSource } from '../../core/episode/journal.ts';
import { EspalierError } from '../../core/errors.ts';
import { readLines } from '../../modules/read-lines.ts';

const headerSchema = z.strictObject({
  format: z.literal(1),
  /** What the store held: with more episodes or certificates, the annotations are of another store. */
  store: z.string(),
  /** `loops@1`: what was asked, in which version. */
  signals: z.array(z.string()).readonly(),
  /** Whether episodes were played again. */
  forks: z.boolean(),
});
export type AnnotationsHeader = z.infer<typeof headerSchema>;

const annotationSchema = z.strictObject({
  signal: z.string(),
  node: z.int().positive().nullable(),
  label: z.string(),
  value: z.number().optional(),
  note: z.string().optional(),
});
const lineSchema = z.strictObject({
  run: z.string(),
  episode: z.string().nullable(),
  group: z.string().optional(),
  annotations: z.array(annotationSchema).readonly(),
});

/** The finished episodes of a store in a short text. Episodes do not change once they have ended, so their ends tell. */
export function storeKey(source: EpisodeSource): string {
  let key = '';
  for (const { head, end, certificates } of source.summaries()) {
    const { outcome, leaf, counts } = end;
    // Who acted tells annotations apart that compared people with agents.
    const by = isByPerson(head) ? ['person'] : [];
    const told = [key, head.run, head.key, outcome, leaf, counts.taken, certificates.length, ...by];
    key = hash('sha256', JSON.stringify(told));
  }
  return key;
}

/** Writes lines of annotations as they come; the file is in place only when all are there. */
export async function writeAnnotations(
  path: string,
  header: AnnotationsHeader,
  lines: AsyncIterable<string>,
): Promise<void> {
  const partial = `${path}.partial`;
  const file = openSync(partial, 'w', 0o600);
  try {
    let waiting = `${JSON.stringify(header)}\n`;
    for await (const line of lines) {
      waiting += line;
      if (waiting.length < 1 << 20) continue;
      writeSync(file, waiting);
      waiting = '';
    }
    writeSync(file, `${waiting}{"end":true}\n`);
    closeSync(file);
    renameSync(partial, path);
  } catch (cause) {
    closeAnyway(file);
    rmSync(partial, { force: true });
    throw cause;
  }
}

function closeAnyway(file: number): void {
  try {
    closeSync(file);
  } catch {
    // It was closed before the rename failed.
  }
}

/** The header of the annotations of a run; null when there are none. */
export function readHeader(path: string): AnnotationsHeader | null {
  if (!existsSync(path)) return null;
  const { value } = readLines(path).next();
  return parseLine(path, String(value), { schema: headerSchema, what: 'its header' });
}

/** All annotations, one episode after another; those of groups come last. */
export function* readAnnotations(path: string): Generator<AnnotatedEpisode> {
  let isWhole = false;
  let place = 0;
  for (const line of readLines(path)) {
    if (place++ === 0) continue;
    isWhole = line === '{"end":true}';
    if (isWhole) continue;
    yield parseLine(path, line, { schema: lineSchema, what: `line ${place}` }) as AnnotatedEpisode;
  }
  if (!isWhole) throw damaged(path, 'it ends too early');
}

interface Wanted<T> {
  readonly schema: z.ZodType<T>;
  readonly what: string;
}

function parseLine<T>(path: string, line: string, { schema, what }: Wanted<T>): T {
  const read = schema.safeParse(parseJson(path, line));
  if (read.success) return read.data;
  throw damaged(path, `${what} is not as this version writes it`);
}

function parseJson(path: string, line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw damaged(path, 'a line is no JSON');
  }
}

function damaged(path: string, why: string): EspalierError {
  return new EspalierError({
    boundary: 'store',
    code: 'corrupt-record',
    message: `The annotations in ${path} cannot be read: ${why}.`,
    expected: 'Delete the file and run espalier annotate again: everything in it can be computed again.',
  });
}
