import { z } from 'zod';
import type { Random } from '../../core/random.ts';

/** Two tables: each row of the second belongs to a row of the first. */
export const schemaSchema = z.strictObject({
  parent: z.strictObject({ table: z.string(), name: z.string(), group: z.string(), rank: z.string() }),
  child: z.strictObject({
    table: z.string(),
    key: z.string(),
    amount: z.string(),
    size: z.string(),
    state: z.string(),
  }),
  groups: z.array(z.string()).min(3),
  states: z.array(z.string()).min(3),
});
export type Schema = z.infer<typeof schemaSchema>;

export interface ParentRow {
  readonly id: number;
  readonly name: string;
  readonly group: string;
  readonly rank: number;
}

export interface ChildRow {
  readonly id: number;
  readonly parent: number;
  /** Null where it is not known. */
  readonly amount: number | null;
  readonly size: number;
  readonly state: string;
}

export interface Data {
  readonly parents: readonly ParentRow[];
  readonly children: readonly ChildRow[];
}

const domains: readonly Schema[] = [
  {
    parent: { table: 'customers', name: 'name', group: 'city', rank: 'age' },
    child: { table: 'orders', key: 'customer_id', amount: 'total', size: 'items', state: 'status' },
    groups: ['Oslo', 'Lima', 'Porto', 'Kyoto'],
    states: ['open', 'paid', 'sent'],
  },
  {
    parent: { table: 'teams', name: 'name', group: 'league', rank: 'founded' },
    child: { table: 'matches', key: 'team_id', amount: 'points', size: 'goals', state: 'place' },
    groups: ['north', 'south', 'east', 'west'],
    states: ['home', 'away', 'neutral'],
  },
  {
    parent: { table: 'books', name: 'title', group: 'genre', rank: 'pages' },
    child: { table: 'loans', key: 'book_id', amount: 'fee', size: 'days', state: 'branch' },
    groups: ['poetry', 'history', 'science', 'travel'],
    states: ['main', 'harbour', 'station'],
  },
  {
    parent: { table: 'machines', name: 'label', group: 'hall', rank: 'power' },
    child: { table: 'repairs', key: 'machine_id', amount: 'cost', size: 'hours', state: 'kind' },
    groups: ['A', 'B', 'C', 'D'],
    states: ['planned', 'urgent', 'refit'],
  },
];

export function drawSchema(random: Random): Schema {
  return random.pick(domains);
}

const names = 'Ada Bo Cy Dee Eli Flo Gus Hal Ida Jo Kit Lee'.split(' ');

/** Rows by chance: some parents have no children, some amounts are not known, and values are often equal. */
export function drawData(schema: Schema, random: Random): Data {
  const parents = random.sample(names, random.between(4, 7)).map((name, at) => ({
    id: at + 1,
    name,
    group: random.pick(schema.groups),
    rank: random.between(1, 9) * 10,
  }));
  const owners = parents.slice(0, Math.max(1, parents.length - random.between(0, 2)));
  const children = Array.from({ length: random.between(8, 16) }, (_, at) => ({
    id: at + 1,
    parent: random.pick(owners).id,
    amount: random.chance(0.12) ? null : random.between(1, 12) * 5,
    size: random.between(1, 6),
    state: random.pick(schema.states),
  }));
  return { parents, children };
}

/** The statements that make the tables. */
export function tablesText({ parent, child }: Schema): string {
  return [
    `CREATE TABLE ${parent.table} (id INTEGER PRIMARY KEY, ${parent.name} TEXT, ${parent.group} TEXT, ${parent.rank} INTEGER);`,
    `CREATE TABLE ${child.table} (id INTEGER PRIMARY KEY, ${child.key} INTEGER REFERENCES ${parent.table}(id), ${child.amount} INTEGER, ${child.size} INTEGER, ${child.state} TEXT);`,
  ].join('\n');
}

/** The statements that fill the tables. */
export function rowsText({ parent, child }: Schema, { parents, children }: Data): string {
  const values = (rows: readonly (readonly (string | number | null)[])[]): string =>
    rows.map(row => `(${row.map(literal).join(', ')})`).join(', ');
  const parentRows = parents.map(({ id, name, group, rank }) => [id, name, group, rank]);
  const childRows = children.map(row => [row.id, row.parent, row.amount, row.size, row.state]);
  const insert = (table: string, rows: string): string => (rows === '' ? '' : `INSERT INTO ${table} VALUES ${rows};`);
  return [insert(parent.table, values(parentRows)), insert(child.table, values(childRows))].join('\n').trim();
}

/** A value as SQL writes it. */
export function literal(value: string | number | null): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value ?? 'NULL');
}
