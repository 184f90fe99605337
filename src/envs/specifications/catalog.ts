import { byDistance, pairWithSum, partition, placeOfGreatest } from './choice-functions.ts';
import type { AnyFunction } from './described-function.ts';
import { firstAbove, firstCopies, runningSums, sortedKept } from './list-functions.ts';
import { clamp, countAbove, remainder, roundDown } from './number-functions.ts';

/** Adding a function is a line here, and its definition. */
export const describedFunctions: readonly AnyFunction[] = [
  clamp,
  remainder,
  roundDown,
  countAbove,
  firstAbove,
  sortedKept,
  firstCopies,
  runningSums,
  byDistance,
  placeOfGreatest,
  pairWithSum,
  partition,
];
