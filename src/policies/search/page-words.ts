import { readScreen, type ScreenLine } from '../../core/episode/screen-text.ts';
import { wordsOf } from '../learned/reading/words.ts';
import { iconWords } from './icon-words.ts';

/** A line of the screen that can be acted on, with the words that the search compares. */
export interface PageElement extends ScreenLine {
  readonly ref: string;
  /** Words of its own name; icons count as the words that they stand for. */
  readonly words: readonly string[];
  /** Words of the row or card that it stands in, its own left out. */
  readonly rowWords: readonly string[];
  /** Names of the row, in lower case: to look for whole names. */
  readonly rowText: string;
  /** Tells it from other elements of this screen, and finds it again on the next. */
  readonly key: string;
}

export interface PageWords {
  readonly elements: readonly PageElement[];
  /** How telling a word is: from 0, when every element has it, to 1. */
  rarity(word: string): number;
}

/** A larger part of a page is no row. */
const mostRowLines = 14;

export function readPageWords(screen: string): PageWords {
  const lines = readScreen(screen);
  const sizes = subtreeSizes(lines);
  const rows = new Map<number, Row>();
  const elements = lines.flatMap((line, index) => {
    if (line.ref === null || line.states.includes('disabled')) return [];
    return [elementAt({ lines, sizes, rows, index }, line as ScreenLine & { ref: string })];
  });
  const counts = new Map<string, number>();
  for (const { words } of elements) for (const word of new Set(words)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const most = Math.log(1 + elements.length);
  return { elements, rarity: word => Math.log(1 + elements.length / (counts.get(word) ?? 1)) / most };
}

/** Texts of the row or card that elements stand in. */
interface Row {
  readonly text: string;
  readonly words: readonly string[];
}

interface Place {
  readonly lines: readonly ScreenLine[];
  readonly sizes: readonly number[];
  /** By the line that they begin with. */
  readonly rows: Map<number, Row>;
  readonly index: number;
}

const noRow: Row = { text: '', words: [] };

function elementAt(place: Place, line: ScreenLine & { readonly ref: string }): PageElement {
  const { lines, index } = place;
  const { text, words: inRow } = rowAt(place, line);
  const words = elementWords(line, lines[index - 1]);
  const own = new Set(words);
  return {
    ...line,
    words,
    rowWords: inRow.filter(word => !own.has(word)),
    rowText: text,
    key: `${line.role} ${line.name} ${text}`,
  };
}

function rowAt({ lines, sizes, rows, index }: Place, line: ScreenLine): Row {
  let first = index;
  for (let at = line.parent; at >= 0 && (sizes[at] as number) <= mostRowLines; at = (lines[at] as ScreenLine).parent)
    first = at;
  if (first === index) return noRow;
  const known = rows.get(first);
  if (known !== undefined) return known;
  const names = lines.slice(first, first + (sizes[first] as number)).map(({ name }) => name);
  const text = names.join('\n').toLowerCase();
  const row = { text, words: [...new Set(wordsOf(text))] };
  rows.set(first, row);
  return row;
}

/** An element without a name of its own is called like the text before it, which most pages have as its label. */
function elementWords({ name }: ScreenLine, before: ScreenLine | undefined): readonly string[] {
  if (name === '') return before?.ref === null ? wordsOf(before.name) : [];
  return [...new Set(wordsOf(`${name} ${iconWords(name)}`))];
}

/** Lines of each subtree, its root included. */
function subtreeSizes(lines: readonly ScreenLine[]): number[] {
  const sizes = lines.map(() => 1);
  for (let index = lines.length - 1; index >= 0; index--) {
    const { parent } = lines[index] as ScreenLine;
    if (parent >= 0) sizes[parent] = (sizes[parent] as number) + (sizes[index] as number);
  }
  return sizes;
}
