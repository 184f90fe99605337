import type { Field } from '../spec/schema.ts';
import type { ShownRecord } from './record-groups.ts';

const mostOptions = 12;
const longestOption = 30;
const mostFields = 6;
const words = ['Text', 'Note', 'Detail', 'Remark', 'Info', 'Extra'] as const;

/** What the texts of records are: dates, numbers, choices among a few, or texts. */
export function inferFields(records: readonly ShownRecord[]): Field[] {
  const columns = new Map<string, string[]>();
  for (const { texts } of records) {
    for (const [index, text] of texts.flatMap(splitDate).entries()) {
      if (index < mostFields) columns.set(String(index), [...(columns.get(String(index)) ?? []), text]);
    }
  }
  return [...columns.values()].flatMap((values, index) => fieldOf(values, { index, records: records.length }) ?? []);
}

/** A date at the start of a text is a text of its own. */
function splitDate(text: string): string[] {
  const [, date, rest] = /^(\d{4}-\d\d-\d\d)(?:\s+(.+))?$/.exec(text) ?? [];
  return date === undefined ? [text] : [date, ...(rest === undefined ? [] : [rest])];
}

function fieldOf(values: readonly string[], { index, records }: { index: number; records: number }): Field | null {
  const label = words[index] ?? `Field`;
  const named = { id: label.toLowerCase(), label };
  const sorted = values.toSorted();
  if (values.length * 2 < records) return null;
  if (values.every(value => /^\d{4}-\d\d-\d\d$/.test(value)))
    return {
      id: `date${'abcdef'.charAt(index)}`,
      label: 'Date',
      type: 'date',
      from: sorted[0] ?? '',
      to: sorted.at(-1) ?? '',
    };
  const numbers = values
    .map(value => /^-?\d{1,9}$/.exec(value)?.[0])
    .filter(value => value !== undefined)
    .map(Number);
  if (numbers.length === values.length)
    return { ...named, type: 'number', min: Math.min(...numbers), max: Math.max(...numbers) };
  const firsts = values.map(value => value.split(/\s+(?=#)/)[0] ?? value);
  const options = [...new Set(firsts)];
  const isChoice = options.length >= 2 && options.length <= mostOptions && options.length < firsts.length;
  if (isChoice && options.every(option => option.length <= longestOption)) return { ...named, type: 'choice', options };
  return { ...named, type: 'text', required: false, values: [[...new Set(values)].map(value => value.slice(0, 120))] };
}
