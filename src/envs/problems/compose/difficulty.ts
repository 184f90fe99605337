import type { Json } from '../../../core/json.ts';
import type { Random } from '../../../core/random.ts';
import { EspalierError } from '../../../core/errors.ts';
import type { DrawnInstance } from '../instance.ts';
import type { Problem } from '../problem.ts';
import { createScript, type Step } from '../script.ts';

/** How likely a solver is to get a base problem right, by its name. */
export type Accuracy = (problem: string) => number;

/** How likely a solver is to get a problem right, if its mistakes are independent: the product over the parts needed. */
export function predictedSuccess(problem: Problem, accuracy: Accuracy): number {
  if (problem.operator === null) return accuracy(problem.name);
  const parts = problem.children.map(child => predictedSuccess(child, accuracy));
  const [condition = 1, first = 1, second = 1] = parts;
  // One of the two answers is not needed: each is in half of the cases.
  if (problem.operator === 'SELECT') return (condition * (first + second)) / 2;
  return parts.reduce((product, part) => product * part, 1);
}

/** Base problems in a composition, each as often as it stands there. */
export function partsOf(problem: Problem): readonly string[] {
  return problem.operator === null ? [problem.name] : problem.children.flatMap(partsOf);
}

const operatorNames: ReadonlySet<string> = new Set(['PARALLEL', 'SORT', 'SELECT']);

/**
 * Answers as a solver does that gets each part right with some probability, and goes on from its mistakes. Null when a
 * mistake leads to something that the next part does not take.
 */
export function noisyAnswer(problem: Problem, instance: DrawnInstance, { accuracy, random }: Noise): Json | null {
  const settle = (step: Step): Json => {
    if (operatorNames.has(step.problem) || random.chance(accuracy(step.problem))) return step.value;
    return step.type.near(step.value, random);
  };
  const { input, parameters, wording } = instance;
  try {
    return problem.unfold({ input, parameters, phrase: null }, createScript({ wording, settle })).value;
  } catch (cause) {
    if (cause instanceof EspalierError) return null;
    throw cause;
  }
}

export interface Noise {
  readonly accuracy: Accuracy;
  readonly random: Random;
}
