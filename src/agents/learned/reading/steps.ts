import { isSearchName } from './search-fields.ts';
import { wordsOf } from './words.ts';

/** A line of the history by itself. */
export interface StepLine {
  /** Without why it was refused. */
  readonly text: string;
  readonly refused: boolean;
  /** Words of the names and texts in it. */
  readonly words: readonly string[];
  /** Words of why it was refused. */
  readonly reason: readonly string[];
  /** Words of the whole line. */
  readonly allWords: readonly string[];
  readonly isClick: boolean;
  /** The name of the field that it fills; null when it fills none. */
  readonly filled: string | null;
  /** Whether that name says that the field looks for something. */
  readonly fillsSearch: boolean;
}

/** A step of the history, as far as its line and the screen tell. */
export interface ReadStep extends StepLine {
  readonly kind: 'click' | 'search' | 'enter';
}

const refusedMark = ' (refused: ';
const quoted = /"((?:[^"\\]|\\.)*)"/g;

export function readStepLine(text: string): StepLine {
  const at = text.indexOf(refusedMark);
  const done = at < 0 ? text : text.slice(0, at);
  const names = Array.from(done.matchAll(quoted), match => match[1] as string);
  const filled = text.startsWith('fill ') ? (names[0] ?? '') : null;
  return {
    text: done,
    refused: at >= 0,
    words: at >= 0 ? [] : names.flatMap(wordsOf),
    reason: at < 0 ? [] : wordsOf(text.slice(at + refusedMark.length)),
    allWords: wordsOf(text),
    isClick: text.startsWith('click'),
    filled,
    fillsSearch: filled !== null && isSearchName(wordsOf(filled)),
  };
}

/** Reads a step; `searchFields` are names of fields on the screen that look for something. */
export function readStep(line: StepLine, searchFields: ReadonlySet<string>): ReadStep {
  const isSearch = line.fillsSearch || (line.filled !== null && searchFields.has(line.filled));
  return { ...line, kind: line.isClick ? 'click' : isSearch ? 'search' : 'enter' };
}
