import { EspalierError } from '../../core/errors.ts';
import { writeCompactPrompt, type CompactSituation } from '../../models/prompt/compact.ts';
import { marksOf } from './marks.ts';
import type { ModelFacts } from './model-facts.ts';
import type { PromptTokens, ReadPromptTokens } from './prompt-tokens.ts';

/** A prompt that the model can read. */
export interface FittedPrompt {
  readonly tokens: PromptTokens;
  /** Lines of the newest screen that had to be left out, and how many there are. */
  readonly leftOut: { readonly lines: number; readonly of: number } | null;
}

interface FitOptions {
  readonly read: ReadPromptTokens;
  readonly facts: ModelFacts;
}

/**
 * Leaves lines of the newest screen out of a prompt that is too long. What came with the last step stays longest, and what has words
 * of the task: alone, or beside them.
 */
export function fitPrompt(situation: CompactSituation, { read, facts }: FitOptions): FittedPrompt {
  const whole = read(writeCompactPrompt(situation));
  if (whole.ids.length <= facts.longest) return { tokens: whole, leftOut: null };
  const lines = linesOf(whole, facts, situation.screens.at(-2) ?? null);
  let excess = whole.ids.length - facts.longest;
  const dropped = new Set<Line>();
  for (const line of lines.toSorted((one, other) => one.need - other.need)) {
    if (excess <= 0) break;
    dropped.add(line);
    excess -= line.tokens;
  }
  if (excess > 0) throw tooLong(whole.ids.length - lines.reduce((sum, { tokens }) => sum + tokens, 0), facts.longest);
  const kept = lines.filter(line => !dropped.has(line)).toReversed();
  const head = whole.text.slice(0, lines.at(-1)?.begin);
  const tokens = read(`${head}${kept.map(({ text }) => text).join('')}\n<act>`);
  return { tokens, leftOut: { lines: dropped.size, of: lines.length } };
}

interface Line {
  readonly text: string;
  /** Place of its first character in the prompt. */
  readonly begin: number;
  readonly tokens: number;
  /** How much it tells of what is to be done; the least are left out first. */
  readonly need: number;
}

/** Of lines: with an element; beside words of the task; with a word of the task, or new; with several of them in its order. */
const [element, beside, told, quoted] = [1, 2, 3, 4] as const;
/** So many lines around words of the task are beside them. */
const reach = 2;

/** The lines of the newest screen, the last one first. */
function linesOf({ text, ids, starts }: PromptTokens, facts: ModelFacts, before: string | null): Line[] {
  const marks = marksOf(ids, facts);
  const from = text.indexOf('\n', text.indexOf('<screen>'));
  const to = text.lastIndexOf('\n');
  const known = before === null ? null : new Set(before.split('\n').map(shownText));
  const lines: Line[] = [];
  for (let begin = from, at = starts.findIndex(start => start >= from); begin < to; ) {
    const end = text.indexOf('\n', begin + 1);
    const line = text.slice(begin, end);
    const first = at;
    while (at < starts.length && (starts[at] as number) < end) at++;
    const own = Array.from({ length: at - first }, (_, place) => first + place);
    const longest = Math.max(
      0,
      ...own.map(place => (marks[place] as number) % 16).map(mark => Math.max(mark >> 2, mark & 3)),
    );
    const isNew = known !== null && !known.has(shownText(line));
    const hasElement = own.some(place => (ids[place] as number) >= facts.references.first);
    const need = longest > 1 ? quoted : longest > 0 || isNew ? told : hasElement ? element : 0;
    lines.push({ text: line, begin, tokens: own.length, need });
    begin = end;
  }
  const isTold = (at: number): boolean => (lines[at]?.need ?? 0) >= told;
  const isBeside = (at: number): boolean =>
    Array.from({ length: 2 * reach + 1 }, (_, step) => at + step - reach).some(isTold);
  return lines.map((line, at) => (line.need < beside && isBeside(at) ? { ...line, need: beside } : line)).toReversed();
}

/** A line without the number of its element, on a screen or in a prompt. */
function shownText(line: string): string {
  return line
    .trim()
    .replace(/^\[e\d+\] /, '')
    .replace(/ <e\d+>$/, '');
}

function tooLong(tokens: number, longest: number): EspalierError {
  return new EspalierError({
    boundary: 'policy',
    code: 'context-overflow',
    message: `The task and the steps done have ${tokens} tokens without any screen; the model small reads ${longest}.`,
    expected: 'Expected a shorter task; or use a model with a longer context.',
  });
}
