import type { Random } from '../../../core/random.ts';
import { byLevel, type Level } from '../problem.ts';
import { absurd, join, not, readFormula, writeFormula, type Formula } from './formula.ts';
import type { Sequent } from './kernel.ts';

/** Sequents that have a proof, whatever stands for their letters. The last formula is the goal. */
const forms = byLevel(
  [
    ['a -> b', 'b -> c', 'a -> c'],
    ['a & b', 'b & a'],
    ['a -> b', 'a -> c', 'a -> (b & c)'],
    ['a | b', 'b | a'],
    ['a -> (b -> c)', '(a & b) -> c'],
    ['(a & b) -> c', 'a -> (b -> c)'],
    ['a & b', 'b -> c', 'a & c'],
    ['a', '(a | b) -> c', 'c & a'],
  ],
  [
    ['a -> b', '~b -> ~a'],
    ['a | b', 'a -> c', 'b -> d', 'c | d'],
    ['(a -> c) & (b -> c)', '(a | b) -> c'],
    ['a & (b | c)', '(a & b) | (a & c)'],
    ['(a | b) -> c', '(a -> c) & (b -> c)'],
    ['~(a | b)', '~a & ~b'],
    ['~a | b', 'a -> b'],
    ['a -> b', '~b', 'a | c', 'c'],
  ],
  [
    ['(a & b) | (a & c)', 'a & (b | c)'],
    ['a | (b & c)', '(a | b) & (a | c)'],
    ['(a | b) & (a | c)', 'a | (b & c)'],
    ['a -> (b | c)', 'b -> d', 'c -> d', '~d -> ~a'],
    ['~~~a', '~a'],
    ['~a & ~b', '~(a | b)'],
    ['~a | ~b', '~(a & b)'],
    ['a -> b', 'c -> d', '(a | c) -> (b | d)'],
    ['~~(a -> b)', '~~a -> ~~b'],
  ],
);

const letters = [...'pqrstuvw'];
/** Chance that a letter of a form stands for a formula with a connective. */
const compound = byLevel(0.15, 0.3, 0.4);

export function drawSequent(random: Random, level: Level): Sequent {
  const form = random.pick<readonly string[]>(forms[level]).map(text => readFormula(text) as Formula);
  const parts = new Map<string, Formula>();
  for (const [at, atom] of random.sample(letters, 4).entries()) {
    const one: Formula = { kind: 'atom', name: atom };
    const other: Formula = { kind: 'atom', name: random.pick(letters) };
    const joined = random.pick([
      join('and', one, other),
      join('or', one, other),
      join('implies', one, other),
      not(one),
    ]);
    parts.set('abcd'[at] as string, random.chance(compound[level]) ? joined : one);
  }
  const filled = form.map(formula => fill(formula, parts));
  return { premises: filled.slice(0, -1), goal: filled.at(-1) as Formula };
}

function fill(formula: Formula, parts: ReadonlyMap<string, Formula>): Formula {
  if (formula.kind === 'atom') return parts.get(formula.name) as Formula;
  if (formula.kind === 'false') return absurd;
  return join(formula.kind, fill(formula.left, parts), fill(formula.right, parts));
}

/** A sequent as the input of a question: the premises, then the goal. */
export type WrittenSequent = readonly [readonly string[], string];

export function writeSequent({ premises, goal }: Sequent): WrittenSequent {
  return [premises.map(writeFormula), writeFormula(goal)];
}

/** Null when a formula cannot be read. */
export function readSequent([premises, goal]: WrittenSequent): Sequent | null {
  const [read, end] = [premises.map(readFormula), readFormula(goal)];
  return end === null || read.includes(null) ? null : { premises: read as Formula[], goal: end };
}
