import { describe, expect, it } from 'vitest';
import type { StateEnvironment } from '../src/core/contracts.ts';
import type { Json, JsonObject } from '../src/core/json.ts';
import type { Task } from '../src/core/records.ts';
import { codeTemplates, createAdrEnvironment } from '../src/envs/code/environment/environment.ts';
import { baseProblems, problemNames } from '../src/envs/problems/catalog.ts';
import { parseExpression } from '../src/envs/problems/compose/parse.ts';
import { randomCompositions } from '../src/envs/problems/compose/random-compositions.ts';
import { createProblemEnvironment } from '../src/envs/problems/environment/environment.ts';
import { contentOf as questionContent, seededInstance, workedOut } from '../src/envs/problems/instance.ts';
import { defineProblem, levels } from '../src/envs/problems/problem.ts';
import { questionOf } from '../src/envs/problems/script.ts';
import { integer } from '../src/envs/problems/types/numbers.ts';
import { createRetrievalEnvironment } from '../src/envs/retrieval/retrieval-environment.ts';
import { createSpecificationEnvironment } from '../src/envs/specifications/specification-environment.ts';
import { createPuzzleEnvironment } from '../src/envs/teams/puzzle-environment.ts';
import { createToolEnvironment } from '../src/envs/tools/tool-environment.ts';
import { drawForSeed, isEvaluationContent } from '../src/worlds/app/task-split.ts';
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
    const environment = createRetrievalEnvironment({ seed: 7, documents: 2000 });
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

  it('[WORLD-3] repeat no function to specify', () => {
    const environment = createSpecificationEnvironment('spec-all');
    // The seed chooses hidden pairs, and makes no other function.
    const asked = ({ parameters }: Task) => [parameters['function'], parameters['parameters']];
    for (const { id } of environment.templates)
      expect([id, repeatsOf(environment, id, { contentOf: asked })]).toEqual([id, 0]);
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

  it('[WORLD-3] do not ask a training question with its parts in another order', () => {
    for (const name of ['gcd', 'lcm', 'lattice-ways', 'fraction-sum', 'sum-list', 'most-frequent', 'two-machines']) {
      const problem = parseExpression(name, problemNames);
      const content = (seed: number): string => {
        const { input, parameters } = seededInstance(problem, seed, 'easy');
        return JSON.stringify([(input as Json[]).map(part => JSON.stringify(part)).toSorted(), parameters]);
      };
      expect([name, repeats(content, tasks)]).toEqual([name, 0]);
    }
    const graph = parseExpression('count-triangles', problemNames);
    const drawn = seededInstance(graph, 1, 'easy');
    const input = drawn.input as { edges: Json[] };
    const turned = { ...drawn, input: { ...input, edges: input.edges.toReversed() } as Json };
    expect(questionContent(graph, turned)).toBe(questionContent(graph, drawn));
  });

  it.each([
    ['SEQUENTIAL(digit-sum,SEQUENTIAL(digital-root,is-prime))', 'SEQUENTIAL(digit-sum,digital-root,is-prime)'],
    ['SEQUENTIAL(from-binary,SEQUENTIAL(next-prime,digit-sum))', 'SEQUENTIAL(from-binary,next-prime,digit-sum)'],
    ['SORT(digit-sum,digital-root)', 'SORT(digital-root,digit-sum)'],
  ])('[WORLD-3] of %s repeat none of %s', (evaluated, trained) => {
    const asked = (name: string, seed: number): string => {
      const problem = parseExpression(name, problemNames);
      const question = questionOf(workedOut(problem, { ...seededInstance(problem, seed, 'easy'), wording: 0 }));
      const steps = question.split('\n').map(line => line.replace(/^R\d: /, ''));
      return name.startsWith('SORT') ? steps.slice(1, -2).toSorted().join('\n') : question;
    };
    const known = new Set(Array.from({ length: tasks }, (_, at) => asked(trained, firstTraining + at)));
    const repeated = Array.from({ length: tasks }, (_, at) => asked(evaluated, firstEvaluation + at));
    expect(repeated.filter(question => known.has(question))).toEqual([]);
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
