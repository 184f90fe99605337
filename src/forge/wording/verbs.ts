import type { Random } from '../../core/random.ts';

interface Synonyms {
  readonly words: readonly string[];
  /** Sentences in which the words can take the place of the verb; all when left out. */
  readonly where?: RegExp;
}

/** Other ways to say what commands are called, so that instructions do not always repeat the words of buttons. */
const synonyms: Readonly<Record<string, Synonyms>> = {
  answer: { words: ['Reply to', 'Write back to'] },
  assign: { words: ['Give', 'Hand'], where: / to / },
  buy: { words: ['Order', 'Pay for'] },
  cancel: { words: ['Call off'] },
  change: { words: ['Update', 'Edit', 'Adjust'] },
  choose: { words: ['Pick', 'Select'] },
  complete: { words: ['Finish', 'Close'] },
  create: { words: ['Make', 'Set up'] },
  delete: { words: ['Remove', 'Get rid of', 'Erase'] },
  lend: { words: ['Loan', 'Give out'] },
  link: { words: ['Connect', 'Tie'] },
  make: { words: ['Create', 'Set up'], where: /^Make an? (?:new )?\w+$/ },
  move: { words: ['Transfer', 'Shift'], where: / (?:to|into) / },
  plan: { words: ['Schedule', 'Set up'] },
  publish: { words: ['Post', 'Write'] },
  put: { words: ['Place'], where: / (?:in|into|on|onto) (?:an?|the) / },
  remove: { words: ['Delete', 'Drop', 'Get rid of'] },
  rename: { words: ['Change the name of'] },
  reserve: { words: ['Book', 'Hold'] },
  rewrite: { words: ['Change', 'Edit'] },
  save: { words: ['Store'], where: /^Save an? / },
  send: { words: ['Write'], where: /^Send (?:an?|the) (?:message|mail|e-mail|letter|note)$/ },
  set: { words: ['Change', 'Adjust'], where: /^Set the / },
  start: { words: ['Begin', 'Kick off'] },
  turn: { words: ['Switch'], where: /\b(?:on|off)\b/ },
  use: { words: ['Apply', 'Redeem'] },
  write: { words: ['Post', 'Add'], where: /^Write an? (?:comment|note|review|message|post|remark)\b/ },
};

const synonymShare = 0.5;

/** The sentence with another first verb, every other time. */
export function varyVerb(sentence: string, random: Random): string {
  const first = sentence.split(' ', 1)[0] as string;
  const known = synonyms[first.toLowerCase()];
  if (known === undefined || known.where?.test(sentence) === false || !random.chance(synonymShare)) return sentence;
  return `${random.pick(known.words)}${sentence.slice(first.length)}`;
}

/** A verb, and what else it is called, in lower case: "lend", "loan", "give out". */
export function verbsLike(verb: string): readonly string[] {
  const known = synonyms[verb.toLowerCase()]?.words ?? [];
  return [verb, ...known].map(words => words.toLowerCase());
}
