/** Values that programs read and print. Texts and words are lower-case letters. */
export interface Values {
  number: number;
  numbers: readonly number[];
  text: string;
  words: readonly string[];
}
export type Kind = keyof Values;
export type Value = Values[Kind];

/**
 * One idea of a programming task. `solve` is written out in reference programs, so it uses nothing but its arguments,
 * and has no loops: its mutants must end. `solveAgain` is a second solution that shares no code with it.
 */
export interface Atom {
  readonly name: string;
  /** A constraint leaves values out; an operation makes new ones. */
  readonly role: 'constraint' | 'operation';
  readonly from: Kind;
  readonly to: Kind;
  /** The lowest and the highest parameter; null when it has none. */
  readonly parameter: readonly [number, number] | null;
  /** What to do, in words: "keep only the even numbers". */
  words(parameter: number): string;
  solve(value: Value, parameter: number): Value;
  solveAgain(value: Value, parameter: number): Value;
}

interface AtomDefinition<From extends Kind, To extends Kind> {
  readonly name: string;
  readonly parameter?: readonly [number, number];
  readonly words: string | ((parameter: number) => string);
  solve(value: Values[From], parameter: number): Values[To];
  solveAgain(value: Values[From], parameter: number): Values[To];
}

/** Typed where it is written; what is put together at run time is compared by `from` and `to`. */
export function defineAtoms<From extends Kind, To extends Kind>(
  { role = 'operation', from, to }: { role?: Atom['role']; from: From; to: To },
  definitions: readonly AtomDefinition<From, To>[],
): readonly Atom[] {
  return definitions.map(({ name, parameter = null, words, solve, solveAgain }) => ({
    name,
    role,
    from,
    to,
    parameter,
    words: typeof words === 'string' ? () => words : words,
    solve: solve as unknown as Atom['solve'],
    solveAgain: solveAgain as unknown as Atom['solveAgain'],
  }));
}

/** Builds a list by a loop, for second solutions. */
export function collect<T>(add: (push: (item: T) => void) => void): T[] {
  const items: T[] = [];
  add(item => void items.push(item));
  return items;
}
