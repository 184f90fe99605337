import { readScreen, type ScreenLine } from '../../core/episode/screen-text.ts';
import { wordsOf } from '../learned/reading/words.ts';
import { iconWords, withoutIcons } from './icon-words.ts';

/** A line of the screen that can be acted on, with the words that the search compares. */
export interface PageElement extends ScreenLine {
  readonly ref: string;
  /** Words of its own name; icons count as the words that they stand for. */
  readonly words: readonly string[];
  /** Words of the row or card that it stands in, its own left out. */
  readonly rowWords: readonly string[];
  /** Words of the text right before it, which often says what a button such as "Edit" is for. */
  readonly labelWords: readonly string[];
  /** Names of the row, in lower case: to look for whole names. */
  readonly rowText: string;
  /** Its name, or the names inside of a whole row that can be clicked; in lower case. */
  readonly content: string;
  /** Tells it from other elements of this screen, and finds it again on the next. */
  readonly key: string;
  /** Roles around it, its own last: what stands in the same place of other rows and screens has the same. */
  readonly place: string;
  /** Whether it is a row or card that can be clicked as a whole. */
  readonly isWhole: boolean;
  /** What it has in common with others of a list: the rows of it, or the same button in each. */
  readonly kind: string;
  /** Place of its line on the screen. */
  readonly line: number;
  /** The kind of the clickable row that it stands in; null where it stands in none. */
  readonly rowKind: string | null;
  /** What a list that opens shows as its choice, in lower case: `48 hours` of `48 hours ▾`; null for anything else. */
  readonly shownChoice: string | null;
  /** Whether it is one of a few tabs, of which another is current. */
  readonly isOtherTab: boolean;
}

export interface PageWords {
  readonly elements: readonly PageElement[];
  /** The screen, in lower case. */
  readonly text: string;
  /** Whether a word stands anywhere on the screen. */
  shows(word: string): boolean;
  /** How telling a word is: from 0, when every element has it, to 1. */
  rarity(word: string): number;
  /** How many elements are of the same kind. */
  alike(element: PageElement): number;
}

/** A larger part of a page is no row. */
const mostRowLines = 14;

export function readPageWords(screen: string): PageWords {
  const lines = readScreen(screen);
  const sizes = subtreeSizes(lines);
  const rows = new Map<number, Row>();
  const tabs = otherTabs(lines);
  const elements = lines.flatMap((line, index) => {
    if (line.ref === null || line.states.includes('disabled')) return [];
    return [elementAt({ lines, sizes, rows, tabs, index }, line as ScreenLine & { ref: string })];
  });
  const counts = countOf(elements.flatMap(({ words }) => [...new Set(words)]));
  const kinds = countOf(elements.map(({ kind }) => kind));
  const most = Math.log(1 + elements.length);
  const shown = new Set(lines.flatMap(({ name, options }) => [name, ...options].flatMap(comparedWords)));
  return {
    elements,
    text: screen.toLowerCase(),
    shows: word => shown.has(word),
    rarity: word => Math.log(1 + elements.length / (counts.get(word) ?? 1)) / most,
    alike: ({ kind }) => kinds.get(kind) ?? 1,
  };
}

function countOf(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
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
  readonly tabs: ReadonlySet<number>;
  readonly index: number;
}

const noRow: Row = { text: '', words: [] };

function elementAt(place: Place, line: ScreenLine & { readonly ref: string }): PageElement {
  const { lines, sizes, index } = place;
  const { text, words: inRow } = rowAt(place, line);
  // A row or card that can be clicked as a whole is called by what stands in it.
  const isWhole = (sizes[index] as number) > 1 && (sizes[index] as number) <= mostRowLines;
  const inside = isWhole ? readRow(place, index).words : [];
  const parts = new Set(isWhole ? partWords(place) : []);
  const before = lines[index - 1];
  const label = labelOf(place, line, text);
  const words = [...new Set([...elementWords(line, label), ...inside])].filter(word => !parts.has(word));
  const own = new Set(words);
  return {
    ...line,
    words,
    rowWords: inRow.filter(word => !own.has(word)),
    labelWords: before?.ref === null ? nameWords(before.name).filter(word => !own.has(word)) : [],
    rowText: text,
    content: isWhole ? readRow(place, index).text : searchedName(label).toLowerCase(),
    key: `${line.role} ${label} ${text}`,
    place: rolesTo(lines, index),
    isWhole,
    line: index,
    rowKind: rowKindOf(place, line),
    shownChoice: shownChoiceOf(line),
    isOtherTab: place.tabs.has(index),
    kind: isWhole ? `${line.role} in ${line.parent}` : `${line.role} ${line.name === '' ? label : line.name}`,
  };
}

