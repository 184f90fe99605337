import type { z } from 'zod';
import type { Entry } from '../../core/naming/registry.ts';
import { parseRecord } from '../../core/records.ts';

/** A step as estimators see it. */
export interface CreditStep {
  /** Digest of the state that the action was taken in. */
  readonly state: string;
  /** Digest of the state after it. */
  readonly after: string;
  /** Equal for equal actions. */
  readonly action: string;
  /** Names this very step. Trajectories that were forked after it share it. */
  readonly node: string;
  readonly actor: 'student' | 'teacher' | 'human';
  /** Whether the environment took the action. */
  readonly applied: boolean;
  /** The agent of a team that took the step, where one trajectory has steps of several. */
  readonly role?: string;
  /** Reward of this step. When no step has one, the reward of the trajectory is paid at its last step. */
  readonly reward?: number;
  /** Mean log probability of the sampled tokens (or of the action) when it was sampled; null when nobody recorded it. */
  readonly logprob?: number | null;
  /** Number of sampled tokens, where they are known. */
  readonly tokens?: number;
  /** Entropy of the policy in this state. */
  readonly entropy?: number | null;
  /** Items of a memory that the step followed; left out where there was none. */
  readonly followed?: number;
  /** Version of the policy that sampled the step. */
  readonly version?: string | null;
}

/** How a trajectory ended, for rewards that are shaped by it. */
export interface TrajectoryEnd {
  readonly progress: number;
  readonly clean: boolean;
  /** `declared`: the agent said that it is done. `aborted`: it gave up. `overdue`: a limit ended it. */
  readonly by: 'declared' | 'aborted' | 'overdue';
}

export interface CreditTrajectory {
  readonly id: string;
  /** Null without a verdict. */
  readonly reward: number | null;
  readonly steps: readonly CreditStep[];
  readonly end?: TrajectoryEnd;
  /** The agent of a team that took these steps. */
  readonly role?: string;
  /** The round of improvement that the trajectory belongs to, from 0. */
  readonly generation?: number;
  /** First step that a retry took by itself; steps before it were replayed. */
  readonly pivot?: number;
}

/** Tries at one task, from its start or from a shared state. */
export interface CreditGroup {
  readonly id: string;
  readonly trajectories: readonly CreditTrajectory[];
  /** Version of the policy that is trained on the group; where it is given, log probabilities must be of it. */
  readonly version?: string;
}

/** What the steps of a trajectory were worth. */
export interface TrajectoryCredit {
  readonly id: string;
  /** One for each step. */
  readonly advantages: readonly number[];
  /** Whether a step counts in the loss, one for each step. */
  readonly mask: readonly boolean[];
  /** Weight of the prediction loss on the observation after each step; 0 where it is left out. */
  readonly observationWeights?: readonly number[];
}

export type EstimatorOptions = Readonly<Record<string, unknown>>;
export type Estimate = (group: CreditGroup) => readonly TrajectoryCredit[];

/** Turns the rewards of a group into advantages, one for each step. */
export interface Estimator extends Entry {
  readonly name: string;
  readonly about: string;
  readonly options?: z.ZodObject;
  /** Fewest trajectories that it can compare; 2 when left out. */
  readonly fewest?: number;
  /** Whether it reads log probabilities. */
  readonly needsLogprobs?: boolean;
  /** Whether it reads entropies. */
  readonly needsEntropies?: boolean;
  /** Whether it compares rounds: its groups then have the tries at a task in all rounds of a run. */
  readonly comparesRounds?: boolean;
  create(options?: EstimatorOptions): Estimate;
}

interface EstimatorDefinition<O extends z.ZodObject> extends Omit<Estimator, 'options' | 'create'> {
  readonly options: O;
  estimate(group: CreditGroup, options: z.infer<O>): readonly TrajectoryCredit[];
}

/** An estimator whose options are read with a schema once, before the first group. */
export function defineEstimator<O extends z.ZodObject>({ estimate, ...entry }: EstimatorDefinition<O>): Estimator {
  return {
    ...entry,
    create(given = {}) {
      const options = readEstimatorOptions(entry.name, entry.options, given);
      return group => estimate(group, options);
    },
  };
}

/** Options as the schema has them; an error names the one that is wrong. */
export function readEstimatorOptions<O extends z.ZodObject>(
  name: string,
  schema: O,
  given: EstimatorOptions,
): z.infer<O> {
  const read = parseRecord<unknown>(schema, given, {
    what: `set of options of the estimator "${name}"`,
    code: 'invalid-option',
  });
  return read as z.infer<O>;
}
