import type { Reader } from './toml-reader.ts';

export interface TomlTable {
  [key: string]: TomlValue;
}
export type TomlValue = string | number | boolean | TomlValue[] | TomlTable;

interface ValueOptions {
  inlineTable(reader: Reader): TomlTable;
  /** Called with every array that is written as a value. */
  close(value: TomlValue[]): void;
}

const dateTime = /\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)?)?|\d\d:\d\d:\d\d(?:\.\d+)?/y;
const float = /[+-]?(?:inf|nan|(?:0|[1-9](?:_?\d)*)(?:\.\d(?:_?\d)*(?:[eE][+-]?\d(?:_?\d)*)?|[eE][+-]?\d(?:_?\d)*))/y;
const based = /0(?:x[0-9a-fA-F](?:_?[0-9a-fA-F])*|o[0-7](?:_?[0-7])*|b[01](?:_?[01])*)/y;
const whole = /[+-]?(?:0|[1-9](?:_?\d)*)(?!\d)/y;

export function readValue(reader: Reader, options: ValueOptions): TomlValue {
  const text = reader.quoted();
  if (text !== null) return text;
  if (reader.take('[')) return readArray(reader, options);
  if (reader.take('{')) return options.inlineTable(reader);
  if (reader.match(/true(?![\w-])/y) !== null) return true;
  if (reader.match(/false(?![\w-])/y) !== null) return false;
  const date = reader.match(dateTime);
  if (date !== null) return date;
  return readNumber(reader);
}

function readNumber(reader: Reader): number {
  const real = reader.match(float);
  if (real !== null) return floatOf(real.replaceAll('_', ''));
  const other = reader.match(based) ?? reader.match(whole);
  if (other === null) throw reader.problem('a value');
  return Number(other.replaceAll('_', '').replace(/^\+/, ''));
}

function floatOf(text: string): number {
  if (text.endsWith('nan')) return Number.NaN;
  if (text.endsWith('inf')) return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return Number(text);
}

function readArray(reader: Reader, options: ValueOptions): TomlValue[] {
  const values: TomlValue[] = [];
  for (;;) {
    reader.skipBlank();
    if (reader.take(']')) break;
    values.push(readValue(reader, options));
    reader.skipBlank();
    if (reader.take(',')) continue;
    if (!reader.take(']')) throw reader.problem('a , or a ] in the array');
    break;
  }
  options.close(values);
  return values;
}