function rolesTo(lines: readonly ScreenLine[], index: number): string {
  const roles: string[] = [];
  for (let at = index; at >= 0; at = (lines[at] as ScreenLine).parent) roles.push((lines[at] as ScreenLine).role);
  return roles.toReversed().join(' ');
}

/** Rows of one list are of one kind, and so are the buttons in them. */
function rowKindOf({ lines, sizes }: Place, { parent }: ScreenLine): string | null {
  const row = lines[parent];
  if (row === undefined || row.ref === null || (sizes[parent] as number) > mostRowLines) return null;
  return `${row.role} in ${row.parent}`;
}

const opensList = /^(.*\S)\s*(?:[▾▼⌄]|expand_more|arrow_drop_down|unfold_more)$/u;

function shownChoiceOf({ role, name }: ScreenLine): string | null {
  return role === 'button' ? (opensList.exec(name)?.[1]?.toLowerCase() ?? null) : null;
}

/** Lines of the tabs beside a current one: next to it, of its role, with short names. */
function otherTabs(lines: readonly ScreenLine[]): ReadonlySet<number> {
  const found = new Set<number>();
  for (const [index, line] of lines.entries()) {
    if (line.ref === null || !isCurrent(line)) continue;
    const isTab = (at: number): boolean => {
      const { ref, role, parent, name } = lines[at] ?? line;
      return (
        at >= 0 &&
        at < lines.length &&
        ref !== null &&
        role === line.role &&
        parent === line.parent &&
        name.length <= longestTab
      );
    };
    let [first, last] = [index, index];
    while (isTab(first - 1)) first--;
    while (isTab(last + 1)) last++;
    if (last - first >= mostTabs) continue;
    for (let at = first; at <= last; at++) if (!isCurrent(lines[at] as ScreenLine)) found.add(at);
  }
  return found;
}

const mostTabs = 10;
const longestTab = 24;

function isCurrent({ states }: ScreenLine): boolean {
  return states.includes('selected') || states.includes('current');
}

/** Its name; where it has none, the texts before it, or those of its row. */
function labelOf(place: Place, line: ScreenLine, rowText: string): string {
  if (line.name !== '') return line.name;
  const { text } = blockBefore(place, line);
  return text === '' ? rowText : text;
}

/** Words of the buttons inside of a row: they say what those do, not what the row is. A title that is a button stays. */
function partWords({ lines, sizes, index }: Place): string[] {
  return lines.slice(index + 1, index + (sizes[index] as number)).flatMap(({ ref, name }) => {
    const words = ref === null ? [] : nameWords(name);
    return words.length <= mostPartWords ? words : [];
  });
}

/** A longer name inside of a row is its title. */
const mostPartWords = 2;

/** The row that an element stands in: the largest part of the page around it that is not too large. */
function rowAt(place: Place, line: ScreenLine): Row {
  const { lines, sizes, index } = place;
  let first = index;
  for (let at = line.parent; at >= 0 && (sizes[at] as number) <= mostRowLines; at = (lines[at] as ScreenLine).parent)
    first = at;
  if (first === index && (sizes[index] as number) === 1) return blockBefore(place, line);
  return isControl(line) ? rowOf(rowLines(place, first).filter(other => !isControl(other))) : readRow(place, first);
}

/** Fields that stand in one row say nothing of each other. */
function isControl({ role }: ScreenLine): boolean {
  return controlRoles.has(role);
}

const controlRoles: ReadonlySet<string> = new Set(['checkbox', 'radio', 'textbox', 'switch', 'combobox']);

