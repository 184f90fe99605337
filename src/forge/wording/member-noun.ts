import { inWords } from '../data/tables.ts';

const isDate = /^\d{4}-\d\d-\d\d/;
/** Words that name a point in time by themselves. */
const namesTime = /\b(?:date|day|time|start|end|deadline|month|year|format|birthday|premiere|opening)$/;
/** Names of members that are no nouns: "notify by", "since". */
const isNoNoun =
  /(?:^|\s)(?:by|for|with|to|at|from|since|until|begins|ends|called|placed|taken|arrived|planted|built|old|what|who|whom|where|when|how|serves|costs|owes)$|^(?:notify|show|send|allow|hide|keep) /;

/** Units that a name ends with: `weightKg`. */
const unit = / (?<unit>kg|g|km|m|cm|mm|l|ml|h|min|s|ms|eur|usd|percent|minutes|hours|days|seconds)$/;

/** A member as a label: `weightKg` gives "weight in kg". */
export function memberLabel(member: string): string {
  return inWords(member).replace(unit, ' in $<unit>');
}

/** Words in place of nouns: `startsAt` gives "start time", `until` "end date". */
const timeWord =
  /^(?:(?<verb>start|begin|end|finishe|open|close|leave|depart|arrive)s? (?:at|on)|(?<bare>from|until))$/;
const timeNouns: Readonly<Record<string, string>> = {
  start: 'start',
  begin: 'start',
  end: 'end',
  finishe: 'end',
  open: 'opening',
  close: 'closing',
  leave: 'departure',
  depart: 'departure',
  arrive: 'arrival',
  from: 'start',
  until: 'end',
};
const isTime = /^\d\d?:\d\d|^\d{4}-\d\d-\d\d[T ]/;

function timeNoun(words: string, value: unknown): string | null {
  const { verb, bare } = timeWord.exec(words)?.groups ?? {};
  const noun = timeNouns[verb ?? bare ?? ''];
  if (noun === undefined || typeof value !== 'string') return null;
  return isTime.test(value) ? `${noun} time` : isDate.test(value) ? `${noun} date` : null;
}

/** "The taken date" is no English: such a member stands in quotation marks. */
const isParticiple =
  /(?:ed|taken|built|sent|read|bought|sold|begun|begins|ends|starts|leaves| on| at| by| for| until| since| from)$/;
/** A person under the name of what they do. */
const isPerson = /^\p{Lu}\p{L}+ \p{Lu}[\p{L}-]+$/u;

/** A member as a noun that fits after "the": `points` gives "number of points", `due` "due date". */
export function memberNoun(member: string, value: unknown): string {
  const words = memberLabel(member)
    .replace(/\bpercent$/, 'percentage')
    .replace(/\bexpires$/, 'expiry date')
    .replace(/\bborn$/, 'birth');
  const time = timeNoun(words, value);
  if (time !== null) return time;
  // "Moves in" gives "move-in date".
  const noun = words.replace(/^(\w+?)s (in|out|up|off)$/, '$1-$2');
  if (typeof value === 'string' && isDate.test(value))
    return namesTime.test(words) ? words : `${isParticiple.test(noun) ? `"${noun}"` : noun} date`;
  if (words === 'loan' && typeof value === 'string' && isPerson.test(value)) return 'borrower';
  if (isNoNoun.test(words)) return `"${words}" entry`;
  const isMany = typeof value === 'number' && /[^s]s$/.test(words);
  return isMany ? `number of ${words}` : words;
}
