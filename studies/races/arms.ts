import { createRandom } from '../../src/core/random.ts';
import type { Problem } from '../../src/envs/problems/problem.ts';
import { learnQuestion } from '../../src/agents/programs/learn-question.ts';
import { createProgramModel, type ProgramModel } from '../../src/agents/programs/program-model.ts';
import { askQuestions, type AskedQuestion } from './questions.ts';
import { compositionsOf } from './split-problems.ts';

export type Diet = 'base' | 'compositions' | 'mixed';

/** What a student is trained on. */
export interface RacesArm {
  readonly label: string;
  readonly diet: Diet;
  /** Base problems, alone or in compositions. */
  readonly problems: number;
}

export const racesArms: readonly RacesArm[] = [
  ...[10, 25, 50, 75].map((problems): RacesArm => ({ label: `base ${problems}`, diet: 'base', problems })),
  ...[10, 25].map((problems): RacesArm => ({ label: `compositions of ${problems}`, diet: 'compositions', problems })),
  ...[10, 25].map((problems): RacesArm => ({ label: `mixed of ${problems}`, diet: 'mixed', problems })),
];

export interface RacesSize {
  readonly seeds: number;
  /** Questions that a student is trained on: equally many in each arm. */
  readonly instances: number;
  /** Program executions of the training of a student: equally many in each arm. */
  readonly executions: number;
  /** Compositions of the training problems; also of those that students are evaluated on. */
  readonly compositions: number;
  /** Questions of each set of the evaluation. */
  readonly questions: number;
}

export const fullRaces: RacesSize = { seeds: 3, instances: 80, executions: 200_000, compositions: 24, questions: 48 };

export interface Trained {
  readonly model: ProgramModel;
  /** The problems of the arm, for new instances of them. */
  readonly problems: readonly Problem[];
  /** Compositions that were trained on. */
  readonly composed: readonly string[];
  readonly executions: number;
  /** Questions that were worked on, the same one several times included. */
  readonly lessons: number;
  readonly accepted: number;
}

const training = { width: 12, beam: 2 };

/** Goes over the same number of questions until the executions are spent. */
export function trainArm(
  arm: RacesArm,
  pool: readonly Problem[],
  { seed, size }: { readonly seed: number; readonly size: RacesSize },
): Trained {
  const random = createRandom(`races/${seed}`);
  // One order for all arms of a seed: the ten are among the twenty-five.
  const problems = random.shuffle(pool).slice(0, arm.problems);
  const composed = arm.diet === 'base' ? [] : compositionsOf({ parts: problems, count: size.compositions, seed });
  const questions = questionsOf(arm.diet, { problems, composed, count: size.instances, seed });
  const model = createProgramModel();
  for (const { instruction } of questions) model.countWords(instruction);
  let [executions, lessons, accepted] = [0, 0, 0];
  const onRun = (count: number): void => {
    executions += count;
  };
  while (executions < size.executions) {
    for (const question of random.shuffle(questions)) {
      if (executions >= size.executions) break;
      const { isSolved } = learnQuestion(question, { model, ...training, random, onRun });
      lessons++;
      if (isSolved) accepted++;
    }
  }
  return { model, problems, composed: composed.map(({ name }) => name), executions, lessons, accepted };
}

interface Menu {
  readonly problems: readonly Problem[];
  readonly composed: readonly Problem[];
  readonly count: number;
  readonly seed: number;
}

function questionsOf(diet: Diet, { problems, composed, count, seed }: Menu): AskedQuestion[] {
  const ask = (from: readonly Problem[], many: number): AskedQuestion[] =>
    askQuestions(from, { count: many, name: `train ${seed}`, use: 'training' });
  if (diet === 'base') return ask(problems, count);
  if (diet === 'compositions') return ask(composed, count);
  const half = Math.floor(count / 2);
  return [...ask(problems, half), ...ask(composed, count - half)];
}
