import { z } from 'zod';
import type { ConfigDraft } from './config/config.ts';

/** What a loop can be told beside the config of its rounds. */
export const loopSettings = z.strictObject({
  misses: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('share of the skipped reviews that may miss a rejection: sets strategy.skipSure each round'),
  focus: z
    .enum(['none', 'failures'])
    .optional()
    .describe('failures: tasks of the next round by how often the student failed at each template'),
  bins: z
    .enum(['task', 'template'])
    .optional()
    .describe('trajectories compete in the archive within their task or template'),
});

/** What can be chosen for the loop of an arm. */
export interface LoopChoices {
  /** Steps of the student before a review. */
  readonly speculate?: number | 'inf' | 'adaptive';
  /** With `adaptive`: least product of the probabilities since the last review to go on. */
  readonly goOn?: number | undefined;
  /** Least probability of each step, for a passed finish to need no review. */
  readonly skipSure?: number | undefined;
  /** Share of the skipped reviews that are made all the same. */
  readonly audit?: number | undefined;
  /** Share of the skipped reviews that may miss a rejection: sets `skipSure` after every round. */
  readonly misses?: number | undefined;
  readonly branching?: boolean;
  readonly teacherErrors?: number;
  readonly teacherStrict?: boolean;
  /** Demonstrations of the planner instead of corrected work of the student. */
  readonly imitate?: boolean;
  /** What is trained on: everything that passed and all corrections, or what the archive keeps of it. */
  readonly keep?: 'all' | 'archive';
  /** What trajectories compete within when the archive chooses. */
  readonly bins?: 'task' | 'template';
}

/** Who acts and who teaches in such a loop. */
export function strategyOf(choices: LoopChoices): Pick<ConfigDraft, 'strategy' | 'teacher'> {
  const {
    speculate = 3,
    goOn,
    skipSure,
    audit,
    branching = false,
    teacherErrors = 0,
    teacherStrict = false,
    imitate,
  } = choices;
  if (imitate === true) return { strategy: { kind: 'linear' } };
  return {
    strategy: {
      kind: 'speculative-rollback',
      speculate,
      branching,
      ...(goOn === undefined ? {} : { goOn }),
      ...(skipSure === undefined ? {} : { skipSure }),
      ...(audit === undefined ? {} : { audit }),
    },
    teacher: { kind: 'planner', errors: teacherErrors, strict: teacherStrict },
  };
}
