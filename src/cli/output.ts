import { stripVTControlCharacters } from 'node:util';
import picocolors from 'picocolors';

export type Paint = ReturnType<typeof picocolors.createColors>;

/** 0: done; 1: ran, but the result is negative; 2: asked for something that cannot be. */
export type ExitCode = 0 | 1 | 2;

/** Where a verb writes to. */
export interface Output {
  readonly paint: Paint;
  /** Columns that a line may fill. */
  readonly width: number;
  /** Whether progress shows. */
  readonly isLive: boolean;
  line(text?: string): void;
  /** One line of JSON, for machines. */
  json(value: unknown): void;
  /** A remark beside the results: on the stream where progress goes. */
  note(text: string): void;
  /** What is going on, while it does: one line that the next one replaces, on terminals only. */
  progress(text: string): void;
}

export interface Stream {
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
  const line = (text = ''): void => {
    clear();
    results.write(`${text}\n`);
  };
  const paint = picocolors.createColors(colours);
  return {
    paint,
    width: widthOfStream(results),
    isLive: progress.isTTY === true,
    line,
    json: value => line(JSON.stringify(value)),
    note(text) {
      clear();
      progress.write(`${text}\n`);
    },
    progress(text) {
      if (progress.isTTY !== true) return;
      clear();
      if (text === '') return;
      progress.write(paint.dim(text.slice(0, widthOfStream(progress) - 1)));
      showing = true;
    },
  };
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
  const lines: string[] = [];
  let current = '';
  for (const word of text.split(' ')) {
    if (current !== '' && widthOf(current) + 1 + widthOf(word) > width) {
      lines.push(current);
      current = indent + word;
    } else {
      current = current === '' ? word : `${current} ${word}`;
    }
  }
  return [...lines, current].join('\n');
}

function widthOf(text: string): number {
  return stripVTControlCharacters(text).length;
}
