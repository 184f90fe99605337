import type { StateSession } from '../../core/contracts.ts';
import type { Task } from '../../core/records.ts';
import { specificationOf } from './described-function.ts';
import { examplesOf, hiddenPairs, type Specified } from './pairs.ts';
import { readSpecified } from './specification-environment.ts';

/** Specifications that know nothing of the function, or too little. */
export const trivialSpecifications: readonly { readonly name: string; of(specified: Specified): string }[] = [
  { name: 'always true', of: () => 'true' },
  { name: 'always false', of: () => 'false' },
  { name: 'the first right example', of: specified => examplesText(specified).slice(0, 1).join('') },
  { name: 'the right examples by heart', of: specified => examplesText(specified).join(' || ') },
  { name: 'all but the wrong examples', of: specified => `!(${examplesText(specified, false).join(' || ')})` },
  {
    name: 'without the last clause',
    of: ({ described, parameters }) => {
      const clauses = described.clauses(parameters);
      return clauses.length === 1 ? 'true' : specificationOf(described, parameters, clauses.slice(0, -1));
    },
  },
];

export const specificationBaselines = trivialSpecifications.map(({ name, of }) => ({
  name,
  most: 0,
  play: (session: StateSession) => void session.step({ kind: 'finish', answer: of(readSpecified(session.task)) }),
}));

function examplesText(specified: Specified, side = true): readonly string[] {
  return examplesOf(specified)
    .filter(({ isRight }) => isRight === side)
    .map(({ input, output }) => `(${equality('input', input)} && ${equality('output', output)})`);
}

/** Arrays have no equality in the language: their elements are compared. */
function equality(name: string, value: unknown): string {
  if (!Array.isArray(value)) return `${name} === ${JSON.stringify(value)}`;
  const parts = value.map((item, at) => `${name}[${at}] === ${JSON.stringify(item)}`);
  return [`${name}.length === ${value.length}`, ...parts].join(' && ');
}

const fewest = { right: 12, wrong: 24 };

/** What is wrong with a task: it has too few pairs to judge by. */
export function specificationFault(task: Task): string | null {
  const hidden = hiddenPairs(readSpecified(task));
  const right = hidden.filter(({ isRight }) => isRight).length;
  if (right >= fewest.right && hidden.length - right >= fewest.wrong) return null;
  return `there are ${right} right and ${hidden.length - right} wrong hidden outputs`;
}
