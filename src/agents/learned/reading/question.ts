import { isStopWord, wordsOf } from './words.ts';

/** What kind of answer an instruction asks for. */
export interface Question {
  /** What the answer looks like, as far as the question says. */
  readonly wants: 'none' | 'count' | 'money' | 'person' | 'time' | 'any';
  /** The words that name what is asked for: `phone number` in "What is the phone number of …". */
  readonly about: readonly string[];
}

const aboutPatterns: readonly RegExp[] = [
  /\bhow many ([\p{L} -]+)/iu,
  /\bwhat (?:is|are|was|were) (?:the |your |its )?([\p{L} -]+?)(?= (?:of|in|on|for|does|do|did|from|with)\b|[?.,"])/iu,
  /\b(?:which|what) ([\p{L} -]+?)(?= (?:of|in|on|for|is|are|was|were|does|do|did|has|have|from|with)\b|[?.,"])/iu,
  /\banswer with (?:the |its |their )?([\p{L} -]+)/iu,
  /\btell (?:me )?(?:the |its )?([\p{L} -]+)/iu,
];

export function questionOf(instruction: string): Question {
  const isAsked = /\?|\banswer\b|\btell\b/i.test(instruction);
  if (!isAsked) return { wants: 'none', about: [] };
  const about: string[] = [];
  for (const pattern of aboutPatterns) {
    const found = pattern.exec(instruction)?.[1];
    if (found !== undefined) about.push(...wordsOf(found).filter(word => !isStopWord(word)));
  }
  return { wants: wantedBy(instruction), about: [...new Set(about)] };
}

function wantedBy(instruction: string): Question['wants'] {
  if (/\bhow many\b|\bthe number of\b|\btheir number\b|\bcount\b/i.test(instruction)) return 'count';
  if (/\bhow much\b|\bprice\b|\bcosts?\b|\btotal\b|\bamount\b/i.test(instruction)) return 'money';
  if (/\bwho\b|\bwhom\b|\bwhose\b|\bfull name\b/i.test(instruction)) return 'person';
  if (/\bwhen\b|\bdate\b|\bday\b|\btime\b/i.test(instruction)) return 'time';
  return 'any';
}
