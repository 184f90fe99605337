import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { EspalierError } from '../../core/errors.ts';
import { createRandom, type Random } from '../../core/random.ts';
import { drawData, drawSchema, rowsText, schemaSchema, tablesText, type Data, type Schema } from './database.ts';
import { evaluateQuery, type Row } from './evaluate.ts';
import { faults } from './faults.ts';
import { hiddenData, partialRepairs, sameRows } from './hidden-data.ts';
import { drawQuery, querySchema, queryText, type Query } from './query.ts';

/** A query that was broken, and the right one. */
export const repairSchema = z.strictObject({
  schema: schemaSchema,
  query: querySchema,
  broken: querySchema,
  /** Kinds of the mistakes in the broken query. */
  faults: z.array(z.string()).min(1),
  /** What the data sets are drawn from. */
  dataSeed: z.string(),
});
export type Repair = z.infer<typeof repairSchema>;

const attempts = 300;
const fewestRows = 2;

/** The data that the agent sees. */
export function visibleData({ schema, dataSeed }: Repair): Data {
  return drawData(schema, createRandom(`${dataSeed}/visible`));
}

/** Breaks a query until its result on the visible data is another one. Null when that did not come about. */
export function drawRepair(random: Random, count: number, dataSeed: string): Repair | null {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const schema = drawSchema(random);
    const query = drawQuery(schema, random);
    const kinds = random.sample(faults, count);
    const steps = kinds.reduce<readonly Query[] | null>((before, fault) => {
      const next = before === null ? null : fault.apply(before.at(-1) ?? query, random, schema);
      return next === null ? null : [...(before ?? []), next];
    }, []);
    const broken = steps?.at(-1);
    if (steps === null || broken === undefined) continue;
    const repair: Repair = { schema, query, broken, faults: kinds.map(({ kind }) => kind), dataSeed };
    const hidden = tellingData(repair, steps);
    if (hidden !== null) return verified(repair, hidden);
  }
  return null;
}

/** The hidden data; null unless the mistakes show in the visible data and a query with any of them left fails on hidden data. */
function tellingData(repair: Repair, steps: readonly Query[]): readonly Data[] | null {
  const { query, broken } = repair;
  const visible = visibleData(repair);
  const right = evaluateQuery(query, visible);
  if (right.length < fewestRows || sameRows(right, evaluateQuery(broken, visible))) return null;
  const hidden = hiddenData(repair);
  const wrong = [...steps, ...partialRepairs(query, broken)];
  const rows = hidden.map(data => evaluateQuery(query, data));
  const isTold = (one: Query): boolean =>
    hidden.some((data, at) => !sameRows(evaluateQuery(one, data), rows[at] ?? []));
  return wrong.every(isTold) ? hidden : null;
}

/** The database and our own evaluation must give the same rows for both queries on all data. */
function verified(repair: Repair, hidden: readonly Data[]): Repair {
  const { schema } = repair;
  for (const data of [visibleData(repair), ...hidden])
    for (const query of [repair.query, repair.broken]) {
      const text = queryText(schema, query);
      const [rows, again] = [evaluateQuery(query, data), trustedRows(schema, data, text)];
      if (sameRows(rows, again)) continue;
      throw new EspalierError({
        boundary: 'environment',
        code: 'oracle-failed',
        message: `Two solutions differ for this query: ${JSON.stringify(rows)} and ${JSON.stringify(again)} for ${text}`,
        expected: 'Mend evaluateQuery or queryText.',
      });
    }
  return repair;
}

/** Runs a query of our own. Queries of agents run in a sandbox. */
export function trustedRows(schema: Schema, data: Data, text: string): Row[] {
  const database = new DatabaseSync(':memory:');
  try {
    database.exec(`${tablesText(schema)}\n${rowsText(schema, data)}`);
    const statement = database.prepare(text);
    statement.setReturnArrays(true);
    return statement.all() as unknown as Row[];
  } finally {
    database.close();
  }
}
