import { EspalierError } from '../../core/errors.ts';

export interface Token {
  readonly kind: 'number' | 'text' | 'name' | 'operator' | 'end';
  readonly text: string;
  /** Place of its first character in the expression, from 0. */
  readonly at: number;
}

/** Longer ones first. A name may have dots and dashes: `signal.longest-stall`. */
const pattern =
  /\s*(?:(?<number>-?\d+(?:\.\d+)?)|(?<text>'[^']*'|"[^"]*")|(?<name>[A-Za-z][\w.-]*)|(?<operator><=|>=|!=|==|=|<|>|\(|\)|,|~))/y;

export function readTokens(source: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (source.slice(at).trim() !== '') {
    pattern.lastIndex = at;
    const { groups } = pattern.exec(source) ?? {};
    if (groups === undefined) {
      const place = at + source.slice(at).search(/\S/);
      const isOpen = /['"]/.test(source[place] as string);
      throw wrongExpression(source, {
        at: place,
        message: isOpen ? 'a text that does not end' : `"${source[place]}"`,
        expected: isOpen ? 'the closing quote' : 'a name, a number, a text in quotes or an operator',
      });
    }
    const kind = (['number', 'text', 'name', 'operator'] as const).find(name => groups[name] !== undefined);
    const text = groups[kind as string] as string;
    at = pattern.lastIndex;
    tokens.push({ kind: kind as Token['kind'], text, at: at - text.length });
  }
  return [...tokens, { kind: 'end', text: 'the end', at: source.length }];
}

export interface WrongExpression {
  readonly at: number;
  /** What came. */
  readonly message: string;
  readonly expected: string;
}

/** Characters of an expression that an error repeats. */
const longestShown = 400;

/** Says what is wrong, and shows where: `signal.lucky < 'x'` with a mark under the place. */
export function wrongExpression(source: string, { at, message, expected }: WrongExpression): EspalierError {
  const near = source.slice(at, at + 20).trim();
  const place = near === '' ? 'at the end' : `at character ${at + 1}, near \`${near}\``;
  const shown = source.length > longestShown ? `${source.slice(0, longestShown)}…` : source;
  return new EspalierError({
    boundary: 'input',
    code: 'invalid-expression',
    message: `The expression \`${shown}\` is wrong ${place}: ${message}${/[.?]$/.test(message) ? '' : '.'}`,
    expected: `Expected ${expected}.`,
  });
}
