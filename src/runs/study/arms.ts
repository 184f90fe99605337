/** One way to collect, studied beside others. */
export interface Arm {
  /** Name of its folder. */
  readonly id: string;
  /** Short: it stands in the figures. */
  readonly label: string;
  readonly about: string;
  /** Arguments of `espalier loop`. */
  readonly flags: readonly string[];
  /** Asks as much of the teacher as this arm did, in demonstrations; it starts when that one is done. */
  readonly follows?: string;
}

/** The first is what the study is about. */
export const arms: readonly Arm[] = [
  {
    id: 'src-3',
    label: 'SRC, K = 3',
    about: 'The student takes up to three steps, then the teacher reviews them. Rejected branches live on beside.',
    flags: ['--speculate', '3', '--branching'],
  },
  {
    id: 'k-1',
    label: 'K = 1',
    about: 'Every step of the student is reviewed.',
    flags: ['--speculate', '1', '--branching'],
  },
  {
    id: 'k-inf',
    label: 'K = ∞',
    about: 'The student is reviewed when it has finished, or is out of steps.',
    flags: ['--speculate', 'inf', '--branching'],
  },
  {
    id: 'errors',
    label: 'SRC, 10 % errors',
    about: 'As SRC with K = 3, but one in ten answers of the teacher is wrong.',
    flags: ['--speculate', '3', '--branching', '--teacher-errors', '0.1'],
  },
  {
    id: 'imitation',
    label: 'imitation',
    about: 'The student learns from demonstrations of the planner, as many steps as SRC asked queries.',
    flags: ['--imitate'],
    follows: 'src-3',
  },
];
