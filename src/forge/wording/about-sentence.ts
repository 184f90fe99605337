import { pluralOf } from '../../core/text.ts';
import { sentenceOfLabel } from './label-sentence.ts';

/** The first sentence of what an author says about a command, without asides. */
export function headOf(about: string): string {
  const [sentence = about] = (sentenceOfLabel(about) ?? about).split(/[.;:](?:\s|$)/);
  return (
    sentence
      .replaceAll(/\s*\([^)]*\)/g, '')
      // "Correct a customer's shoe size" has a place for the name of the customer when it is turned round.
      .replace(/\b(an? \p{Ll}+)['’]s (\p{Ll}+(?: (?:number|size|name|address|date|time|status))?)/u, 'the $2 of $1')
      .replace(/,? so (?:that )?.*$/, '')
      // "Record that a gardener has paid" says nothing without the clause.
      .replace(/(?<!^\w+(?: sure| to it| down)?)\s+(?:that|which|when|where|unless|as far as) .*$/, '')
      .replace(/,$/, '')
      .trim()
  );
}

/** Without what comes after ", or": one way to use the command is enough for a sentence. */
export function withoutAlternative(head: string): string {
  return head
    .replace(/,? or (?:not|to|back|save|off|take|its|everybody)\b.*$/, '')
    .replace(/, (?:with|and) its .*$/, '')
    .replace(/, one step .*$/, '');
}

/** The sentence for one side of a flag; null when the author does not say the other side in a way that is understood. */
export function sideOfFlag(head: string, isOn: boolean): string | null {
  const [on = '', off] = head.split(/,? or /, 2);
  if (isOn) return off === undefined ? null : on;
  if (off === undefined) return null;
  const put = /^Put (.+?) on (.+)$/.exec(on);
  if (off.startsWith('take it off') && put !== null) return `Take ${put[1]} off ${put[2]}`;
  const made = /^Make (an? \w+) (an? .+)$/.exec(on);
  if (off.startsWith('not any more') && made !== null) return `Make sure that ${made[1]} is no longer ${made[2]}`;
  if (/^off\b/.test(off) && on.endsWith(' on')) return on.replace(/ on$/, ' off');
  if (/^off\b/.test(off) && / on\b/.test(on)) return on.replace(/ on\b.*$/, ' off');
  if (off.startsWith('as ') && / as \w+$/.test(on)) return on.replace(/ as \w+$/, ` ${off}`);
  return null;
}

/** Puts words in the place of the first mention of a noun: "a message" becomes `the message "Lunch"`. */
export function putInto(sentence: string, noun: string, words: string): string | null {
  const last = noun.split(' ').at(-1) as string;
  for (const wanted of [noun, last]) {
    const any = `(?:(?:pair|set|piece|copy) of )?(?:${pluralOf(wanted)}|${wanted})`;
    const pattern = new RegExp(
      String.raw`\b(?:(?:an?|another|the|this|one of your own|one|some|several) (?:(?!(?:on|of|to|in|into|off|from|for|with|and|that)\b)\p{L}+ ){0,2}?)?${any}\b`,
      'u',
    );
    const match = pattern.exec(sentence);
    if (match !== null) return sentence.replace(pattern, () => words);
  }
  return null;
}

/** Where a text stands as words of their own: "a" does not stand in "grade". */
function wordAt(whole: string, text: string): number {
  const isPart = (at: number): boolean => /[\p{L}\p{N}]/u.test(whole[at] ?? '');
  for (let at = whole.indexOf(text); at >= 0; at = whole.indexOf(text, at + 1)) {
    if (!isPart(at - 1) && !isPart(at + text.length)) return at;
  }
  return -1;
}

/** Puts a value in the place of a list of choices: "the inbox, the archive or spam". */
export function chooseFrom(sentence: string, choices: readonly string[], value: string): string | null {
  const lower = sentence.toLowerCase();
  const places = choices.flatMap(choice => {
    const at = wordAt(lower, choice.toLowerCase());
    return at < 0 ? [] : [{ choice, at, end: at + choice.length }];
  });
  if (places.length < 2) return null;
  const start = Math.min(...places.map(({ at }) => at));
  const end = Math.max(...places.map(({ end: last }) => last));
  // "To the inbox, the archive or spam": the article belongs to the inbox.
  const before = sentence.slice(0, start);
  const own = places.find(({ choice }) => choice === value);
  const isBare = own !== undefined && !/\bthe $/.test(sentence.slice(0, own.at));
  return `${isBare ? before.replace(/\bthe $/, '') : before}${value}${sentence.slice(end)}`;
}
