import type { Json } from '../../core/json.ts';
import type { Type } from './types/type.ts';

/** Which of the two independent solutions of a problem works out the values. */
export type Solver = 'oracle' | 'brute-force';

/** A step of a problem: a question and its right answer. A base problem is one step. */
export interface Step {
  /** Name of the base problem, or of the operator. */
  readonly problem: string;
  readonly type: Type;
  readonly value: Json;
  text(): string;
  /** Whether another value is right as well; only the given one when left out. */
  accepts?(value: Json): boolean;
}

/** The result of a step: its value, and how later steps refer to it. */
export interface Told {
  readonly value: Json;
  readonly phrase: string;
}

/** Collects the steps of a problem while it is worked through. */
export interface Script {
  readonly solver: Solver;
  /** Picks the wording of the next step. */
  readonly wording: number;
  add(step: Step): Told;
}

export interface ScriptOptions {
  readonly solver?: Solver;
  readonly wording?: number;
  /** Changes the value of a step before later steps use it, as a solver that makes mistakes does. */
  settle?(step: Step): Json;
}

export interface WrittenScript extends Script {
  readonly steps: readonly Step[];
}

export function createScript({ solver = 'oracle', wording = 0, settle }: ScriptOptions = {}): WrittenScript {
  const steps: Step[] = [];
  return {
    solver,
    wording,
    steps,
    add(step) {
      steps.push(step);
      return { value: settle === undefined ? step.value : settle(step), phrase: `R${steps.length}` };
    },
  };
}

/** The question in words: one sentence, or numbered steps whose results are R1, R2, … */
export function questionOf(steps: readonly Step[]): string {
  const last = steps.at(-1) as Step;
  if (steps.length === 1) return `${tidied(last.text())}\nAnswer with ${last.type.form}.`;
  const lines = steps.map((step, index) => `R${index + 1}: ${tidied(step.text())}`);
  const head = 'Work through these steps. Each line says how to find one result.';
  return `${head}\n${lines.join('\n')}\nAnswer with R${steps.length}: ${last.type.form}.`;
}

/** Grids bring line breaks of their own. */
function tidied(text: string): string {
  return text.replaceAll(/[ \n]*\n[ \n]*/g, '\n').trim();
}
