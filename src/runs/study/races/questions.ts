import { EspalierError } from '../../../core/errors.ts';
import { checkAnswer, namedInstance, workedOut } from '../../../envs/problems/instance.ts';
import type { Level, Problem } from '../../../envs/problems/problem.ts';
import { questionOf, type Step } from '../../../envs/problems/script.ts';

/** A question as a student is asked it, with its verifier. */
export interface AskedQuestion {
  readonly problem: Problem;
  readonly instruction: string;
  /** How an answer is written, in words: what trivial baselines go by. */
  readonly form: string;
  readonly rightAnswer: string;
  accepts(answer: string): boolean;
}

const levelsAsked: readonly Level[] = ['easy', 'medium'];

/** So many questions in turn from all problems. A seed that a problem has no instance for is left out. */
export function askQuestions(problems: readonly Problem[], count: number, seed: string): AskedQuestion[] {
  const asked: AskedQuestion[] = [];
  for (let round = 0; asked.length < count && round < count; round++) {
    for (const problem of problems) {
      if (asked.length >= count) break;
      const question = askedQuestion(problem, `${seed}/${round}`, levelsAsked[round % levelsAsked.length] as Level);
      if (question !== null) asked.push(question);
    }
  }
  return asked;
}

function askedQuestion(problem: Problem, seed: string, level: Level): AskedQuestion | null {
  try {
    const steps = workedOut(problem, namedInstance(problem, seed, level));
    const last = steps.at(-1) as Step;
    return {
      problem,
      instruction: questionOf(steps),
      form: last.type.form,
      rightAnswer: last.type.write(last.value),
      accepts: answer => checkAnswer(last, answer).kind === 'right',
    };
  } catch (cause) {
    if (cause instanceof EspalierError && ['no-instance', 'oracle-failed'].includes(cause.code)) return null;
    throw cause;
  }
}
