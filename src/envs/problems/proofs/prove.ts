import { join, sameFormula, writeFormula, type Formula } from './formula.ts';
import type { Line, Rule, Sequent } from './kernel.ts';
import { shorten } from './shorten.ts';

/** A proof as a term, in the way of lambda terms: it is turned into lines at the end. */
type Term =
  | { readonly rule: 'premise' | 'assume'; readonly formula: Formula; readonly key: number }
  | { readonly rule: 'implies-intro'; readonly formula: Formula; readonly open: Term; readonly body: Term }
  | {
      readonly rule: 'cases';
      readonly formula: Formula;
      readonly either: Term;
      readonly left: Branch;
      readonly right: Branch;
    }
  | {
      readonly rule: Exclude<Rule, 'premise' | 'assume' | 'implies-intro' | 'cases'>;
      readonly formula: Formula;
      readonly parts: readonly Term[];
    };

interface Branch {
  readonly open: Term;
  readonly body: Term;
}

interface Search {
  fresh(formula: Formula): Term;
}

/**
 * Proves a sequent of intuitionistic logic by Dyckhoff's calculus without contraction (G4ip), which always ends. Null when it has
 * no proof.
 */
export function prove({ premises, goal }: Sequent): Line[] | null {
  let keys = 0;
  const search: Search = { fresh: formula => ({ rule: 'assume', formula, key: ++keys }) };
  const given = premises.map((formula): Term => ({ rule: 'premise', formula, key: ++keys }));
  const term = derive(search, given, goal);
  return term === null ? null : shorten(linesOf(term));
}

function applied(
  rule: 'implies-elim' | 'and-left' | 'and-right' | 'or-left' | 'or-right' | 'and-intro' | 'false-elim',
  formula: Formula,
  ...parts: Term[]
): Term {
  return { rule, formula, parts };
}

function derive(search: Search, known: readonly Term[], goal: Formula): Term | null {
  const same = known.find(({ formula }) => sameFormula(formula, goal));
  if (same !== undefined) return same;
  const contradiction = known.find(({ formula }) => formula.kind === 'false');
  if (contradiction !== undefined) return applied('false-elim', goal, contradiction);
  for (const [at, term] of known.entries()) {
    const rest = known.toSpliced(at, 1);
    const simpler = simplified(search, term, rest);
    if (simpler !== null) return derive(search, [...rest, ...simpler], goal);
    if (term.formula.kind === 'or') return byCases(search, { either: term, rest, goal });
  }
  if (goal.kind === 'implies') {
    const open = search.fresh(goal.left);
    const body = derive(search, [...known, open], goal.right);
    return body === null ? null : { rule: 'implies-intro', formula: goal, open, body };
  }
  if (goal.kind === 'and') {
    const left = derive(search, known, goal.left);
    const right = left === null ? null : derive(search, known, goal.right);
    return left === null || right === null ? null : applied('and-intro', goal, left, right);
  }
  return byChoice(search, known, goal);
}

/** What a known formula is worth once it is taken apart; null when it stays. No choice is made here. */
function simplified(search: Search, term: Term, rest: readonly Term[]): Term[] | null {
  const { formula } = term;
  if (formula.kind === 'and')
    return [applied('and-left', formula.left, term), applied('and-right', formula.right, term)];
  if (formula.kind !== 'implies') return null;
  const { left, right } = formula;
  if (left.kind === 'false') return [];
  if (left.kind === 'atom') {
    const atom = rest.find(other => sameFormula(other.formula, left));
    return atom === undefined ? null : [applied('implies-elim', right, term, atom)];
  }
  const through = (from: Formula, made: (open: Term) => Term): Term => {
    const open = search.fresh(from);
    const body = applied('implies-elim', right, term, made(open));
    return { rule: 'implies-intro', formula: join('implies', from, right), open, body };
  };
  if (left.kind === 'or')
    return [
      through(left.left, open => applied('or-left', left, open)),
      through(left.right, open => applied('or-right', left, open)),
    ];
  if (left.kind !== 'and') return null;
  const outer = search.fresh(left.left);
  const inner = through(left.right, open => applied('and-intro', left, outer, open));
  return [{ rule: 'implies-intro', formula: join('implies', left.left, inner.formula), open: outer, body: inner }];
}

