import type { Random } from '../../core/random.ts';
import type { Schema } from './database.ts';
import type { Comparison, Query } from './query.ts';

/** A kind of mistake in a query. */
interface Fault {
  readonly kind: string;
  /** Every query that one mistake of this kind makes; none where this query has no place for it. */
  all(query: Query, schema: Schema): Query[];
  /** One of them by chance; null where there is none. */
  apply(query: Query, random: Random, schema: Schema): Query | null;
}

const near: Readonly<Record<Comparison, Comparison>> = {
  '=': '<>',
  '<>': '=',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
};
const opposite: Readonly<Record<Comparison, Comparison>> = {
  '=': '<>',
  '<>': '=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

/** The kinds of mistakes that queries are broken by. */
export const faults: readonly Fault[] = [
  fault('wrong-boundary', query => withComparison(query, near)),
  fault('wrong-comparison', query => withComparison(query, opposite)),
  fault('wrong-constant', withConstant),
  fault('missing-condition', query => query.where.map((_, at) => ({ ...query, where: query.where.toSpliced(at, 1) }))),
  fault('wrong-connective', query =>
    query.where.length < 2 ? [] : [{ ...query, connective: query.connective === 'AND' ? 'OR' : 'AND' }],
  ),
  fault('wrong-join', query => [{ ...query, join: query.join === 'left' ? 'inner' : 'left' }]),
  fault('wrong-join-column', query => (query.on === 'id' ? [] : [{ ...query, on: 'id' }])),
  fault('wrong-aggregate', query =>
    (['count', 'sum', 'min', 'max'] as const)
      .filter(kind => kind !== query.aggregate.kind)
      .map(kind => ({ ...query, aggregate: { ...query.aggregate, kind } })),
  ),
  fault('wrong-column', query => [
    { ...query, aggregate: { ...query.aggregate, column: query.aggregate.column === 'amount' ? 'size' : 'amount' } },
  ]),
  // The smallest and the largest value are the same with and without repeats.
  fault('wrong-distinct', query =>
    query.aggregate.kind === 'min' || query.aggregate.kind === 'max' ? [] : [{ ...query, distinct: !query.distinct }],
  ),
  fault('wrong-group', query => [{ ...query, by: query.by === 'name' ? 'group' : 'name' }]),
  fault('missing-having', query => (query.having === null ? [] : [{ ...query, having: null }])),
  fault('wrong-order', query => [{ ...query, descending: !query.descending }]),
  fault('missing-limit', query => (query.limit === null ? [] : [{ ...query, limit: null }])),
];

function fault(kind: string, all: Fault['all']): Fault {
  return {
    kind,
    all,
    apply(query, random, schema) {
      const made = all(query, schema);
      return made.length === 0 ? null : random.pick(made);
    },
  };
}

function withComparison(query: Query, change: Readonly<Record<Comparison, Comparison>>): Query[] {
  return query.where.map((condition, at) => ({
    ...query,
    where: query.where.with(at, { ...condition, comparison: change[condition.comparison] }),
  }));
}

function withConstant(query: Query, { groups, states }: Schema): Query[] {
  return query.where.flatMap((condition, at) => {
    const { column, value } = condition;
    const others =
      typeof value === 'number'
        ? [-10, -5, 5, 10].map(change => value + change)
        : (column === 'state' ? states : groups).filter(other => other !== value);
    return others.map(other => ({ ...query, where: query.where.with(at, { ...condition, value: other }) }));
  });
}
