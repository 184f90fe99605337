import type { NewItem } from './item.ts';
import { plainReadings, seenLetters } from './plain-words.ts';

/** Says why a candidate is not kept; null when it is. */
export type Gate = (candidate: NewItem) => string | null;

/** Words by which a text on a screen speaks to whoever reads the memory later, instead of naming a control. */
const speaksToReader: readonly RegExp[] = [
  /\b(ignore|disregard|forget|override|pay no attention)\b.{0,100}\b(instructions?|previous|above|task|rules?|prompt|guidance|told|said|everything)\b/i,
  /\b(previous|prior|earlier|above) (instructions?|guidance|orders?|rules?)\b/i,
  /\b(you (must|should|have to|are|will|need|obey)|assistant|as an ai|instead of (the task|what (was|is) asked))\b/i,
  /\b(wants?|asks?|urges?|requests?|requires?|needs?|expects?|orders?|commands?|instructs?|tells?) you to\b/i,
  /\b(if you( can)? read|(whoever|anyone who|anybody who|those who)( can)? reads?|(hey|hi|hello|dear) (llm|gpt|ai|chat ?bot|robot|bot)s?)\b/i,
  /\byour (job|task|goal|mission|duty|objective) (is (to|now)|has changed)\b|\b(admin|administrator|operator|developer) override\b/i,
  /\b(system (prompt|message)|(new|updated) instructions?|(your (new)|real|true|actual) (task|goal|objective))\b/i,
  /\b(note to (the )?(agent|model|reader)|dear (agent|model)|(agents?|models?|readers?) (reading|who|that|should|must)|ai (agents?|models?))\b/i,
  /\b((the|your) (user|owner|administrator|operator) (actually|really|now) |(i|we) (order|command|instruct)\b)/i,
  /\b(do not|don.?t|never) (tell|inform|mention|warn|alert)\b|\bbefore (anything|everything) else\b|\bmandatory to\b/i,
  /\b(system|important|urgent|attention|instructions?)\s*:|#{2,}\s*\w|<\||\[\/?inst\]/i,
  /https?:|\bwww\.|\b(password|api[ _-]?key|token|credentials?)\b.{0,30}\b(to|send|enter|type)\b/i,
];

/** Letters of another alphabet that look like ours, in the middle of a word. */
const latin = String.raw`\p{Script=Latin}`;
const others = String.raw`[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Coptic}\p{Script=Cherokee}\p{Script=Lisu}]`;
const mixedAlphabets = new RegExp(`${latin}${others}|${others}${latin}`, 'u');

/** Scripts that have no capitals write whole words as one sign. */
const spelledOut = /(?<!\p{L})(?:[\p{Lu}\p{Ll}][\p{P}\p{S}\s]+){4,}[\p{Lu}\p{Ll}](?!\p{L})/u;

/** Characters of a text at most: the name of a control is shorter. */
export const longest = 400;
const longestCode = 4000;

/** Characters that nobody sees and a model reads, those that turn the direction of a text, and runs of those that scripts and emoji need one at a time. */
const unseen =
  /[\u{E0000}-\u{E01EF}\u{202A}-\u{202E}\u{2066}-\u{2069}]|(?:[\p{Cf}\u{FE00}-\u{FE0F}\u{115F}\u{1160}\u{2800}\u{3164}\u{FFA0}]){3}/u;

/** Whether a text speaks to its reader. */
export function isAddressed(text: string): boolean {
  return plainReadings(text).some(read => speaksToReader.some(words => words.test(read)));
}

/** Refuses what reads like an instruction that a screen carried in, and what is too long to be the name of a control. */
export const poisonGate: Gate = candidate => {
  const named = textsOf(candidate);
  const texts = [...named, candidate.text, ...(candidate.kind === 'program' ? wordsIn(candidate.code) : [])];
  if (texts.some(isAddressed)) return 'reads like an instruction from a screen';
  if (texts.some(text => unseen.test(text))) return 'has characters that nobody sees';
  if (texts.some(text => plainReadings(text).some(read => spelledOut.test(read)))) return 'is spelled letter by letter';
  if (texts.some(text => mixedAlphabets.test(seenLetters(text)))) return 'has a word with letters of two alphabets';
  if (candidate.kind === 'program' && candidate.code.length > longestCode)
    return `its code is longer than ${longestCode} characters`;
  return named.some(text => text.length > longest) ? `longer than ${longest} characters` : null;
};

/** Everything of an item that came from a screen or a task, a text each; its own text may be many of them. */
function textsOf(item: NewItem): string[] {
  const { title } = item;
  switch (item.kind) {
    case 'note':
      return [title, item.text, ...item.prefer, ...item.avoid];
    case 'trajectory':
    case 'skill':
      return [title, item.pattern, ...item.steps.flatMap(({ heading, line }) => [heading, line])];
    case 'exemplar':
      return [title, item.heading, item.line, item.before ?? ''];
    case 'guardrail':
      return [title, item.heading, item.line];
    case 'transition':
      return [title, item.pattern, item.heading, item.line, item.before ?? '', item.next ?? ''];
    case 'program':
      // What is asked for may be long where answers are code.
      return item.use === 'show' ? [title.slice(0, longest)] : [title, item.pattern];
    case 'harness':
      return [title, item.text];
  }
}

/** What code says to people: comments and strings. */
function wordsIn(code: string): string[] {
  const found = code.matchAll(
    /"""[\s\S]*?"""|'''[\s\S]*?'''|`[^`]*`|\/\/[^\n]*|\/\*[\s\S]*?\*\/|#[^\n]*|"[^"\n]*"|'[^'\n]*'/g,
  );
  return [...found].map(([text]) => text);
}
