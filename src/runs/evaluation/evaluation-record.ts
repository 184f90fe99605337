import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { parseRecord } from '../../core/records.ts';
import { readJson, writeWhole } from '../folder/folder.ts';

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

/** Adds an evaluation to the record. The student comes last: it is the latest. */
export function recordEvaluation(folder: string, student: RecordedStudent, against: RecordedStudent | null): void {
  const before = readEvaluationRecord(folder);
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
    comparisons: [...comparisons, ...(pair === null ? [] : [pair])],
  };
  if (JSON.stringify(record) !== JSON.stringify(before))
    writeWhole(pathIn(folder), `${JSON.stringify(record, null, 2)}\n`);
}

function entryOf({ name, round }: RecordedName): RecordedName {
  return { name, round };
}

function pathIn(folder: string): string {
  return join(folder, 'evaluations.json');
}
