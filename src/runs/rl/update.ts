import { z } from 'zod';
import { foldEpisode } from '../../core/episode/record.ts';
import { createRandom } from '../../core/random.ts';
import { createCredit } from '../../dataset/credit/credit.ts';
import type { Estimator, EstimatorOptions } from '../../dataset/credit/contract.ts';
import { reinforceStudent, type Experience, type ReinforceOptions } from '../../agents/learned/reinforce.ts';
import type { Weights } from '../../agents/learned/student.ts';
import type { EpisodeSource } from '../../core/episode/journal.ts';
import { experiencesOf, readGroups } from './groups.ts';

/** How a student is improved, each round alike. */
export type Learning = Omit<ReinforceOptions, 'random' | 'reference'>;

const count = z.int().nonnegative();
const figure = z.number().nullable();

/** What one round of reinforcement learning came to, as its file keeps it. */
export const updateSchema = z.strictObject({
  /** Steps that environments took, and seconds that collecting them took. */
  steps: count,
  collectSeconds: z.number(),
  /** Attempts that were verified, and those that passed. */
  attempts: count,
  passed: count,
  /** Attempts that broke or were given up: they have no reward. */
  unverified: count,
  groups: count,
  /** Groups that had advantages. */
  credited: count,
  /** Groups that had none, by reason. */
  leftOut: z.record(z.string(), count),
  /** False when no group had advantages: the student stays as it was. */
  updated: z.boolean(),
  experiences: count,
  unmatched: count,
  /** Steps that several attempts share, beside what they would have been without sharing. */
  sharedSteps: count,
  loss: figure,
  kl: figure,
  entropy: figure,
  clipped: figure,
  drift: z.number(),
  length: figure,
  updateSeconds: z.number(),
});
export type Update = z.infer<typeof updateSchema>;

export interface UpdateOptions {
  readonly source: EpisodeSource;
  readonly round: number;
  readonly seed: number;
  /** The student that collected the round, and its version. */
  readonly weights: Weights;
  readonly version: string;
  readonly reference: Weights;
  readonly estimator: Estimator;
  readonly estimatorOptions: EstimatorOptions;
  readonly learning: Learning;
}

type Figures = Omit<Update, 'steps' | 'collectSeconds' | 'updateSeconds'>;

/** Credits the groups of a round, and improves the student by what its steps were worth. */
export function updateStudent(options: UpdateOptions): { readonly weights: Weights; readonly figures: Figures } {
  const { source, round, seed, weights, version, reference, estimator, estimatorOptions, learning } = options;
  const credit = createCredit(estimator, estimatorOptions);
  const tally = { attempts: 0, passed: 0, unverified: 0, groups: 0, credited: 0, sharedSteps: 0 };
  const leftOut: Record<string, number> = {};
  const experiences: Experience[] = [];
  const records = Iterator.from(source.episodes({ phase: 'collect', round }))
    .filter(({ head }) => head.task.split === 'train')
    .map(foldEpisode);
  for (const recorded of readGroups(records, version)) {
    const { trajectories } = recorded.group;
    const verified = trajectories.filter(({ reward }) => reward !== null);
    tally.groups++;
    tally.attempts += verified.length;
    tally.unverified += trajectories.length - verified.length + recorded.broken;
    tally.passed += verified.filter(({ reward }) => reward === 1).length;
    const nodes = trajectories.flatMap(({ steps }) => steps.map(({ node }) => node));
    tally.sharedSteps += nodes.length - new Set(nodes).size;
    const found = credit(recorded.group);
    if (found.kind === 'left-out') {
      leftOut[found.reason] = (leftOut[found.reason] ?? 0) + 1;
      continue;
    }
    tally.credited++;
    experiences.push(...experiencesOf(recorded, found.trajectories));
  }
  const random = createRandom(`rl/${seed}/${round}`);
  const { weights: improved, ...figures } = reinforceStudent(weights, experiences, {
    ...learning,
    random,
    reference,
  });
  const updated = experiences.length > figures.unmatched;
  return { weights: updated ? improved : weights, figures: { ...tally, leftOut, updated, ...figures } };
}
