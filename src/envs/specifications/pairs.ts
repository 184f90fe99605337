import { EspalierError } from '../../core/errors.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { createRandom, type Random } from '../../core/random.ts';
import { mutatedSources, usualReplacements, type Replacement } from '../code/adr/mutated-sources.ts';
import { ProgramError } from '../tools/program/values.ts';
import { referenceOf, specificationOf, type AnyFunction } from './described-function.ts';
import { createFunction, isRightOn, type Pair } from './judge.ts';

/** A function with its parameters, and the seed of its pairs. */
export interface Specified {
  readonly described: AnyFunction;
  readonly parameters: JsonObject;
  readonly seed: string;
}

const inputsOfExamples = 3;
const inputsOfPool = 40;
const hiddenOfPool = { right: 24, wrong: 60 };

/** The pairs that are shown with a task: right ones and wrong ones. */
export function examplesOf(specified: Specified): readonly Pair[] {
  const { described, parameters, seed } = specified;
  const random = createRandom(`${seed}/examples`);
  const inputs = Array.from({ length: inputsOfExamples }, () => described.sample(random, parameters));
  return oneOfEach(different(pairsFor(specified, inputs, random)));
}

/**
 * The pairs that a specification is judged on. Right outputs come from two solutions, which must agree; wrong ones from mutants of the
 * oracle, from outputs nearby and from other inputs. Each specification near the reference that a pair of the pool tells apart from it
 * fails on one of them.
 */
export function hiddenPairs(specified: Specified): readonly Pair[] {
  const { described, parameters, seed } = specified;
  const random = createRandom(`${seed}/hidden`);
  const drawn = Array.from({ length: inputsOfPool }, () => described.sample(random, parameters));
  const pool = different(pairsFor(specified, [...described.edges(parameters), ...drawn], random));
  if (!isRightOn(referenceOf(described, parameters), pool)) throw wrongReference(specified);
  return hiddenOf(specified, pool, random);
}

/** One right and one wrong output for each input, where there are such. */
function oneOfEach(pairs: readonly Pair[]): readonly Pair[] {
  const firstOf = (isRight: boolean): Pair[] => [
    ...new Map(
      pairs
        .filter(pair => pair.isRight === isRight)
        .toReversed()
        .map(pair => [JSON.stringify(pair.input), pair]),
    ).values(),
  ];
  return [...firstOf(true), ...firstOf(false)];
}

function hiddenOf(specified: Specified, pool: readonly Pair[], random: Random): readonly Pair[] {
  const [right, wrong] = [true, false].map(side => random.shuffle(pool.filter(({ isRight }) => isRight === side)));
  // What is right at the boundaries is always asked.
  const edges = new Set(specified.described.edges(specified.parameters).map(input => JSON.stringify(input)));
  const atEdges = (right ?? []).filter(({ input }) => edges.has(JSON.stringify(input)));
  const others = (right ?? []).filter(pair => !atEdges.includes(pair));
  const most = Math.max(0, hiddenOfPool.right - atEdges.length);
  const chosen = [...atEdges, ...others.slice(0, most), ...(wrong ?? []).slice(0, hiddenOfPool.wrong)];
  for (const source of specificationsNear(specified)) {
    if (!isRightOn(source, chosen)) continue;
    const telling = pool.find(pair => !isRightOn(source, [pair]));
    if (telling !== undefined) chosen.push(telling);
  }
  return random.shuffle(chosen);
}

