import { createReader, type Reader } from './toml-reader.ts';
import { readValue, type TomlTable, type TomlValue } from './toml-values.ts';

/** Reads TOML 1.0. Dates and times stay texts; infinity and NaN are numbers. `file` is named in errors. */
export function parseToml(text: string, file: string): TomlTable {
  const reader = createReader(text.replace(/^\uFEFF/, ''), file);
  const root = emptyTable();
  const state: State = { root, current: root, closed: new Set(), headed: new Set() };
  for (;;) {
    reader.skipBlank();
    if (reader.isAtEnd()) return root;
    if (reader.peek() === '[') readHeader(reader, state);
    else readPair(reader, state.current, state.closed);
    reader.endLine();
  }
}

interface State {
  readonly root: TomlTable;
  current: TomlTable;
  /** Inline tables, and arrays of values: nothing is added to them later. */
  readonly closed: Set<TomlTable | TomlValue[]>;
  /** Tables that had a header, or were made by a dotted key. */
  readonly headed: Set<TomlTable>;
}

function readHeader(reader: Reader, state: State): void {
  const isList = reader.take('[[');
  if (!isList) reader.take('[');
  const keys = readKey(reader);
  if (!reader.take(isList ? ']]' : ']')) throw reader.problem(`a ${isList ? ']]' : ']'} after the name of the table`);
  const last = keys.pop() as string;
  const parent = keys.reduce((table, key) => stepInto(reader, table, { key, closed: state.closed }), state.root);
  const found = own(parent, last);
  if (isList) {
    const list = found ?? [];
    if (!Array.isArray(list) || state.closed.has(list)) throw reader.problem(`a name that is not taken: "${last}"`);
    const table = emptyTable();
    list.push(table);
    parent[last] = list;
    state.current = table;
    return;
  }
  const table = found ?? emptyTable();
  if (!isTable(table) || state.closed.has(table) || state.headed.has(table))
    throw reader.problem(`each table once: "${last}" is there already`);
  state.headed.add(table);
  parent[last] = table;
  state.current = table;
}

/** `a.b = 1`, in a table or an inline table. */
function readPair(reader: Reader, table: TomlTable, closed: State['closed']): void {
  const keys = readKey(reader);
  const last = keys.pop() as string;
  if (!reader.take('=')) throw reader.problem(`a = after the key "${last}"`);
  reader.skipSpace();
  const target = keys.reduce((inner, key) => stepInto(reader, inner, { key, closed }), table);
  if (own(target, last) !== undefined) throw reader.problem(`each key once: "${last}" is there already`);
  target[last] = readValue(reader, {
    inlineTable: inner => readInlineTable(inner, closed),
    close: value => closed.add(value),
  });
}

function readInlineTable(reader: Reader, closed: State['closed']): TomlTable {
  const table = emptyTable();
  reader.skipSpace();
  if (!reader.take('}')) {
    do {
      reader.skipSpace();
      readPair(reader, table, closed);
      reader.skipSpace();
    } while (reader.take(','));
    if (!reader.take('}')) throw reader.problem('a } at the end of the inline table');
  }
  closed.add(table);
  return table;
}

interface Step {
  readonly key: string;
  readonly closed: State['closed'];
}

function stepInto(reader: Reader, table: TomlTable, { key, closed }: Step): TomlTable {
  const found = own(table, key);
  if (found === undefined) {
    const made = emptyTable();
    table[key] = made;
    return made;
  }
  const inner = Array.isArray(found) && !closed.has(found) ? found.at(-1) : found;
  if (inner === undefined || !isTable(inner) || closed.has(inner))
    throw reader.problem(`a table, but "${key}" is none`);
  return inner;
}

/** A key with dots between its parts. */
function readKey(reader: Reader): string[] {
  const keys: string[] = [];
  do {
    reader.skipSpace();
    const key = reader.quoted() ?? reader.match(/[\w-]+/y);
    if (key === null || key.includes('\n')) throw reader.problem('a key');
    keys.push(key);
    reader.skipSpace();
  } while (reader.take('.'));
  return keys;
}

/** Keys such as `__proto__` are keys like any other. */
function emptyTable(): TomlTable {
  return Object.create(null) as TomlTable;
}

function own(table: TomlTable, key: string): TomlValue | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

function isTable(value: TomlValue | undefined): value is TomlTable {
  return typeof value === 'object' && !Array.isArray(value);
}
