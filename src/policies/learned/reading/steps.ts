import { isSearchName } from './search-fields.ts';
import { wordsOf } from './words.ts';

/** A step of the history as far as its line tells. */
export interface ReadStep {
  readonly text: string;
  readonly kind: 'click' | 'search' | 'enter';
  readonly refused: boolean;
  /** Words of the names and texts in it. */
  readonly words: readonly string[];
  /** Words of why it was refused. */
  readonly reason: readonly string[];
}

const refusedMark = ' (refused: ';
const quoted = /"((?:[^"\\]|\\.)*)"/g;

/** Reads a line of the history; `searchFields` are names of fields on the screen that look for something. */
export function readStep(text: string, searchFields: ReadonlySet<string>): ReadStep {
  const at = text.indexOf(refusedMark);
  const done = at < 0 ? text : text.slice(0, at);
  const names = Array.from(done.matchAll(quoted), match => match[1] as string);
  const field = names[0] ?? '';
  const isSearch = text.startsWith('fill ') && (isSearchName(wordsOf(field)) || searchFields.has(field));
  return {
    text: done,
    kind: text.startsWith('click') ? 'click' : isSearch ? 'search' : 'enter',
    refused: at >= 0,
    words: at >= 0 ? [] : names.flatMap(wordsOf),
    reason: at < 0 ? [] : wordsOf(text.slice(at + refusedMark.length)),
  };
}
