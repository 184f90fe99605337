import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { attackAll } from '../bench/contain/contain.ts';
import { attackTable, tableIn } from '../bench/contain/table.ts';

const document = readFileSync(join(import.meta.dirname, '../SECURITY.md'), 'utf8');

it('[WEB-38] no attack gets out, and SECURITY.md says so of each', async () => {
  const results = await attackAll();
  expect(results.filter(({ outcome }) => outcome === 'out')).toEqual([]);
  expect(results.length).toBeGreaterThan(60);
  // After a change that is meant: npx node bench/contain/write-table.ts
  expect(tableIn(document)).toBe(attackTable(results));
});
