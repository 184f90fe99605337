import { findMentions } from '../learned/reading/mentions.ts';
import { isStopWord, wordsOf } from '../learned/reading/words.ts';
import type { EntryText } from './entry-texts.ts';

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
    if (shared > 0) found.set(text, { entry: { text, kind: 'address', near }, shared });
  };
  for (const line of screen.split('\n')) {
    for (const [text] of line.matchAll(address)) consider(text, text.slice(0, text.indexOf('@')), mailFields);
    for (const [text] of line.matchAll(phone)) consider(text, line.replace(text, ''), phoneFields);
  }
  const best = [...found.values()].toSorted((left, right) => right.shared - left.shared).slice(0, mostTexts);
  return best.map(({ entry }) => entry);
}
