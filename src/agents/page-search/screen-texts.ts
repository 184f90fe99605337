import { findMentions } from '../learned/reading/mentions.ts';
import { isStopWord, wordsOf } from '../learned/reading/words.ts';
import type { EntryText } from './entry-texts.ts';
import type { PageElement, PageWords } from './page-words.ts';

const address = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g;
const phone = /(?:\+\d{1,3}[ .-]?)?\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}/g;

const mailFields: ReadonlySet<string> = new Set(wordsOf('email mail to recipient cc bcc address invite'));
const phoneFields: ReadonlySet<string> = new Set(wordsOf('phone mobile telephone number fax'));

/** Words of the names in an instruction: only these say whom an address belongs to. */
function nameWords(instruction: string): ReadonlySet<string> {
  const names = findMentions(instruction).filter(({ shape }) => shape === 'name' || shape === 'quoted');
  const words = names.flatMap(({ text }) => wordsOf(text));
  return new Set(words.filter(word => word.length > 2 && !isStopWord(word)));
}

/** More texts would only spread the probability. */
const mostTexts = 4;

/**
 * Texts on the screen that may be entered, where the instruction names whom they belong to but does not spell them out: the email address or
 * the phone number of a person.
 */
export function findScreenTexts(screen: string, instruction: string): readonly EntryText[] {
  const told = nameWords(instruction);
  const found = new Map<string, { readonly entry: EntryText; readonly shared: number }>();
  const consider = (text: string, about: string, near: ReadonlySet<string>): void => {
    if (found.has(text) || instruction.includes(text)) return;
    const shared = new Set(wordsOf(about).filter(word => told.has(word))).size;
    if (shared > 0)
      found.set(text, { entry: { text, kind: 'address', near, label: [], doubt: 0, isNew: true }, shared });
  };
  for (const line of screen.split('\n')) {
    for (const [text] of line.matchAll(address)) consider(text, text.slice(0, text.indexOf('@')), mailFields);
    for (const [text] of line.matchAll(phone)) consider(text, line.replace(text, ''), phoneFields);
  }
  const best = [...found.values()].toSorted((left, right) => right.shared - left.shared).slice(0, mostTexts);
  return best.map(({ entry }) => entry);
}

/** Elements are numbered in the order of the page. */
export function placeOf(ref: string): number {
  return Number(ref.slice(1));
}

/** The place of the last field that holds a text which was entered; null when there is none. */
export function lastEntered({ elements }: PageWords, history: readonly string[]): number | null {
  const entered = history.filter(step => step.startsWith('fill '));
  if (entered.length === 0) return null;
  const isEntered = ({ role, value }: PageElement): boolean =>
    role === 'textbox' && value !== null && entered.some(step => step.endsWith(` with ${JSON.stringify(value)}`));
  const found = elements.findLast(isEntered);
  return found === undefined ? null : placeOf(found.ref);
}
