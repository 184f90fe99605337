import { z } from 'zod';
import { parseRecord } from '../../core/records.ts';
import { estimateSchema } from '../estimate.ts';
import { failedCheckSchema, faultSchema } from '../faults.ts';
import { failureCauseSchema } from '../signals/causes.ts';
import { integritySchema } from '../integrity.ts';
import { contractCountSchema } from '../signals/contracts/count-contracts.ts';
import { threatSummarySchema } from '../threats/count-threats.ts';
import { trustCountSchema } from '../trust/count-trust.ts';
import { usersFoundSchema } from '../users/count-users.ts';
import { drawnTreeSchema } from '../gallery.ts';

const whole = z.int().nonnegative();
const share = z.number().min(0).max(1);

const archiveFiguresSchema = z.strictObject({
  entries: whole,
  bins: whole,
  /** Bins that the descriptors can tell apart. */
  reachable: whole,
  coverage: share,
  /** Mean quality of the entries; null when there are none. */
  quality: z.number().nullable(),
});

const roundSchema = z.strictObject({
  round: whole,
  /** How the episodes collected in this round ended. */
  episodes: z.strictObject({
    passed: whole,
    /** Passed, not certified: in none of the others. */
    uncertified: whole.default(0),
    failed: whole,
    discarded: whole,
    errored: whole,
  }),
  /** Null when the student was not evaluated after this round. */
  newInstances: estimateSchema.nullable(),
  /** New templates of apps that were trained on: all, and apart by whether their controls were seen in training. */
  heldOut: estimateSchema.nullable(),
  /** The other sets of held-out templates, which are evaluated when they are asked for. */
  heldOut2: estimateSchema.nullable().optional(),
  heldOut3: estimateSchema.nullable().optional(),
  newComposition: estimateSchema.nullable().optional(),
  unseenSkill: estimateSchema.nullable().optional(),
  unseenApps: estimateSchema.nullable().optional(),
  /** Teacher queries up to and including this round: in total, reviews, corrections. */
  queries: whole,
  reviews: whole,
  corrections: whole,
  /** Steps that the teacher was shown for review, or showed itself; and reviews that were left out. */
  shown: whole.default(0),
  skipped: whole.default(0),
  /** Training rows exported; null when none were. */
  rows: whole.nullable(),
  archive: archiveFiguresSchema.nullable(),
  /** Time that this round took. */
  seconds: z.number().nonnegative(),
});
export type ReportRound = z.infer<typeof roundSchema>;

const armSchema = z.strictObject({
  id: z.string(),
  /** Short: it stands in the figures. */
  label: z.string(),
  about: z.string(),
  rounds: z.array(roundSchema).readonly(),
});
export type ReportArm = z.infer<typeof armSchema>;

const baselineSchema = z.strictObject({
  name: z.string(),
  newInstances: estimateSchema.nullable(),
  heldOut: estimateSchema.nullable(),
  /** The other sets of held-out templates, which are evaluated when they are asked for. */
  heldOut2: estimateSchema.nullable().optional(),
  heldOut3: estimateSchema.nullable().optional(),
  newComposition: estimateSchema.nullable().optional(),
  unseenSkill: estimateSchema.nullable().optional(),
  unseenApps: estimateSchema.nullable().optional(),
});

const recordedRate = z.strictObject({ rate: share, low: share, high: share, n: whole });

/** Figures of a study that ran elsewhere and before: what made them is told beside them. */
export const recordedSchema = z.strictObject({
  title: z.string(),
  about: z.string(),
  command: z.string(),
  /** Of the results that the figures were read from. */
  sha256: z.string(),
  columns: z.array(z.string()).min(1).readonly(),
  rows: z.array(z.strictObject({ label: z.string(), rates: z.array(recordedRate.nullable()).readonly() })).readonly(),
  /** What is claimed of two rows, and the difference that says whether it holds. */
  differences: z
    .array(z.strictObject({ claim: z.string(), mean: z.number(), low: z.number(), high: z.number() }))
    .readonly(),
});
export type ReportRecorded = z.infer<typeof recordedSchema>;

const archiveMapSchema = z.strictObject({
  arm: z.string(),
  rowTitle: z.string(),
  columnTitle: z.string(),
  rows: z.array(z.string()).readonly(),
  columns: z.array(z.string()).readonly(),
  /** Entries by row, then column. */
  counts: z.array(z.array(whole).readonly()).readonly(),
});

const evaluatedSchema = z.strictObject({
  name: z.string(),
  round: whole,
  newInstances: estimateSchema.nullable(),
  heldOut: estimateSchema.nullable(),
});

const difference = z.number().min(-1).max(1);
/** The paired difference on one level: student minus the other. */
const differenceSchema = z.strictObject({
  mean: difference,
  low: difference,
  high: difference,
  /** Trials that both made. */
  pairs: whole,
  unpaired: whole,
  /** Tasks that the student passed more often, less often, as often. */
  wins: whole,
  losses: whole,
  ties: whole,
});
export type ReportDifference = z.infer<typeof differenceSchema>;

