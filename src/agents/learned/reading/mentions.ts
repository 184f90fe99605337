import { isStopWord, wordsOf } from './words.ts';

type MentionShape = 'sentence' | 'quoted' | 'address' | 'number' | 'code' | 'name';

/** A piece of an instruction that may be the name of something, or something to enter. */
export interface Mention {
  readonly text: string;
  readonly words: readonly string[];
  readonly shape: MentionShape;
  /** Mentions that are readings of the same place have the same number. */
  readonly place: number;
  /** Which reading it is: 0 takes in all that is written like a name. One that goes on in lower case comes after the one it extends. */
  readonly reading: number;
  /** The words before it, nearest first. */
  readonly left: readonly string[];
  /** The words after it, nearest first. */
  readonly right: readonly string[];
  /** The words of the part of the sentence it stands in. */
  readonly clause: readonly string[];
  /** What the words right before it say that it is: `the issue called …`. */
  readonly noun: readonly string[];
}

/** As stems. */
const namingWords: ReadonlySet<string> = new Set(['call', 'nam', 'titl']);
const contextWords = 3;
const clauseEnd = /[.,;:!?](?:\s|$)| and | then | but /;

const token = String.raw`(?:\+?[€$£]?\p{N}|\p{Lu})(?:[^\s"“”,;:!?().]|\.(?=[\p{L}\p{N}]))*`;
/** Small words that may stand inside a name. */
const joint = String.raw`(?: (?:and|from|of|the|for|in))?`;

/** Quotations, then addresses, runs of capitalised words and numbers, and lower-case words that are named by the word before. */
const piecePattern = new RegExp(
  [
    '"(?<quoted>[^"]+)"',
    // Single quotes count where no letter stands outside of them: "don't" has none.
    String.raw`(?<![\p{L}\p{N}])['‘](?<single>[^'‘’]+(?:['’]\p{L}[^'‘’]*)*)['’](?![\p{L}\p{N}])`,
    '“(?<curly>[^“”]+)”',
    String.raw`(?<address>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)`,
    `(?<run>${token}(?:${joint} ${token})*)`,
    String.raw`(?<hyphened>\p{Ll}+(?:-\p{Ll}+)+)`,
    String.raw`(?<=\b(?:to|label|called|named) )(?<plain>\p{Ll}{3,})(?=[.,;]| to\b)`,
  ].join('|'),
  'gu',
);

/** What an instruction mentions, found by the way it is written alone. */
export function findMentions(instruction: string): readonly Mention[] {
  const mentions: Mention[] = [];
  let place = 0;
  let reading = 0;
  for (const match of instruction.matchAll(piecePattern)) {
    const { single, curly, address, run, hyphened, plain, ...groups } = match.groups as Record<
      string,
      string | undefined
    >;
    const quoted = groups['quoted'] ?? single ?? curly;
    const before = instruction.slice(0, match.index);
    const clauseBefore = wordsOf(before.split(clauseEnd).at(-1) as string);
    const add = (text: string, shape: MentionShape, skipped = ''): void => {
      const end = match.index + match[0].length;
      mentions.push({
        text,
        words: wordsOf(text),
        shape,
        place,
        reading: reading++,
        left: wordsOf(before + skipped)
          .slice(-contextWords)
          .toReversed(),
        right: wordsOf(instruction.slice(end, end + 60)).slice(0, contextWords),
        clause: [...clauseBefore, ...wordsOf(instruction.slice(end).split(clauseEnd)[0] as string)],
        noun: nounOf(clauseBefore),
      });
    };
    if (quoted !== undefined) add(quoted, /[.!?]$/.test(quoted) ? 'sentence' : 'quoted');
    else if (address !== undefined) add(address.replace(/\.$/, ''), 'address');
    else if (hyphened !== undefined) add(hyphened, 'code');
    else if (plain !== undefined) add(plain, 'name');
    else if (run !== undefined) {
      const after = instruction.slice(match.index + run.length);
      for (const [text, skipped] of readings(run, opensSentence(before))) {
        add(text, shapeOf(text), skipped);
        if (run.endsWith(text)) for (const longer of withLowerCase(text, after)) add(longer, 'name', skipped);
      }
    }
    place++;
    reading = 0;
  }
  return mentions;
}

/** The first word of a clause says what to do, not what a thing is. */
function nounOf(before: readonly string[]): string[] {
  const named = before.length > 2 && namingWords.has(before.at(-1) as string);
  return before.slice(Math.max(1, before.length - (named ? 2 : 1))).filter(word => !isStopWord(word));
}

/** The ways to read a run, each with what stands in the run before it. */
function readings(run: string, opens: boolean): [text: string, skipped: string][] {
  const words = run.replace(/['’]s?$/, '').split(' ');
  const found: [string, string][] = [];
  const add = (from: number, to: number): void => {
    const text = words.slice(from, to).join(' ');
    if (text !== 'I' && !isLowerCase(words[from]) && !isLowerCase(words[to - 1]))
      found.push([text, words.slice(0, from).join(' ')]);
  };
  const isOrdinary = opens && words.length === 1 && !/\p{N}/u.test(words[0] as string);
  if (!isOrdinary) add(0, words.length);
  // At the start of a sentence the first word may be an ordinary one.
  if (opens && words.length > 1) add(1, words.length);
  // Small words may join two names, and a number may stand before one.
  for (let at = 1; at < words.length; at++) {
    const isJoint = isLowerCase(words[at]);
    if (!isJoint && (opens || !hasNumber(words[at - 1]) || hasNumber(words[at]))) continue;
    add(0, at);
    add(isJoint ? at + 1 : at, words.length);
  }
  return found;
}

const followingWords = /^(?: \p{Ll}+){1,2}/u;

/** A name may go on in lower case: `Granite ridge`, `Overdue dog walker`. */
function withLowerCase(text: string, after: string): string[] {
  if (!/\p{L}$/u.test(text)) return [];
  const found: string[] = [];
  let longer = text;
  for (const word of followingWords.exec(after)?.[0].trim().split(' ') ?? []) {
    if (isStopWord(word) || rarelyInNames.has(word)) break;
    longer = `${longer} ${word}`;
    found.push(longer);
  }
  return found;
}

const rarelyInNames: ReadonlySet<string> = new Set(
  'is are was has had have should must can will ends off along over all until back away still already also not if by when who sent went wrote'.split(
    ' ',
  ),
);

function isLowerCase(word = ''): boolean {
  return /^\p{Ll}/u.test(word);
}

function hasNumber(word = ''): boolean {
  return /\p{N}/u.test(word);
}

function opensSentence(before: string): boolean {
  return /(?:^|[.!?:]["”]?)\s*$/.test(before);
}

function shapeOf(text: string): MentionShape {
  if (/^[+\d€$£][\d .,€$£]*$/.test(text)) return 'number';
  if (/\p{N}/u.test(text) && !text.includes(' ')) return 'code';
  return 'name';
}
