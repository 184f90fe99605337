import { z } from 'zod';
import { changeSchema } from './diff.ts';
import { createDigest } from './digest.ts';
import { EspalierError, type ErrorCode } from './errors.ts';
import { jsonObjectSchema, jsonSchema, type Json } from './json.ts';

/** What a template is for: training, evaluation, validation (`test-2`), or the evaluation at the very end that nothing was tuned on (`test-3`). */
export const splitSchema = z.enum(['train', 'test', 'test-2', 'test-3']);
export type Split = z.infer<typeof splitSchema>;

/** What the right ending is: do it, notice that it is done already, or say that it cannot be done. */
const taskKindSchema = z.enum(['feasible', 'already-done', 'infeasible']);
export type TaskKind = z.infer<typeof taskKindSchema>;

export const taskSchema = z.strictObject({
  id: z.string(),
  environment: z.string(),
  template: z.string(),
  seed: z.int(),
  split: splitSchema,
  kind: taskKindSchema,
  instruction: z.string().min(1),
  parameters: jsonObjectSchema,
  /** Seeds the data of the world. */
  world: z.string(),
  /** What the template changed in that data. */
  patch: z.array(changeSchema).readonly(),
  budget: z.strictObject({ steps: z.int().positive() }),
  /** Digest of all the rest: a task that was damaged or altered on the way is refused. */
  seal: z.string(),
});
export type Task = z.infer<typeof taskSchema>;

/**
 * What a task tells an agent: its instruction and, where that sends the agent to a record that asks for something, what
 * the record says, as the parameter \`told\`.
 */
export function textsTold({ instruction, parameters }: Pick<Task, 'instruction' | 'parameters'>): string[] {
  const { told } = parameters;
  return typeof told === 'string' ? [instruction, told] : [instruction];
}

/** The text by which whatever holds a task of a release is known; null for other tasks. */
export function canaryOf({ parameters: { canary } }: Pick<Task, 'parameters'>): string | null {
  return typeof canary === 'string' ? canary : null;
}

/** Seals a task, also one that was altered on purpose. */
export function sealTask(task: Omit<Task, 'seal'> & { readonly seal?: string }): Task {
  return { ...task, seal: sealOf(task) };
}

export function isSealed(task: Task): boolean {
  return task.seal === sealOf(task);
}

function sealOf(task: object): string {
  const { seal: _seal, ...content } = task as { seal?: string };
  return createDigest()(content as Json);
}

export const checkResultSchema = z.strictObject({
  /** The same for every seed of a template, without spaces. Verdicts of earlier versions have none: see `checkIds`. */
  id: z.string().optional(),
  /** In words, with the values of the task. */
  name: z.string(),
  pass: z.boolean(),
});
export type CheckResult = z.infer<typeof checkResultSchema>;

/** Version 0.1 called side effects `trespasses`; its stores and verifiers are read all the same. */
export function readEvidence(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || !('trespasses' in given)) return given;
  const { trespasses, ...others } = given;
  return { sideEffects: trespasses, ...others };
}

export const verdictSchema = z.strictObject({
  /** Every check holds and nothing else was touched. */
  pass: z.boolean(),
  checks: z.array(checkResultSchema).readonly(),
  /** Share of the checks that hold. */
  progress: z.number().min(0).max(1),
  /** False when anything outside the allowed paths changed. */
  clean: z.boolean(),
  evidence: z.preprocess(
    readEvidence,
    z.strictObject({
      /** Paths changed outside the allowed ones. */
      sideEffects: z.array(z.string()).readonly(),
      /** What the agent answered, if it did. */
      answer: z.string().nullable(),
      /** False where nothing says what else was changed: `clean` then means only that nothing is known against it. */
      sideEffectsKnown: z.literal(false).optional(),
    }),
  ),
});
export type Verdict = z.infer<typeof verdictSchema>;

/** How an agent ended its episode. */
const endingSchema = z.strictObject({ answer: z.string().nullable(), infeasible: z.boolean() });
export type Ending = z.infer<typeof endingSchema>;

/** In CSS pixels of the viewport. */
export const boxSchema = z.strictObject({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });
export type Box = z.infer<typeof boxSchema>;

const side = z.int().positive();
export const imageKindSchema = z.strictObject({
  type: z.enum(['image/png', 'image/jpeg']),
  /** In CSS pixels. */
  width: side,
  height: side,
});

/** A picture of the screen. */
const imageSchema = imageKindSchema.extend({ data: z.instanceof(Uint8Array) });
export type Image = z.infer<typeof imageSchema>;

/** Where things are on a screen that is drawn. */
const layoutSchema = z.strictObject({
  viewport: z.strictObject({ width: side, height: side }),
  scroll: z.strictObject({ x: z.number(), y: z.number() }),
  /** The element that has the focus. */
  focus: z.string().nullable(),
  elements: z
    .array(
      z.strictObject({
        ref: z.string(),
        box: boxSchema,
        /** False when none of it is inside the viewport. */
        inView: z.boolean(),
      }),
    )
    .readonly(),
});
export type Layout = z.infer<typeof layoutSchema>;

export const observationSchema = z.strictObject({
  text: z.string(),
  /** Only where the screen is drawn, and pictures were asked for. */
  image: imageSchema.optional(),
  /** Only where the screen is drawn. */
  layout: layoutSchema.optional(),
  /** What a noise wrapper did to this observation. */
  noise: z.string().optional(),
});
export type Observation = z.infer<typeof observationSchema>;

const problemSchema = z.strictObject({ code: z.string(), message: z.string() });
export type Problem = z.infer<typeof problemSchema>;

/** How a step ended: applied, or rejected with the state left as it was. */
export const stepOutcomeSchema = z.strictObject({
  applied: z.boolean(),
  /** Why it was rejected. */
  problem: problemSchema.optional(),
  /** The agent ended the episode with this step (`terminated`), or a limit did (`truncated`). */
  end: z.enum(['terminated', 'truncated']).optional(),
  /** What a tool call returned. */
  result: jsonSchema.optional(),
  /** The agent of a team that took the step, where a world has several. */
  role: z.string().min(1).optional(),
  noise: z.string().optional(),
  /** What a page did beside: a dialog that was answered, a window that was closed, a request that was blocked. */
  incidents: z
    .array(z.strictObject({ kind: z.string(), detail: z.string() }))
    .readonly()
    .optional(),
  /**
   * Of a page: what decides what happens next and is no part of its digest (focus, scrolling, listeners, timers), and where everything
   * lies. Pages that took the same path have the same one.
   */
  fingerprint: z.string().optional(),
});
export type StepOutcome = z.infer<typeof stepOutcomeSchema>;

export interface RecordKind {
  readonly what: string;
  readonly code: ErrorCode;
}

/** Reads a record of ours from outside: a clear error names the field that is wrong. */
export function parseRecord<T>(schema: z.ZodType<T>, value: unknown, { what, code }: RecordKind): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new EspalierError({
    boundary: 'input',
    code,
    message: `The ${what} is not valid.`,
    expected: `Expected: ${describeIssues(parsed.error)}.`,
  });
}

export function describeIssues(error: z.ZodError): string {
  return error.issues
    .slice(0, 5)
    .map(issue => `${issue.path.length === 0 ? 'value' : issue.path.join('.')}: ${issue.message}`)
    .join('; ');
}
