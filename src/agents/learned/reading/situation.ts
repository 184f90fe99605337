import { readScreen, type ScreenLine } from '../../../core/episode/screen-text.ts';
import type { Situation } from '../../../core/episode/view.ts';
import { findClauses, followClauses, type ClauseProgress, type Clauses } from './clauses.ts';
import { findMentions, type Mention } from './mentions.ts';
import { questionOf, type Question } from './question.ts';
import { rolesOf } from './roles.ts';
import { isSearchName } from './search-fields.ts';
import { readStep, readStepLine, type ReadStep, type StepLine } from './steps.ts';
import { isStopWord, wordsOf } from './words.ts';

/** A mention, and what became of it so far. */
export interface TrackedMention extends Mention {
  /** Steps that named it. */
  readonly used: number;
  /** It was typed into a search. */
  readonly searched: boolean;
  /** It was clicked, or something in its row was. */
  readonly opened: boolean;
  /** It was entered into a field or chosen. */
  readonly entered: boolean;
  readonly shown: boolean;
}

/** A screen line with what stands around it. */
export interface Element extends ScreenLine {
  /** Its place among the lines. */
  readonly index: number;
  /** How steps name it. */
  readonly target: string;
  readonly words: readonly string[];
  /** Those of its words that carry a meaning by themselves. */
  readonly content: readonly string[];
  /** Words of each of its options. */
  readonly optionWords: readonly (readonly string[])[];
  /** Text of the row or item it stands in; empty outside of one. */
  readonly row: string;
  /** Words of the first line of that text. */
  readonly rowWords: readonly string[];
  /** Place of the nearest form, dialog, menu, toolbar, search or region around it. */
  readonly group: number;
  readonly inDialog: boolean;
  /** Text entered here looks for something; it changes nothing. */
  readonly isSearch: boolean;
}

/** What an instruction says, whatever the screen. */
export interface Reading {
  readonly instruction: string;
  /** The instruction in lower case. */
  readonly lowerCase: string;
  readonly found: readonly Mention[];
  /** Words of the instruction outside of what it mentions. */
  readonly frame: readonly string[];
  /** All content words of the instruction. */
  readonly told: ReadonlySet<string>;
  /** The part that each of them plays in its sentence. */
  readonly roles: ReadonlyMap<string, string>;
  readonly asks: boolean;
  readonly clauses: Clauses;
  /** What kind of answer is asked for. */
  readonly question: Question;
}

/** Everything about a moment that does not depend on the action considered. */
export interface StateFeatures extends Reading {
  readonly elements: readonly Element[];
  /** The elements that text can be entered into. */
  readonly fields: readonly Element[];
  readonly mentions: readonly TrackedMention[];
  /** Words of the steps so far, and what the things they were about are called. */
  readonly done: ReadonlySet<string>;
  readonly history: readonly string[];
  readonly steps: readonly ReadStep[];
  /** Name of the part of the page that is open. */
  readonly page: string;
  readonly hasDialog: boolean;
  /** Places in the instruction that no step has named yet. */
  readonly pending: number;
  /** Quotations and addresses in the instruction that no step has named in any way. */
  readonly untouchedTexts: number;
  /** Which clauses of the instruction are still open. */
  readonly progress: ClauseProgress;
  /** Mentions whose own page this is: a heading bears their name. */
  readonly opened: readonly TrackedMention[];
}

const groupRoles: ReadonlySet<string> = new Set([
  'form',
  'dialog',
  'menu',
  'toolbar',
  'search',
  'region',
  'navigation',
]);

/** Lines that say what a page or a part of it is about. */
const titleRoles: ReadonlySet<string> = new Set(['region', 'dialog', 'heading', 'form']);

/** An answer may be wanted: with these words outside of what is mentioned. */
const askingWords =
  /\?|\b(?:answer|how (?:many|much|long|old|often)|who|whom|whose|what|when|where|which|count|know|tell|find out|(?:just|only) the)\b/i;

export function readInstruction(instruction: string): Reading {
  const found = findMentions(instruction);
  let frame = instruction;
  for (const { text } of found) frame = frame.replaceAll(text, ' ');
  return {
    instruction,
    lowerCase: instruction.toLowerCase(),
    found,
    frame: [...new Set(wordsOf(frame))],
    told: new Set(wordsOf(instruction).filter(word => !isStopWord(word))),
    roles: rolesOf(instruction),
    asks: askingWords.test(frame),
    clauses: findClauses(instruction),
    question: questionOf(instruction),
  };
}

/** The lines of a screen with what stands around them. */
export function readElements(screen: string): readonly Element[] {
  return placed(readScreen(screen));
}

/** What is known of a situation already. */
export interface KnownParts {
  readonly reading: Reading;
  readonly elements: readonly Element[];
  readonly lines: readonly StepLine[];
}

