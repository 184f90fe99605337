import { createRandom } from '../../../core/random.ts';
import type { Value } from '../atoms/atom.ts';
import { boundaryInputs, randomInput } from './inputs.ts';
import { assemble, runStages, type Specification } from './specification.ts';

const probes = 12;

/** What a task does to inputs that are the same for all tasks. Two that do the same are one task in other words. */
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
