import { z } from 'zod';
import { EspalierError } from '../../core/errors.ts';
import { parseRecord } from '../../core/records.ts';
import { featureVersion } from './features/features.ts';
import type { Weights } from './weights.ts';
import { blankRanker, type Ranker } from './ranking/ranker.ts';

const fileVersion = 2;
/** Of files that belong to the model small. */
export const adapterKind = 'espalier-small-adapter';

/** The numbers of a table that are not 0: where they stand, and what they are; 32-bit little-endian, as base64. */
const tableSchema = z.strictObject({ places: z.base64(), values: z.base64() });
type Table = z.infer<typeof tableSchema>;

export const rankerSchema = z.strictObject({
  weights: tableSchema,
  network: z.strictObject({ first: tableSchema, second: tableSchema, last: tableSchema }),
});

const fileSchema = z.strictObject({
  kind: z.literal('espalier-student'),
  version: z.literal(fileVersion),
  features: z.int(),
  policy: rankerSchema,
  critic: rankerSchema,
});

const bytesEach = 4;

/** A student as a file. */
export function writeStudent({ policy, critic }: Weights): string {
  const file: z.infer<typeof fileSchema> = {
    kind: 'espalier-student',
    version: fileVersion,
    features: featureVersion,
    policy: writeRanker(policy),
    critic: writeRanker(critic),
  };
  return `${JSON.stringify(file)}\n`;
}

export function writeRanker({ weights, network }: Ranker): z.infer<typeof rankerSchema> {
  const { first, second, last } = network;
  return {
    weights: writeTable(weights),
    network: { first: writeTable(first), second: writeTable(second), last: writeTable(last) },
  };
}

/** Reads a student back. One of another version, or trained with other features, is refused. */
export function readStudent(text: string): Weights {
  const read = parsed(text);
  if (z.object({ kind: z.literal(adapterKind) }).safeParse(read).success)
    throw damaged('The file adapts the model small.', 'Put small: before its name.');
  requireVersion(read);
  const file = parseRecord(fileSchema, read, { what: 'student', code: 'corrupt-record' });
  if (file.features !== featureVersion) {
    throw damaged(
      `The student was trained with version ${file.features} of the features; this is version ${featureVersion}.`,
      'Train it again from the rows that were exported.',
    );
  }
  return { policy: readRanker(file.policy), critic: readRanker(file.critic) };
}

export function readRanker(file: z.infer<typeof rankerSchema>): Ranker {
  const { weights, network } = blankRanker();
  readTable(file.weights, weights);
  readTable(file.network.first, network.first);
  readTable(file.network.second, network.second);
  readTable(file.network.last, network.last);
  return { weights, network };
}

function requireVersion(read: unknown): void {
  const known = z.object({ kind: z.literal('espalier-student'), version: z.int() }).safeParse(read);
  if (!known.success || known.data.version === fileVersion) return;
  throw damaged(
    `The student is a file of version ${known.data.version}; this Espalier reads version ${fileVersion}.`,
    'Train it again from the rows that were exported.',
  );
}

function writeTable(numbers: Float32Array): Table {
  const held: number[] = [];
  for (let at = 0; at < numbers.length; at++) if (numbers[at] !== 0) held.push(at);
  const places = new DataView(new ArrayBuffer(bytesEach * held.length));
  const values = new DataView(new ArrayBuffer(bytesEach * held.length));
  for (const [index, at] of held.entries()) {
    places.setUint32(bytesEach * index, at, true);
    values.setFloat32(bytesEach * index, numbers[at] as number, true);
  }
  return { places: toBase64(places), values: toBase64(values) };
}

function readTable(table: Table, numbers: Float32Array): void {
  const places = bytesOf(table.places);
  const values = bytesOf(table.values);
  const count = places.byteLength / bytesEach;
  let isSound = Number.isInteger(count) && values.byteLength === places.byteLength;
  for (let index = 0; isSound && index < count; index++) {
    const at = places.getUint32(bytesEach * index, true);
    const value = values.getFloat32(bytesEach * index, true);
    isSound = at < numbers.length && Number.isFinite(value);
    numbers[at] = value;
  }
  if (!isSound) throw damaged('The student is damaged: its places and weights do not fit.', 'Train it again.');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw damaged(`The student is not JSON: ${String(cause)}.`, 'Give the file that espalier train wrote.');
  }
}

function toBase64({ buffer }: DataView): string {
  let text = '';
  for (const byte of new Uint8Array(buffer)) text += String.fromCharCode(byte);
  return btoa(text);
}

function bytesOf(text: string): DataView {
  return new DataView(Uint8Array.from(atob(text), character => character.charCodeAt(0)).buffer);
}

function damaged(message: string, expected: string): EspalierError {
  return new EspalierError({ boundary: 'input', code: 'corrupt-record', message, expected });
}
