import { inWords } from '../data/tables.ts';

const isDate = /^\d{4}-\d\d-\d\d/;
/** Words that name a point in time by themselves. */
const namesTime = /\b(?:date|day|time|start|end|deadline|month|year|format|birthday|premiere|opening)$/;
/** Names of members that are no nouns: "notify by", "since". */
const isNoNoun =
  /(?:^|\s)(?:by|for|with|to|at|from|since|until|begins|ends|called|placed|taken|arrived|planted|old)$|^(?:notify|show|send|allow|hide|keep) /;

/** A member as a noun that fits after "the": `points` gives "number of points", `due` "due date". */
export function memberNoun(member: string, value: unknown): string {
  const words = inWords(member)
    .replace(/\bexpires$/, 'expiry date')
    .replace(/\bborn$/, 'birth');
  // "Moves in" gives "move-in date".
  const noun = words.replace(/^(\w+?)s (in|out|up|off)$/, '$1-$2');
  if (typeof value === 'string' && isDate.test(value)) return namesTime.test(words) ? words : `${noun} date`;
  if (isNoNoun.test(words)) return `"${words}" entry`;
  const isMany = typeof value === 'number' && /[^s]s$/.test(words);
  return isMany ? `number of ${words}` : words;
}
