import type { Json } from '../../core/json.ts';
import { readProgram } from '../tools/program/run-program.ts';
import { programLimits, ProgramError, type ProgramLimits } from '../tools/program/values.ts';

/** An input with an output, and whether that is right. */
export interface Pair {
  readonly input: Json;
  readonly output: Json;
  readonly isRight: boolean;
}

/** What a specification makes of pairs. */
export interface Judged {
  /** Why it cannot be judged: it is no program, fails, or returns no truth value. Null when it can. */
  readonly fault: string | null;
  /** Right outputs that it rejects. */
  readonly rejected: number;
  /** Wrong outputs that it accepts. */
  readonly accepted: number;
  /** Whether it says the same of every pair. */
  readonly isConstant: boolean;
}

/** Each pair is judged apart, with as many steps as a few loops over a short list take. */
export const specificationLimits: ProgramLimits = { ...programLimits, source: 4000, steps: 10_000 };

/** Runs a specification on each pair by itself: what it says of one cannot depend on another. Stops where it fails. */
export function judgeSpecification(source: string, pairs: readonly Pair[]): Judged {
  const said: boolean[] = [];
  try {
    const specification = readSpecification(source);
    for (const pair of pairs) said.push(specification(pair));
  } catch (cause) {
    if (!(cause instanceof ProgramError)) throw cause;
    return { fault: cause.message, rejected: 0, accepted: 0, isConstant: false };
  }
  return {
    fault: null,
    rejected: pairs.filter(({ isRight }, at) => isRight && said[at] === false).length,
    accepted: pairs.filter(({ isRight }, at) => !isRight && said[at] === true).length,
    isConstant: new Set(said).size < 2,
  };
}

/** Whether a specification says what is so of every pair. */
export function isRightOn(source: string, pairs: readonly Pair[]): boolean {
  const { fault, rejected, accepted } = judgeSpecification(source, pairs);
  return fault === null && rejected === 0 && accepted === 0;
}

function readSpecification(source: string): (pair: Pick<Pair, 'input' | 'output'>) => boolean {
  if (source === '') throw new ProgramError('There is no specification.');
  // An expression alone is what it returns.
  const run = readProgram(/\breturn\b/.test(source) ? source : `return (${source}\n);`, specificationLimits);
  return ({ input, output }) => {
    const said = run({ tools: [], call: () => false, values: { input, output } });
    if (typeof said === 'boolean') return said;
    throw new ProgramError(
      `Expected true or false, but the specification returns ${JSON.stringify(said).slice(0, 60)}.`,
    );
  };
}

/** The output of a program over `input`; null when it fails. */
export function createFunction(source: string): (input: Json) => Json | null {
  const run = readProgram(source, specificationLimits);
  return input => {
    try {
      return run({ tools: [], call: () => false, values: { input } });
    } catch (cause) {
      if (cause instanceof ProgramError) return null;
      throw cause;
    }
  };
}
