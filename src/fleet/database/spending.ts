import type { PoolClient } from 'pg';
import type { Spent } from '../../runs/host/budget.ts';
import type { FleetDatabase } from './connect.ts';

interface Limits {
  readonly dollars: number | null;
  readonly tokens: number | null;
  readonly spent: Spent;
}

/** Sets what a run may spend. What it has spent elsewhere counts. */
export async function openSpending(database: FleetDatabase, run: number, limits: Limits): Promise<void> {
  const { dollars, tokens, spent } = limits;
  await database.query(
    `INSERT INTO espalier.fleet_spending (run, most_dollars, most_tokens, dollars, tokens, calls) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (run) DO UPDATE SET most_dollars = excluded.most_dollars, most_tokens = excluded.most_tokens, exhausted = NULL,
       dollars = greatest(fleet_spending.dollars, excluded.dollars), tokens = greatest(fleet_spending.tokens, excluded.tokens),
       calls = greatest(fleet_spending.calls, excluded.calls)`,
    [run, dollars, tokens, spent.dollars, spent.tokens, spent.calls],
  );
}

interface SpendingRow extends Spent {
  readonly isInDollars: boolean;
  readonly exhausted: string | null;
}

export async function readSpending(database: FleetDatabase, run: number): Promise<SpendingRow | null> {
  const [row] = await database.query<SpendingRow>(
    `SELECT dollars, tokens, calls, exhausted, most_dollars IS NOT NULL AS "isInDollars"
     FROM espalier.fleet_spending WHERE run = $1`,
    [run],
  );
  return row ?? null;
}

/** Ends a run whose budget is gone. */
export async function exhaustRun(database: FleetDatabase, run: number, why: string): Promise<void> {
  await database.query('UPDATE espalier.fleet_spending SET exhausted = coalesce(exhausted, $2) WHERE run = $1', [
    run,
    why,
  ]);
}

/** What a worker holds of a budget for one question. Its id says who asks again: nothing is taken or counted twice. */
export interface BudgetPart {
  readonly id: string;
  /** Whether the run had a budget then: a run that goes on may get one, or lose it. */
  readonly isLimited: boolean;
  /** What it holds: as much as the largest answer cost before. */
  readonly dollars: number;
  readonly tokens: number;
}

interface Wanted {
  readonly run: number;
  readonly worker: string;
  /** New ones, a question each. */
  readonly ids: readonly string[];
}

/** A question is as large as the largest so far, or a thousandth of the budget before there was one. */
const lockSpending = `
  SELECT greatest(large_dollars, coalesce(most_dollars, 0) / 1000) AS dollars,
    greatest(large_tokens, coalesce(most_tokens, 0) / 1000) AS tokens,
    coalesce(most_dollars, most_tokens) IS NOT NULL AS "isLimited"
  FROM espalier.fleet_spending WHERE run = $1 FOR UPDATE`;

const holdParts = `
  UPDATE espalier.fleet_spending SET held_dollars = held_dollars + $2, held_tokens = held_tokens + $3
  WHERE run = $1 AND exhausted IS NULL AND (most_dollars IS NULL OR dollars + held_dollars + $2 <= most_dollars)
    AND (most_tokens IS NULL OR tokens + held_tokens + $3 <= most_tokens)`;

const addParts = `
  INSERT INTO espalier.fleet_parts (id, run, worker, dollars, tokens)
  SELECT id, $2, $3, $4, $5 FROM unnest($1::uuid[]) AS id`;

/** Takes parts of a budget: none when so much is not left. Asked again with the same ids, gives what it gave. */
export function takeParts(database: FleetDatabase, { run, worker, ids }: Wanted): Promise<BudgetPart[]> {
  return database.transaction(async client => {
    const { rows } = await client.query<{ dollars: number; tokens: number; isLimited: boolean }>(lockSpending, [run]);
    const [size] = rows;
    if (size === undefined) return [];
    const { dollars, tokens, isLimited } = size;
    const given = ids.map(id => ({ id, isLimited, dollars, tokens }));
    // Whoever was first to ask, perhaps this worker before its connection broke, has ended: the row was locked.
    if (await isHeld(client, ids)) return given;
    const held = await client.query(holdParts, [run, dollars * ids.length, tokens * ids.length]);
    if (held.rowCount !== 1) return [];
    await client.query(addParts, [ids, run, worker, dollars, tokens]);
    return given;
  });
}

async function isHeld(client: PoolClient, ids: readonly string[]): Promise<boolean> {
  const { rowCount } = await client.query('SELECT 1 FROM espalier.fleet_parts WHERE id = $1', [ids[0]]);
  return rowCount === 1;
}

/**
 * Gives parts back, of which `$3` dollars and `$4` tokens were spent in `$5` calls. Parts that are gone were given back before; what
 * counted as spent because their worker seemed lost is replaced by what it was.
 */
const settle = `
  WITH own AS (DELETE FROM espalier.fleet_parts WHERE id = ANY($2::uuid[]) RETURNING dollars, tokens, lost),
    sums AS (
      SELECT coalesce(sum(dollars) FILTER (WHERE lost), 0) AS lost_dollars, coalesce(sum(tokens) FILTER (WHERE lost), 0) AS lost_tokens,
        coalesce(sum(dollars) FILTER (WHERE NOT lost), 0) AS own_dollars, coalesce(sum(tokens) FILTER (WHERE NOT lost), 0) AS own_tokens
      FROM own HAVING count(*) > 0
    )
  UPDATE espalier.fleet_spending SET calls = calls + $5,
    dollars = dollars + $3 - lost_dollars, tokens = tokens + $4 - lost_tokens,
    held_dollars = greatest(0, held_dollars - own_dollars), held_tokens = greatest(0, held_tokens - own_tokens),
    large_dollars = greatest(large_dollars, $3), large_tokens = greatest(large_tokens, $4)
  FROM sums WHERE run = $1`;

export async function settleParts(
  database: FleetDatabase,
  { run, ids }: Omit<Wanted, 'worker'>,
  { dollars, tokens, calls }: Spent,
): Promise<void> {
  await database.query(settle, [run, ids, dollars, tokens, calls]);
}

/** What lost workers held counts as spent: nobody knows what their last questions cost. */
export const losePortions = `
  WITH gone AS (
    UPDATE espalier.fleet_parts SET lost = true WHERE worker = ANY($1::text[]) AND NOT lost RETURNING run, dollars, tokens
  ), sums AS (SELECT run, sum(dollars) AS dollars, sum(tokens) AS tokens FROM gone GROUP BY run)
  UPDATE espalier.fleet_spending AS spending
  SET dollars = spending.dollars + sums.dollars, tokens = spending.tokens + sums.tokens,
    held_dollars = greatest(0, held_dollars - sums.dollars), held_tokens = greatest(0, held_tokens - sums.tokens)
  FROM sums WHERE spending.run = sums.run`;

/** Workers that hold parts for longer than `$1` seconds and that nobody knows: the database was restarted, and they were lost. */
export const unknownHolders = `
  SELECT DISTINCT worker FROM espalier.fleet_parts WHERE NOT lost AND taken < now() - make_interval(secs => $1)
    AND NOT EXISTS (SELECT 1 FROM espalier.fleet_workers WHERE id = worker)`;

/** Whether anything is still held of a run's budget, and by whom it may come back. */
export const heldByOthers = `
  SELECT EXISTS (SELECT 1 FROM espalier.fleet_parts WHERE run = $1 AND worker <> $2 AND NOT lost) AS held`;
