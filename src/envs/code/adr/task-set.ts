import { createRandom } from '../../../core/random.ts';
import { behaviourOf } from './behaviour.ts';
import { createMutator, type Mutator } from './mutants.ts';
import { drawSpecification, runStages, signatureOf, stagesFrom, type Specification } from './specification.ts';
import { rejection, testQuality, workOut, type CodeTask } from './task.ts';

export interface TaskSetOptions {
  readonly count: number;
  readonly seed: number;
  readonly mutator?: Mutator;
}

/** Tasks of two to four atoms, none of which asks for the same as another: neither in its parts nor in what it does. */
export function* drawTaskSet({ count, seed, mutator = createMutator() }: TaskSetOptions): Generator<CodeTask> {
  const seen = new Set<string>();
  for (let draw = 0, made = 0; made < count; draw++) {
    const name = `${seed}/${draw}`;
    const specification = drawSpecification(createRandom(name), 2 + (draw % 3));
    const keys = [signatureOf(specification), behaviourOf(specification)];
    if (keys.some(key => seen.has(key))) continue;
    const task = workOut(specification, name);
    if (rejection(task, mutator) !== null) continue;
    for (const key of keys) seen.add(key);
    made++;
    yield task;
  }
}

/** How good a set of tasks is. */
export interface TaskSetReport {
  readonly tasks: number;
  /** Share of the mutants that tests kill, over all tasks. */
  readonly killed: number;
  /** The mean over tasks of the distance to the nearest seed task: 1 means that they share no neighbouring atoms. */
  readonly originality: number;
  /** Different sequences of atoms, by number of tasks. */
  readonly diversity: number;
  /** Share of a sample that is solved by the examples alone, by trying all programs of one atom, then of two. */
  readonly bands: { readonly one: number; readonly two: number; readonly harder: number };
}

const sampled = 60;

export function reportTaskSet(tasks: readonly CodeTask[], seeds: readonly Specification[]): TaskSetReport {
  const mutator = createMutator();
  const qualities = tasks.map(task => testQuality(task, mutator));
  const total = (pick: (quality: (typeof qualities)[number]) => number): number =>
    qualities.reduce((sum, quality) => sum + pick(quality), 0);
  const specifications = tasks.map(({ pipeline }) => pipeline.specification);
  const sequences = new Set(specifications.map(({ stages }) => stages.map(({ atom }) => atom).join(' ')));
  const distances = specifications.map(one => Math.min(1, ...seeds.map(seed => distance(one, seed))));
  return {
    tasks: tasks.length,
    killed: total(({ killed }) => killed) / total(({ mutants }) => mutants),
    originality: distances.reduce((sum, one) => sum + one, 0) / tasks.length,
    diversity: sequences.size / tasks.length,
    bands: bandsOf(createRandom('bands').sample(tasks, sampled)),
  };
}

/** Jaccard distance of the pairs of neighbouring atoms; the structure counts as the first. */
export function distance(left: Specification, right: Specification): number {
  const [one, other] = [pairsOf(left), pairsOf(right)];
  const shared = [...one].filter(pair => other.has(pair)).length;
  return 1 - shared / (one.size + other.size - shared);
}

function pairsOf({ structure, stages }: Specification): ReadonlySet<string> {
  const names = [structure, ...stages.map(({ atom }) => atom)];
  return new Set(names.slice(1).map((name, index) => `${names[index]} ${name}`));
}

function bandsOf(tasks: readonly CodeTask[]): TaskSetReport['bands'] {
  const sizes = tasks.map(solvedWith);
  const share = (size: number | null): number => sizes.filter(found => found === size).length / tasks.length;
  return { one: share(1), two: share(2), harder: share(null) };
}

/** How many atoms the smallest program has that gets the examples and all hidden cases right; null beyond two. */
export function solvedWith(task: CodeTask): number | null {
  const { pipeline, examples, cases } = task;
  const lines = [...examples, ...cases].map(({ input, output }) => ({ value: pipeline.input.parse(input), output }));
  const { structure } = pipeline.specification;
  const isRight = (stages: Parameters<typeof runStages>[1]): boolean =>
    stages.at(-1)?.atom.to === pipeline.output.kind &&
    lines.every(({ value, output }) => {
      const result = runStages(value, stages);
      return result !== null && pipeline.output.write(result) === output;
    });
  const firsts = stagesFrom(structure);
  if (firsts.some(first => isRight([first]))) return 1;
  return firsts.some(first => stagesFrom(first.atom.to).some(second => isRight([first, second]))) ? 2 : null;
}
