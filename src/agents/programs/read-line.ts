import { datePattern, kindOf, type Data, type Value } from './value.ts';

/** A value that a line of a question gives, with its place among those of its kind. */
export interface Input extends Value {
  /** `number 0` is the first number of the line; `earlier` results have a name of their own. */
  readonly feature: string;
  /** As it stands in the line. */
  readonly text: string;
}

export interface ReadLine {
  readonly inputs: readonly Input[];
  /** The words around the values, and neighbouring pairs of them: what the choice of a program depends on. */
  readonly words: readonly string[];
}

/** What a reader knows beside the line itself. */
export interface Reading {
  /** Results of earlier lines; R1 is the first. */
  readonly results: readonly Value[];
  /** Whether a word is one that questions use; a word that is not may be a value. */
  knows(word: string): boolean;
}

const tokenPattern = /\d{4}-\d{2}-\d{2}|R\d+\b|-?\d+(?:\/\d+)?|[A-Za-z]+|[^\sA-Za-z\d]/g;
const expressionPattern = /(?<![\w)])[(]*\d+(?:[()]*[+*-][()]*\d+)+[)]*(?!\w)/;
const mostUnknown = 3;
const lastPlace = 2;

/** Reads values and words out of a line as they stand there; nothing else is known of the problem. */
export function readLine(line: string, reading: Reading): ReadLine {
  const inputs: Input[] = [];
  const places = new Map<string, number>();
  const add = (value: Value, text: string, group: string = value.kind): void => {
    const place = places.get(group) ?? 0;
    places.set(group, place + 1);
    inputs.push({ ...value, text, feature: `${group} ${Math.min(place, lastPlace)}` });
  };
  const { rest, found } = withoutBrackets(line);
  for (const { data, text } of found) add({ kind: kindOf(data), data }, text);
  const expression = expressionPattern.exec(line.replaceAll(/\d{4}-\d{2}-\d{2}/g, ''))?.[0];
  if (expression !== undefined) add({ kind: 'expression', data: expression }, expression);
  const tokens = rest.match(tokenPattern) ?? [];
  const words: string[] = [];
  const unknown: string[] = [];
  for (const token of tokens) {
    const result = /^R\d+$/.test(token) ? reading.results[Number(token.slice(1)) - 1] : undefined;
    if (result !== undefined) add(result, token, 'earlier');
    else if (/^-?\d/.test(token)) addNumber(token, add);
    else if (isUnknown(token, words, reading)) unknown.push(token);
    const word = wordOf(token, unknown);
    if (word !== null) words.push(word);
  }
  for (const text of unknown.slice(-mostUnknown)) add({ kind: 'text', data: text }, text);
  return { inputs: [...inputs, ...together(inputs)], words: withPairs(words) };
}

type Add = (value: Value, text: string) => void;

function addNumber(token: string, add: Add): void {
  if (datePattern.test(token)) return add({ kind: 'date', data: token }, token);
  const [top, bottom = '1'] = token.split('/');
  add({ kind: 'number', data: Number(top) / Number(bottom) }, token);
}

/** A letter after "letter", or a word that questions do not use. */
function isUnknown(token: string, before: readonly string[], { knows }: Reading): boolean {
  if (!/^[A-Za-z]+$/.test(token)) return false;
  if (token.length === 1) return token !== 'I' && (token !== 'a' || /^letters?$/.test(before.at(-1) ?? ''));
  return !knows(token.toLowerCase());
}

function wordOf(token: string, unknown: readonly string[]): string | null {
  if (/^R\d+$/.test(token)) return 'RESULT';
  if (/^-?\d/.test(token)) return 'NUMBER';
  if (token === '%') return '%';
  if (!/^[A-Za-z]/.test(token)) return null;
  return unknown.includes(token) ? 'VALUE' : token.toLowerCase();
}

function withPairs(words: readonly string[]): string[] {
  const pairs = words.slice(1).map((word, index) => `${words[index]} ${word}`);
  return [...new Set([...words, ...pairs])];
}

/** Results that a line names one after the other, as one list. */
function together(inputs: readonly Input[]): Input[] {
  const named = inputs.filter(({ feature }) => feature.startsWith('earlier'));
  if (named.length < 2) return [];
  const data = named.map(input => input.data);
  return [{ kind: kindOf(data), data, text: named.map(({ text }) => text).join(', '), feature: 'all earlier' }];
}

interface Bracketed {
  readonly data: Data;
  readonly text: string;
}

/** Lists, sets and pairs that are written out; the rest of the line has the word LIST in their place. */
function withoutBrackets(line: string): { readonly rest: string; readonly found: readonly Bracketed[] } {
  const found: Bracketed[] = [];
  let rest = '';
  for (let index = 0; index < line.length; ) {
    const group = /[[({]/.test(line[index] as string) ? readGroup(line, index) : null;
    if (group === null) {
      rest += line[index];
      index++;
    } else {
      found.push({ data: group.data, text: line.slice(index, group.end) });
      rest += ' LIST ';
      index = group.end;
    }
  }
  return { rest, found };
}

/** Values with commas between them up to the closing bracket; null when something else stands there. */
function readGroup(line: string, start: number): { readonly data: readonly Data[]; readonly end: number } | null {
  const items: Data[] = [];
  let index = start + 1;
  while (index < line.length) {
    const before = /^\s*/.exec(line.slice(index))?.[0].length ?? 0;
    index += before;
    const inner = /[[({]/.test(line[index] ?? '') ? readGroup(line, index) : null;
    const item = inner ?? readItem(line, index);
    if (item === null) return null;
    items.push(item.data);
    index = item.end;
    if (/[\])}]/.test(line[index] ?? '')) return { data: items, end: index + 1 };
    if (line[index] !== ',') return null;
    index++;
  }
  return null;
}

function readItem(line: string, index: number): { readonly data: Data; readonly end: number } | null {
  const text = /^(?:\d{4}-\d{2}-\d{2}|-?\d+(?:\/\d+)?|[A-Za-z]+)(?=[,\])}])/.exec(line.slice(index))?.[0];
  if (text === undefined || /^R\d/.test(text)) return null;
  const end = index + text.length;
  if (datePattern.test(text) || /^[A-Za-z]/.test(text)) return { data: text, end };
  const [top, bottom = '1'] = text.split('/');
  return { data: Number(top) / Number(bottom), end };
}