/** Two students on the same tasks. */
const comparisonSchema = z.strictObject({
  student: evaluatedSchema,
  against: evaluatedSchema,
  newInstances: differenceSchema.nullable(),
  heldOut: differenceSchema.nullable(),
  templates: z
    .array(
      z.strictObject({
        template: z.string(),
        level: z.enum(['new-instances', 'held-out']),
        student: estimateSchema.nullable(),
        against: estimateSchema.nullable(),
      }),
    )
    .readonly(),
  /** Trials that only one of them passed. */
  flips: z
    .array(z.strictObject({ task: z.string(), trial: whole, change: z.enum(['fail-to-pass', 'pass-to-fail']) }))
    .readonly(),
});
export type ReportComparison = z.infer<typeof comparisonSchema>;

/** Two runs on the tasks and trials that both have, on one level. */
const runDifferenceSchema = z.strictObject({
  run: z.string(),
  against: z.string(),
  /** `new instances`, or `collected`: with the help of a teacher. */
  measured: z.string(),
  rate: estimateSchema,
  rateAgainst: estimateSchema,
  difference: differenceSchema,
});
export type RunDifference = z.infer<typeof runDifferenceSchema>;

/** The data of a report, as plain JSON. The report is about the first arm. */
const reportDataSchema = z.strictObject({
  title: z.string(),
  command: z.string(),
  seed: z.union([z.string(), z.number()]),
  machine: z.string(),
  version: z.string(),
  arms: z.array(armSchema).min(1).readonly(),
  recorded: z.array(recordedSchema).readonly().default([]),
  baselines: z.array(baselineSchema).readonly(),
  claims: z
    .array(
      z.strictObject({
        claim: z.string(),
        /** Null when it could not be measured. */
        holds: z.boolean().nullable(),
        evidence: z.string(),
      }),
    )
    .readonly(),
  templates: z
    .array(
      z.strictObject({
        template: z.string(),
        level: z.enum(['new-instances', 'held-out', 'held-out-2', 'held-out-3']),
        /** At the end, by the id of the arm. */
        estimates: z.record(z.string(), estimateSchema),
      }),
    )
    .readonly(),
  archiveMap: archiveMapSchema.nullable(),
  rejections: z
    .array(
      z.strictObject({
        arm: z.string(),
        rejected: whole,
        /** Rejected branches that lived on and were verified. */
        lived: whole,
        /** Of these, the ones that passed. */
        passed: whole,
        interval: z.strictObject({ low: share, high: share }),
      }),
    )
    .readonly(),
  /** The latest comes last. */
  comparisons: z.array(comparisonSchema).readonly().default([]),
  /** Of a report on several runs: each against the first. */
  runDifferences: z.array(runDifferenceSchema).readonly().optional(),
  gallery: z.array(drawnTreeSchema).readonly(),
  /** Episodes of evaluations; of a comparison, the same task by both students. */
  evaluationGallery: z.array(drawnTreeSchema).readonly().default([]),
  faults: z.array(faultSchema).readonly(),
  failedChecks: z.array(failedCheckSchema).readonly().default([]),
  /** Why episodes did not pass. Reports of earlier versions have none. */
  causes: z.array(failureCauseSchema).readonly().default([]),
  /** How contracts were kept. Empty where steps were held to none. */
  contracts: z.array(contractCountSchema).readonly().default([]),
  /** What was tried against the verifiers of the templates. Empty where nothing was. */
  integrity: integritySchema.shape.templates.default([]),
  /** Completion, safety and robustness of students that were evaluated. */
  trust: z.array(trustCountSchema).readonly().default([]),
  /** What threats achieved. Empty where there were none. */
  threats: z.array(threatSummarySchema).readonly().default([]),
  /** How simulated users were treated. Empty where there were none. */
  users: usersFoundSchema.default({ users: [], agreement: [] }),
});
export type ReportData = z.infer<typeof reportDataSchema>;

/** Reads back what was written beside a report. */
export function readReportData(value: unknown): ReportData {
  return parseRecord(reportDataSchema, value, { what: 'report data', code: 'corrupt-record' });
}

/** The last round of an arm in which its student was evaluated. */
export function lastEvaluated({ rounds }: ReportArm): ReportRound | undefined {
  return rounds.findLast(isEvaluated);
}

export function firstEvaluated({ rounds }: ReportArm): ReportRound | undefined {
  return rounds.find(isEvaluated);
}

type EvaluatedLevels = Pick<ReportRound, 'newInstances' | 'heldOut' | 'heldOut2' | 'heldOut3'>;

export function isEvaluated({ newInstances, heldOut, heldOut2 = null, heldOut3 = null }: EvaluatedLevels): boolean {
  return [newInstances, heldOut, heldOut2, heldOut3].some(estimate => estimate !== null);
}

/** What the figures call an arm. */
export function labelOf(data: ReportData, id: string): string {
  return data.arms.find(arm => arm.id === id)?.label ?? id;
}
