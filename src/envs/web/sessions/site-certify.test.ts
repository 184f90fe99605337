import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLampSite } from '../../../../test/fixtures/certify/lamp-site.ts';
import { armingStudent, disarmingTeacher } from '../../../../test/fixtures/certify/forgetful-world.ts';
import { run, type Ran } from '../../../../test/fixtures/episode-setup.ts';
import { createMemoryJournal } from '../../../../test/fixtures/memory-journal.ts';
import { createSystemTimers } from '../../../system/clock.ts';
import type { EpisodeSource } from '../../../core/episode/journal.ts';
import { exportDataset } from '../../../dataset/export-dataset.ts';
import type { Manifest } from '../../../dataset/rows/manifest.ts';
import { createSpeculativeRollback } from '../../../episode/strategies/speculative-rollback.ts';
import { createBrowserPool, type BrowserPool } from '../browser/pool.ts';

const timers = createSystemTimers();
let pool: BrowserPool;
let folder: string;
beforeAll(() => {
  pool = createBrowserPool({ timers });
  folder = mkdtempSync(join(tmpdir(), 'espalier-site-certify-'));
});
afterAll(async () => {
  await pool.close();
  rmSync(folder, { recursive: true });
});

async function collected(isLying: boolean): Promise<Ran & { readonly source: EpisodeSource }> {
  const environment = createLampSite({ pool, isLying });
  const journal = createMemoryJournal();
  const tasks = await Promise.all([1, 2, 3].map(seed => environment.task('light', seed)));
  const strategy = createSpeculativeRollback({ speculate: 1 });
  const parts = { environment, student: armingStudent, teacher: disarmingTeacher, strategy };
  return { ...(await run({ tasks, journal, parts, timers })), source: journal };
}

function exported(source: EpisodeSource): { readonly manifest: Manifest; readonly rows: string } {
  const manifest = exportDataset({ source, folder, formats: ['jsonl'] });
  const tables = ['next-actions', 'corrections', 'preferences'];
  return { manifest, rows: tables.map(table => readFileSync(join(folder, `${table}.jsonl`), 'utf8')).join('') };
}

describe('certification of pages', () => {
  it('[CERT-2] [CERT-6] [CERT-8] [EXP-13] a page that passes only after a rollback is found out: not archived, not exported, counted', async () => {
    const { records, totals, source } = await collected(true);
    const [first] = records;
    expect(first?.end).toMatchObject({ outcome: 'passed', certification: 'by-replay' });
    expect(first?.rollbacks).toMatchObject([{ method: 'restore' }]);
    expect(first?.certificates).toMatchObject([{ result: 'diverged', step: 2, what: 'verdict' }]);
    // Without snapshots the page is not armed on the kept path, and honestly fails.
    expect(records.at(-1)?.rollbacks[0]).toMatchObject({
      method: 'replay',
      divergence: expect.stringContaining('not used any more'),
    });
    expect(records.at(-1)?.end.outcome).not.toBe('passed');
    const { manifest, rows } = exported(source);
    expect(rows).toBe('');
    expect(manifest.archive.entries).toBe(0);
    expect(manifest.certification).toMatchObject({
      certified: 0,
      uncertified: { leaves: { diverged: totals.certificates.diverged } },
    });
  });

  it('[CERT-1] [CERT-3] the same page, honest, is restored, then certified by one replay a leaf, and exported', async () => {
    const { records, totals, source } = await collected(false);
    for (const { end, rollbacks } of records) {
      expect(end.outcome).toBe('passed');
      expect(rollbacks).toMatchObject([{ method: 'restore' }]);
    }
    expect(totals.certificates).toEqual({ agreed: 3, diverged: 0, broken: 0 });
    const { manifest, rows } = exported(source);
    expect(manifest.certification).toMatchObject({ certified: 3 });
    expect(rows).toContain('"certified":"by-replay"');
  });
});
