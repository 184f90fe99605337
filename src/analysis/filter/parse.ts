import { readTokens, wrongExpression, type Token } from './tokens.ts';

export type Comparison = '<' | '<=' | '>' | '>=' | '=' | '!=' | '~';

/** An expression as a tree. `at` is its place in the source. */
export type Expression =
  | { readonly kind: 'value'; readonly value: number | string | boolean; readonly at: number }
  | { readonly kind: 'name'; readonly name: string; readonly at: number }
  | { readonly kind: 'not'; readonly of: Expression; readonly at: number }
  | { readonly kind: 'and' | 'or'; readonly left: Expression; readonly right: Expression; readonly at: number }
  | { readonly kind: 'in'; readonly of: Expression; readonly list: readonly Expression[]; readonly at: number }
  | { readonly kind: 'known'; readonly of: Expression; readonly at: number }
  | {
      readonly kind: 'compare';
      readonly operator: Comparison;
      readonly left: Expression;
      readonly right: Expression;
      readonly at: number;
    };

const comparisons: ReadonlySet<string> = new Set(['<', '<=', '>', '>=', '=', '==', '!=', '~']);

/** Reads `signal.lucky < 0.5 and (steps <= 12 or outcome = 'failed')`. */
export function parseExpression(source: string): Expression {
  const reader = createReader(source);
  const expression = readOr(reader);
  const rest = reader.take();
  if (rest.kind !== 'end') reader.fail(rest, `"${rest.text}"`, '"and", "or" or the end');
  return expression;
}

interface Reader {
  peek(): Token;
  take(): Token;
  /** Takes the token if it is this word or sign. */
  takes(text: string): Token | null;
  /** Reads what the token opens, unless it is nested too deeply. */
  nested<T>(token: Token, read: () => T): T;
  /** Takes `and` or `or`, unless there are too many of them. */
  takesJoin(text: 'and' | 'or'): Token | null;
  fail(token: Token, message: string, expected: string): never;
}

/** Nobody writes deeper conditions by hand, and each level takes a piece of the stack. */
const deepest = 100;
const mostJoins = 1000;

function createReader(source: string): Reader {
  const tokens = readTokens(source);
  let next = 0;
  let depth = 0;
  let joins = 0;
  const peek = (): Token => tokens[next] as Token;
  const takes = (text: string): Token | null => {
    const token = peek();
    if (token.kind === 'text' || token.text.toLowerCase() !== text) return null;
    next++;
    return token;
  };
  return {
    takes,
    takesJoin(text) {
      const token = takes(text);
      if (token === null || ++joins <= mostJoins) return token;
      throw wrongExpression(source, {
        at: token.at,
        message: `there are more than ${mostJoins} of "and" and "or"`,
        expected: "fewer conditions; a list such as template in ('a', 'b') may have any length",
      });
    },
    nested(token, read) {
      if (++depth > deepest)
        throw wrongExpression(source, {
          at: token.at,
          message: `"${token.text}" is nested more than ${deepest} levels deep`,
          expected: `at most ${deepest} levels of parentheses and "not"`,
        });
      const found = read();
      depth--;
      return found;
    },
    peek,
    take: () => tokens[Math.min(next++, tokens.length - 1)] as Token,
    fail(token, message, expected): never {
      const what = token.kind === 'end' ? 'something is missing' : message;
      throw wrongExpression(source, { at: token.at, message: what, expected });
    },
  };
}

function readOr(reader: Reader): Expression {
  let left = readAnd(reader);
  for (let token = reader.takesJoin('or'); token !== null; token = reader.takesJoin('or'))
    left = { kind: 'or', left, right: readAnd(reader), at: token.at };
  return left;
}

function readAnd(reader: Reader): Expression {
  let left = readNot(reader);
  for (let token = reader.takesJoin('and'); token !== null; token = reader.takesJoin('and'))
    left = { kind: 'and', left, right: readNot(reader), at: token.at };
  return left;
}

function readNot(reader: Reader): Expression {
  const token = reader.takes('not');
  if (token === null) return readComparison(reader);
  return { kind: 'not', of: reader.nested(token, () => readNot(reader)), at: token.at };
}

function readComparison(reader: Reader): Expression {
  const left = readOperand(reader);
  const list = reader.takes('in');
  if (list !== null) return { kind: 'in', of: left, list: readList(reader), at: list.at };
  const token = reader.peek();
  if (token.kind !== 'operator' || !comparisons.has(token.text)) return left;
  reader.take();
  const operator = (token.text === '==' ? '=' : token.text) as Comparison;
  return { kind: 'compare', operator, left, right: readOperand(reader), at: token.at };
}

function readList(reader: Reader): readonly Expression[] {
  const open = reader.peek();
  if (reader.takes('(') === null) reader.fail(open, `"${open.text}"`, 'a list such as (1, 2)');
  const items = [readOperand(reader)];
  while (reader.takes(',') !== null) items.push(readOperand(reader));
  const close = reader.peek();
  if (reader.takes(')') === null) reader.fail(close, `"${close.text}"`, '"," or ")"');
  return items;
}

function readOperand(reader: Reader): Expression {
  const token = reader.take();
  const { kind, text, at } = token;
  if (kind === 'number') return { kind: 'value', value: Number(text), at };
  if (kind === 'text') return { kind: 'value', value: text.slice(1, -1), at };
  if (text === '(') {
    const inner = reader.nested(token, () => readOr(reader));
    const close = reader.peek();
    if (reader.takes(')') === null) reader.fail(close, `"${close.text}"`, '")"');
    return inner;
  }
  if (kind !== 'name' || ['and', 'or', 'not', 'in'].includes(text.toLowerCase()))
    return reader.fail(token, `"${text}"`, 'a name, a number or a text in quotes');
  const word = text.toLowerCase();
  if (word === 'true' || word === 'false') return { kind: 'value', value: word === 'true', at };
  if (word === 'known' && reader.peek().text === '(') return { kind: 'known', of: readOperand(reader), at };
  return { kind: 'name', name: text, at };
}
