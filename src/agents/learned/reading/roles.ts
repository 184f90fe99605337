import { isStopWord, wordsOf } from './words.ts';

const prepositions: ReadonlySet<string> = new Set([
  'in',
  'into',
  'to',
  'from',
  'on',
  'off',
  'of',
  'for',
  'as',
  'at',
  'with',
  'by',
  'under',
  'back',
]);
const pieces = /\p{L}+|\p{N}+|"[^"]*"|[.,;:!?](?=\s|$)/gu;
const breaks: ReadonlySet<string> = new Set(['and', 'then', 'but', 'pleas']);

/** The part that each content word of an instruction plays: what to do, where, or what it is done to. */
export function rolesOf(instruction: string): ReadonlyMap<string, string> {
  const roles = new Map<string, string>();
  let starts = true;
  let preposition = '';
  let last = '';
  for (const [piece] of instruction.matchAll(pieces)) {
    const [word = ''] = wordsOf(piece);
    if (word === '' || breaks.has(word)) {
      starts = true;
      preposition = '';
      last = '';
    } else if (piece[0] === '"') {
      starts = false;
      preposition = '';
      last = 'text';
    } else {
      if (!isStopWord(word) && !roles.has(word))
        roles.set(word, starts ? 'verb' : preposition === '' ? last : preposition);
      if (prepositions.has(word)) preposition = word;
      else if (!isStopWord(word)) preposition = '';
      last = isStopWord(word) ? 'thing' : 'more';
      starts = false;
    }
  }
  return roles;
}