const specificationReplacements: readonly Replacement[] = [
  ...usualReplacements,
  [/\s>=\s/g, ' > '],
  [/\s<=\s/g, ' < '],
  [/\s&&\s/g, ' || '],
  [/\s\|\|\s/g, ' && '],
  [/\.every\(/g, '.some('],
];

/** Specifications that are nearly the reference: a clause is left out or too weak, or one thing is replaced. */
export function specificationsNear({ described, parameters }: Specified): readonly string[] {
  const clauses = described.clauses(parameters);
  const shorter = clauses.length === 1 ? [] : clauses.map((_, at) => clauses.toSpliced(at, 1));
  const weakened = clauses.flatMap((clause, at) =>
    (described.weaker?.[clause] ?? []).map(weak => clauses.with(at, weak)),
  );
  return [
    ...[...shorter, ...weakened].map(kept => specificationOf(described, parameters, kept)),
    ...mutatedSources(referenceOf(described, parameters), specificationReplacements).map(({ text }) => text),
  ];
}

function pairsFor(specified: Specified, inputs: readonly Json[], random: Random): readonly Pair[] {
  const { described, parameters } = specified;
  const oracle = createFunction(described.oracle(parameters));
  const mutants = mutatedSources(described.oracle(parameters)).flatMap(({ text }) => functionOrNone(text));
  const outputs = inputs.map(input => agreed(specified, input, oracle(input)));
  return inputs.flatMap((input, at) => {
    const output = outputs[at] as Json;
    const candidates = [
      output,
      ...(described.others?.(input, parameters, random) ?? []),
      ...mutants.flatMap(mutant => mutant(input) ?? []),
      ...described.near(output, random),
      ...mixtures(input, output, random),
      ...miscounts(output),
      random.pick(outputs),
    ];
    return candidates
      .filter(candidate => isLike(candidate, output))
      .map(candidate => ({
        input,
        output: candidate,
        isRight: accepts(specified, input, candidate),
      }));
  });
}

/** Lists that keep what the function leaves out. */
function mixtures(input: Json, output: Json, random: Random): readonly Json[] {
  if (!Array.isArray(input) || !Array.isArray(output) || input.length === 0) return [];
  const inserted = (at: number): Json => output.toSpliced(at, 0, random.pick(input));
  return [input, inserted(0), inserted(random.between(0, output.length)), inserted(output.length)];
}

/** Lists as long as this one in which a number stands once too often, in the place of its neighbour. */
function miscounts(output: Json): readonly Json[] {
  if (!Array.isArray(output)) return [];
  const pairs = output.slice(1).map((second, at) => ({ first: output[at] as Json, second, at }));
  return pairs.flatMap(({ first, second, at }) => [output.with(at, second), output.with(at + 1, first)]);
}

/** A mutant may be no program. */
function functionOrNone(source: string): ((input: Json) => Json | null)[] {
  try {
    return [createFunction(source)];
  } catch (cause) {
    if (cause instanceof ProgramError) return [];
    throw cause;
  }
}

/** Outputs have the form that the task promises: specifications need not check it. */
function isLike(candidate: Json, output: Json): boolean {
  if (!Array.isArray(output)) return Number.isSafeInteger(candidate);
  return Array.isArray(candidate) && candidate.length <= longestList && candidate.every(Number.isSafeInteger);
}

const longestList = 20;

export function accepts({ described, parameters }: Specified, input: Json, output: Json): boolean {
  if (described.accepts !== undefined) return described.accepts(input, output, parameters);
  return same(output, described.solve(input, parameters));
}

/** Both solutions give a right output, or there is no task. */
function agreed(specified: Specified, input: Json, output: Json | null): Json {
  const { described, parameters } = specified;
  const second = described.solve(input, parameters);
  if (output !== null && accepts(specified, input, output) && accepts(specified, input, second)) return output;
  throw new EspalierError({
    boundary: 'environment',
    code: 'oracle-failed',
    message: `Two solutions of "${described.name}" differ for ${JSON.stringify(input)}: ${JSON.stringify(output)} and ${JSON.stringify(second)}.`,
    expected: 'Mend `oracle`, `solve` or `accepts` of this function.',
  });
}

function different(pairs: readonly Pair[]): readonly Pair[] {
  return [...new Map(pairs.map(pair => [JSON.stringify([pair.input, pair.output]), pair])).values()];
}

function same(one: Json, other: Json): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function wrongReference({ described, parameters }: Specified): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'oracle-failed',
    message: `The reference specification of "${described.name}" is wrong for ${JSON.stringify(parameters)}.`,
    expected: 'Mend its clauses, or `accepts`.',
  });
}
