import { EspalierError } from '../../../core/errors.ts';
import { createRandom } from '../../../core/random.ts';
import { drawForSeed } from '../../../worlds/app/task-split.ts';
import type { Value } from '../atoms/atom.ts';
import { functionOf } from './behaviour.ts';
import { boundaryInputs, randomInput } from './inputs.ts';
import type { Mutant, Mutator } from './mutants.ts';
import { assemble, drawSpecification, runStages, type Pipeline, type Specification } from './specification.ts';

/** One line of input and the line that a right program prints for it. */
export interface Case {
  readonly input: string;
  readonly output: string;
  readonly isBoundary: boolean;
}

export interface CodeTask {
  readonly pipeline: Pipeline;
  /** Shown in the statement. */
  readonly examples: readonly Case[];
  /** Hidden. */
  readonly cases: readonly Case[];
}

const randomCases = 20;
const exampleCases = 3;
const fewestCases = 16;

/** The task of a specification: its cases are worked out by both solutions, which must agree. */
export function workOut(specification: Specification, seed: string): CodeTask {
  const pipeline = assemble(specification);
  const random = createRandom(`${seed}/cases`);
  const drawn = Array.from({ length: randomCases + exampleCases }, () => randomInput(specification.structure, random));
  const caseOf = (value: Value, isBoundary: boolean): Case[] => solved(pipeline, value, isBoundary);
  const examples = drawn.slice(0, exampleCases).flatMap(value => caseOf(value, false));
  const hidden = drawn.slice(exampleCases).flatMap(value => caseOf(value, false));
  const boundary = boundaryInputs(specification.structure).flatMap(value => caseOf(value, true));
  return { pipeline, examples, cases: [...boundary, ...hidden] };
}

function solved({ specification, stages, input, output }: Pipeline, value: Value, isBoundary: boolean): Case[] {
  const [first, second] = [runStages(value, stages), runStages(value, stages, 'solveAgain')];
  if (JSON.stringify(first) !== JSON.stringify(second))
    throw new EspalierError({
      boundary: 'environment',
      code: 'oracle-failed',
      message: `Two solutions of ${JSON.stringify(specification.stages)} differ for ${JSON.stringify(value)}: ${JSON.stringify(first)} and ${JSON.stringify(second)}.`,
      expected: 'Mend `solve` or `solveAgain` of one of these atoms.',
    });
  return first === null ? [] : [{ input: input.write(value), output: output.write(first), isBoundary }];
}

/** How well the hidden cases tell wrong programs from the right one. */
export interface TestQuality {
  readonly mutants: number;
  readonly killed: number;
  readonly survivors: readonly string[];
}

export function testQuality({ pipeline, cases }: CodeTask, mutator: Mutator): TestQuality {
  const mutants = mutator.mutantsOf(pipeline);
  const values = cases.map(({ input, output }) => ({ value: pipeline.input.parse(input), output }));
  const survivors = mutants.filter(mutant =>
    values.every(({ value, output }) => outputOf(mutant, pipeline, value) === output),
  );
  return {
    mutants: mutants.length,
    killed: mutants.length - survivors.length,
    survivors: survivors.map(({ about }) => about),
  };
}

function outputOf({ stages }: Mutant, { output }: Pipeline, value: Value): string | null {
  try {
    const result = runStages(value, stages);
    return result === null ? null : output.write(result);
  } catch {
    return null;
  }
}

const leastKilled = 0.8;
const mostAttempts = 200;

/** Draws tasks until one is good enough: its tests kill mutants, every stage matters, and its outputs differ. */
export function drawTask(seed: number, count: number, mutator: Mutator): CodeTask {
  let draws = 0;
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const specification = drawForSeed({
      seed,
      what: `tasks of ${count} atoms`,
      draw: () => drawSpecification(createRandom(`${seed}/${count}/${draws++}`), count),
      contentOf: functionOf,
    }) as Specification;
    const task = workOut(specification, String(seed));
    if (rejection(task, mutator) === null) return task;
  }
  throw new EspalierError({
    boundary: 'environment',
    code: 'no-instance',
    message: `Found no task of ${count} atoms in ${mostAttempts} draws.`,
    expected: 'Expected atoms that fit together: try another seed.',
  });
}

/** Why a task is not good enough; null when it is. */
export function rejection(task: CodeTask, mutator: Mutator): string | null {
  const { cases, examples } = task;
  if (examples.length < exampleCases || cases.length < fewestCases) return 'its numbers grow too large';
  const outputs = new Map<string, number>();
  for (const { output } of cases) outputs.set(output, (outputs.get(output) ?? 0) + 1);
  if (Math.max(...outputs.values()) > cases.length * 0.6) return 'most outputs are the same';
  const { mutants, killed, survivors } = testQuality(task, mutator);
  const idle = survivors.find(about => about.startsWith('without '));
  if (idle !== undefined) return `a stage changes nothing: ${idle}`;
  return killed >= mutants * leastKilled ? null : `its tests kill ${killed} of ${mutants} mutants`;
}
