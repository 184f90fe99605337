import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { invalidOption, type EspalierError } from '../../core/errors.ts';
import { parseRecord } from '../../core/records.ts';
import { changedSources, sourceChanged, type SourceHashes } from '../environments/source-hash.ts';
import { readJson } from '../../modules/read-file.ts';
import { writeWhole } from '../folder/folder.ts';

const entrySchema = z.strictObject({
  /** Name and round of its episodes in the store. */
  name: z.string(),
  round: z.int().nonnegative(),
});
export type RecordedName = z.infer<typeof entrySchema>;

const recordSchema = z.strictObject({
  version: z.literal(1),
  /** The latest evaluation comes last. */
  students: z
    .array(
      entrySchema.extend({
        /** Hash of its file or config. Null for an object that a program passed in. */
        identity: z.string().nullable(),
        /** How it was run, where it did not act alone. */
        strategy: z.string().optional(),
      }),
    )
    .readonly(),
  /** Hashes of the files that the environments are made from, by name; absent in older records. */
  sources: z.record(z.string(), z.string()).optional(),
  /** Module with the contracts that steps were held to; absent without contracts. */
  contracts: z.string().optional(),
  /** Every `--against`, the latest last. */
  comparisons: z.array(z.strictObject({ student: entrySchema, against: entrySchema })).readonly(),
});

/** Which students a run has evaluated, and which of them were compared. */
export type EvaluationRecord = z.infer<typeof recordSchema>;
export type RecordedStudent = EvaluationRecord['students'][number];

const none: EvaluationRecord = { version: 1, students: [], comparisons: [] };

export function readEvaluationRecord(folder: string): EvaluationRecord {
  const path = pathIn(folder);
  if (!existsSync(path)) return none;
  return parseRecord(recordSchema, readJson(path), { what: path, code: 'corrupt-record' });
}

export interface NewEvaluation {
  readonly student: RecordedStudent;
  readonly against: RecordedStudent | null;
  /** Module with the contracts that steps are held to; null for none. */
  readonly contracts: string | null;
  /** Of the environments that it runs on, and of the contracts. */
  readonly sources: SourceHashes;
}

/**
 * Adds an evaluation to the record. The student comes last: it is the latest. Environments that were changed are refused, and
 * so are other contracts: episodes under different rules do not compare.
 */
export function recordEvaluation(folder: string, { student, against, contracts, sources }: NewEvaluation): void {
  const before = readEvaluationRecord(folder);
  if (before.students.length > 0 && (before.contracts ?? null) !== contracts)
    throw otherContracts(before.contracts ?? null, contracts);
  const [changed] = changedSources(before.sources ?? {}, sources);
  if (changed !== undefined) throw sourceChanged(changed, 'this run evaluated on it');
  const allSources = { ...before.sources, ...sources };
  const added = [...(against === null ? [] : [against]), student];
  const isSame = (one: RecordedName, other: RecordedName): boolean =>
    one.name === other.name && one.round === other.round;
  const students = before.students.filter(known => !added.some(entry => isSame(entry, known)));
  const pair = against === null ? null : { student: entryOf(student), against: entryOf(against) };
  const comparisons = before.comparisons.filter(
    known => pair === null || !isSame(known.student, pair.student) || !isSame(known.against, pair.against),
  );
  const record: EvaluationRecord = {
    version: 1,
    students: [...students, ...added],
    ...(Object.keys(allSources).length === 0 ? {} : { sources: allSources }),
    ...(contracts === null ? {} : { contracts }),
    comparisons: [...comparisons, ...(pair === null ? [] : [pair])],
  };
  if (JSON.stringify(record) !== JSON.stringify(before))
    writeWhole(pathIn(folder), `${JSON.stringify(record, null, 2)}\n`);
}

function otherContracts(before: string | null, now: string | null): EspalierError {
  const words = (contracts: string | null): string => (contracts === null ? 'without contracts' : `with ${contracts}`);
  return invalidOption(
    `This folder was evaluated ${words(before)}, and the evaluation is now ${words(now)}.`,
    'Give another folder as --out: episodes under different rules do not compare.',
  );
}

function entryOf({ name, round }: RecordedName): RecordedName {
  return { name, round };
}

function pathIn(folder: string): string {
  return join(folder, 'evaluations.json');
}
