import { EspalierError } from '../../../core/errors.ts';
import { createRandom, type Random } from '../../../core/random.ts';
import { seededInstance, workedOut } from '../instance.ts';
import { levels, type Level, type Problem } from '../problem.ts';
import { createScript, type Step } from '../script.ts';
import { fits } from '../types/fits.ts';
import { fewestInstances, guessable, repetitive } from '../variety.ts';
import { compose, type Operator } from './parse.ts';

export interface RandomCompositionOptions {
  readonly problems: readonly Problem[];
  /** Operators inside each other: each composition has exactly so many. */
  readonly depth: number;
  readonly count: number;
  readonly seed: number;
}

/** Drafts that are thrown away for each composition that is kept: types do not fit, no instance, or a duplicate. */
const draftsToTry = 400;
/** Instances that are drawn at each level for a first look; one answer may be right for so many of them. */
const instancesToTry = 8;
const mostAlike = 5;
const widestOutput = 40;

/** Compositions by chance, none twice. The same options give the same ones, and each has instances at every level. */
export function* randomCompositions({ problems, depth, count, seed }: RandomCompositionOptions): Generator<Problem> {
  const base = problems.filter(({ isFunction }) => isFunction);
  const kept = new Set<string>();
  for (let index = 0; index < count; index++) {
    const random = createRandom(`races ${seed}/${depth}/${index}`);
    const found = draft(random, { base, depth, kept });
    if (found === null) throw exhausted(depth, kept.size);
    kept.add(structureOf(found));
    yield found;
  }
}

interface Drafting {
  readonly base: readonly Problem[];
  readonly depth: number;
  readonly kept: ReadonlySet<string>;
}

function draft(random: Random, { base, depth, kept }: Drafting): Problem | null {
  for (let attempt = 0; attempt < draftsToTry; attempt++) {
    const made = composition(random, base, depth);
    if (made === null || made.depth !== depth || kept.has(structureOf(made))) continue;
    if (hasInstances(made, random) && hasVariety(made)) return made;
  }
  return null;
}

/** What a composition asks, whatever order the parts of SORT stand in. */
function structureOf({ name, operator, children }: Problem): string {
  if (operator === null) return name;
  const parts = children.map(structureOf);
  return `${operator}(${(operator === 'SORT' ? parts.toSorted() : parts).join(',')})`;
}

/** A composition with so many operators inside each other; null when types did not fit. */
function composition(random: Random, base: readonly Problem[], depth: number): Problem | null {
  if (depth === 0) return random.pick(base);
  const operator = random.pick(weighted);
  const first = composition(random, base, depth - 1);
  if (first === null) return null;
  // Beside the deepest part stand shallow ones, so that questions stay readable.
  if (operator === 'SEQUENTIAL') return chained(random, base, first);
  const others = Array.from(
    { length: operator === 'SELECT' ? 2 : random.between(1, operator === 'SORT' ? 2 : 1) },
    () => random.pick(base),
  );
  return attempted(operator, random.shuffle([first, ...others]));
}

/** Sequences are what composition is about, so they are drawn more often. */
const weighted: readonly Operator[] = ['SEQUENTIAL', 'SEQUENTIAL', 'SEQUENTIAL', 'PARALLEL', 'SORT', 'SELECT'];

function chained(random: Random, base: readonly Problem[], first: Problem): Problem | null {
  const next = base.filter(({ input }) => fits(first.output, input));
  if (next.length > 0) return attempted('SEQUENTIAL', [first, random.pick(next)]);
  const before = base.filter(({ output }) => fits(output, first.input));
  return before.length === 0 ? null : attempted('SEQUENTIAL', [random.pick(before), first]);
}

function attempted(operator: Operator, children: readonly Problem[]): Problem | null {
  try {
    return compose(operator, children);
  } catch (cause) {
    if (cause instanceof EspalierError && cause.code === 'type-mismatch') return null;
    throw cause;
  }
}

/** Whether the questions and answers of the first seeds differ as much as the ladder asks, at every level. */
function hasVariety(problem: Problem): boolean {
  return levels.every(level => {
    try {
      const instances = Array.from({ length: fewestInstances }, (_, index) => {
        const instance = seededInstance(problem, index + 1, level);
        return { instance, last: workedOut(problem, instance).at(-1) as Step };
      });
      return guessable(instances) === null && repetitive(instances) === null;
    } catch (cause) {
      if (isUnsolved(cause)) return false;
      throw cause;
    }
  });
}

/** Whether every level has instances that all parts can solve, and whose answers differ: a quick look at a few. */
function hasInstances(problem: Problem, random: Random): boolean {
  if (problem.output.elements.length > widestOutput) return false;
  return levels.every(level => {
    const counts = new Map<string, number>();
    for (let count = 0; count < instancesToTry; count++) {
      const answer = answerAt(problem, random, level);
      if (answer === null) return false;
      const times = (counts.get(answer) ?? 0) + 1;
      if (times > mostAlike) return false;
      counts.set(answer, times);
    }
    return true;
  });
}

/** The answer to an instance as JSON; null when there is none, or a part cannot solve it. */
function answerAt(problem: Problem, random: Random, level: Level): string | null {
  try {
    const drawn = problem.draw(random, level);
    if (drawn === null) return null;
    return JSON.stringify(problem.unfold({ ...drawn, phrase: null }, createScript()).value);
  } catch (cause) {
    if (isUnsolved(cause)) return null;
    throw cause;
  }
}

/** A part of a composition does not take what another part gives, or nothing was found that it takes. */
function isUnsolved(cause: unknown): boolean {
  return cause instanceof EspalierError && ['oracle-failed', 'no-instance'].includes(cause.code);
}

function exhausted(depth: number, kept: number): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'no-instance',
    message: `After ${kept} compositions of depth ${depth} no further one was found.`,
    expected: 'Expected fewer compositions, another depth, or more base problems.',
  });
}
