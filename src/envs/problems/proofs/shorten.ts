import { sameFormula } from './formula.ts';
import type { Line } from './kernel.ts';

/** A line that stays, and the numbers of the assumptions it rests on. */
interface Kept {
  readonly line: Line;
  readonly assumptions: ReadonlySet<number>;
}

/** The same proof without lines that say again what an earlier one says, and without lines that nothing uses. */
export function shorten(lines: readonly Line[]): Line[] {
  const kept: Kept[] = [];
  const renumbered: number[] = [];
  for (const { formula, rule, uses } of lines) {
    const line = { formula, rule, uses: uses.map(number => renumbered[number - 1] as number) };
    const assumptions = restsOn(line, kept);
    // An assumption is its own line: another one may be closed already.
    const known =
      rule === 'assume'
        ? -1
        : kept.findIndex(
            earlier => sameFormula(earlier.line.formula, formula) && earlier.assumptions.isSubsetOf(assumptions),
          );
    renumbered.push(known < 0 ? kept.push({ line, assumptions }) : known + 1);
  }
  return used(
    kept.map(({ line }) => line),
    renumbered.at(-1) ?? 0,
  );
}

function restsOn({ rule, uses }: Line, kept: readonly Kept[]): ReadonlySet<number> {
  if (rule === 'assume') return new Set([kept.length + 1]);
  const without = (number: number | undefined, closed: number | undefined): number[] =>
    [...(kept[(number ?? 0) - 1] as Kept).assumptions].filter(assumption => assumption !== closed);
  const [first, second, third, fourth, fifth] = uses;
  if (rule === 'implies-intro') return new Set(without(second, first));
  if (rule === 'cases')
    return new Set([...without(first, undefined), ...without(third, second), ...without(fifth, fourth)]);
  return new Set(uses.flatMap(number => without(number, undefined)));
}

/** Lines that the last one needs, with new numbers. */
function used(lines: readonly Line[], last: number): Line[] {
  const needed = new Set([last]);
  for (let number = last; number > 0; number--)
    if (needed.has(number)) for (const use of (lines[number - 1] as Line).uses) needed.add(use);
  const numbers = [...needed].toSorted((one, other) => one - other);
  return numbers.map(number => {
    const { formula, rule, uses } = lines[number - 1] as Line;
    return { formula, rule, uses: uses.map(use => numbers.indexOf(use) + 1) };
  });
}