/** The parts can be given as they were read, so that each is read once for many moments. */
export function readStateFeatures(
  { instruction, history, screen }: Situation,
  { reading, elements, lines }: KnownParts = {
    reading: readInstruction(instruction),
    elements: readElements(screen),
    lines: history.map(readStepLine),
  },
): StateFeatures {
  const searchFields = new Set(elements.flatMap(({ isSearch, name }) => (isSearch ? [name] : [])));
  const steps = lines.map(line => readStep(line, searchFields));
  const mentions = mostTelling(reading.found.map(mention => tracked(mention, steps, screen)));
  const used = mentions.filter(({ opened, entered }) => opened || entered);
  const unusedPlaces = new Set(mentions.map(({ place }) => place));
  for (const { place } of used) unusedPlaces.delete(place);
  return {
    ...reading,
    elements,
    fields: elements.filter(({ ref, role }) => ref !== null && role === 'textbox'),
    mentions,
    done: new Set([...steps.flatMap(({ words }) => words), ...used.flatMap(({ noun }) => noun)]),
    history,
    steps,
    page: masked(
      elements.find(({ role, depth }) => depth === 1 && (role === 'region' || role === 'dialog'))?.name ?? '',
    ),
    hasDialog: elements.some(({ role }) => role === 'dialog'),
    pending: unusedPlaces.size,
    untouchedTexts: untouchedTexts(mentions),
    progress: followClauses(reading.clauses, lines),
    opened: mentions.filter(({ text }) => elements.some(line => titleRoles.has(line.role) && line.name.includes(text))),
  };
}

function tracked(mention: Mention, steps: readonly ReadStep[], screen: string): TrackedMention {
  let used = 0;
  let searched = false;
  let opened = false;
  let entered = false;
  for (const { text, kind, refused } of steps) {
    if (refused || !text.includes(mention.text)) continue;
    used++;
    if (kind === 'click') opened = true;
    else if (kind === 'search') searched = true;
    else entered = true;
  }
  return { ...mention, used, searched, opened, entered, shown: screen.includes(mention.text) };
}

/** Leaves out readings of a name that are a part of a reading that stands on the screen. */
function mostTelling(mentions: TrackedMention[]): TrackedMention[] {
  return mentions.filter(
    ({ text, place }) =>
      !mentions.some(
        other => other.shown && other.place === place && other.text.length > text.length && other.text.includes(text),
      ),
  );
}

function placed(lines: readonly ScreenLine[]): Element[] {
  const rows = new Map<number, string>();
  const rowAt: number[] = [];
  const groupAt: number[] = [];
  const dialogAt: boolean[] = [];
  for (const [index, line] of lines.entries()) {
    const isRow = line.role === 'listitem' || line.role === 'row' || isCard(lines, index);
    const row = isRow ? index : (rowAt[line.parent] ?? -1);
    rowAt.push(row);
    groupAt.push(groupRoles.has(line.role) ? index : (groupAt[line.parent] ?? -1));
    dialogAt.push(line.role === 'dialog' || dialogAt[line.parent] === true);
    if (row >= 0) rows.set(row, `${rows.get(row) ?? ''}${line.name}\n`);
  }
  const rowWords = new Map(Array.from(rows, ([at, row]) => [at, wordsOf(row.slice(0, row.indexOf('\n')))]));
  return lines.map((line, index) => {
    const words = line.ref === null && line.role === 'text' ? none : wordsOf(line.name);
    const row = rowAt[index] as number;
    return {
      ...line,
      index,
      target: `${line.role} "${line.name}"`,
      words,
      content: words.filter(word => !isStopWord(word)),
      optionWords: line.options.length === 0 ? noOptions : line.options.map(wordsOf),
      row: rows.get(row) ?? '',
      rowWords: rowWords.get(row) ?? none,
      group: groupAt[line.parent] ?? -1,
      inDialog: dialogAt[index] === true,
      isSearch:
        line.role === 'textbox' && (lines[groupAt[line.parent] ?? -1]?.role === 'search' || isSearchName(words)),
    };
  });
}

const none: readonly string[] = Object.freeze([]);
const noOptions: readonly (readonly string[])[] = Object.freeze([]);

/** A region within a region that begins with its own name as a heading: one of the things that a list shows. */
function isCard(lines: readonly ScreenLine[], index: number): boolean {
  const { role, name, parent } = lines[index] as ScreenLine;
  const first = lines[index + 1];
  return (
    role === 'region' &&
    lines[parent]?.role === 'region' &&
    first?.role === 'heading' &&
    first.name === name &&
    first.parent === index
  );
}

/** Quotations and addresses are there to be used; a name may only say whose something is. */
function untouchedTexts(mentions: readonly TrackedMention[]): number {
  return mentions.filter(
    ({ used, shape }) => used === 0 && (shape === 'quoted' || shape === 'sentence' || shape === 'address'),
  ).length;
}

/** Numbers say little about what a thing is. */
export function masked(text: string): string {
  return /\d/.test(text) ? text.replaceAll(/\d+/g, '#') : text;
}
