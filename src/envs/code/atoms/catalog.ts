import type { Atom } from './atom.ts';
import { numberConstraints } from './number-constraints.ts';
import { expansions, listOperations, reductions, scalarOperations } from './number-operations.ts';
import {
  textConstraints,
  textLists,
  textMeasures,
  textOperations,
  textPieces,
  wordConstraints,
  wordJoins,
  wordLists,
  wordOperations,
} from './text-atoms.ts';

export const atoms: readonly Atom[] = [
  ...numberConstraints,
  ...listOperations,
  ...reductions,
  ...scalarOperations,
  ...expansions,
  ...textConstraints,
  ...textOperations,
  ...textMeasures,
  ...textLists,
  ...textPieces,
  ...wordConstraints,
  ...wordOperations,
  ...wordLists,
  ...wordJoins,
];
