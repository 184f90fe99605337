import { EspalierError } from '../../src/core/errors.ts';
import { hash32 } from '../../src/core/random.ts';
import { checkAnswer, contentOf, seededInstance, workedOut } from '../../src/envs/problems/instance.ts';
import type { Level, Problem } from '../../src/envs/problems/problem.ts';
import { questionOf, type Step } from '../../src/envs/problems/script.ts';
import { endOfEvaluationSeeds, firstEvaluationSeed } from '../../src/worlds/app/task-split.ts';

/** A question as a student is asked it, with its verifier. */
export interface AskedQuestion {
  readonly problem: Problem;
  readonly instruction: string;
  /** What is asked, without its wording. */
  readonly content: string;
  /** How an answer is written, in words: what trivial baselines go by. */
  readonly form: string;
  readonly rightAnswer: string;
  accepts(answer: string): boolean;
}

const levelsAsked: readonly Level[] = ['easy', 'medium'];

export interface QuestionRequest {
  readonly count: number;
  /** Other names give other questions. */
  readonly name: string;
  /** No training question has the content of a question for evaluation. */
  readonly use: 'training' | 'evaluation';
}

/** So many questions in turn from all problems. A seed that a problem has no instance for is left out. */
export function askQuestions(problems: readonly Problem[], { count, name, use }: QuestionRequest): AskedQuestion[] {
  const asked: AskedQuestion[] = [];
  for (let round = 0; asked.length < count && round < count; round++) {
    const seed = seedOf(`${name}/${round}`, use);
    for (const problem of problems) {
      if (asked.length >= count) break;
      const question = askedQuestion(problem, seed, levelsAsked[round % levelsAsked.length] as Level);
      if (question !== null) asked.push(question);
    }
  }
  return asked;
}

function seedOf(name: string, use: QuestionRequest['use']): number {
  const hash = hash32(name);
  return use === 'training'
    ? hash % firstEvaluationSeed
    : firstEvaluationSeed + (hash % (endOfEvaluationSeeds - firstEvaluationSeed));
}

function askedQuestion(problem: Problem, seed: number, level: Level): AskedQuestion | null {
  try {
    const instance = seededInstance(problem, seed, level);
    const steps = workedOut(problem, instance);
    const last = steps.at(-1) as Step;
    return {
      problem,
      instruction: questionOf(steps),
      content: contentOf(problem, instance),
      form: last.type.form,
      rightAnswer: last.type.write(last.value),
      accepts: answer => checkAnswer(last, answer).kind === 'right',
    };
  } catch (cause) {
    if (cause instanceof EspalierError && ['no-instance', 'oracle-failed'].includes(cause.code)) return null;
    throw cause;
  }
}
