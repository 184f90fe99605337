import type { z } from 'zod';
import { EspalierError, type ErrorCode } from '../errors.ts';
import { suggestion } from './closest.ts';

/** Something that can be chosen by name. Help texts, errors and `espalier list` are made from it. */
export interface Entry {
  readonly name: string;
  /** One line for people who choose. */
  readonly about: string;
  /** How it is written, where that is more than its name: `wai:<folder>`. */
  readonly usage?: string;
  /** Its options, each with a description. */
  readonly options?: z.ZodObject;
}

/** What a module of the user's must export to be used in the place of a name. */
export interface ModuleShape {
  /** The export: `strategy`. A function is called to make one. */
  readonly member: string;
  /** Members that it must have: `name, run`. */
  readonly powers: readonly string[];
}

export interface RegistryOptions<E extends Entry> {
  /** `strategy`, and `strategies`, the noun of `espalier list`. */
  readonly noun: string;
  readonly plural: string;
  readonly about: string;
  readonly entries: readonly E[];
  /** Left out where a user's module cannot be given. */
  readonly module?: ModuleShape;
  /** Of the error for a name that is not there. */
  readonly code?: ErrorCode;
}

/** Everything of one kind that can be chosen by name. Adding one is a file of its own and a line in the list of entries. */
export interface Registry<E extends Entry = Entry> extends Omit<RegistryOptions<E>, 'code' | 'module'> {
  readonly names: readonly string[];
  readonly module: ModuleShape | null;
  find(name: string): E | undefined;
  /** Throws what is expected, and the nearest name, when there is none. */
  need(name: string): E;
  /** `linear, best-of-n, or the path of a module that exports \`strategy\``. Of some entries alone where that is said. */
  expected(isMeant?: (entry: E) => boolean): string;
}

export function createRegistry<E extends Entry>(options: RegistryOptions<E>): Registry<E> {
  const { noun, plural, about, entries, module = null, code = 'invalid-option' } = options;
  const names = entries.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`There are two ${plural} with the name "${twice}".`);
  const find = (name: string): E | undefined => entries.find(entry => entry.name === name);
  const expected: Registry<E>['expected'] = (isMeant = () => true) => {
    const ways = entries.filter(isMeant).map(({ name, usage }) => usage ?? name);
    return module === null
      ? ways.join(', ')
      : `${ways.join(', ')}, or the path of a module that exports \`${module.member}\``;
  };
  return {
    noun,
    plural,
    about,
    entries,
    names,
    module,
    find,
    expected,
    need(name) {
      const entry = find(name);
      if (entry !== undefined) return entry;
      throw new EspalierError({
        boundary: 'input',
        code,
        message: `There is no ${noun} "${name}".${suggestion(name, names)}`,
        expected: `Expected one of: ${expected()}.`,
      });
    },
  };
}
