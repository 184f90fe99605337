import { createRandom } from '../../src/core/random.ts';
import { functionOf } from '../../src/envs/code/adr/behaviour.ts';
import { createMutator, type Mutator } from '../../src/envs/code/adr/mutants.ts';
import { drawSpecification } from '../../src/envs/code/adr/specification.ts';
import { rejection, workOut, type CodeTask } from '../../src/envs/code/adr/task.ts';

interface TaskSetOptions {
  readonly count: number;
  readonly seed: number;
  readonly mutator?: Mutator;
}

/** Tasks of two to four atoms, none of which asks for the same as another: not even in other words. */
export function* drawTaskSet({ count, seed, mutator = createMutator() }: TaskSetOptions): Generator<CodeTask> {
  const seen = new Set<string>();
  for (let draw = 0, made = 0; made < count; draw++) {
    const name = `${seed}/${draw}`;
    const specification = drawSpecification(createRandom(name), 2 + (draw % 3));
    const key = `${specification.input} ${specification.output} ${functionOf(specification)}`;
    if (seen.has(key)) continue;
    const task = workOut(specification, name);
    if (rejection(task, mutator) !== null) continue;
    seen.add(key);
    made++;
    yield task;
  }
}
