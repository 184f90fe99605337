import { runInThisContext } from 'node:vm';
import { createRandom } from '../../../core/random.ts';
import type { Atom, Kind, Value } from '../atoms/atom.ts';
import { atoms } from '../atoms/catalog.ts';
import { randomInput, boundaryInputs } from './inputs.ts';
import { mutatedSources } from './mutated-sources.ts';
import type { Pipeline, Stage } from './specification.ts';

/** A wrong program that a good test tells apart from the right one. */
export interface Mutant {
  readonly about: string;
  readonly stages: readonly Stage[];
}

export interface Mutator {
  mutantsOf(pipeline: Pipeline): readonly Mutant[];
}

/** Makes mutants of reference solutions: of the source of their atoms, of parameters, and of the order of stages. */
export function createMutator(): Mutator {
  const bySource = new Map(atoms.map(atom => [atom.name, sourceMutants(atom)]));
  return {
    mutantsOf({ stages }) {
      const replaced = (at: number, ...others: Stage[]): Stage[] => stages.toSpliced(at, 1, ...others);
      return stages.flatMap(({ atom, parameter }, at): Mutant[] => [
        ...(bySource.get(atom.name) ?? []).map(mutant => ({
          about: `${atom.name}: ${mutant.about}`,
          stages: replaced(at, { atom: { ...atom, solve: mutant.solve }, parameter }),
        })),
        ...(atom.parameter === null ? [] : [parameter - 1, parameter + 1]).map(other => ({
          about: `${atom.name}: ${other} for ${parameter}`,
          stages: replaced(at, { atom, parameter: other }),
        })),
        ...(atom.from === atom.to ? [{ about: `without ${atom.name}`, stages: replaced(at) }] : []),
      ]);
    },
  };
}

interface SourceMutant {
  readonly about: string;
  readonly solve: Atom['solve'];
}

/** Mutants that no input of many tells apart from the atom are taken as equal to it, and left out. */
function sourceMutants(atom: Atom): SourceMutant[] {
  const source = atom.solve.toString();
  const inputs = probes(atom);
  return mutatedSources(source).flatMap(({ about, text }) => {
    const solve = runInThisContext(`(${text})`) as Atom['solve'];
    const differs = inputs.some(
      ([value, parameter]) => outcomeOf(solve, value, parameter) !== outcomeOf(atom.solve, value, parameter),
    );
    return differs ? [{ about, solve }] : [];
  });
}

const probesOfAtom = 60;

function probes({ name, from, parameter }: Atom): [Value, number][] {
  const random = createRandom(`probe ${name}`);
  const [low, high] = parameter ?? [0, 0];
  const values =
    from === 'number' ? [0, 1, -1, 7, 10, -25, 99, 128, 1000] : boundaryInputs(from as Exclude<Kind, 'number'>);
  const drawn = Array.from({ length: probesOfAtom }, () =>
    from === 'number' ? random.between(-200, 2000) : randomInput(from, random),
  );
  return [...values, ...drawn].map(value => [value, random.between(low, high)]);
}

/** A mutant may throw, or give something of another type: both are outcomes that differ from the right one. */
function outcomeOf(solve: Atom['solve'], value: Value, parameter: number): string {
  try {
    return JSON.stringify(solve(value, parameter));
  } catch {
    return 'threw';
  }
}
