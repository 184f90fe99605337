import type { Change } from '../../core/diff.ts';
import { isJsonObject, type Json } from '../../core/json.ts';
import { parsePath } from '../../core/path.ts';
import type { Tables } from '../data/tables.ts';

const fewest = 4;
const mostShapes = 2;

/** A text that looks unlike all that its member has, and those. */
export interface StrangeValue {
  readonly value: string;
  readonly member: string;
  readonly texts: readonly string[];
}

/** The texts of a call that look unlike those that are there: the name of a person as an ear tag. */
export function strangeValues(
  { changes }: { readonly changes: readonly Change[] },
  tables: Tables,
): readonly StrangeValue[] {
  return changes.flatMap(change => {
    const [table = '', , member] = parsePath(change.path);
    if (change.op === 'replace' && member !== undefined) return strangeIn(tables, { table, member }, change.value);
    if (change.op !== 'add' || member !== undefined || !isJsonObject(change.value)) return [];
    return Object.entries(change.value).flatMap(([key, value]) => strangeIn(tables, { table, member: key }, value));
  });
}

interface Column {
  readonly table: string;
  readonly member: string;
}

function strangeIn(tables: Tables, { table, member }: Column, value: Json): StrangeValue[] {
  if (typeof value !== 'string' || value === '' || member === 'id') return [];
  const column = (tables.get(table)?.places ?? []).map(({ row }) => row[member]);
  const texts = [...new Set(column.filter(text => typeof text === 'string' && text !== ''))] as string[];
  const shapes = new Set(texts.map(shapeOf));
  // What no two records share names them, whatever it is called.
  const isName = texts.length === column.length;
  const isRegular = texts.length >= fewest && shapes.size <= mostShapes;
  return isRegular && !texts.includes(value) && !shapes.has(shapeOf(value))
    ? [{ value, member: isName ? 'name' : member, texts }]
    : [];
}

/** What a text looks like: "Elif Mensah" is two names, "Grey two" a name and a word. */
export function shapeOf(text: string): string {
  return text
    .split(' ')
    .map(word => (/^\W*\d/.test(word) ? '9' : /^\W*\p{Lu}/u.test(word) ? 'X' : joining.has(word) ? word : 'x'))
    .join(' ');
}

const joining: ReadonlySet<string> = new Set(['and', 'of', 'to', 'for', 'the', 'in', 'on', 'at']);
