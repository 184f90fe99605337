import type { Data, Kind } from '../value.ts';

/** A function over typed values. Several may share a name, as `sort` of numbers and of letters. */
export interface Atom {
  readonly name: string;
  readonly takes: readonly Kind[];
  /** Undefined when there is no result, as for a division by 0. */
  run(...values: Data[]): Data | undefined;
}

type Run<T extends Data> = (...values: T[]) => Data | undefined;

/** Values have the kinds that an atom takes: the search sees to it. */
export function atom<T extends Data>(name: string, takes: readonly Kind[], run: Run<T>): Atom {
  return { name, takes, run: run as Run<Data> };
}
