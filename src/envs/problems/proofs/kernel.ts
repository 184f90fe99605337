import { absurd, join, readFormula, sameFormula, type Formula } from './formula.ts';

/** What is to be proved, from what. */
export interface Sequent {
  readonly premises: readonly Formula[];
  readonly goal: Formula;
}

const rules = [
  'premise',
  'assume',
  'and-intro',
  'and-left',
  'and-right',
  'or-left',
  'or-right',
  'cases',
  'implies-intro',
  'implies-elim',
  'false-elim',
] as const;
export type Rule = (typeof rules)[number];

/** A line of a proof: a formula, the rule that gives it, and the numbers of the lines that the rule uses. */
export interface Line {
  readonly formula: Formula;
  readonly rule: Rule;
  readonly uses: readonly number[];
}

/** What a line rests on: itself and assumptions, by number. */
interface Checked {
  readonly formula: Formula;
  readonly rule: Rule;
  readonly assumptions: ReadonlySet<number>;
}

/** Reads `3. q implies-elim 1 2`; null when it is no line. The number in front does not count. Takes time in proportion to the text. */
export function readLine(text: string): Line | null {
  const whole = text.trim();
  let end = whole.length;
  while (end > 0 && /[\s,\d]/.test(whole[end - 1] as string)) end--;
  const [head, numbers] = [whole.slice(0, end), whole.slice(end)];
  const rule = rules.find(name => head.endsWith(name));
  if (rule === undefined || !/^(?:[\s,].*\d)?$/s.test(numbers)) return null;
  const words = head.slice(0, -rule.length);
  if (words.trimEnd() === words) return null;
  const formula = readFormula(words.replace(/^\d+\s*[.:)]/, '').trim());
  if (formula === null) return null;
  return { formula, rule, uses: (numbers.match(/\d+/g) ?? []).map(Number) };
}

/**
 * The kernel: whether lines prove a sequent. Each line must follow by its rule from earlier lines; the last must be the
 * goal and rest on no assumption that is still open. Null when they do, else the first fault.
 */
export function faultOfProof({ premises, goal }: Sequent, lines: readonly Line[]): string | null {
  const done: Checked[] = [];
  for (const [at, line] of lines.entries()) {
    const used = line.uses.map(number => done[number - 1]);
    if (used.includes(undefined)) return `line ${at + 1} uses a line that does not stand before it`;
    const assumptions = follows(line, used as Checked[], { premises, number: at + 1 });
    if (assumptions === null) return `line ${at + 1} does not follow by ${line.rule}`;
    done.push({ formula: line.formula, rule: line.rule, assumptions });
  }
  const last = done.at(-1);
  if (last === undefined || !sameFormula(last.formula, goal)) return 'the last line is not the goal';
  return last.assumptions.size === 0 ? null : 'the last line rests on an assumption';
}

interface Place {
  readonly premises: readonly Formula[];
  readonly number: number;
}

/** The assumptions that a line rests on; null when it does not follow. */
function follows(line: Line, used: readonly Checked[], place: Place): ReadonlySet<number> | null {
  const { formula, rule, uses } = line;
  const all = new Set(used.flatMap(({ assumptions }) => [...assumptions]));
  const [first, second, third, fourth, fifth] = used;
  const is = (one: Formula | undefined, other: Formula): boolean => one !== undefined && sameFormula(one, other);
  const count = counts[rule];
  if (used.length !== count) return null;
  switch (rule) {
    case 'premise':
      return place.premises.some(premise => sameFormula(premise, formula)) ? all : null;
    case 'assume':
      return new Set([place.number]);
    case 'and-intro':
      return formula.kind === 'and' && is(first?.formula, formula.left) && is(second?.formula, formula.right)
        ? all
        : null;
    case 'and-left':
      return first?.formula.kind === 'and' && sameFormula(first.formula.left, formula) ? all : null;
    case 'and-right':
      return first?.formula.kind === 'and' && sameFormula(first.formula.right, formula) ? all : null;
    case 'or-left':
      return formula.kind === 'or' && is(first?.formula, formula.left) ? all : null;
    case 'or-right':
      return formula.kind === 'or' && is(first?.formula, formula.right) ? all : null;
    case 'implies-intro':
      // The assumption, then what was derived from it.
      return formula.kind === 'implies' &&
        first?.rule === 'assume' &&
        is(first.formula, formula.left) &&
        is(second?.formula, formula.right)
        ? new Set(without(second, uses[0]))
        : null;
    case 'implies-elim':
      return first !== undefined && second !== undefined && is(first.formula, join('implies', second.formula, formula))
        ? all
        : null;
    case 'false-elim':
      return is(first?.formula, absurd) ? all : null;
    case 'cases': {
      // The disjunction; then for each side the assumption and what was derived from it.
      const [one, other] = [second, fourth];
      const isRight =
        first?.formula.kind === 'or' &&
        one?.rule === 'assume' &&
        other?.rule === 'assume' &&
        is(one.formula, first.formula.left) &&
        is(other.formula, first.formula.right) &&
        is(third?.formula, formula) &&
        is(fifth?.formula, formula);
      if (!isRight) return null;
      return new Set([...first.assumptions, ...without(third, uses[1]), ...without(fifth, uses[3])]);
    }
  }
}

/** Numbers of the assumptions that a line rests on, without one that is closed. */
function without(line: Checked | undefined, closed: number | undefined): number[] {
  return [...(line?.assumptions ?? [])].filter(number => number !== closed);
}

const counts: Readonly<Record<Rule, number>> = {
  premise: 0,
  assume: 0,
  'and-intro': 2,
  'and-left': 1,
  'and-right': 1,
  'or-left': 1,
  'or-right': 1,
  cases: 5,
  'implies-intro': 2,
  'implies-elim': 2,
  'false-elim': 1,
};
