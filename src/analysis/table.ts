import { type ComparisonByLevel, compare } from './compare.ts';
import type { Estimate } from './estimate.ts';
import type { EvaluateOptions, Evaluation } from './evaluate.ts';

/** A policy as a line of the table that every evaluation is shown in. */
export interface TableRow {
  readonly name: string;
  readonly newInstances: Estimate | null;
  readonly heldOut: Estimate | null;
  readonly heldOut2: Estimate | null;
  readonly heldOut3: Estimate | null;
  /** Steps to the end, on each level; null where nothing was verified. */
  readonly steps: Readonly<Record<'newInstances' | 'heldOut' | 'heldOut2' | 'heldOut3', number | null>>;
  /** How the subject does against this one; null in its own line. */
  readonly subject: ComparisonByLevel | null;
}

/** Lays the baselines beside an evaluation: no rate says anything without them. */
export function compareWithBaselines(
  subject: Evaluation,
  baselines: readonly Evaluation[],
  options: EvaluateOptions,
): readonly TableRow[] {
  return [
    rowOf(subject, null),
    ...baselines.map(baseline =>
      rowOf(baseline, compare(subject, baseline, { ...options, random: options.random.fork(baseline.student) })),
    ),
  ];
}

/** One line of the table. */
export function rowOf(evaluation: Evaluation, subject: ComparisonByLevel | null): TableRow {
  const { student, newInstances, heldOut, heldOut2, heldOut3 } = evaluation;
  return {
    name: student,
    newInstances: newInstances?.overall ?? null,
    heldOut: heldOut?.overall ?? null,
    heldOut2: heldOut2?.overall ?? null,
    heldOut3: heldOut3?.overall ?? null,
    steps: {
      newInstances: newInstances?.steps ?? null,
      heldOut: heldOut?.steps ?? null,
      heldOut2: heldOut2?.steps ?? null,
      heldOut3: heldOut3?.steps ?? null,
    },
    subject,
  };
}
