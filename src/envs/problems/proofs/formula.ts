/** A formula of propositional logic. `~a` is short for `a -> false`. */
export type Formula =
  | { readonly kind: 'atom'; readonly name: string }
  | { readonly kind: 'false' }
  | { readonly kind: 'and' | 'or' | 'implies'; readonly left: Formula; readonly right: Formula };

export const absurd: Formula = { kind: 'false' };

export function join(kind: 'and' | 'or' | 'implies', left: Formula, right: Formula): Formula {
  return { kind, left, right };
}

export function not(formula: Formula): Formula {
  return join('implies', formula, absurd);
}

const signs = { and: '&', or: '|', implies: '->' } as const;

/** A formula with as few parentheses as a reader needs: one pair around each inner connective. */
export function writeFormula(formula: Formula): string {
  if (formula.kind === 'atom') return formula.name;
  if (formula.kind === 'false') return 'false';
  if (formula.kind === 'implies' && formula.right.kind === 'false') return `~${inner(formula.left)}`;
  return `${inner(formula.left)} ${signs[formula.kind]} ${inner(formula.right)}`;
}

function inner(formula: Formula): string {
  const text = writeFormula(formula);
  const isJoined = formula.kind !== 'atom' && formula.kind !== 'false' && !isNegation(formula);
  return isJoined ? `(${text})` : text;
}

function isNegation(formula: Formula): boolean {
  return formula.kind === 'implies' && formula.right.kind === 'false';
}

export function sameFormula(one: Formula, other: Formula): boolean {
  return writeFormula(one) === writeFormula(other);
}

const longestFormula = 400;
const tokens = /\s*(->|[&|~()]|false\b|[a-z]\b)/y;

/** Reads a formula; null when it is none. `->` binds weakest and to the right, `~` strongest. */
export function readFormula(text: string): Formula | null {
  if (text.length > longestFormula) return null;
  const words: string[] = [];
  tokens.lastIndex = 0;
  const source = text.trimEnd();
  while (tokens.lastIndex < source.length) {
    const found = tokens.exec(source)?.[1];
    if (found === undefined) return null;
    words.push(found);
  }
  let at = 0;
  const taken = (word: string): boolean => words[at] === word && ++at > 0;
  const single = (): Formula | null => {
    if (taken('~')) {
      const formula = single();
      return formula === null ? null : not(formula);
    }
    if (taken('(')) {
      const formula = implication();
      return formula !== null && taken(')') ? formula : null;
    }
    const word = words[at++];
    if (word === 'false') return absurd;
    return word !== undefined && /^[a-z]$/.test(word) ? { kind: 'atom', name: word } : null;
  };
  const chain = (sign: '&' | '|', kind: 'and' | 'or', next: () => Formula | null): Formula | null => {
    let formula = next();
    while (formula !== null && taken(sign)) {
      const right = next();
      formula = right === null ? null : join(kind, formula, right);
    }
    return formula;
  };
  const implication = (): Formula | null => {
    const left = chain('|', 'or', () => chain('&', 'and', single));
    if (left === null || !taken('->')) return left;
    const right = implication();
    return right === null ? null : join('implies', left, right);
  };
  const formula = implication();
  return at === words.length ? formula : null;
}
