import { isSearchName } from '../../learned/reading/search-fields.ts';
import type { EntryText } from '../entry-texts.ts';
import { comparedWords, type PageElement, type PageWords } from '../page-words.ts';
import { findScreenTexts, lastEntered } from '../screen-texts.ts';
import type { MapReader } from '../app-map.ts';
import type { Moment } from '../prior.ts';
import type { TaskWords } from './task-words.ts';

/** A state as its actions are weighed: what all of them have in common. */
export interface Scene extends Moment {
  readonly task: TaskWords;
  /** Texts to enter: of the instruction, and of the screens. */
  readonly texts: readonly EntryText[];
  readonly page: PageWords;
  /** What stands behind controls; null where nobody has toured the app. */
  readonly map: MapReader | null;
  /** The screen before; null at the start. */
  readonly before: PageWords | null;
  /** Keys of the elements on the screen before; null at the start. */
  readonly keysBefore: ReadonlySet<string> | null;
  /** What came with the last step: a whole page, a menu or dialog, or a part of the page; nothing at the start. */
  readonly news: 'page' | 'menu' | 'part' | null;
  readonly lastStep: string;
  /** Words of what was clicked and chosen so far. */
  readonly usedWords: ReadonlySet<string>;
  /** Names of what was clicked so far, in lower case. */
  readonly clickedNames: string;
  /** Whether all quoted texts were entered or clicked. */
  readonly isAllUsed: boolean;
  /** Whether there are fields to enter texts into, apart from those to search with. */
  readonly isForm: boolean;
  /** Place of the last field that something was entered into; null when there is none. */
  readonly enteredAt: number | null;
  /** Elements with the same words. */
  readonly alike: ReadonlyMap<string, number>;
}

export interface Reading {
  readonly task: TaskWords;
  readonly map: MapReader | null;
  read(screen: string): PageWords;
}

export function readScene({ task, map, read }: Reading, moment: Moment): Scene {
  const page = read(moment.screen);
  const before = moment.screenBefore === null ? null : read(moment.screenBefore);
  const keysBefore = before === null ? null : new Set(before.elements.map(({ key }) => key));
  const usedNames = moment.history.join('\n').toLowerCase();
  const quotes = task.texts.filter(({ kind }) => kind === 'quote');
  const alike = new Map<string, number>();
  for (const element of page.elements) {
    const key = element.words.join(' ');
    alike.set(key, (alike.get(key) ?? 0) + 1);
  }
  return {
    ...moment,
    task,
    texts: [...task.texts, ...findScreenTexts(`${moment.screenBefore ?? ''}\n${moment.screen}`, task.instruction)],
    page,
    map,
    before,
    keysBefore,
    news: newsOf(page, keysBefore),
    lastStep: moment.history.at(-1) ?? '',
    usedWords: new Set(moment.history.flatMap(clickedWords)),
    clickedNames: moment.history.filter(isNoEntry).join('\n').toLowerCase(),
    isForm: page.elements.some(({ role, words }) => role === 'textbox' && !isSearchName(words)),
    enteredAt: lastEntered(page, moment.history),
    isAllUsed: quotes.every(({ text }) => usedNames.includes(text.toLowerCase())),
    alike,
  };
}

/** `click button "Close issue"`: the words in quotes. What was entered may still be needed. */
export function clickedWords(step: string): string[] {
  return isNoEntry(step) ? comparedWords(step.slice(step.indexOf('"') + 1)) : [];
}

function isNoEntry(step: string): boolean {
  return !step.startsWith('fill ');
}

/** Where nearly everything is new, that something is new says nothing; where a menu or a dialog opened, it says much. */
const mostNew = 0.7;
const mostInMenu = 15;

function newsOf({ elements }: PageWords, keysBefore: ReadonlySet<string> | null): Scene['news'] {
  if (keysBefore === null) return null;
  const fresh = elements.filter(({ key }) => !keysBefore.has(key)).length;
  if (fresh > mostNew * elements.length) return 'page';
  return fresh <= mostInMenu ? 'menu' : 'part';
}

export function isNewIn({ keysBefore }: Scene, { key }: PageElement): boolean {
  return keysBefore !== null && !keysBefore.has(key);
}
