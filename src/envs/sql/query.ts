import { z } from 'zod';
import type { Random } from '../../core/random.ts';
import { literal, type Schema } from './database.ts';

/** A column by its role in the schema. */
const columnSchema = z.enum(['name', 'group', 'rank', 'amount', 'size', 'state']);
export type Column = z.infer<typeof columnSchema>;

const comparisonSchema = z.enum(['=', '<>', '<', '<=', '>', '>=']);
export type Comparison = z.infer<typeof comparisonSchema>;

const conditionSchema = z.strictObject({
  column: columnSchema,
  comparison: comparisonSchema,
  value: z.union([z.int(), z.string()]),
});
export type Condition = z.infer<typeof conditionSchema>;

/** A query in parts: rows of two tables, kept by conditions, grouped by a column of the first, counted up and put in order. */
export const querySchema = z.strictObject({
  join: z.enum(['inner', 'left']),
  on: z.enum(['key', 'id']),
  where: z.array(conditionSchema).max(3),
  connective: z.enum(['AND', 'OR']),
  by: z.enum(['name', 'group']),
  aggregate: z.strictObject({ kind: z.enum(['count', 'sum', 'min', 'max']), column: z.enum(['amount', 'size']) }),
  distinct: z.boolean(),
  having: z.strictObject({ comparison: comparisonSchema, value: z.int() }).nullable(),
  descending: z.boolean(),
  limit: z.int().min(1).nullable(),
});
export type Query = z.infer<typeof querySchema>;

const comparisons = comparisonSchema.options;

export function drawQuery(schema: Schema, random: Random): Query {
  const kind = random.pick(['count', 'sum', 'sum', 'min', 'max'] as const);
  const having = random.chance(0.5)
    ? { comparison: random.pick(['>', '>=', '<'] as const), value: random.between(1, 4) * (kind === 'count' ? 1 : 5) }
    : null;
  return {
    join: random.chance(0.3) ? 'left' : 'inner',
    on: 'key',
    where: random
      .sample(['rank', 'amount', 'size', 'state', 'group'] as const, random.between(1, 2))
      .map(column => drawCondition(schema, column, random)),
    connective: 'AND',
    by: random.pick(['name', 'group']),
    aggregate: { kind, column: random.pick(['amount', 'size']) },
    distinct: kind === 'count' && random.chance(0.3),
    having,
    descending: random.chance(0.6),
    limit: random.chance(0.4) ? random.between(2, 3) : null,
  };
}

function drawCondition({ groups, states }: Schema, column: Column, random: Random): Condition {
  if (column === 'state' || column === 'group')
    return {
      column,
      comparison: random.pick(['=', '<>'] as const),
      value: random.pick(column === 'state' ? states : groups),
    };
  const value = column === 'size' ? random.between(2, 5) : random.between(2, 8) * (column === 'rank' ? 10 : 5);
  return { column, comparison: random.pick(comparisons.slice(2)), value };
}

/** The name of a column with its table. */
function columnName({ parent, child }: Schema, column: Column): string {
  return column === 'name' || column === 'group' || column === 'rank'
    ? `${parent.table}.${parent[column]}`
    : `${child.table}.${child[column]}`;
}

export function queryText(schema: Schema, query: Query): string {
  const { parent, child } = schema;
  const by = columnName(schema, query.by);
  const measured = columnName(schema, query.aggregate.column);
  const aggregate = `${query.aggregate.kind.toUpperCase()}(${query.distinct ? 'DISTINCT ' : ''}${measured})`;
  const conditions = query.where.map(
    ({ column, comparison, value }) => `${columnName(schema, column)} ${comparison} ${literal(value)}`,
  );
  return [
    `SELECT ${by}, ${aggregate} AS result`,
    `FROM ${parent.table}`,
    `${query.join.toUpperCase()} JOIN ${child.table} ON ${child.table}.${query.on === 'key' ? child.key : 'id'} = ${parent.table}.id`,
    ...(conditions.length === 0 ? [] : [`WHERE ${conditions.join(` ${query.connective} `)}`]),
    `GROUP BY ${by}`,
    ...(query.having === null ? [] : [`HAVING ${aggregate} ${query.having.comparison} ${query.having.value}`]),
    `ORDER BY result ${query.descending ? 'DESC' : 'ASC'}, ${by} ASC`,
    ...(query.limit === null ? [] : [`LIMIT ${query.limit}`]),
  ].join('\n');
}

const comparisonWords: Readonly<Record<Comparison, string>> = {
  '=': 'is',
  '<>': 'is not',
  '<': 'is less than',
  '<=': 'is at most',
  '>': 'is greater than',
  '>=': 'is at least',
};

/** What the query is to give, in words. */
export function queryWish(schema: Schema, query: Query): string {
  const { parent, child } = schema;
  const { kind, column } = query.aggregate;
  const measured = `${child.table}.${child[column]}`;
  const words = {
    count: `the number of ${query.distinct ? 'different ' : ''}known values of ${measured}`,
    sum: `the sum of ${measured}`,
    min: `the smallest ${measured}`,
    max: `the largest ${measured}`,
  }[kind];
  const conditions = query.where.map(
    condition =>
      `${columnName(schema, condition.column)} ${comparisonWords[condition.comparison]} ${literal(condition.value)}`,
  );
  const rows =
    query.join === 'left'
      ? `${parent.table} with their ${child.table}, also ${parent.table} without any`
      : `${parent.table} with their ${child.table}`;
  return [
    `Take the rows of ${rows}${conditions.length === 0 ? '' : `, only those where ${conditions.join(' and ')}`}.`,
    `For each ${columnName(schema, query.by)}, give it and ${words}${query.having === null ? '' : `, only where that number ${comparisonWords[query.having.comparison]} ${query.having.value}`}.`,
    `Order by the ${query.descending ? 'largest' : 'smallest'} number first, equal ones by ${columnName(schema, query.by)} ascending${query.limit === null ? '' : `; give the first ${query.limit} rows`}.`,
  ].join(' ');
}
