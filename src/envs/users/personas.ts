import type { Entry } from '../../core/naming/registry.ts';

/** How a simulated user behaves. */
export interface Persona extends Entry {
  /** How they end what they ask for. */
  readonly closing: string;
  /** What they leave out of the task: one value, or every one. */
  readonly leavesOut: 'one' | 'all';
  /** Whether one answer tells everything. */
  readonly tellsAll: boolean;
  /** Messages that they answer beyond those that the task takes. */
  readonly patience: number;
  /** Whether they want something else once they are shown the work. */
  readonly changesMind: boolean;
  /** How likely they are to tell a wrong value first, and to misjudge the work once. */
  readonly slips: number;
}

/** Adding one is a line here. */
export const personas: readonly Persona[] = [
  {
    name: 'helpful',
    about: 'Leaves out one value, and tells it with everything else when asked.',
    closing: 'Show me when it is done, please.',
    leavesOut: 'one',
    tellsAll: true,
    patience: 6,
    changesMind: false,
    slips: 0,
  },
  {
    name: 'terse',
    about: 'Leaves out every value, tells one with each answer, and soon has enough.',
    closing: 'Then show me.',
    leavesOut: 'all',
    tellsAll: false,
    patience: 1,
    changesMind: false,
    slips: 0,
  },
  {
    name: 'undecided',
    about: 'Leaves out one value, and wants something else once the work is shown.',
    closing: 'Let me see what it looks like when it is done.',
    leavesOut: 'one',
    tellsAll: true,
    patience: 4,
    changesMind: true,
    slips: 0,
  },
  {
    name: 'careless',
    about: 'Leaves out every value; half of what they say is wrong the first time.',
    closing: 'I am in a hurry, call me when I should look at it.',
    leavesOut: 'all',
    tellsAll: true,
    patience: 4,
    changesMind: false,
    slips: 0.5,
  },
];
