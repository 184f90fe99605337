import { createRandom } from '../../../core/random.ts';
import type { Value } from '../atoms/atom.ts';
import { boundaryInputs, randomInput } from './inputs.ts';
import { assemble, runStages, type Specification } from './specification.ts';

const probes = 12;

/** What a task does to inputs that are the same for all tasks. Two with the same behaviour are one task in other words. */
export function behaviourOf(specification: Specification): string {
  const { output } = assemble(specification);
  const results = resultsOf(specification).map(result => (result === null ? null : output.write(result)));
  return JSON.stringify([specification.input, specification.output, results]);
}

/** The same without the forms of input and output. */
export function functionOf(specification: Specification): string {
  return JSON.stringify([specification.structure, resultsOf(specification)]);
}

function resultsOf(specification: Specification): (Value | null)[] {
  const { structure } = specification;
  const { stages } = assemble(specification);
  const random = createRandom(`behaviour ${structure}`);
  const drawn = Array.from({ length: probes }, () => randomInput(structure, random));
  return [...boundaryInputs(structure), ...drawn].map(value => runStages(value, stages));
}
