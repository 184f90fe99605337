import { randomBytes } from 'node:crypto';
import picocolors from 'picocolors';

export type Paint = ReturnType<typeof picocolors.createColors>;

/** 0: done; 1: ran, but the result is negative; 2: wrong usage. */
export type ExitCode = 0 | 1 | 2;

/** Where a verb writes to: the one place through which texts reach a terminal. */
export interface Output {
  /** Colours that only this output shows as such. */
  readonly paint: Paint;
  /** The text as a terminal may show it: with our colours, and without any other control characters. */
  shown(text: string): string;
  /** Columns that a line may fill. */
  readonly width: number;
  /** Whether progress shows. */
  readonly isLive: boolean;
  line(text?: string): void;
  /** One line of JSON, for machines. */
  json(value: unknown): void;
  /** A remark beside the results: on the stream where progress goes. */
  note(text: string): void;
  /** A line of progress that the next one replaces; on terminals only. */
  progress(text: string): void;
}

interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface OutputOptions {
  readonly results: Stream;
  readonly progress: Stream;
  readonly colours: boolean;
}

const longestLine = 110;
const shortestLine = 40;

export function createOutput({ results, progress, colours }: OutputOptions): Output {
  let showing = false;
  const clear = (): void => {
    if (showing) progress.write('\r\u001B[2K');
    showing = false;
  };
  const { paint, shown } = createPaint(colours);
  const line = (text = ''): void => {
    clear();
    results.write(`${shown(text)}\n`);
  };
  return {
    paint,
    shown,
    width: widthOfStream(results),
    isLive: progress.isTTY === true,
    line,
    json: value => line(visibleJson(value)),
    note(text) {
      clear();
      progress.write(`${shown(text)}\n`);
    },
    progress(text) {
      if (progress.isTTY !== true) return;
      clear();
      if (text === '') return;
      const short = visible(text.replaceAll('\n', ' ')).slice(0, widthOfStream(progress) - 1);
      progress.write(shown(paint.dim(short)));
      showing = true;
    },
  };
}

const escape = '\u001B';
/** Replaces the escape character of our colours until the text is written. A random number follows it, so that no text can forge one. */
const colourMark = '\u{F0000}';
const colourPattern = /\u{F0000}[0-9a-f]{32}\[[0-9;]*m/gu;

function createPaint(colours: boolean): Pick<Output, 'paint' | 'shown'> {
  const mark = colourMark + randomBytes(16).toString('hex');
  const plain = picocolors.createColors(colours);
  const marked = (format: (text: string) => string) => (text: string | number | null | undefined) =>
    format(visible(String(text))).replaceAll(escape, mark);
  const paint = Object.fromEntries(
    Object.entries(plain).map(([name, format]) => [name, typeof format === 'function' ? marked(format) : format]),
  ) as unknown as Paint;
  return { paint, shown: text => visible(text).replaceAll(mark, escape) };
}

/** Some terminals do not know how wide they are. */
function widthOfStream({ columns: known = 0 }: Stream): number {
  return known === 0 ? longestLine : Math.max(shortestLine, Math.min(known, longestLine));
}

/** Rows as lines with aligned columns; a column of figures is set to the right. */
export function columns(rows: readonly (readonly string[])[], figures: readonly number[] = []): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, widthOf(cell));
  }
  return rows.map(row => {
    const cells = row.map((cell, index) => {
      const space = ' '.repeat((widths[index] ?? 0) - widthOf(cell));
      return figures.includes(index) ? space + cell : cell + space;
    });
    return cells.join('  ').trimEnd();
  });
}

/** Breaks a text into lines at spaces; each line after the first starts with the indent. */
export function wrap(text: string, width: number, indent: string): string {
  // Questions have lines of their own, and programs in them begin with spaces.
  const lines = text.split('\n').flatMap((line, at) => wrapLine(line, { width, indent, isFirst: at === 0 }));
  return lines.join('\n');
}

function wrapLine(line: string, how: { width: number; indent: string; isFirst: boolean }): string[] {
  const { width, indent, isFirst } = how;
  const lines: string[] = [];
  const [spaces = ''] = /^ */.exec(line) ?? [];
  const [first = '', ...words] = line.slice(spaces.length).split(' ');
  if (first === '') return [''];
  let current = (isFirst ? '' : indent) + spaces + first;
  for (const word of words) {
    if (widthOf(current) + 1 + widthOf(word) > width) {
      lines.push(current);
      current = indent + word;
    } else {
      current = `${current} ${word}`;
    }
  }
  return [...lines, current];
}

function widthOf(text: string): number {
  return text.replaceAll(colourPattern, '').length;
}

/**
 * Characters that a terminal acts on instead of showing them: control characters, and marks that turn the direction of a text.
 * Anybody may put them into tasks, screens, answers of models, errors and file names.
 */
// oxlint-disable-next-line no-control-regex -- that is what it is for
const acting = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Replaces control characters by visible signs. Line feeds and tabs stay. */
export function visible(text: string): string {
  return text.replaceAll(acting, sign => {
    const code = sign.charCodeAt(0);
    // Unicode has pictures for the oldest ones.
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? '\u2421' : `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
  });
}

/** JSON with control characters written as escapes. */
function visibleJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(acting, sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
