/** The texts of an instruction that another instance of the task would have others for: in quotes, names, numbers; the longest first. */
export function literalsOf(instruction: string): string[] {
  const quoted = [...instruction.matchAll(/"([^"]+)"|“([^”]+)”/g)].map(match => (match[1] ?? match[2]) as string);
  const rest = instruction.replaceAll(/"[^"]+"|“[^”]+”/g, ' ');
  const named = [...rest.matchAll(/\b\p{Lu}[\p{L}\p{N}'-]*(?:\s+\p{Lu}[\p{L}\p{N}'-]*)*|\b\d[\d.,:-]*\b/gu)].filter(
    // The first word of a sentence has a capital in any case.
    ({ 0: text, index }) => text.includes(' ') || /\d/.test(text) || !/(?:^|[.!?])\s*$/.test(rest.slice(0, index)),
  );
  return [...new Set([...quoted, ...named.map(([text]) => text.trim())])].filter(text => text !== '');
}

/** A text with the literals of a task as slots: `{{0}}` for the first. */
export function withSlots(text: string, literals: readonly string[]): string {
  return createSlotter(literals)(text);
}

/** Puts the slots of one task into many texts. */
export function createSlotter(literals: readonly string[]): (text: string) => string {
  const order = literals
    .map((literal, at) => ({ literal, words: wordsOf(literal), slot: `{{${at}}}` }))
    .toSorted((a, b) => b.literal.length - a.literal.length);
  return text =>
    order.reduce(
      (whole, { literal, words, slot }) => (whole.includes(literal) ? whole.replaceAll(words, slot) : whole),
      text,
    );
}

/** Where a text stands as whole words; a number not as a part of a date or another number. */
function wordsOf(literal: string): RegExp {
  const own = literal.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const beside = /^\d/.test(literal) ? String.raw`[\p{L}\p{N}:-]` : String.raw`[\p{L}\p{N}]`;
  return new RegExp(`(?<!${beside})${own}(?!${beside})`, 'gu');
}

/** A step as a line that other data fits as well: texts of the task are slots, other numbers and dates are `{{*}}`. */
export function generalLine(line: string, literals: readonly string[]): string {
  return withoutNumbers(withSlots(line, literals));
}

/** Numbers and dates that are no text of the task are `{{*}}`. */
export function withoutNumbers(line: string): string {
  return line.replaceAll(/(?<!\{\{)\b\d[\d.,:-]*\b(?: \d[\d.,:-]*\b)*/g, '{{*}}');
}

/** Words with a number are `{{*}}`: ids of records, which a verifier names and no screen shows. */
export function withoutIds(text: string): string {
  return text.replaceAll(/(?<!\{\{)\b(?=\p{L}*\d)[\p{L}\d]+\b/gu, '{{*}}');
}

/** A text with its slots filled; null when the task has no such literal. */
export function withLiterals(text: string, literals: readonly string[]): string | null {
  let isWhole = true;
  const filled = text.replaceAll(/\{\{(\d+)\}\}/g, (_slot, at: string) => {
    const literal = literals[Number(at)];
    if (literal === undefined) isWhole = false;
    return literal ?? '';
  });
  return isWhole ? filled : null;
}
