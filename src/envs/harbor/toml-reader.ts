import { EspalierError } from '../../core/errors.ts';

/** A place in a text. */
export interface Reader {
  isAtEnd(): boolean;
  peek(): string;
  /** Goes on behind this text if it is next. */
  take(text: string): boolean;
  /** Goes on behind what a sticky pattern matches here; null when it does not. */
  match(pattern: RegExp): string | null;
  skipSpace(): void;
  /** Spaces, line ends and comments. */
  skipBlank(): void;
  /** Nothing but a comment may follow on this line. */
  endLine(): void;
  /** A text between quotes of any kind; null when there is none. */
  quoted(): string | null;
  /** What was expected here. */
  problem(expected: string): EspalierError;
}

export function createReader(text: string, file: string): Reader {
  let at = 0;
  const match = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0] ?? null;
    if (found !== null) at += found.length;
    return found;
  };
  const problem = (expected: string): EspalierError => {
    const line = text.slice(0, at).split('\n').length;
    const came = at < text.length ? JSON.stringify(text.slice(at, at + 20).split('\n')[0]) : 'the end of the file';
    return new EspalierError({
      boundary: 'input',
      code: 'invalid-option',
      message: `${file}, line ${line}: not TOML at ${came}.`,
      expected: `Expected ${expected}.`,
    });
  };
  const reader: Reader = {
    match,
    problem,
    isAtEnd: () => at >= text.length,
    peek: () => text[at] ?? '',
    take(word) {
      if (!text.startsWith(word, at)) return false;
      at += word.length;
      return true;
    },
    skipSpace: () => void match(/[ \t]*/y),
    skipBlank: () => void match(/(?:[ \t]|\r?\n|#[^\n]*)*/y),
    endLine() {
      match(/[ \t]*(?:#[^\n]*)?/y);
      if (at < text.length && match(/\r?\n/y) === null) throw problem('the end of the line');
    },
    quoted: () => readQuoted(reader),
  };
  return reader;
}

function readQuoted(reader: Reader): string | null {
  if (reader.take('"""')) return readBasic(reader, '"""');
  if (reader.take("'''")) return readLiteral(reader, /(?:[^']|'(?!''(?!')))*/y, "'''");
  if (reader.take('"')) return readBasic(reader, '"');
  if (reader.take("'")) return readLiteral(reader, /[^'\n]*/y, "'");
  return null;
}

function readLiteral(reader: Reader, content: RegExp, end: string): string {
  const isLong = end.length === 3;
  if (isLong) reader.match(/\r?\n/y);
  const text = reader.match(content) ?? '';
  if (!reader.take(end)) throw reader.problem(`a ${end} at the end of the text`);
  return text;
}

const escapes: Readonly<Record<string, string>> = {
  b: '\b',
  t: '\t',
  n: '\n',
  f: '\f',
  r: '\r',
  '"': '"',
  '\\': '\\',
};

function readBasic(reader: Reader, end: string): string {
  const isLong = end.length === 3;
  if (isLong) reader.match(/\r?\n/y);
  let text = '';
  for (;;) {
    text += reader.match(isLong ? /(?:[^"\\]|"(?!""(?!")))*/y : /[^"\\\n]*/y) ?? '';
    if (reader.take(end)) return text;
    if (!reader.take('\\')) throw reader.problem(`a ${end} at the end of the text`);
    // A backslash at the end of a line swallows the space before the next word.
    if (isLong && reader.match(/[ \t]*\r?\n\s*/y) !== null) continue;
    text += readEscape(reader);
  }
}

function readEscape(reader: Reader): string {
  const code = reader.match(/u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}/y);
  if (code !== null) {
    const point = Number.parseInt(code.slice(1), 16);
    if (point > 0x10_ff_ff || (point >= 0xd8_00 && point <= 0xdf_ff)) throw reader.problem('a character of Unicode');
    return String.fromCodePoint(point);
  }
  const letter = reader.match(/[btnfr"\\]/y);
  if (letter === null) throw reader.problem('an escape such as \\n or \\u00e9');
  return escapes[letter] as string;
}
