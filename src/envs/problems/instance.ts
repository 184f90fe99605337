import { EspalierError } from '../../core/errors.ts';
import type { Json } from '../../core/json.ts';
import { createRandom, type Random } from '../../core/random.ts';
import { drawForSeed } from '../../worlds/app/task-split.ts';
import type { Instance, Level, Problem } from './problem.ts';
import { createScript, type Solver, type Step } from './script.ts';
import { readAnswer } from './types/read-answer.ts';
import { sameValue, type ReadingFault } from './types/type.ts';

/** A question that was drawn, with how it is worded. */
export interface DrawnInstance extends Instance {
  readonly wording: number;
}

const manyWordings = 60;

/** An instance by chance, with a wording. */
export function drawInstance(problem: Problem, random: Random, level: Level): DrawnInstance {
  const drawn = drawnOrNull(problem, random, level);
  if (drawn === null) throw noInstance(problem, level);
  return drawn;
}

function drawnOrNull(problem: Problem, random: Random, level: Level): DrawnInstance | null {
  const drawn = problem.draw(random, level);
  return drawn === null ? null : { ...drawn, wording: random.between(0, manyWordings - 1) };
}

function noInstance(problem: Problem, level: Level): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'no-instance',
    message: `Problem "${problem.name}" found no instance at level ${level}.`,
    expected: 'Expected inputs that every part takes: choose another level, or another composition.',
  });
}

/** The instance of a seed; always the same. Seeds for evaluation have instances that no other seed has. */
export function seededInstance(problem: Problem, seed: number, level: Level): DrawnInstance {
  const random = createRandom(`${seed}/${problem.name}/${level}`);
  const drawn = drawForSeed({
    seed,
    what: `instances of "${problem.name}" at level ${level}`,
    // A composition whose parts seldom fit finds nothing in some draws.
    draw: () => drawnOrNull(problem, random, level),
    contentOf: instance => contentOf(problem, instance),
  });
  if (drawn === null) throw noInstance(problem, level);
  return drawn;
}

/** What a question is about, without its wording and its level. */
export function contentOf(problem: Problem, { input, parameters }: Instance): string {
  return JSON.stringify(problem.content({ input, parameters, phrase: null }));
}

/** The steps of an instance with their right answers; the last one is the answer. */
export function workedOut(problem: Problem, instance: DrawnInstance, solver: Solver = 'oracle'): readonly Step[] {
  const { input, parameters, wording } = instance;
  const script = createScript({ solver, wording });
  problem.unfold({ input, parameters, phrase: null }, script);
  return script.steps;
}

/** What came of an answer. An answer that cannot be read says why. */
export type AnswerOutcome =
  | { readonly kind: 'right' }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'unreadable'; readonly fault: ReadingFault; readonly message: string };

/** Checks an answer to a step as an agent wrote it. */
export function checkAnswer(step: Step, answer: string): AnswerOutcome {
  const isRight = (value: Json): boolean => sameValue(value, step.value) || step.accepts?.(value) === true;
  const reading = readAnswer(step.type, answer, isRight);
  if (!('value' in reading)) return { kind: 'unreadable', ...reading };
  return { kind: isRight(reading.value) ? 'right' : 'wrong' };
}
