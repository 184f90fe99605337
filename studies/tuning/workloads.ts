/** What clients do, again and again. All have the same tables. */
export interface Workload {
  readonly name: string;
  readonly about: string;
  readonly clients: number;
  /** Whether clients prepare their statements, or send every one as a text that is planned anew. */
  readonly mode: 'prepared' | 'simple';
  /** A script of pgbench. */
  readonly script: string;
}

/** Small enough that a server is filled in a few seconds, and more than the memory that a sort has by default. */
const rows = { accounts: 20_000, items: 30_000, events: 60_000, orders: 2000, traits: 100 };
/** Tables that an order points to. */
const traits = Array.from({ length: 9 }, (_, at) => `trait${at + 1}`);

export const tables: readonly string[] = [
  'CREATE TABLE accounts (id int PRIMARY KEY, balance int NOT NULL, filler text NOT NULL) WITH (fillfactor = 70)',
  'CREATE TABLE transfers (account int NOT NULL, amount int NOT NULL, note text NOT NULL)',
  'CREATE TABLE items (id int PRIMARY KEY, category int NOT NULL, name text NOT NULL)',
  'CREATE TABLE events (id int PRIMARY KEY, item int NOT NULL, amount int NOT NULL, note text NOT NULL)',
  `INSERT INTO accounts SELECT n, 0, repeat('x', 60) FROM generate_series(1, ${rows.accounts}) n`,
  `INSERT INTO items SELECT n, n % 97, md5(n::text) FROM generate_series(1, ${rows.items}) n`,
  // A fixed mix of the number instead of random(): every server has the same rows.
  `INSERT INTO events SELECT n, 1 + (n * 7919::bigint) % ${rows.items}, (n * 31::bigint) % 1000, md5((n * 3)::text) FROM generate_series(1, ${rows.events}) n`,
  // Cheap, and said to be dear: what costs are wrong by is common in functions of users.
  "CREATE FUNCTION weight(int) RETURNS int LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE COST 5000 AS 'int4abs'",
  ...traits.flatMap(name => [
    `CREATE TABLE ${name} (id int PRIMARY KEY, label text NOT NULL)`,
    `INSERT INTO ${name} SELECT n, md5('${name}' || n) FROM generate_series(1, ${rows.traits}) n`,
  ]),
  `CREATE TABLE orders (id int PRIMARY KEY, ${traits.map(name => `${name} int NOT NULL`).join(', ')})`,
  `INSERT INTO orders SELECT n, ${traits.map((_, at) => `1 + (n * ${at + 3}) % ${rows.traits}`).join(', ')} FROM generate_series(1, ${rows.orders}) n`,
  'VACUUM ANALYZE',
];

export const workloads: readonly Workload[] = [
  {
    name: 'transfers',
    about: 'eight clients that commit one small change each',
    clients: 8,
    mode: 'prepared',
    script: `\\set id random(1, ${rows.accounts})
\\set amount random(1, 100)
BEGIN;
UPDATE accounts SET balance = balance + :amount WHERE id = :id;
INSERT INTO transfers VALUES (:id, :amount, 'transfer');
COMMIT;
`,
  },
  {
    name: 'reports',
    about: 'one client that sums up and joins all events, by a function whose cost is said wrong',
    clients: 1,
    mode: 'prepared',
    script: `\\set least random(1, 20)
SELECT i.category, count(*), sum(e.amount * 3 + e.id % 7) FROM events e JOIN items i ON i.id = e.item WHERE weight(e.amount) > :least AND e.note > 'a' GROUP BY i.category ORDER BY 2 DESC, 1 LIMIT 5;
SELECT item, count(*), sum(amount) FROM events WHERE weight(amount) > :least GROUP BY item ORDER BY 3 DESC, 1 LIMIT 20;
`,
  },
  {
    name: 'orders',
    about: 'two clients that read one order with its nine traits, planned anew every time',
    clients: 2,
    mode: 'simple',
    script: `\\set id random(1, ${rows.orders})
SELECT o.id, ${traits.map(name => `${name}.label`).join(', ')} FROM orders o ${traits.map(name => `JOIN ${name} ON ${name}.id = o.${name}`).join(' ')} WHERE o.id = :id;
`,
  },
];
