import { z } from 'zod';
import { callEventSchema } from '../chat/model.ts';
import { boxSchema, imageKindSchema, taskSchema, verdictSchema } from '../records.ts';
import { actorSchema, nodeSchema } from '../tree.ts';
import { certificationSchema } from './certificate.ts';

const phaseSchema = z.enum(['collect', 'evaluate']);
export type Phase = z.infer<typeof phaseSchema>;

/** What an episode is, fixed before it starts. Two with the same run and key are the same episode. */
export const episodeHeadSchema = z.strictObject({
  run: z.string(),
  /** `collect/2/mail/star-message/17/0`: phase, round, task and trial. */
  key: z.string(),
  /** Place in the plan of the run: the order that everything made from it has. */
  index: z.int().nonnegative(),
  phase: phaseSchema,
  round: z.int().nonnegative(),
  trial: z.int().nonnegative(),
  task: taskSchema,
  student: z.string(),
  teacher: z.string().nullable(),
  strategy: z.string(),
});
export type EpisodeHead = z.infer<typeof episodeHeadSchema>;

/** Strategies in which a person acts: `espalier play`, and branches that people keep in the studio. */
const strategiesOfPeople: ReadonlySet<string> = new Set(['play', 'studio']);

/** Whether a person acted, and no agent is measured: such an episode counts in no rate of an agent. */
export function isByPerson({ strategy }: Pick<EpisodeHead, 'strategy'>): boolean {
  return strategiesOfPeople.has(strategy);
}

/** Passed and failed were verified; discarded was given up by the rules; errored broke at a boundary. */
export const outcomeSchema = z.enum(['passed', 'failed', 'discarded', 'errored']);
export type Outcome = z.infer<typeof outcomeSchema>;

export const boundarySchema = z.enum(['policy', 'reviewer', 'strategy', 'environment', 'verifier', 'store', 'budget']);

const countsSchema = z.strictObject({
  /** Steps on the path to the final leaf. */
  steps: z.int().nonnegative(),
  /** Of those, the ones that a teacher took; absent in older records. */
  taught: z.int().nonnegative().optional(),
  /** Every step that was taken, rolled-back ones included. */
  taken: z.int().nonnegative(),
  /** Questions to the student for a step; absent in older records, and where it was never asked. */
  queries: z.int().nonnegative().optional(),
  reviews: z.int().nonnegative(),
  /** Steps that the teacher was shown for review, once for each review; absent in older records. */
  shown: z.int().nonnegative().optional(),
  /** Reviews that a strategy left out, as the student was sure enough; absent in older records. */
  skipped: z.int().nonnegative().optional(),
  corrections: z.int().nonnegative(),
  /** Rejections that led to a correction, and steps that the teacher took over. */
  interventions: z.int().nonnegative(),
  rollbacks: z.int().nonnegative(),
  forks: z.int().nonnegative(),
  cost: z.number().nonnegative(),
  tokens: z.int().nonnegative(),
});
export type Counts = z.infer<typeof countsSchema>;

export const episodeEndSchema = z.strictObject({
  outcome: outcomeSchema,
  /** Why, in a word or two: `out of interventions`, `out of steps`, `deadline`. */
  reason: z.string().nullable(),
  /** The side that broke; null unless errored. */
  boundary: boundarySchema.nullable(),
  /** What it said; null unless errored. */
  message: z.string().nullable(),
  /** The node that the episode ended at. */
  leaf: z.int().nonnegative(),
  /** Null when the verifier was not asked, or broke: never a failure. */
  verdict: verdictSchema.nullable(),
  /** What the leaves of this episode need before they are archived, exported or counted as passed. */
  certification: certificationSchema,
  counts: countsSchema,
  /** Time it took. Not part of what a resumed run must reproduce. */
  milliseconds: z.number().nonnegative(),
});
export type EpisodeEnd = z.infer<typeof episodeEndSchema>;

const nodeId = z.int().nonnegative();

