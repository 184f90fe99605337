import type { Action } from '../action.ts';
import { readScreen, type ScreenLine } from './screen-text.ts';

/** Everything that can be done on a screen, with these texts for its text fields. */
export function screenActions(screen: string, texts: readonly string[]): Action[] {
  return readScreen(screen).flatMap(line => (line.ref === null ? [] : lineActions(line, line.ref, texts)));
}

function lineActions({ role, value, options }: ScreenLine, ref: string, texts: readonly string[]): Action[] {
  if (role === 'textbox') return texts.filter(text => text !== value).map(text => ({ kind: 'fill', ref, text }));
  if (role !== 'combobox' || options.length === 0) return [{ kind: 'click', ref }];
  return options.filter(option => option !== value).map(option => ({ kind: 'select', ref, option }));
}

const quoted = /"([^"]+)"/g;
const capitalised = /\p{Lu}[\p{L}\p{N}'’-]*(?: \p{Lu}[\p{L}\p{N}'’-]*)*/gu;

/** What an instruction gives to type: what stands in quotes, and names. */
export function textsIn(instruction: string): string[] {
  const inQuotes = [...instruction.matchAll(quoted)].map(match => match[1] as string);
  return [...new Set([...inQuotes, ...(instruction.replaceAll(quoted, ' ').match(capitalised) ?? [])])];
}
