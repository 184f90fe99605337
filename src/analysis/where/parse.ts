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
  fail(token: Token, message: string, expected: string): never;
}

function createReader(source: string): Reader {
  const tokens = readTokens(source);
  let next = 0;
  const peek = (): Token => tokens[next] as Token;
  return {
    peek,
    take: () => tokens[Math.min(next++, tokens.length - 1)] as Token,
    takes(text) {
      const token = peek();
      if (token.kind === 'text' || token.text.toLowerCase() !== text) return null;
      next++;
      return token;
    },
    fail(token, message, expected): never {
      throw wrongExpression(source, { at: token.at, message, expected });
    },
  };
}

function readOr(reader: Reader): Expression {
  let left = readAnd(reader);
  for (let token = reader.takes('or'); token !== null; token = reader.takes('or'))
    left = { kind: 'or', left, right: readAnd(reader), at: token.at };
  return left;
}

function readAnd(reader: Reader): Expression {
  let left = readNot(reader);
  for (let token = reader.takes('and'); token !== null; token = reader.takes('and'))
    left = { kind: 'and', left, right: readNot(reader), at: token.at };
  return left;
}

function readNot(reader: Reader): Expression {
  const token = reader.takes('not');
  return token === null ? readComparison(reader) : { kind: 'not', of: readNot(reader), at: token.at };
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
    const inner = readOr(reader);
    const close = reader.peek();
    if (reader.takes(')') === null) reader.fail(close, `"${close.text}"`, '")"');
    return inner;
  }
  if (kind !== 'name' || ['and', 'or', 'not', 'in'].includes(text.toLowerCase()))
    return reader.fail(token, `"${text}"`, 'a name, a number or a text in quotes');
  if (text === 'true' || text === 'false') return { kind: 'value', value: text === 'true', at };
  if (text === 'known' && reader.peek().text === '(') return { kind: 'known', of: readOperand(reader), at };
  return { kind: 'name', name: text, at };
}
