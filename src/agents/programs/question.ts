import type { Kind } from './value.ts';

/** A question as its reader sees it. */
export interface Question {
  /** One line, or several that name their results R1, R2 and so on. */
  readonly lines: readonly string[];
  /** Kinds of values that the answer may have. */
  readonly kinds: ReadonlySet<Kind>;
  readonly isWhole: boolean;
}

const lists: readonly Kind[] = ['numbers', 'texts', 'dates', 'lists', 'rows', 'mixed'];
const forms: readonly [RegExp, readonly Kind[]][] = [
  [/^an? (?:whole|exact) number/, ['number']],
  [/^yes or no/, ['boolean']],
  [/^a date/, ['date']],
  [/^(?:a text|one of)/, ['text', 'number']],
  [/^(?:a list|a set|\d+ values)/, lists],
];

export function readQuestion(instruction: string): Question {
  const end = instruction.lastIndexOf('\nAnswer with ');
  const form = instruction.slice(end).replace(/^\nAnswer with (?:R\d+: )?/, '');
  const body = end < 0 ? instruction : instruction.slice(0, end);
  const steps = body.split(/\n(?=R\d+: )/);
  const lines = steps.length === 1 ? steps : steps.slice(1).map(step => step.replace(/^R\d+: /, ''));
  const kinds = forms.find(([pattern]) => pattern.test(form))?.[1] ?? [...lists, 'number', 'text', 'boolean', 'date'];
  return { lines, kinds: new Set(kinds), isWhole: form.startsWith('a whole number') };
}
