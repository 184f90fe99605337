import { describe, expect, it } from 'vitest';
import type { StateEnvironment } from '../src/core/contracts.ts';
import type { JsonObject } from '../src/core/json.ts';
import type { Task } from '../src/core/records.ts';
import { codeTemplates, createAdrEnvironment } from '../src/envs/code/environment/environment.ts';
import { baseProblems } from '../src/envs/problems/catalog.ts';
import { randomCompositions } from '../src/envs/problems/compose/random-compositions.ts';
import { createProblemEnvironment } from '../src/envs/problems/environment/environment.ts';
import { seededInstance } from '../src/envs/problems/instance.ts';
import { defineProblem, levels } from '../src/envs/problems/problem.ts';
import { integer } from '../src/envs/problems/types/numbers.ts';
import { createSearchEnvironment } from '../src/envs/search/search-environment.ts';
import { createPuzzleEnvironment } from '../src/envs/teams/puzzle-environment.ts';
import { createToolEnvironment } from '../src/envs/tool-graph/tool-environment.ts';
import { drawForSeed, isEvaluationContent } from '../src/kernel/task-split.ts';
import { isLong } from './long-form.ts';

const firstTraining = 162_089;
const firstEvaluation = 672_356_000;
const tasks = isLong ? 500 : 40;

/** Tasks for evaluation whose content is that of a training task, of so many of each. */
function repeats(contentOf: (seed: number) => string, count: number): number {
  const trained = new Set(Array.from({ length: count }, (_, at) => contentOf(firstTraining + at)));
  return Array.from({ length: count }, (_, at) => contentOf(firstEvaluation + at)).filter(one => trained.has(one))
    .length;
}

function repeatsOf(
  environment: StateEnvironment,
  template: string,
  { contentOf, count = tasks }: { contentOf: (task: Task) => unknown; count?: number },
): number {
  return repeats(seed => JSON.stringify(contentOf(environment.task(template, seed) as Task)), count);
}

const sentences = ({ instruction }: Task): string[] => instruction.split('. ').toSorted();
const withoutWording = ({ parameters }: Task): JsonObject => {
  const { wording: _wording, level: _level, ...content } = parameters as JsonObject;
  return content;
};

describe('tasks for evaluation', () => {
  it('[WORLD-3] repeat no training task of a tool graph', () => {
    const environment = createToolEnvironment(7);
    for (const { id } of environment.templates) expect(repeatsOf(environment, id, { contentOf: sentences })).toBe(0);
  });

  it('[WORLD-3] repeat no training task of a library', () => {
    const environment = createSearchEnvironment({ seed: 7, documents: 2000 });
    for (const id of ['one-hop', 'one-hop-in-time', 'two-hops'])
      expect(repeatsOf(environment, id, { contentOf: ({ instruction }) => instruction })).toBe(0);
  });

  it('[WORLD-3] repeat no puzzle of a team', () => {
    const environment = createPuzzleEnvironment();
    const clues = ({ parameters }: Task): string[] => {
      const { Ann, Bob } = parameters['clues'] as { Ann: JsonObject[]; Bob: JsonObject[] };
      return [...Ann, ...Bob].map(clue => JSON.stringify(clue)).toSorted();
    };
    expect(repeatsOf(environment, 'easy', { contentOf: clues })).toBe(0);
    expect(repeatsOf(environment, 'medium', { contentOf: clues, count: isLong ? 100 : 8 })).toBe(0);
  });

  it('[WORLD-3] repeat no programming task', () => {
    const environment = createAdrEnvironment({ id: 'adr-all', templates: codeTemplates });
    expect(repeatsOf(environment, 'two-atoms', { contentOf: withoutWording })).toBe(0);
    expect(repeatsOf(environment, 'three-atoms', { contentOf: withoutWording, count: isLong ? tasks : 12 })).toBe(0);
  });

  it('[WORLD-3] repeat no instance of a problem or a composition', () => {
    for (const problem of baseProblems)
      for (const level of levels) {
        const content = (seed: number): string => {
          const { input, parameters } = seededInstance(problem, seed, level);
          return JSON.stringify([input, parameters]);
        };
        expect([problem.name, level, repeats(content, isLong ? tasks : 8)]).toEqual([problem.name, level, 0]);
      }
    const problems = [...randomCompositions({ problems: baseProblems, depth: 2, count: 10, seed: 3 })];
    const races = createProblemEnvironment({ id: 'races', title: 'Compositions', problems });
    for (const { id } of races.templates)
      expect(repeatsOf(races, id, { contentOf: withoutWording, count: isLong ? tasks : 8 })).toBe(0);
  });

  it('[WORLD-3] are refused where there are none, with the number of different tasks', () => {
    const few = defineProblem({
      name: 'few',
      subject: 'mine',
      about: 'A problem with two questions.',
      input: integer({ low: 0, high: 100 }),
      output: integer({ low: 0, high: 200 }),
      sample: random => random.pick(contentsOfTraining),
      wordings: [x => `Double ${x}.`, x => `Twice ${x}?`],
      solve: number => 2 * number,
      bruteForce: number => number + number,
    });
    expect(seededInstance(few, 1, 'easy').input).toBeLessThan(100);
    expect(() => seededInstance(few, firstEvaluation, 'easy')).toThrow(
      /too few instances of "few" at level easy: 400 draws gave 2 different ones, all kept for training/,
    );
    const nothing = drawForSeed({ seed: 1, what: 'tasks', draw: () => null, contentOf: String });
    expect(nothing).toBeNull();
  });
});

const contentsOfTraining = Array.from({ length: 100 }, (_, number) => number)
  .filter(number => !isEvaluationContent(JSON.stringify(['few', number, {}])))
  .slice(0, 2);
