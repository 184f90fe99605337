import type { ChildRow, Data, ParentRow } from './database.ts';
import type { Column, Comparison, Query } from './query.ts';

type Cell = string | number | null;
export type Row = readonly Cell[];

interface Joined {
  readonly parent: ParentRow;
  readonly child: ChildRow | null;
}

/** The rows of a query, worked out without SQL: a second solution that shares no code with the database. */
export function evaluateQuery(query: Query, data: Data): Row[] {
  const kept = joined(query, data).filter(row => {
    const results = query.where.map(({ column, comparison, value }) =>
      compares(cellOf(row, column), comparison, value),
    );
    if (results.length === 0) return true;
    return query.connective === 'AND' ? results.every(Boolean) : results.some(Boolean);
  });
  const groups = new Map<string, Joined[]>();
  for (const row of kept) {
    const key = row.parent[query.by];
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  const rows = [...groups].map(([key, members]): [string, number | null] => [key, measured(query, members)]);
  const { having } = query;
  const wanted = rows.filter(([, result]) => having === null || compares(result, having.comparison, having.value));
  const direction = query.descending ? -1 : 1;
  const ordered = wanted.toSorted(
    ([oneKey, one], [otherKey, other]) => direction * order(one, other) || (oneKey < otherKey ? -1 : 1),
  );
  return query.limit === null ? ordered : ordered.slice(0, query.limit);
}

function joined({ join, on }: Query, { parents, children }: Data): Joined[] {
  return parents.flatMap((parent): Joined[] => {
    const own = children.filter(child => (on === 'key' ? child.parent : child.id) === parent.id);
    if (own.length > 0) return own.map(child => ({ parent, child }));
    return join === 'left' ? [{ parent, child: null }] : [];
  });
}

function cellOf({ parent, child }: Joined, column: Column): Cell {
  if (column === 'name' || column === 'group' || column === 'rank') return parent[column];
  return child === null ? null : child[column];
}

/** A comparison with null is never true. */
function compares(cell: Cell, comparison: Comparison, value: Cell): boolean {
  if (cell === null || value === null) return false;
  switch (comparison) {
    case '=':
      return cell === value;
    case '<>':
      return cell !== value;
    case '<':
      return cell < value;
    case '<=':
      return cell <= value;
    case '>':
      return cell > value;
    case '>=':
      return cell >= value;
  }
}

function measured({ aggregate, distinct }: Query, rows: readonly Joined[]): number | null {
  const all = rows.map(row => cellOf(row, aggregate.column)).filter(cell => typeof cell === 'number');
  const values = distinct ? [...new Set(all)] : all;
  if (aggregate.kind === 'count') return values.length;
  if (values.length === 0) return null;
  if (aggregate.kind === 'sum') return values.reduce((sum, value) => sum + value, 0);
  return aggregate.kind === 'min' ? Math.min(...values) : Math.max(...values);
}

/** Null comes before all numbers. */
function order(one: number | null, other: number | null): number {
  return (one ?? -Infinity) === (other ?? -Infinity) ? 0 : (one ?? -Infinity) < (other ?? -Infinity) ? -1 : 1;
}
