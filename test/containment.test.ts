import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { attackAll } from '../bench/contain/contain.ts';
import { attackTable, tableIn } from '../bench/contain/table.ts';

const document = readFileSync(join(import.meta.dirname, '../SECURITY.md'), 'utf8');

it('every attack ends as SECURITY.md says', async () => {
  // After a change that is meant: npx node bench/contain/write-table.ts
  expect(tableIn(document)).toBe(attackTable(await attackAll()));
});
