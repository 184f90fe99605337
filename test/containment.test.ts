import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Attack, AttackResult } from './adversarial/contain/attack.ts';
import { attackGroups, browserAttacks } from './adversarial/contain/attacks.ts';
import { attackAll } from './adversarial/contain/contain.ts';
import { attackTable, tableIn } from './adversarial/contain/table.ts';
import { isLong } from './long-form.ts';

const document = readFileSync(join(import.meta.dirname, '../SECURITY.md'), 'utf8');
const areas = [...new Set(attackGroups.flatMap(({ attacks }) => attacks.map(({ area }) => area)))];
const byPages = Map.groupBy(browserAttacks, ({ area }) => area);
/** Of each area, the short form tries every sixth attack by a page; the long form and `espalier bench contain` try all. */
const isDue = (attack: Attack): boolean => isLong || (byPages.get(attack.area) ?? []).indexOf(attack) % 6 <= 0;
/** What else an area shows to hold. */
const rules: Readonly<Record<string, string>> = {
  'state of apps': '[WAI-14]',
  'verifiers in Python': '[WAI-18] [WAI-21]',
  proxy: '[PRX-6] [PRX-17] [PRX-18] [SRV-20]',
};

describe('attacks on record', () => {
  let results: readonly AttackResult[] = [];
  beforeAll(async () => {
    results = await attackAll({}, isDue);
  }, 300_000);

  it.each(areas.map(area => [area, rules[area] ?? '']))('[WEB-38] none gets out: %s %s', area => {
    const found = results.filter(result => result.area === area);
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter(({ escape }) => escape !== null)).toEqual([]);
  });

  it('[WEB-38] SECURITY.md has the outcome of each', () => {
    const tried = new Map(results.map(({ area, name, escape }) => [`${area}/${name}`, escape]));
    const all = attackGroups.flatMap(({ attacks }) => attacks);
    expect(all.length).toBeGreaterThan(200);
    expect(tried.size).toBe(all.filter(isDue).length);
    // Those that were not tried stand there as held, too.
    const outcomes = all.map(attack => ({ ...attack, escape: tried.get(`${attack.area}/${attack.name}`) ?? null }));
    // After a change that is meant: npx node test/adversarial/contain/write-table.ts
    expect(tableIn(document)).toBe(attackTable(outcomes));
  });
});
