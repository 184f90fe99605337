import { predictedSuccess } from '../../src/envs/problems/compose/difficulty.ts';
import type { Problem } from '../../src/envs/problems/problem.ts';
import type { ProgramModel } from '../../src/agents/programs/program-model.ts';
import { answering } from '../../src/agents/programs/program-student.ts';
import { bestAnswer, solveQuestion } from '../../src/agents/programs/solve-question.ts';
import { askQuestions, type AskedQuestion } from './questions.ts';

export const setNames = ['new instances', 'unseen problems', 'unseen compositions', 'compositions of unseen'] as const;
export type SetName = (typeof setNames)[number];

/** Verdicts by question: which problem, and whether the answer was right. */
interface Mark {
  readonly problem: string;
  readonly task: string;
  readonly isRight: boolean;
}

export type Marks = Readonly<Record<SetName, readonly Mark[]>>;

/** Answers of whoever is evaluated. */
export type Answerer = (question: AskedQuestion) => string;

export function modelAnswerer(model: ProgramModel): Answerer {
  return ({ instruction }) => bestAnswer(solveQuestion(instruction, { model, ...answering }))?.answer ?? 'unknown';
}

export type EvaluationSets = Readonly<Record<SetName, readonly AskedQuestion[]>>;

export interface SetRequest {
  readonly seen: readonly Problem[];
  readonly unseen: readonly Problem[];
  readonly seenCompositions: readonly Problem[];
  readonly unseenCompositions: readonly Problem[];
  readonly questions: number;
  readonly seed: number;
}

export function evaluationSets(request: SetRequest): EvaluationSets {
  const { seen, unseen, seenCompositions, unseenCompositions, questions, seed } = request;
  const ask = (problems: readonly Problem[], name: string): AskedQuestion[] =>
    askQuestions(problems, { count: questions, name, use: 'evaluation' });
  return {
    'new instances': ask(seen, `new ${seed}`),
    'unseen problems': ask(unseen, 'unseen'),
    'unseen compositions': ask(seenCompositions, `composed ${seed}`),
    'compositions of unseen': ask(unseenCompositions, 'unseen composed'),
  };
}

export function markSets(sets: EvaluationSets, answer: Answerer): Marks {
  const marked = setNames.map(name => [name, sets[name].map((question, index) => markOf(question, index, answer))]);
  return Object.fromEntries(marked) as unknown as Marks;
}

function markOf(question: AskedQuestion, index: number, answer: Answerer): Mark {
  return { problem: question.problem.name, task: String(index), isRight: question.accepts(answer(question)) };
}

export interface Prediction {
  /** Product of the success rates of the parts, mean over the compositions. */
  readonly predicted: number;
  readonly measured: number;
}

/** RACES' own measure: is a composition as hard as the product of its parts says? */
export function predictCompositions(marks: Marks, compositions: readonly Problem[]): Prediction {
  const accuracy = rates(marks['new instances']);
  const measured = rates(marks['unseen compositions']);
  const asked = compositions.filter(({ name }) => measured.has(name));
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / (values.length || 1);
  return {
    predicted: mean(asked.map(problem => predictedSuccess(problem, name => accuracy.get(name) ?? 0))),
    measured: mean(asked.map(({ name }) => measured.get(name) ?? 0)),
  };
}

function rates(marks: readonly Mark[]): ReadonlyMap<string, number> {
  const groups = Map.groupBy(marks, ({ problem }) => problem);
  return new Map(
    [...groups].map(([name, group]) => [name, group.filter(({ isRight }) => isRight).length / group.length]),
  );
}

/** Answers that need no thought, learned from the right answers of training questions. */
export function trivialAnswerers(training: readonly AskedQuestion[]): Readonly<Record<string, Answerer>> {
  const byForm = Map.groupBy(training, ({ form }) => form);
  const frequent = new Map(
    [...byForm].map(([form, group]) => [form, mostFrequent(group.map(({ rightAnswer }) => rightAnswer))]),
  );
  return {
    'most frequent answer': ({ form }) => frequent.get(form) ?? '0',
    'number from the question': ({ instruction }) => /(?<![R\d])\d+/.exec(instruction)?.[0] ?? '0',
    empty: () => '',
  };
}

function mostFrequent(answers: readonly string[]): string {
  const counts = [...Map.groupBy(answers, answer => answer)].map(([answer, all]) => ({ answer, times: all.length }));
  return counts.toSorted((a, b) => b.times - a.times)[0]?.answer ?? '';
}
