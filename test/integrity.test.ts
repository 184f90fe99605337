import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createIntegrity, integrityScore, type Integrity } from '../src/analysis/integrity.ts';
import { library, runWarm } from './fixtures/program.ts';

/** The library, with a template whose verifier does not look at who got the book. */
const weakLibrary = `import { app as whole } from ${JSON.stringify(library)};
const lend = whole.templates.find(({ id }) => id === 'lend-to-reader');
const isLent = ({ id, title }) => [
  { name: title + ' is lent', test: final => final.books.find(book => book.id === id).loan !== null },
];
export const app = { ...whole, templates: [lend, { ...lend, id: 'lend-to-anybody', checks: isLent }] };
`;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-integrity-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('integrity', () => {
  it('[INTEG-1] is the share of what was tried that held', () => {
    expect(integrityScore({ a: true, b: false, c: null, d: true })).toBeCloseTo(2 / 3);
    expect(integrityScore({ a: null })).toBeNull();
    const templates = [{ environment: 'mail', template: 'one', parts: { a: true, b: false }, fell: 'b' }];
    const integrityOf = createIntegrity({ version: 1, templates });
    const place = { environment: 'mail', template: 'one' };
    expect(integrityScore(integrityOf({ ...place, isCertified: true }) ?? {})).toBeCloseTo(2 / 3);
    expect(integrityScore(integrityOf({ ...place, isCertified: false }) ?? {})).toBeCloseTo(1 / 3);
    expect(integrityOf({ ...place, template: 'two', isCertified: true })).toBeNull();
  });

  it('[INTEG-2] [INTEG-3] check keeps it in a run; rows carry it, conditions select by it', async () => {
    const run = (...args: readonly string[]) => runWarm(args, { folder });
    const collected = await run('collect', library, '--instances', '2', '--out', 'books');
    expect(collected.code, collected.stderr).toBe(0);
    const refused = await run('export', 'books', '--where', 'integrity >= 0.9');
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('check <env> --into books')]);
    await run('check', library, '--seeds', '3', '--tries', '20', '--into', 'books');
    const path = join(folder, 'books', 'integrity.json');
    const kept = JSON.parse(readFileSync(path, 'utf8')) as Integrity;
    expect(kept.templates.length).toBeGreaterThan(2);
    expect(Object.keys(kept.templates[0]?.parts ?? {})).toContain('blind replay fails');
    // One template falls: its rows are left out.
    const fallen = kept.templates.find(({ template }) => template === 'lend-to-reader');
    const templates = kept.templates.map(one =>
      one === fallen ? { ...one, parts: { ...one.parts, 'blind replay fails': false, 'guessing fails': false } } : one,
    );
    writeFileSync(path, JSON.stringify({ version: 1, templates }));
    const all = await run('export', 'books', '--format', 'jsonl', '--out', 'all');
    expect(all.code, all.stderr).toBe(0);
    const rows = rowsIn('all');
    expect(
      rows.every(({ integrity, integrity_parts: parts }) => integrity !== null && parts['path certified'] === true),
    ).toBe(true);
    const sound = await run('export', 'books', '--format', 'jsonl', '--out', 'sound', '--where', 'integrity >= 0.9');
    expect(sound.code, sound.stderr).toBe(0);
    const own = rowsIn('sound');
    expect(own.length).toBeLessThan(rows.length);
    expect(own.filter(({ template }) => template === 'lend-to-reader')).toEqual([]);
    const report = await run('report', 'books');
    expect(report.code, report.stderr).toBe(0);
    expect(readFileSync(join(folder, 'books', 'report.html'), 'utf8')).toContain('library/lend-to-reader (0.');
  });

  it('[INTEG-2] tries the other rungs where one falls', async () => {
    writeFileSync(join(folder, 'weak.ts'), weakLibrary);
    const checked = await runWarm(['check', 'weak.ts', '--seeds', '3', '--tries', '20', '--into', 'weak', '--json'], {
      folder,
    });
    expect(checked.code).toBe(1);
    const { templates } = JSON.parse(readFileSync(join(folder, 'weak', 'integrity.json'), 'utf8')) as Integrity;
    const weak = templates.find(({ template }) => template === 'lend-to-anybody');
    const held = Object.values(weak?.parts ?? {});
    expect(held).toContain(false);
    expect(held.filter(part => part === true).length).toBeGreaterThan(1);
    expect(weak?.fell).toBeTypeOf('string');
  });
});

interface ExportedRow {
  readonly template: string;
  readonly integrity: number | null;
  readonly integrity_parts: Readonly<Record<string, boolean | null>>;
}

function rowsIn(name: string): ExportedRow[] {
  const text = readFileSync(join(folder, name, 'next-actions.jsonl'), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as ExportedRow);
}