export const episodeEventSchema = z.discriminatedUnion('kind', [
  /** The task was opened; `root` is the digest of its initial state. */
  z.strictObject({ kind: z.literal('open'), root: z.string() }),
  z.strictObject({
    kind: z.literal('step'),
    node: nodeSchema,
    /** The cursor that took it; absent for the one that the episode begins with. */
    cursor: z.int().positive().optional(),
    /** The screen that the step was taken on. */
    screen: z.string(),
    /** The step as a line of history. */
    text: z.string(),
    /** The picture of that screen, by its address. */
    image: imageKindSchema.extend({ hash: z.string() }).optional(),
    /** Where on the picture the step was taken; a point has no size. */
    target: boxSchema.optional(),
    /** The request of a client that took it: when the client sends it again, it is answered and not done again. */
    request: z.string().max(320).optional(),
  }),
  /** A model was asked; what came of it follows. */
  callEventSchema,
  z.strictObject({
    kind: z.literal('review'),
    /** The branch that was reviewed. */
    nodes: z.array(nodeId).readonly(),
    by: actorSchema,
    accept: z.boolean(),
    /** The first harmful step; null when accepted. */
    at: nodeId.nullable(),
    reason: z.string().nullable(),
    /** Times it had to be asked again because it broke or answered out of range. */
    retries: z.int().nonnegative(),
    /** Rejected, and yet not acted on: the verifier passed the finish of this branch. */
    overruled: z.literal(true).optional(),
    /** A review that would have been left out, asked for to measure what is missed. */
    audit: z.literal(true).optional(),
  }),
  /** A review was left out: the student was sure of every step, and the verifier passed the finish. */
  z.strictObject({ kind: z.literal('skip'), nodes: z.array(nodeId).readonly() }),
  z.strictObject({
    kind: z.literal('rollback'),
    /** The cursor that went back; absent for the one that the episode begins with. */
    cursor: z.int().positive().optional(),
    from: nodeId,
    to: nodeId,
    method: z.enum(['restore', 'replay']),
    digest: z.string(),
    /** Why the path was replayed. Earlier versions left it out where there was no snapshot. */
    divergence: z.string().optional(),
  }),
  /** A strategy has one more cursor in the tree from here on. */
  z.strictObject({
    kind: z.literal('fork'),
    at: nodeId,
    /** 1 for the first that was forked; the one that the episode begins with is 0. */
    cursor: z.int().positive(),
    /** Whether its session was forked, or opened anew and walked to here. */
    method: z.enum(['fork', 'replay']),
  }),
  /** The teacher's step `node` stands in the place of `replaces`; that is null when the student had nothing to offer. */
  z.strictObject({
    kind: z.literal('correction'),
    node: nodeId,
    replaces: nodeId.nullable(),
    reason: z.string(),
  }),
  /** The screen after a step, kept where no step follows that would show it. */
  z.strictObject({ kind: z.literal('look'), node: nodeId, screen: z.string() }),
  /**
   * An end of the tree that was verified by itself. `main` is where the episode ended, `rejected` a branch that lived on
   * after its rejection, `sample` an attempt among others; strategies may have roles of their own.
   */
  z.strictObject({
    kind: z.literal('leaf'),
    node: nodeId,
    role: z.string().min(1).max(64),
    /** The branch that ended here, of an episode that is driven from outside; left out for the first one. */
    cursor: z.int().positive().optional(),
    verdict: verdictSchema.nullable(),
    /** The rejected step that a `rejected` leaf grew from. */
    from: nodeId.nullable(),
    /** The screen at this end, where its path may have to be replayed. */
    screen: z.string().optional(),
    /** The hash of a picture of that screen, where it is drawn. */
    picture: z.string().optional(),
    /** What follows the real clock on that screen, so that it has no picture to compare. */
    moving: z.string().optional(),
  }),
]);
export type EpisodeEvent = z.infer<typeof episodeEventSchema>;
