import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AttackResult } from '../bench/contain/attack.ts';
import { attackGroups } from '../bench/contain/attacks.ts';
import { attackAll } from '../bench/contain/contain.ts';
import { attackTable, tableIn } from '../bench/contain/table.ts';

const document = readFileSync(join(import.meta.dirname, '../SECURITY.md'), 'utf8');
const areas = [...new Set(attackGroups.flatMap(({ attacks }) => attacks.map(({ area }) => area)))];
/** What else an area shows to hold. */
const rules: Readonly<Record<string, string>> = {
  'state of apps': '[WAI-14]',
  'verifiers in Python': '[WAI-18]',
  proxy: '[PRX-6] [PRX-17] [PRX-18] [SRV-20]',
};

describe('attacks on record', () => {
  let results: readonly AttackResult[] = [];
  beforeAll(async () => {
    results = await attackAll();
  }, 300_000);

  it.each(areas.map(area => [area, rules[area] ?? '']))('[WEB-38] none gets out: %s %s', area => {
    const found = results.filter(result => result.area === area);
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter(({ escape }) => escape !== null)).toEqual([]);
  });

  it('[WEB-38] SECURITY.md has the outcome of each', () => {
    expect(results.length).toBeGreaterThan(200);
    // After a change that is meant: npx node bench/contain/write-table.ts
    expect(tableIn(document)).toBe(attackTable(results));
  });
});
