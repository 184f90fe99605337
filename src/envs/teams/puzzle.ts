import { z } from 'zod';
import type { Random } from '../../core/random.ts';

/** What houses differ in; the first few are used. */
const attributes = {
  colour: ['red', 'blue', 'green', 'white'],
  pet: ['cat', 'dog', 'horse', 'parrot'],
  drink: ['tea', 'milk', 'coffee', 'juice'],
  job: ['baker', 'painter', 'doctor', 'sailor'],
} as const;

const attributeNames = Object.keys(attributes) as (keyof typeof attributes)[];

const traitSchema = z.strictObject({ attribute: z.enum(attributeNames), value: z.string() });
export type Trait = z.infer<typeof traitSchema>;

export const clueSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('at'), one: traitSchema, house: z.int() }),
  z.strictObject({ kind: z.literal('not-at'), one: traitSchema, house: z.int() }),
  z.strictObject({ kind: z.literal('same'), one: traitSchema, other: traitSchema }),
  z.strictObject({ kind: z.literal('left'), one: traitSchema, other: traitSchema }),
  z.strictObject({ kind: z.literal('beside'), one: traitSchema, other: traitSchema }),
]);
export type Clue = z.infer<typeof clueSchema>;

export interface PuzzleSize {
  readonly houses: number;
  readonly attributes: number;
}

/** The house of a value, from 1; undefined while it is not placed. */
export type Houses = (trait: Trait) => number | undefined;

export function namesOf(size: PuzzleSize): readonly Trait['attribute'][] {
  return attributeNames.slice(0, size.attributes);
}

export function valuesOf({ houses }: PuzzleSize, attribute: Trait['attribute']): readonly string[] {
  return attributes[attribute].slice(0, houses);
}

/** Whether a clue is true; null while one of its values is not placed. */
export function holds(clue: Clue, houses: Houses): boolean | null {
  const one = houses(clue.one);
  if (one === undefined) return null;
  if (clue.kind === 'at') return one === clue.house;
  if (clue.kind === 'not-at') return one !== clue.house;
  const other = houses(clue.other);
  if (other === undefined) return null;
  if (clue.kind === 'same') return one === other;
  return clue.kind === 'left' ? one + 1 === other : Math.abs(one - other) === 1;
}

export function clueText(clue: Clue): string {
  const one = traitText(clue.one);
  if (clue.kind === 'at') return `${one} is in house ${clue.house}`;
  if (clue.kind === 'not-at') return `${one} is not in house ${clue.house}`;
  const other = traitText(clue.other);
  if (clue.kind === 'same') return `${one} and ${other} are in the same house`;
  return clue.kind === 'left' ? `${one} is in the house right before ${other}` : `${one} is next door to ${other}`;
}

function traitText({ attribute, value }: Trait): string {
  return `the ${attribute} ${value}`;
}

/** The houses of each value, as `colour/red`. */
export type Solution = ReadonlyMap<string, number>;

function keyOf({ attribute, value }: Trait): string {
  return `${attribute}/${value}`;
}

/** Every way to place all values so that all clues hold, up to a number of them: one attribute after the other. */
export function solutionsOf(size: PuzzleSize, clues: readonly Clue[], most: number): Solution[] {
  const names = namesOf(size);
  const orders = permutations(Array.from({ length: size.houses }, (_, index) => index + 1));
  // Each clue is tried as soon as all of its attributes are placed, and only then.
  const decided = names.map((_, depth) => clues.filter(clue => lastAttribute(names, clue) === depth));
  const found: Solution[] = [];
  const placed = new Map<string, number>();
  const houses: Houses = trait => placed.get(keyOf(trait));
  const place = (depth: number): void => {
    const attribute = names[depth];
    if (attribute === undefined) {
      found.push(new Map(placed));
      return;
    }
    const keys = valuesOf(size, attribute).map(value => keyOf({ attribute, value }));
    for (const order of orders) {
      for (const [at, key] of keys.entries()) placed.set(key, order[at] as number);
      if ((decided[depth] as readonly Clue[]).every(clue => holds(clue, houses) === true)) place(depth + 1);
      if (found.length >= most) return;
    }
  };
  place(0);
  return found;
}

function lastAttribute(names: readonly string[], clue: Clue): number {
  const one = names.indexOf(clue.one.attribute);
  return 'other' in clue ? Math.max(one, names.indexOf(clue.other.attribute)) : one;
}

function permutations(items: readonly number[]): number[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map(rest => [item, ...rest]));
}

export function drawSolution(size: PuzzleSize, random: Random): Solution {
  const solution = new Map<string, number>();
  for (const attribute of namesOf(size)) {
    const order = random.shuffle(valuesOf(size, attribute));
    for (const value of valuesOf(size, attribute)) solution.set(`${attribute}/${value}`, order.indexOf(value) + 1);
  }
  return solution;
}

/** Clues that leave one solution, none of which can be left out: so no part of them solves the puzzle. */
export function drawClues(size: PuzzleSize, solution: Solution, random: Random): Clue[] {
  const traits = namesOf(size).flatMap(attribute => valuesOf(size, attribute).map(value => ({ attribute, value })));
  let clues: Clue[] = [];
  while (solutionsOf(size, clues, 2).length > 1) {
    const clue = anyClue(size, traits, random);
    if (holds(clue, trait => solution.get(keyOf(trait))) === true) clues.push(clue);
  }
  for (const clue of random.shuffle(clues)) {
    const rest = clues.filter(other => other !== clue);
    if (solutionsOf(size, rest, 2).length === 1) clues = rest;
  }
  return clues;
}

function anyClue({ houses }: PuzzleSize, traits: readonly Trait[], random: Random): Clue {
  const one = random.pick(traits);
  const other = random.pick(traits.filter(({ attribute }) => attribute !== one.attribute));
  const house = random.between(1, houses);
  // Clues that give a house away are rare.
  const kind = random.pick(['at', 'not-at', 'not-at', 'same', 'same', 'left', 'left', 'beside', 'beside'] as const);
  return kind === 'at' || kind === 'not-at' ? { kind, one, house } : { kind, one, other };
}
