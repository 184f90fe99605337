import { isStopWord, wordsOf } from '../learned/reading/words.ts';
import type { EntryText } from './entry-texts.ts';

const address = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g;
const phone = /(?:\+\d{1,3}[ .-]?)?\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}/g;

/** More texts would only spread the probability. */
const mostTexts = 4;

/**
 * Texts on the screen that may be entered, where the instruction names whom they belong to but does not spell them out: the email address or
 * the phone number of a person.
 */
export function findScreenTexts(screen: string, instruction: string): readonly EntryText[] {
  const told = new Set(wordsOf(instruction).filter(word => word.length > 2 && !isStopWord(word)));
  const found = new Map<string, { readonly entry: EntryText; readonly shared: number }>();
  const near = new Set(wordsOf('email to recipient cc address contact phone'));
  const consider = (text: string, about: string): void => {
    if (found.has(text) || instruction.includes(text)) return;
    const shared = new Set(wordsOf(about).filter(word => told.has(word))).size;
    if (shared > 0) found.set(text, { entry: { text, kind: 'address', near }, shared });
  };
  for (const line of screen.split('\n')) {
    for (const [text] of line.matchAll(address)) consider(text, text.slice(0, text.indexOf('@')));
    for (const [text] of line.matchAll(phone)) consider(text, line.replace(text, ''));
  }
  const best = [...found.values()].toSorted((left, right) => right.shared - left.shared).slice(0, mostTexts);
  return best.map(({ entry }) => entry);
}
