import type { LoopChoices } from './loop-choices.ts';

/** One way to collect, studied beside others. */
export interface Arm {
  /** Name of its folder. */
  readonly id: string;
  /** Short: it stands in the figures. */
  readonly label: string;
  readonly about: string;
  readonly choices: LoopChoices;
  /** Asks as much of the teacher as this arm did, in demonstrations; it starts when that one is done. */
  readonly follows?: string;
}

/** The first is what the study is about. */
export const arms: readonly Arm[] = [
  {
    id: 'src-3',
    label: 'SRC, K = 3',
    about: 'The student takes up to three steps, then a strict teacher reviews them. Rejected branches live on beside.',
    choices: { speculate: 3, branching: true, teacherStrict: true },
  },
  {
    id: 'adaptive',
    label: 'SRC, adaptive',
    about:
      'The student goes on while it is sure of its steps. Finishes that passed and that it was sure of are not reviewed.',
    choices: { speculate: 'adaptive', goOn: 0.3, branching: true, teacherStrict: true, skipSure: 0.3, misses: 0.05 },
  },
  {
    id: 'k-1',
    label: 'K = 1',
    about: 'Every step of the student is reviewed, but for finishes that passed and that it was sure of.',
    choices: { speculate: 1, branching: true, teacherStrict: true, skipSure: 0.3, misses: 0.05 },
  },
  {
    id: 'k-inf',
    label: 'K = ∞',
    about: 'The student is reviewed when it has finished, or is out of steps.',
    choices: { speculate: 'inf', branching: true, teacherStrict: true },
  },
  {
    id: 'errors',
    label: 'SRC, 10 % errors',
    about: 'As SRC with K = 3, but one in ten answers of the teacher is wrong.',
    choices: { speculate: 3, branching: true, teacherStrict: true, teacherErrors: 0.1 },
  },
  {
    id: 'imitation',
    label: 'imitation',
    about:
      'The student learns from demonstrations of the planner, as many steps as SRC asked queries, and from all of them.',
    choices: { imitate: true },
    follows: 'src-3',
  },
  {
    id: 'archive',
    label: 'imitation, archive',
    about: 'As imitation, but it trains on what the archive keeps: the best three of every bin of a template.',
    choices: { imitate: true, keep: 'archive', bins: 'template' },
    follows: 'src-3',
  },
];