function byCases(
  search: Search,
  { either, rest, goal }: { either: Term; rest: readonly Term[]; goal: Formula },
): Term | null {
  const { formula } = either;
  if (formula.kind !== 'or') return null;
  const branch = (side: Formula): Branch | null => {
    const open = search.fresh(side);
    const body = derive(search, [...rest, open], goal);
    return body === null ? null : { open, body };
  };
  const left = branch(formula.left);
  const right = left === null ? null : branch(formula.right);
  return left === null || right === null ? null : { rule: 'cases', formula: goal, either, left, right };
}

/** The rules that may turn out wrong: one side of a disjunction, and an implication from an implication. */
function byChoice(search: Search, known: readonly Term[], goal: Formula): Term | null {
  if (goal.kind === 'or')
    for (const side of ['left', 'right'] as const) {
      const term = derive(search, known, goal[side]);
      if (term !== null) return applied(side === 'left' ? 'or-left' : 'or-right', goal, term);
    }
  for (const [at, term] of known.entries()) {
    const { formula } = term;
    if (formula.kind !== 'implies' || formula.left.kind !== 'implies') continue;
    const { left: from, right: to } = formula.left;
    const rest = known.toSpliced(at, 1);
    // Whoever has `to` has `from -> to`, and so the right side.
    const outer = search.fresh(to);
    const constant: Term = { rule: 'implies-intro', formula: formula.left, open: search.fresh(from), body: outer };
    const shorter: Term = {
      rule: 'implies-intro',
      formula: join('implies', to, formula.right),
      open: outer,
      body: applied('implies-elim', formula.right, term, constant),
    };
    const needed = derive(search, [...rest, shorter], formula.left);
    if (needed === null) continue;
    const found = derive(search, [...rest, applied('implies-elim', formula.right, term, needed)], goal);
    if (found !== null) return found;
  }
  return null;
}

/**
 * The lines of a term, each after those that it uses. A term stands in many places, and is written once: otherwise proofs grow
 * exponentially. Every line stays usable, since the kernel follows assumptions and not places.
 */
function linesOf(term: Term): Line[] {
  const lines: Line[] = [];
  const assumed = new Map<number, number>();
  const places = new Map<Term, number>();
  const add = (formula: Formula, rule: Rule, uses: readonly number[]): number => {
    const known = rule === 'assume' ? -1 : lines.findIndex(line => isSameLine(line, { formula, rule, uses }));
    return known < 0 ? lines.push({ formula, rule, uses }) : known + 1;
  };
  const opened = (open: Term): number => {
    if (open.rule !== 'assume') throw new Error('an assumption was expected');
    const number = add(open.formula, 'assume', []);
    assumed.set(open.key, number);
    return number;
  };
  const write = (one: Term): number => {
    const place = places.get(one) ?? written(one);
    places.set(one, place);
    return place;
  };
  const written = (one: Term): number => {
    if ('key' in one)
      return one.rule === 'premise' ? add(one.formula, 'premise', []) : (assumed.get(one.key) as number);
    if (one.rule === 'implies-intro') {
      const open = opened(one.open);
      return add(one.formula, 'implies-intro', [open, write(one.body)]);
    }
    if (one.rule === 'cases') {
      const either = write(one.either);
      const left = opened(one.left.open);
      const leftEnd = write(one.left.body);
      const right = opened(one.right.open);
      return add(one.formula, 'cases', [either, left, leftEnd, right, write(one.right.body)]);
    }
    return add(one.formula, one.rule, one.parts.map(write));
  };
  write(term);
  return lines;
}

function isSameLine(one: Line, other: Line): boolean {
  return one.rule === other.rule && sameFormula(one.formula, other.formula) && String(one.uses) === String(other.uses);
}

export function writeLine({ formula, rule, uses }: Line): string {
  return [writeFormula(formula), rule, ...uses].join(' ');
}
