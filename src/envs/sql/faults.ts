import type { Random } from '../../core/random.ts';
import type { Schema } from './database.ts';
import type { Comparison, Query } from './query.ts';

/** A kind of mistake in a query. Null where this query has no place for it. */
interface Fault {
  readonly kind: string;
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
  { kind: 'wrong-boundary', apply: (query, random) => withComparison(query, random, near) },
  { kind: 'wrong-comparison', apply: (query, random) => withComparison(query, random, opposite) },
  { kind: 'wrong-constant', apply: withConstant },
  {
    kind: 'missing-condition',
    apply(query, random) {
      if (query.where.length === 0) return null;
      return { ...query, where: query.where.toSpliced(random.between(0, query.where.length - 1), 1) };
    },
  },
  {
    kind: 'wrong-connective',
    apply: query =>
      query.where.length < 2 ? null : { ...query, connective: query.connective === 'AND' ? 'OR' : 'AND' },
  },
  { kind: 'wrong-join', apply: query => ({ ...query, join: query.join === 'left' ? 'inner' : 'left' }) },
  { kind: 'wrong-join-column', apply: query => (query.on === 'id' ? null : { ...query, on: 'id' }) },
  {
    kind: 'wrong-aggregate',
    apply(query, random) {
      const others = (['count', 'sum', 'min', 'max'] as const).filter(kind => kind !== query.aggregate.kind);
      return { ...query, aggregate: { ...query.aggregate, kind: random.pick(others) } };
    },
  },
  {
    kind: 'wrong-column',
    apply: query => ({
      ...query,
      aggregate: { ...query.aggregate, column: query.aggregate.column === 'amount' ? 'size' : 'amount' },
    }),
  },
  { kind: 'wrong-distinct', apply: query => ({ ...query, distinct: !query.distinct }) },
  { kind: 'wrong-group', apply: query => ({ ...query, by: query.by === 'name' ? 'group' : 'name' }) },
  { kind: 'missing-having', apply: query => (query.having === null ? null : { ...query, having: null }) },
  { kind: 'wrong-order', apply: query => ({ ...query, descending: !query.descending }) },
  { kind: 'missing-limit', apply: query => (query.limit === null ? null : { ...query, limit: null }) },
];

function withComparison(query: Query, random: Random, change: Readonly<Record<Comparison, Comparison>>): Query | null {
  if (query.where.length === 0) return null;
  const at = random.between(0, query.where.length - 1);
  return {
    ...query,
    where: query.where.map((condition, index) =>
      index === at ? { ...condition, comparison: change[condition.comparison] } : condition,
    ),
  };
}

function withConstant(query: Query, random: Random, { groups, states }: Schema): Query | null {
  if (query.where.length === 0) return null;
  const at = random.between(0, query.where.length - 1);
  return {
    ...query,
    where: query.where.map((condition, index) => {
      if (index !== at) return condition;
      const { column, value } = condition;
      if (typeof value === 'number') return { ...condition, value: value + random.pick([-10, -5, 5, 10]) };
      const others = (column === 'state' ? states : groups).filter(other => other !== value);
      return { ...condition, value: random.pick(others) };
    }),
  };
}
