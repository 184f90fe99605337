import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { causeText, EspalierError } from '../../core/errors.ts';
import { outcomeSchema } from '../../core/episode/events.ts';
import { parseRecord, splitSchema } from '../../core/records.ts';

export const manifestName = 'manifest.json';
/** Since 5 rows are what a model is asked. Before, 2 to 4 said that there are pictures, tokens, or certificates. */
const versions = [1, 2, 3, 4, 5] as const;
const newest = 5;

const count = z.int().nonnegative();
const countsBy = z.record(z.string(), count);

const datasetFileSchema = z.strictObject({
  name: z.string(),
  table: z.string(),
  format: z.enum(['jsonl', 'parquet']),
  rows: count,
  bytes: count,
  sha256: z.string(),
  columns: z.array(z.string()).readonly(),
});
export type DatasetFile = z.infer<typeof datasetFileSchema>;

const imageFileSchema = z.strictObject({ name: z.string(), bytes: count, sha256: z.string() });
export type ImageFile = z.infer<typeof imageFileSchema>;

const manifestSchema = z.strictObject({
  format: z.literal('espalier-dataset'),
  version: z.literal(versions),
  /** The runs that the rows come from. */
  runs: z.array(z.string()).readonly(),
  filter: z.strictObject({
    run: z.string().nullable(),
    round: count.nullable(),
    outcome: outcomeSchema.nullable(),
    /** Splits of the training rows. The summaries of episodes are of all. */
    splits: z.array(splitSchema).readonly(),
  }),
  archive: z.strictObject({
    scope: z.enum(['template', 'task']),
    /** Entries kept in each bin of each scope. */
    perBin: z.union([count, z.literal('all')]),
    offered: count,
    gates: z.array(z.strictObject({ name: z.string(), about: z.string(), rejected: count })).readonly(),
    outranked: count,
    entries: count,
    scopes: count,
    filled: count,
    bins: count,
    coverage: z.number(),
    descriptors: z.array(z.strictObject({ name: z.string(), labels: countsBy, coverage: z.number() })).readonly(),
    meanQuality: z.number().nullable(),
  }),
  /** Of worlds that are certified by replay; only in an export that has episodes of such. */
  certification: z
    .strictObject({
      /** Leaves that passed and are certified. */
      certified: count,
      /** What was left out: leaves that passed, by what became of their replay, and rows in states that are not proven. */
      uncertified: z.strictObject({
        leaves: z.strictObject({ missing: count, broken: count, diverged: count }),
        corrections: count,
        preferences: count,
      }),
    })
    .optional(),
  /** Steps that are not learned, and what they are chosen by; only in an export that masks some. */
  masked: z.strictObject({ by: z.array(z.string()).readonly(), steps: count }).optional(),
  files: z.array(datasetFileSchema).readonly(),
  /** How requests are written where none was recorded; since version 5. */
  prompt: z
    .strictObject({
      /** Left out for chats. */
      form: z.literal('compact').optional(),
      speech: z.enum(['tools', 'text']),
      /** Characters of screens before old ones are left out. */
      window: count,
      /** SHA-256 of the system prompt. */
      act: z.string(),
      /** Environments whose tools were not known at the export: written requests are without them. */
      withoutTools: z.array(z.string()).readonly(),
    })
    .optional(),
  /** Pictures that rows name; only in an export that has any. */
  images: z.array(imageFileSchema).readonly().optional(),
  /** What became of the student's calls to models; only in an export that was asked for rows of tokens. */
  tokens: z
    .strictObject({
      /** What made the ids out of texts; left out where they are as the server gave them. */
      tokenizer: z.string().optional(),
      calls: count,
      /** Tokens that the student sampled and rows train on. */
      sampled: count,
      /** Calls that are in no row, by why. */
      left: countsBy,
    })
    .optional(),
  /** What became of groups; only in an export with advantages. */
  credit: z
    .strictObject({
      estimator: z.string(),
      options: z.record(z.string(), z.unknown()),
      groups: count,
      credited: count,
      /** Trajectories with advantages, and those that had no verdict. */
      trajectories: count,
      unverified: count,
      /** Groups whose one trajectory has advantages: it was compared with itself alone. Left out for none. */
      alone: count.optional(),
      /** Groups without advantages, by why. */
      left: countsBy,
    })
    .optional(),
  /** Rows of each table by template, split, role of the actor, and whether the request was recorded or written. */
  counts: z.record(
    z.string(),
    z.strictObject({ template: countsBy, split: countsBy, actor: countsBy, request: countsBy.optional() }),
  ),
});
export type Manifest = z.infer<typeof manifestSchema>;

export const manifestHead: Pick<Manifest, 'format' | 'version'> = { format: 'espalier-dataset', version: newest };

export function writeManifest(manifest: Manifest): string {
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** Reads the manifest of an exported folder. */
export function readManifest(folder: string): Manifest {
  const path = join(folder, manifestName);
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new EspalierError({
      boundary: 'input',
      code: 'corrupt-record',
      message: `${path} cannot be read: ${causeText(cause)}.`,
      expected: 'Expected a folder that rows were exported to; export them again.',
      cause,
    });
  }
  const found = z.looseObject({ version: z.number() }).safeParse(value);
  if (found.success && found.data.version > newest) {
    throw new EspalierError({
      boundary: 'input',
      code: 'unsupported',
      message: `${path} has version ${found.data.version}.`,
      expected: `Expected at most ${newest}: update Espalier, or export the rows again.`,
    });
  }
  return parseRecord(manifestSchema, value, { what: `manifest ${path}`, code: 'corrupt-record' });
}

/** Throws unless the file is the one that the manifest speaks of. */
export function requireIntact(folder: string, { name, bytes, sha256 }: DatasetFile): void {
  const path = join(folder, name);
  const found = digestOf(path);
  if (found.sha256 === sha256) return;
  throw new EspalierError({
    boundary: 'input',
    code: 'corrupt-record',
    message: `${path} was cut or altered: it has ${found.bytes} bytes and the hash ${found.sha256}.`,
    expected: `Expected ${bytes} bytes and the hash ${sha256}, as its manifest says; export the rows again.`,
  });
}

function digestOf(path: string): { readonly bytes: number; readonly sha256: string } {
  const hash = createHash('sha256');
  let bytes = 0;
  for (const chunk of readChunks(path)) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** The bytes of a file, a piece at a time; each is overwritten by the next. */
export function* readChunks(path: string): Iterable<Buffer> {
  const descriptor = open(path);
  try {
    const buffer = Buffer.allocUnsafe(2 ** 20);
    for (;;) {
      const length = readSync(descriptor, buffer);
      if (length === 0) return;
      yield buffer.subarray(0, length);
    }
  } finally {
    closeSync(descriptor);
  }
}

function open(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (cause) {
    throw new EspalierError({
      boundary: 'input',
      code: 'corrupt-record',
      message: `${path} cannot be read: ${causeText(cause)}.`,
      expected: 'Expected every file that the manifest names; export the rows again.',
      cause,
    });
  }
}
