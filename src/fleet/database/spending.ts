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

/**
 * Takes a portion for `$3` questions, each as large as the largest so far, or a thousandth of the budget before there was one. No row
 * when so much is not left.
 */
export const takePortion = `
  WITH size AS (
    SELECT $3 * greatest(large_dollars, coalesce(most_dollars, 0) / 1000) AS dollars,
      $3 * greatest(large_tokens, coalesce(most_tokens, 0) / 1000) AS tokens
    FROM espalier.fleet_spending WHERE run = $1 FOR UPDATE
  ), taken AS (
    UPDATE espalier.fleet_spending AS spending
    SET held_dollars = held_dollars + size.dollars, held_tokens = held_tokens + size.tokens
    FROM size WHERE run = $1 AND exhausted IS NULL
      AND (most_dollars IS NULL OR spending.dollars + held_dollars + size.dollars <= most_dollars)
      AND (most_tokens IS NULL OR spending.tokens + held_tokens + size.tokens <= most_tokens)
    RETURNING size.dollars, size.tokens, coalesce(most_dollars, most_tokens) IS NOT NULL AS limited
  )
  INSERT INTO espalier.fleet_portions AS portions (run, worker, dollars, tokens)
  SELECT $1, $2, dollars, tokens FROM taken
  ON CONFLICT (run, worker) DO UPDATE
    SET dollars = portions.dollars + excluded.dollars, tokens = portions.tokens + excluded.tokens
  RETURNING (SELECT dollars FROM taken) AS dollars, (SELECT tokens FROM taken) AS tokens,
    (SELECT limited FROM taken) AS "isLimited"`;

/** Gives back what a worker holds, `$3` dollars and `$4` tokens, of which it has spent `$5` and `$6` in `$7` calls. */
export const settlePortion = `
  WITH own AS (
    UPDATE espalier.fleet_portions SET dollars = greatest(0, dollars - $3), tokens = greatest(0, tokens - $4)
    WHERE run = $1 AND worker = $2 RETURNING run
  )
  UPDATE espalier.fleet_spending SET dollars = dollars + $5, tokens = tokens + $6, calls = calls + $7,
    held_dollars = CASE WHEN EXISTS (SELECT 1 FROM own) THEN greatest(0, held_dollars - $3) ELSE held_dollars END,
    held_tokens = CASE WHEN EXISTS (SELECT 1 FROM own) THEN greatest(0, held_tokens - $4) ELSE held_tokens END,
    large_dollars = greatest(large_dollars, $5), large_tokens = greatest(large_tokens, $6)
  WHERE run = $1`;

/** What lost workers held counts as spent: nobody knows what their last questions cost. */
export const losePortions = `
  WITH lost AS (DELETE FROM espalier.fleet_portions WHERE worker = ANY($1::text[]) RETURNING run, dollars, tokens),
    sums AS (SELECT run, sum(dollars) AS dollars, sum(tokens) AS tokens FROM lost GROUP BY run)
  UPDATE espalier.fleet_spending AS spending
  SET dollars = spending.dollars + sums.dollars, tokens = spending.tokens + sums.tokens,
    held_dollars = greatest(0, held_dollars - sums.dollars), held_tokens = greatest(0, held_tokens - sums.tokens)
  FROM sums WHERE spending.run = sums.run`;

/** Whether anything is still held of a run's budget, and by whom it may come back. */
export const heldByOthers = `
  SELECT coalesce(sum(dollars) + sum(tokens), 0) > 0 AS held FROM espalier.fleet_portions WHERE run = $1 AND worker <> $2`;
