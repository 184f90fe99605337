import { current, isDraft, original } from 'mutative';
import { refuse } from '../../core/errors.ts';

/** Helpers for tables: arrays of records with an id. They work on states and on drafts alike. */
interface Identified {
  id: string;
}

/**
 * The table as it is now, for reading only. Reading a record through a draft makes a draft of that record, which costs
 * more than all the rest of a command; this does not.
 */
export function plain<T>(table: readonly T[]): readonly T[] {
  return isDraft(table) ? current(table) : table;
}

export function find<T extends Identified>(table: readonly T[], id: string): T | undefined {
  if (!isDraft(table)) return table[indexOf(table, id)];
  // Mostly it is where it was before the command.
  const record = table[indexOf(original(table), id)];
  return record?.id === id ? record : table[indexOf(current(table), id)];
}

function indexOf(table: readonly Identified[], id: string): number {
  for (let index = 0; index < table.length; index++) if ((table[index] as Identified).id === id) return index;
  return -1;
}

/** The record, or a refusal that an agent can read. */
export function need<T extends Identified>(table: readonly T[], id: string, what: string): T {
  return find(table, id) ?? refuse(`There is no ${what} "${id}".`);
}

export function remove<T extends Identified>(table: T[], id: string): void {
  const index = indexOf(plain(table), id);
  if (index >= 0) table.splice(index, 1);
}

/** Records that are in `final` and were not in `initial`. */
export function added<T extends Identified>(initial: readonly T[], final: readonly T[]): T[] {
  const shift = final.length - initial.length;
  const stayed = (record: T, index: number): boolean => record === initial[index] || record === initial[index - shift];
  return final.filter((record, index) => !stayed(record, index) && !initial.some(known => known.id === record.id));
}

/** The next free id with this prefix: one above the highest number in use. */
export function nextId(table: readonly Identified[], prefix: string): string {
  let highest = 0;
  for (const { id } of plain(table)) {
    const number = Number(id.slice(prefix.length));
    if (id.startsWith(prefix) && number > highest) highest = number;
  }
  return `${prefix}${highest + 1}`;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly page: number;
  readonly pages: number;
  readonly total: number;
}

/** A page of a list, counted from 1; a page past the end is the last one. */
export function paginate<T>(items: readonly T[], page: number, size: number): Page<T> {
  const pages = Math.max(1, Math.ceil(items.length / size));
  const shown = Math.min(Math.max(1, page), pages);
  return { items: items.slice((shown - 1) * size, shown * size), page: shown, pages, total: items.length };
}
