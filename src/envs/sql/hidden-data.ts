import { createRandom } from '../../core/random.ts';
import { drawData, type Data, type Schema } from './database.ts';
import { evaluateQuery, type Row } from './evaluate.ts';
import { faults } from './faults.ts';
import type { Query } from './query.ts';

export interface HiddenDataOptions {
  readonly schema: Schema;
  readonly query: Query;
  readonly broken: Query;
  readonly dataSeed: string;
}

/** Data sets that are always there, and data sets to choose from. */
const fewestSets = 3;
const poolSize = 200;

/**
 * The data that a repair is verified on. Every wrong query that differs from the right one on any set of a pool differs on
 * a set that is chosen: those that keep some of the mistakes, those with one mistake of a known kind, and those that put the
 * rows in another order or cut them off. One set has parents alone.
 */
export function hiddenData({ schema, query, broken, dataSeed }: HiddenDataOptions): Data[] {
  const setAt = (at: number): Data => drawData(schema, createRandom(`${dataSeed}/hidden/${at}`));
  const chosen = Array.from({ length: fewestSets }, (_, at) => setAt(at));
  chosen.push({ ...(chosen[0] as Data), children: [] });
  const queries = [...partialRepairs(query, broken), ...faults.flatMap(({ all }) => all(query, schema))];
  let left: Wrong[] = [
    ...queries.map(
      (one): Wrong =>
        data =>
          evaluateQuery(one, data),
    ),
    ...misplaced(query),
  ];
  for (const data of chosen) left = thoseAlike(left, query, data);
  for (let at = fewestSets; at < poolSize && left.length > 0; at++) {
    const data = setAt(at);
    const still = thoseAlike(left, query, data);
    if (still.length < left.length) chosen.push(data);
    left = still;
  }
  return chosen;
}

/** What a wrong query gives. */
type Wrong = (data: Data) => readonly Row[];

/** Those that give the rows of the right query on a data set. */
function thoseAlike(wrong: readonly Wrong[], right: Query, data: Data): Wrong[] {
  const rows = evaluateQuery(right, data);
  return wrong.filter(one => sameRows(one(data), rows));
}

const limits = [2, 3, 4, 5];

/** The right rows in the order of their names, with equal ones backwards, or cut off where the query has no limit. */
function misplaced(query: Query): Wrong[] {
  const all = (data: Data): Row[] => evaluateQuery({ ...query, limit: null }, data);
  const first = (rows: readonly Row[]): readonly Row[] => rows.slice(0, query.limit ?? rows.length);
  const byName = ([one]: Row, [other]: Row): number => (String(one) < String(other) ? -1 : 1);
  const backwards = (rows: readonly Row[]): Row[] => {
    const places = new Map([...new Set(rows.map(([, result]) => result))].map((result, place) => [result, place]));
    const placeOf = ([, result]: Row): number => places.get(result ?? null) ?? 0;
    return rows.toSorted((one, other) => placeOf(one) - placeOf(other) || byName(other, one));
  };
  const cut =
    query.limit === null
      ? limits.map(
          (limit): Wrong =>
            data =>
              all(data).slice(0, limit),
        )
      : [];
  return [data => first(all(data).toSorted(byName)), data => first(backwards(all(data))), ...cut];
}

/** Queries that have some parts of the broken query, and the other parts of the right one. The last is the broken query. */
export function partialRepairs(query: Query, broken: Query): Query[] {
  const parts = (Object.keys(query) as (keyof Query)[]).filter(
    part => JSON.stringify(query[part]) !== JSON.stringify(broken[part]),
  );
  return Array.from({ length: 2 ** parts.length - 1 }, (_, at) => {
    const kept = parts.filter((_part, index) => ((at + 1) >> index) % 2 === 1);
    return { ...query, ...Object.fromEntries(kept.map(part => [part, broken[part]])) };
  });
}

export function sameRows(one: readonly Row[], other: readonly Row[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
