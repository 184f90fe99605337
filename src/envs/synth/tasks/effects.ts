import { added } from '../../../worlds/app/table.ts';
import type { Check } from '../../../worlds/app/template.ts';
import { rowsOf, type Model, type Row, type SynthState, type Value } from '../app/model.ts';

/** A value that the task changes. */
export type Edit = { readonly table: string; readonly id: string; readonly member: string; readonly value: Value };
/** A record that the task adds, with every value it must have. */
type Addition = { readonly table: string; readonly row: Row };
type Removal = { readonly table: string; readonly id: string };

/** What a task changes in the data. Its checks and the paths it may change follow from it. */
export type Changes = {
  readonly edits: readonly Edit[];
  readonly additions: readonly Addition[];
  readonly removals: readonly Removal[];
};

export const noChanges: Changes = { edits: [], additions: [], removals: [] };

export function editing(edits: readonly Edit[]): Changes {
  return { ...noChanges, edits };
}

export function checksOf({ edits, additions, removals }: Changes): Check<SynthState>[] {
  return [
    ...edits.map(({ table, id, member, value }) => ({
      id: `${table}-${member}`,
      name: `${member} of ${id} is ${String(value)}`,
      test: (final: SynthState) => rowIn(final, table, id)?.[member] === value,
    })),
    ...additions.map(({ table, row }) => ({
      id: `${table}-added`,
      name: `exactly one record was added to ${table}, as asked`,
      test: (final: SynthState, initial: SynthState) =>
        isOnlyAddition(row, added(tableIn(initial, table), tableIn(final, table))),
    })),
    ...removals.map(({ table, id }) => ({
      id: `${table}-removed`,
      name: `${id} is gone from ${table}`,
      test: (final: SynthState) => rowIn(final, table, id) === undefined,
    })),
  ];
}

export function pathsOf({ edits, additions, removals }: Changes): string[] {
  return [
    ...edits.map(({ table, id, member }) => `/${table}/${id}/${member}`),
    ...additions.map(({ table, row }) => `/${table}/${row.id}`),
    ...removals.map(({ table, id }) => `/${table}/${id}`),
  ];
}

function tableIn(state: SynthState, table: string): readonly Row[] {
  return state[table] as unknown as readonly Row[];
}

function rowIn(state: SynthState, table: string, id: string): Row | undefined {
  return tableIn(state, table).find(row => row.id === id);
}

function isOnlyAddition(wanted: Row, found: readonly Row[]): boolean {
  const [row, ...more] = found;
  if (row === undefined || more.length > 0) return false;
  const members = Object.keys(wanted);
  return Object.keys(row).length === members.length && members.every(member => row[member] === wanted[member]);
}

/** What work on a copy of the data changes in records that are there already. */
export function changesOf(model: Model, state: SynthState, work: (copy: SynthState) => void): Edit[] {
  const copy = structuredClone(state) as SynthState;
  work(copy);
  return model.spec.entities.flatMap(entity =>
    rowsOf(copy, entity).flatMap((row, index) => {
      const before = rowsOf(state, entity)[index] ?? row;
      return Object.keys(row)
        .filter(member => row[member] !== before[member])
        .map(member => ({ table: entity.table, id: row.id, member, value: row[member] ?? null }));
    }),
  );
}
