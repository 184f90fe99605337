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

/** Leaves lines of the newest screen out of a prompt that is too long: those without an element or a word of the task first. */
export function fitPrompt(situation: CompactSituation, { read, facts }: FitOptions): FittedPrompt {
  const whole = read(writeCompactPrompt(situation));
  if (whole.ids.length <= facts.longest) return { tokens: whole, leftOut: null };
  const lines = linesOf(whole, facts);
  let excess = whole.ids.length - facts.longest;
  const dropped = new Set<Line>();
  for (const line of [...lines.filter(({ isNeeded }) => !isNeeded), ...lines.filter(({ isNeeded }) => isNeeded)]) {
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
  readonly isNeeded: boolean;
}

/** The lines of the newest screen, the last one first. */
function linesOf({ text, ids, starts }: PromptTokens, facts: ModelFacts): Line[] {
  const marks = marksOf(ids, facts);
  const from = text.indexOf('\n', text.indexOf('<screen>'));
  const to = text.lastIndexOf('\n');
  const lines: Line[] = [];
  for (let begin = from; begin < to; ) {
    const end = text.indexOf('\n', begin + 1);
    const places = [...starts.keys()].filter(at => (starts[at] as number) >= begin && (starts[at] as number) < end);
    const isNeeded = places.some(at => marks[at] !== 0 || (ids[at] as number) >= facts.references.first);
    lines.push({ text: text.slice(begin, end), begin, tokens: places.length, isNeeded });
    begin = end;
  }
  return lines.toReversed();
}

function tooLong(tokens: number, longest: number): EspalierError {
  return new EspalierError({
    boundary: 'policy',
    code: 'context-overflow',
    message: `The task and the steps done have ${tokens} tokens without any screen; the model small reads ${longest}.`,
    expected: 'Expected a shorter task; or use a model with a longer context.',
  });
}
