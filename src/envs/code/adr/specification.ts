import { z } from 'zod';
import { EspalierError } from '../../../core/errors.ts';
import type { Random } from '../../../core/random.ts';
import type { Atom, Kind, Value } from '../atoms/atom.ts';
import { atoms } from '../atoms/catalog.ts';
import { forms, formsOf, type Form } from './forms.ts';

/** What a task is put together from, by name. */
export const specificationSchema = z.strictObject({
  structure: z.enum(['numbers', 'text', 'words']),
  stages: z
    .array(z.strictObject({ atom: z.string(), parameter: z.number().int() }))
    .min(1)
    .max(6)
    .readonly(),
  input: z.string(),
  output: z.string(),
  wording: z.number().int().nonnegative(),
});
export type Specification = z.infer<typeof specificationSchema>;

export interface Stage {
  readonly atom: Atom;
  readonly parameter: number;
}

/** A specification with its parts looked up: each stage takes what the one before it gives. */
export interface Pipeline {
  readonly specification: Specification;
  readonly stages: readonly Stage[];
  readonly input: Form;
  readonly output: Form;
}

const atomNames: ReadonlyMap<string, Atom> = new Map(atoms.map(atom => [atom.name, atom]));
const formNames: ReadonlyMap<string, Form> = new Map(forms.map(form => [form.name, form]));
const structures = ['numbers', 'numbers', 'text', 'words'] as const;

/** Draws atoms whose types fit. */
export function drawSpecification(random: Random, count: number): Specification {
  const structure = random.pick(structures);
  const stages: { atom: string; parameter: number }[] = [];
  let kind: Kind = structure;
  while (stages.length < count) {
    const fitting = atoms.filter(({ name, from }) => from === kind && stages.every(({ atom }) => atom !== name));
    const atom = random.pick(fitting);
    const [low, high] = atom.parameter ?? [0, 0];
    stages.push({ atom: atom.name, parameter: random.between(low, high) });
    kind = atom.to;
  }
  const input = random.pick(formsOf(structure)).name;
  return { structure, stages, input, output: random.pick(formsOf(kind)).name, wording: random.between(0, 2) };
}

/** Looks the parts up; refuses parts that do not fit and names both types. */
export function assemble(specification: Specification): Pipeline {
  const stages = specification.stages.map(({ atom: name, parameter }): Stage => {
    const atom = atomNames.get(name);
    if (atom === undefined) throw misfit(`There is no atom "${name}".`);
    const [low, high] = atom.parameter ?? [0, 0];
    if (parameter < low || parameter > high)
      throw misfit(`The parameter of "${name}" is ${parameter}, expected ${low} to ${high}.`);
    return { atom, parameter };
  });
  let kind: Kind = specification.structure;
  for (const { atom } of stages) {
    if (atom.from !== kind) throw misfit(`"${atom.name}" takes ${atom.from}, but it is given ${kind}.`);
    kind = atom.to;
  }
  const [input, output] = [formNames.get(specification.input), formNames.get(specification.output)];
  if (input?.kind !== specification.structure)
    throw misfit(`The input form "${specification.input}" does not hold ${specification.structure}.`);
  if (output?.kind !== kind) throw misfit(`The output form "${specification.output}" does not hold ${kind}.`);
  return { specification, stages, input, output };
}

function misfit(message: string): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'type-mismatch',
    message,
    expected: 'Expected atoms where each takes the type that the one before it gives.',
  });
}

/** Numbers beyond this differ between languages. */
const greatestNumber = 1_000_000_000;

/** What the stages make of a value; null when a number grows too large for some languages. */
export function runStages(
  value: Value,
  stages: readonly Stage[],
  solver: 'solve' | 'solveAgain' = 'solve',
): Value | null {
  let current = value;
  for (const { atom, parameter } of stages) {
    current = atom[solver](current, parameter);
    if (isTooLarge(current)) return null;
  }
  return current;
}

function isTooLarge(value: Value): boolean {
  if (typeof value === 'number') return Math.abs(value) > greatestNumber;
  return typeof value === 'object' && value.some(item => typeof item === 'number' && Math.abs(item) > greatestNumber);
}
