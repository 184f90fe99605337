import type { LoopChoices } from '../../src/runs/loop-choices.ts';

/** One way to ask the teacher, studied beside others. */
export interface Arm {
  /** Name of its folder. */
  readonly id: string;
  /** Short: it stands in the figures. */
  readonly label: string;
  readonly about: string;
}

export interface TaughtArm extends Arm {
  readonly choices: LoopChoices;
}

const exact = { teacherStrict: true } as const;
const skipping = { skipSure: 0.3, misses: 0.05 } as const;

/** The first is what the study is about. All may skip the review of a finish that passed and that the student was sure of. */
export const arms: readonly TaughtArm[] = [
  {
    id: 'adaptive',
    label: 'SRC, adaptive',
    about:
      'The student goes on while it is sure of its steps, then the teacher reviews them and corrects the first harmful one. In all arms, finishes that passed and that the student was sure of are not reviewed.',
    choices: { speculate: 'adaptive', goOn: 0.3, ...exact, ...skipping },
  },
  {
    id: 'src-3',
    label: 'SRC, K = 3',
    about: 'The student takes up to three steps, then the teacher reviews them.',
    choices: { speculate: 3, ...exact, ...skipping },
  },
  {
    id: 'k-1',
    label: 'K = 1',
    about: 'Every step of the student is reviewed.',
    choices: { speculate: 1, ...exact, ...skipping },
  },
  {
    id: 'k-inf',
    label: 'K = ∞',
    about: 'The student is reviewed when it has finished, or is out of steps.',
    choices: { speculate: 'inf', ...exact, ...skipping },
  },
  {
    id: 'errors',
    label: '10 % errors',
    about: 'As SRC, adaptive, but one in ten answers of the teacher is wrong.',
    choices: { speculate: 'adaptive', goOn: 0.3, ...exact, ...skipping, teacherErrors: 0.1 },
  },
];

/** Demonstrations of the planner for what the first arm paid. */
export interface ImitationArm extends Arm {
  /** What a demonstrated step is paid in. */
  readonly currency: 'queries' | 'steps';
}

export const imitations: readonly ImitationArm[] = [
  {
    id: 'imitation-queries',
    label: 'imitation, queries',
    about:
      'From the same start, the student learns from as many more demonstrated steps as SRC, adaptive asked queries.',
    currency: 'queries',
  },
  {
    id: 'imitation-steps',
    label: 'imitation, steps',
    about:
      'From the same start, the student learns from as many more demonstrated steps as SRC, adaptive showed the teacher or got from it.',
    currency: 'steps',
  },
];
