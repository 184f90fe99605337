import type { Kind, Value, Values } from '../atoms/atom.ts';

/**
 * How a value is written on a line. `parse` and `write` are written out in reference programs, so they use nothing but
 * their argument.
 */
export interface Form {
  readonly name: string;
  readonly kind: Kind;
  /** "a list of whole numbers, separated by spaces". */
  readonly words: string;
  parse(line: string): Value;
  write(value: Value): string;
}

interface FormDefinition<K extends Kind> {
  readonly name: string;
  readonly kind: K;
  readonly words: string;
  parse(line: string): Values[K];
  write(value: Values[K]): string;
}

function form<K extends Kind>(definition: FormDefinition<K>): Form {
  return definition as unknown as Form;
}

/** No line is empty, so that a line that was left out shows. */
export const forms: readonly Form[] = [
  form({
    name: 'number',
    kind: 'number',
    words: 'a whole number',
    parse: line => Number(line),
    write: x => String(x),
  }),
  form({
    name: 'labelled-number',
    kind: 'number',
    words: 'a whole number after "result: "',
    parse: line => Number(line.slice(8)),
    write: x => `result: ${x}`,
  }),
  form({
    name: 'spaced-numbers',
    kind: 'numbers',
    words: 'whole numbers separated by spaces, or a single - if there is none',
    parse: line => (line === '-' ? [] : line.split(' ').map(Number)),
    write: list => list.join(' ') || '-',
  }),
  form({
    name: 'comma-numbers',
    kind: 'numbers',
    words: 'whole numbers separated by commas without spaces, or a single - if there is none',
    parse: line => (line === '-' ? [] : line.split(',').map(Number)),
    write: list => list.join(',') || '-',
  }),
  form({
    name: 'bracketed-numbers',
    kind: 'numbers',
    words: 'whole numbers in square brackets, separated by a comma and a space, such as [1, 2] or []',
    parse: line => JSON.parse(line) as number[],
    write: list => `[${list.join(', ')}]`,
  }),
  form({
    name: 'plain-text',
    kind: 'text',
    words: 'a text of lower-case letters, or a single - if it is empty',
    parse: line => (line === '-' ? '' : line),
    write: text => text || '-',
  }),
  form({
    name: 'quoted-text',
    kind: 'text',
    words: 'a text of lower-case letters in double quotes, such as "abc" or ""',
    parse: line => line.slice(1, -1),
    write: text => `"${text}"`,
  }),
  form({
    name: 'spaced-words',
    kind: 'words',
    words: 'words of lower-case letters separated by spaces, or a single - if there is none',
    parse: line => (line === '-' ? [] : line.split(' ')),
    write: words => words.join(' ') || '-',
  }),
  form({
    name: 'slashed-words',
    kind: 'words',
    words: 'words of lower-case letters separated by slashes, or a single - if there is none',
    parse: line => (line === '-' ? [] : line.split('/')),
    write: words => words.join('/') || '-',
  }),
];

export function formsOf(kind: Kind): readonly Form[] {
  return forms.filter(known => known.kind === kind);
}
