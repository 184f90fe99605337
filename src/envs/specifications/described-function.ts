import type { Json, JsonObject } from '../../core/json.ts';
import type { Random } from '../../core/random.ts';

export const specificationLevels = ['easy', 'medium', 'hard'] as const;
export type SpecificationLevel = (typeof specificationLevels)[number];

/** A function that an agent writes a specification of. Texts of programs are in the small part of JavaScript that `tools:` runs. */
export interface DescribedFunction<I extends Json, O extends Json, P extends JsonObject> {
  readonly name: string;
  readonly level: SpecificationLevel;
  /** What the input is: "a list of whole numbers". */
  readonly input: string;
  readonly output: string;
  parameters(random: Random): P;
  /** What the output is, in words. */
  describe(parameters: P): string;
  sample(random: Random, parameters: P): I;
  /** Inputs at the boundaries of the function. */
  edges(parameters: P): readonly I[];
  /** A program over `input`. Wrong outputs are those of its mutants. */
  oracle(parameters: P): string;
  /** A second solution, which shares no code with the first. */
  solve(input: I, parameters: P): O;
  /** Where several outputs are right: whether this one is. */
  accepts?(input: I, output: O, parameters: P): boolean;
  /** Where several outputs are right: others by chance. */
  others?(input: I, parameters: P, random: Random): readonly O[];
  /** Declarations that the clauses use. */
  prelude?(parameters: P): string;
  /** The reference specification: all of these hold. None can be left out. */
  clauses(parameters: P): readonly [string, ...string[]];
  /** Clauses that people write in place of a clause of the reference, and that are too weak. */
  readonly weaker?: Readonly<Record<string, readonly string[]>>;
  /** Outputs that are nearly this one. */
  near(output: O, random: Random): readonly O[];
}

/** A function whose types are its own business. */
export type AnyFunction = DescribedFunction<Json, Json, JsonObject>;

export function describeFunction<I extends Json, O extends Json, P extends JsonObject>(
  definition: DescribedFunction<I, O, P>,
): AnyFunction {
  // Parameters, inputs and outputs of a function come from that function alone.
  return definition as unknown as AnyFunction;
}

/** A specification that demands these clauses. */
export function specificationOf(described: AnyFunction, parameters: JsonObject, clauses: readonly string[]): string {
  const prelude = described.prelude?.(parameters) ?? '';
  const condition = clauses.map(clause => `(${clause})`).join(' &&\n  ');
  return `${prelude === '' ? '' : `${prelude}\n`}return ${condition};`;
}

export function referenceOf(described: AnyFunction, parameters: JsonObject): string {
  return specificationOf(described, parameters, described.clauses(parameters));
}

export type Threshold = { readonly k: number };

export function nearNumbers(output: number): readonly number[] {
  return [output + 1, output - 1, -output, 0, output + 10];
}

/** Lists that differ in one place: one number more, less, changed, twice or elsewhere. */
export function nearLists(output: readonly number[], random: Random): readonly (readonly number[])[] {
  const at = random.between(0, Math.max(0, output.length - 1));
  const chosen = output[at] ?? 0;
  return [
    output.toSpliced(at, 1),
    output.toSpliced(at, 0, chosen),
    output.toSpliced(at, 1, chosen + 1),
    output.toReversed(),
    random.shuffle(output),
    [...output, random.between(-9, 20)],
    [chosen + random.between(1, 9), ...output],
    output.toSpliced(at, 0, chosen + random.between(1, 9)),
    [],
  ];
}

export function sampleNumbers(random: Random, low: number, high: number): readonly number[] {
  return Array.from({ length: random.between(0, 8) }, () => random.between(low, high));
}

/** How often each number stands in a list, as a text. */
export function countsOf(numbers: readonly number[]): string {
  return JSON.stringify(numbers.toSorted((left, right) => left - right));
}