/** Where rows are not grouped: the texts before a button, up to the buttons of the row before. */
function blockBefore({ lines, index }: Place, { role, name, parent }: ScreenLine): Row {
  if (role !== 'button' && name !== '') return noRow;
  const isSibling = (at: number): boolean => at > 0 && lines[at]?.parent === parent;
  // The label of a list that opens is the text right before it.
  const [most, skipped] =
    name === '' ? [mostLabelLines, 0] : opensList.test(name) ? [1, 0] : [mostTextLines, mostButtons];
  let last = index - 1;
  while (isSibling(last) && lines[last]?.ref !== null && index - last <= skipped) last--;
  if (lines.slice(last + 1, index).some((_, at) => isOpenList(lines, last + 1 + at))) return noRow;
  let first = last;
  while (isSibling(first) && lines[first]?.ref === null && last - first < most) first--;
  return first === last ? noRow : rowOf(lines.slice(first + 1, last + 1));
}

/** Whether a list that opens is open: its choices stand after it, and its label is not theirs. */
function isOpenList(lines: readonly ScreenLine[], at: number): boolean {
  const { name, parent } = lines[at] as ScreenLine;
  const isChoice = (other: ScreenLine | undefined): boolean => other?.parent === parent && other.ref !== null;
  return opensList.test(name) && [1, 2, 3].every(step => isChoice(lines[at + step]));
}

const mostButtons = 4;
const mostTextLines = 6;
/** A label, and a sentence about it. */
const mostLabelLines = 2;

function rowLines({ lines, sizes }: Place, first: number): readonly ScreenLine[] {
  return lines.slice(first, first + (sizes[first] as number));
}

function readRow(place: Place, first: number): Row {
  const known = place.rows.get(first);
  if (known !== undefined) return known;
  const row = rowOf(rowLines(place, first));
  place.rows.set(first, row);
  return row;
}

function rowOf(lines: readonly ScreenLine[]): Row {
  const names = lines.map(({ name }) => name);
  return { text: names.map(searchedName).join('\n').toLowerCase(), words: [...new Set(names.flatMap(nameWords))] };
}

/** A name with the family name first is found by the other order, too. */
function searchedName(name: string): string {
  const [, family, given] = familyFirst.exec(name) ?? [];
  return family === undefined ? name : `${name}\n${given} ${family}`;
}

const familyFirst = /^(\p{Lu}[\p{L}'’-]*), (\p{Lu}[\p{L}'’-]*)$/u;

/** Most pages have the text before an element as its label. */
function elementWords({ name }: ScreenLine, label: string): readonly string[] {
  return [...new Set([...nameWords(label), ...comparedWords(iconWords(name))])];
}

/** Words that a search compares: `categories` and `category` are one, and so are `appointments` and `appointment`. */
export function comparedWords(text: string): string[] {
  return wordsOf(text).map(comparedWord);
}

export function comparedWord(word: string): string {
  if (word.length > 3 && word.endsWith('i')) return `${word.slice(0, -1)}y`;
  // A plural has lost its last letter alone; the same word in the singular has lost these.
  const ending = nounEndings.find(candidate => word.endsWith(candidate));
  return ending === undefined || word.length - ending.length < 3 ? word : word.slice(0, -ending.length);
}

const nounEndings = ['ation', 'ment'] as const;

/** Words of a name as a person reads it: pictures and counts that are set beside a word do not belong to it. */
function nameWords(name: string): string[] {
  return comparedWords(withoutIcons(name).replaceAll(countAfterWord, '$1 $2'));
}

/** `Issues57`: a word and a badge. */
const countAfterWord = /(\p{L}{3,})(\p{N}+)(?![\p{L}\p{N}])/gu;

/** Lines of each subtree, its root included. */
function subtreeSizes(lines: readonly ScreenLine[]): number[] {
  const sizes = lines.map(() => 1);
  for (let index = lines.length - 1; index >= 0; index--) {
    const { parent } = lines[index] as ScreenLine;
    if (parent >= 0) sizes[parent] = (sizes[parent] as number) + (sizes[index] as number);
  }
  return sizes;
}
