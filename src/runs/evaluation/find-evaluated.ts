import { hash } from 'node:crypto';
import { invalidOption, type EspalierError } from '../../core/errors.ts';
import type { Contender } from '../agents/evaluated.ts';
import { readText } from '../../modules/read-file.ts';
import { isModulePath } from '../../modules/load-module.ts';
import { hashModule } from '../../modules/module-hash.ts';
import type { EvaluationRecord, RecordedStudent } from './evaluation-record.ts';

/** A policy to evaluate. */
export interface EvaluatedPolicy extends Contender {
  /** Two policies with the same identity act alike. Left out, it is the hash of the file that `source` names, and of what a module imports. */
  readonly identity?: string | undefined;
}

/** A policy with the name and the round that its episodes have in the store. */
export interface SeatedPolicy extends EvaluatedPolicy {
  readonly round: number;
  /** What the record of the run says of it. */
  readonly recorded: RecordedStudent;
  /** Whether this run has evaluated it before. */
  readonly isKnown: boolean;
}

export interface FindOptions {
  readonly record: EvaluationRecord;
  /** The only round to look in; null for all of them. */
  readonly within: number | null;
  /** The round of a policy that is new. */
  readonly otherwise: number;
}

/**
 * Finds a policy among those that the run has evaluated. A known one keeps its name and round, so that none of its
 * episodes runs again.
 */
export function findEvaluated(
  policy: EvaluatedPolicy,
  { record, within, otherwise: round }: FindOptions,
): SeatedPolicy {
  const identity = identityOf(policy);
  const students = record.students.filter(student => within === null || student.round === within);
  const known = identity === null ? undefined : students.findLast(student => student.identity === identity);
  if (known !== undefined) return { ...policy, name: known.name, round: known.round, recorded: known, isKnown: true };
  const other = students.find(student => student.name === policy.name && student.round === round);
  if (other !== undefined && other.identity !== null && identity !== null) throw nameTaken(policy.name, round);
  return { ...policy, round, recorded: { name: policy.name, round, identity }, isKnown: false };
}

/** What tells a policy from others; null for an object that a program passed in. */
export function identityOf({ name, source, identity }: EvaluatedPolicy): string | null {
  if (identity !== undefined) return identity;
  if (source === undefined) return null;
  if (!isModulePath(source)) return hash('sha256', readText(source));
  return hash('sha256', JSON.stringify([name, source, hashModule(source)]));
}

function nameTaken(name: string, round: number): EspalierError {
  return invalidOption(
    `Round ${round} of this run has evaluated another student with the name "${name}": its file, or a file that it imports, was different.`,
    'Expected another name, another --round, or another folder as --out.',
  );
}
