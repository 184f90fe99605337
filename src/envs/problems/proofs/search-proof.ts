import { absurd, sameFormula, type Formula } from './formula.ts';
import type { Line, Sequent } from './kernel.ts';

const deepest = 7;

/** Finds a proof by trying rules to a growing depth: slower than `prove`, and without its calculus. */
export function searchProof({ premises, goal }: Sequent): Line[] | null {
  for (let depth = 1; depth <= deepest; depth++) {
    const lines: Line[] = premises.map(formula => ({ formula, rule: 'premise', uses: [] }));
    const scope = lines.map((_, at) => at + 1);
    const found = find({ lines, scope, depth }, goal);
    if (found === null) continue;
    const last = lines[found - 1] as Line;
    return found === lines.length ? lines : [...lines, last];
  }
  return null;
}

interface Place {
  /** All lines so far; those of a failed try are taken away again. */
  readonly lines: Line[];
  /** Numbers of the lines that may be used here. */
  readonly scope: readonly number[];
  readonly depth: number;
}

function add(lines: Line[], line: Line): number {
  return lines.push(line);
}

function formulaAt({ lines }: Place, number: number): Formula {
  return (lines[number - 1] as Line).formula;
}

function inScope(place: Place, formula: Formula): number | undefined {
  return place.scope.find(number => sameFormula(formulaAt(place, number), formula));
}

/** The number of a line with this formula; null when there is none within the depth. */
function find(given: Place, goal: Formula): number | null {
  const place = { ...given, scope: forward(given) };
  const known = inScope(place, goal);
  if (known !== undefined) return known;
  const contradiction = inScope(place, absurd);
  if (contradiction !== undefined)
    return add(place.lines, { formula: goal, rule: 'false-elim', uses: [contradiction] });
  if (place.depth === 0) return null;
  for (const attempt of [introduce, byCases, byImplication]) {
    const mark = place.lines.length;
    const found = attempt({ ...place, depth: place.depth - 1 }, goal);
    if (found !== null) return found;
    place.lines.length = mark;
  }
  return null;
}

/** Everything that follows at once: parts of conjunctions, and right sides whose left side is known. */
function forward(place: Place): readonly number[] {
  const { lines } = place;
  const scope = [...place.scope];
  const here = (): Place => ({ ...place, scope });
  const learn = (line: Line): void => {
    if (inScope(here(), line.formula) === undefined) scope.push(add(lines, line));
  };
  for (let at = 0; at < scope.length; at++) {
    for (const number of scope.slice(0, at + 1)) {
      const formula = formulaAt(place, number);
      if (formula.kind === 'and') {
        learn({ formula: formula.left, rule: 'and-left', uses: [number] });
        learn({ formula: formula.right, rule: 'and-right', uses: [number] });
      }
      const from = formula.kind === 'implies' ? inScope(here(), formula.left) : undefined;
      if (formula.kind === 'implies' && from !== undefined)
        learn({ formula: formula.right, rule: 'implies-elim', uses: [number, from] });
    }
  }
  return scope;
}

function assuming(place: Place, formula: Formula): { open: number; inside: Place } {
  const open = add(place.lines, { formula, rule: 'assume', uses: [] });
  return { open, inside: { ...place, scope: [...place.scope, open] } };
}

function introduce(place: Place, goal: Formula): number | null {
  if (goal.kind === 'implies') {
    const { open, inside } = assuming(place, goal.left);
    const end = find(inside, goal.right);
    return end === null ? null : add(place.lines, { formula: goal, rule: 'implies-intro', uses: [open, end] });
  }
  if (goal.kind === 'and') {
    const left = find(place, goal.left);
    const right = left === null ? null : find(place, goal.right);
    return left === null || right === null
      ? null
      : add(place.lines, { formula: goal, rule: 'and-intro', uses: [left, right] });
  }
  if (goal.kind !== 'or') return null;
  for (const side of ['left', 'right'] as const) {
    const mark = place.lines.length;
    const found = find(place, goal[side]);
    if (found !== null)
      return add(place.lines, { formula: goal, rule: side === 'left' ? 'or-left' : 'or-right', uses: [found] });
    place.lines.length = mark;
  }
  return null;
}

function byCases(place: Place, goal: Formula): number | null {
  for (const number of place.scope) {
    const formula = formulaAt(place, number);
    if (formula.kind !== 'or') continue;
    if (inScope(place, formula.left) !== undefined || inScope(place, formula.right) !== undefined) continue;
    const mark = place.lines.length;
    const one = assuming(place, formula.left);
    const oneEnd = find(one.inside, goal);
    const other = oneEnd === null ? null : assuming(place, formula.right);
    const otherEnd = other === null ? null : find(other.inside, goal);
    if (oneEnd !== null && other !== null && otherEnd !== null)
      return add(place.lines, { formula: goal, rule: 'cases', uses: [number, one.open, oneEnd, other.open, otherEnd] });
    place.lines.length = mark;
  }
  return null;
}

function byImplication(place: Place, goal: Formula): number | null {
  for (const number of place.scope) {
    const formula = formulaAt(place, number);
    if (formula.kind !== 'implies' || inScope(place, formula.right) !== undefined) continue;
    const mark = place.lines.length;
    const from = find(place, formula.left);
    if (from !== null) {
      const right = add(place.lines, { formula: formula.right, rule: 'implies-elim', uses: [number, from] });
      const found = find({ ...place, scope: [...place.scope, right] }, goal);
      if (found !== null) return found;
    }
    place.lines.length = mark;
  }
  return null;
}
