import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { columns, type Row } from '../rows/columns.ts';
import { createJsonlWriter } from '../rows/jsonl.ts';
import { createParquetWriter } from '../rows/parquet.ts';

const base = mkdtempSync(join(tmpdir(), 'espalier-writers-'));
afterAll(() => rmSync(base, { recursive: true }));

const sheet = columns({ chat: 'messages', text: 'string?', whole: 'int', part: 'float?', flag: 'boolean?' });
const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', '\n"\\\u2028', 'é'.repeat(400_000)));
const anyRow: fc.Arbitrary<Row> = fc.record({
  chat: fc.array(fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.constant(null))), { maxLength: 3 }),
  text: fc.option(text),
  whole: fc.maxSafeInteger(),
  part: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
  flag: fc.option(fc.boolean()),
}) as fc.Arbitrary<Row>;

describe('writers', () => {
  it('[EXP-8] [EXP-9] write rows of any content as JSON lines', () => {
    const path = join(base, 'any.jsonl');
    fc.assert(
      fc.property(fc.array(anyRow), rows => {
        const writer = createJsonlWriter(path, sheet);
        for (const row of rows) writer.write(row);
        const written = writer.finish();
        const content = readFileSync(path);
        expect(content.toString('utf8') === rows.map(row => `${JSON.stringify(row)}\n`).join('')).toBe(true);
        const sha256 = createHash('sha256').update(content).digest('hex');
        expect(written).toEqual({ rows: rows.length, bytes: content.length, sha256 });
      }),
      { numRuns: 30 },
    );
  });

  it('[EXP-9] write rows of any content as Parquet', async () => {
    const path = join(base, 'any.parquet');
    const rows = fc.sample(anyRow, { numRuns: 60, seed: 7 });
    const writer = createParquetWriter(path, sheet);
    for (const row of rows) writer.write(row);
    expect(writer.finish()).toMatchObject({ rows: 60, bytes: statSync(path).size });
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const read = (await connection.runAndReadAll(`select * from read_parquet('${path}')`)).getRowObjectsJson();
    connection.closeSync();
    for (const [index, row] of rows.entries()) {
      const { chat, whole, ...rest } = read[index] as Record<string, unknown>;
      const messages = (chat as string[]).map(message => JSON.parse(message) as Row);
      expect(messages).toEqual(row['chat']);
      expect({ ...rest, whole: Number(whole) }).toEqual({ ...row, chat: undefined });
    }
  });

  it.each([
    ['JSON lines', createJsonlWriter],
    ['Parquet', createParquetWriter],
  ])('[EXP-12] have rows on disk long before the last one comes: %s', (name, createWriter) => {
    const path = join(base, name);
    const writer = createWriter(path, sheet);
    let smallest = 0;
    for (let row = 0; row < 4000; row++) {
      writer.write({ chat: [{ row }], text: `${row}`.repeat(200), whole: row, part: null, flag: true });
      if (row === 2500) smallest = statSync(path).size;
    }
    const { bytes } = writer.finish();
    expect(smallest).toBeGreaterThan(bytes / 4);
  });

  it.skipIf(!existsSync('/dev/full'))('[EXP-10] stop writing when the disk is full', () => {
    const writer = createJsonlWriter('/dev/full', sheet);
    const row = { chat: [], text: 'x'.repeat(2 ** 20), whole: 1, part: null, flag: null };
    expect(() => writer.write(row)).toThrow(expect.objectContaining({ code: 'ENOSPC' }));
    writer.abandon();
    writer.abandon();
  });
});
