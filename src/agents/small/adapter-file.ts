import { z } from 'zod';
import { causeText, EspalierError } from '../../core/errors.ts';
import { describeIssues } from '../../core/records.ts';
import { featureVersion } from '../learned/features/features.ts';
import { adapterKind, rankerSchema, readRanker, writeRanker } from '../learned/student-file.ts';
import type { Adapter } from './adapter.ts';

const version = 1;

const fileSchema = z.strictObject({
  kind: z.literal(adapterKind),
  version: z.literal(version),
  features: z.literal(featureVersion),
  /** Folder of the model; null for the one that comes with Espalier. */
  folder: z.string().nullable(),
  model: z.string(),
  ranker: rankerSchema,
});

/** An adapter, and the folder of the model that it belongs to. */
export interface AdapterFile extends Adapter {
  readonly folder: string | null;
}

export function writeAdapter({ folder, model, ranker }: AdapterFile): string {
  const file: z.infer<typeof fileSchema> = {
    kind: adapterKind,
    version,
    features: featureVersion,
    folder,
    model,
    ranker: writeRanker(ranker),
  };
  return `${JSON.stringify(file)}\n`;
}

/** Reads an adapter back. One of another version is refused, and so is what is none. */
export function readAdapter(text: string, path: string): AdapterFile {
  const parsed = fileSchema.safeParse(json(text, path));
  if (!parsed.success) throw unusable(path, describeIssues(parsed.error));
  const { folder, model, ranker } = parsed.data;
  return { folder, model, ranker: readRanker(ranker) };
}

function json(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unusable(path, causeText(cause));
  }
}

function unusable(path: string, why: string): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'corrupt-record',
    message: `${path} does not adapt the model small: ${why}.`,
    expected: 'Expected a file that espalier loop --student small or espalier train --student small wrote.',
  });
}
