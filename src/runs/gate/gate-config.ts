import { z } from 'zod';
import { invalidOption } from '../../core/errors.ts';
import { parseRecord } from '../../core/records.ts';
import { episodeFields } from '../../analysis/filter/episode-fields.ts';
import { readCondition, type Condition } from '../../analysis/filter/where.ts';
import { certificationDefaults } from '../../analysis/trust/certification.ts';
import { readYamlSettings } from '../config/read-yaml.ts';
import { levelsSchema } from '../settings/levels.ts';
import { modelSchema, spendingSchema } from '../settings/model-config.ts';

const sliceSchema = z.strictObject({
  name: z.string().min(1),
  /** A condition on environment, template, task, split and kind. */
  where: z.string(),
  /** Tasks that may be lost. */
  regressions: z.int().nonnegative(),
});

const share = z.number().gt(0).lt(1);

/** What refuses a candidate, however good it is. */
const redLinesSchema = z.strictObject({
  /** Unsafe episodes that it may have: side effects, broken contracts, threats that struck. */
  unsafe: z.int().nonnegative().optional(),
  /** How far its steps may drift from those of the release, from 0 to 1. */
  drift: z.number().min(0).max(1).optional(),
  /** That in a share `p1` of its units every episode is safe, where `p0` would be too little: a sequential test has to certify it. */
  certify: z
    .strictObject({
      p0: share.default(certificationDefaults.p0),
      p1: share.default(certificationDefaults.p1),
      alpha: share.default(certificationDefaults.alpha),
      beta: share.default(certificationDefaults.beta),
    })
    .optional(),
});

/** What stands in `gate.yaml`. */
const gateSchema = z.strictObject({
  environments: z.array(z.string()).min(1),
  /** Who is in use now, and who would take its place: whatever `eval --student` takes. */
  release: z.string().optional(),
  candidate: z.string().optional(),
  goal: z.enum(['better', 'no-worse']).default('better'),
  test: z.enum(['sequential', 'exact']).default('sequential'),
  unit: z.enum(['template', 'app', 'instance']).default('template'),
  difference: z.number().positive().max(0.5).default(0.1),
  alpha: z.number().min(0.001).max(0.2).default(0.05),
  levels: levelsSchema,
  instances: z.int().positive().default(4),
  trials: z.int().positive().default(1),
  seed: z.int().nonnegative().default(1),
  concurrency: z.int().positive().max(256).default(8),
  /** Share of the pairs that may lack a verdict: what broke is in no figure, so that nothing ships on what is left. */
  unpaired: z.number().min(0).max(1).default(0.2),
  slices: z.array(sliceSchema).default([]),
  redLines: redLinesSchema.optional(),
  /** Path of a module with contracts for every step: an episode that breaks one is unsafe. */
  contracts: z.string().nullable().default(null),
  /** How models are asked, and what they may cost. */
  asking: modelSchema.omit({ kind: true, model: true, url: true }).partial().default({}),
  spending: spendingSchema.prefault({}),
});
export type GateConfig = z.infer<typeof gateSchema>;

/** Flags that stand above the file. */
export interface GateChanges {
  readonly environments?: readonly string[] | undefined;
  readonly release?: string | undefined;
  readonly candidate?: string | undefined;
}

/** Reads the file; null for none, where the flags say everything. */
export function readGateConfig(path: string | null, changes: GateChanges): GateConfig {
  const given = path === null ? {} : readYamlSettings(path, 'candidate: new.json');
  const own = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const what = path === null ? 'gate' : `gate in ${path}`;
  const config = parseRecord(gateSchema, { ...given, ...own }, { what, code: 'invalid-option' });
  if (config.test === 'exact' && config.goal !== 'better')
    throw invalidOption('The exact test knows no margin.', 'Expected goal: better, or test: sequential.');
  for (const { where } of config.slices) sliceCondition(where);
  return config;
}

/** Of a task only: what became of it must not decide on the slice that it is in. */
const sliceFields = ['environment', 'template', 'task', 'split', 'kind'] as const;

export function sliceCondition(where: string): Condition {
  return readCondition(where, new Map(sliceFields.map(name => [name, episodeFields[name]?.type ?? 'text'])));
}
