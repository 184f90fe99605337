import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  armingStudent,
  createForgetfulWorld,
  disarmingTeacher,
  type Shows,
} from '../../test/fixtures/certify/forgetful-world.ts';
import { run } from '../../test/fixtures/episode-setup.ts';
import { scriptedEpisode, sourceOf } from '../../test/fixtures/episodes.ts';
import { createTokenEpisodes } from '../../test/fixtures/tokens/token-episode.ts';
import type { Certificate } from '../core/episode/certificate.ts';
import type { EpisodeSource, StoredEpisode } from '../core/episode/journal.ts';
import { foldEpisode, leavesOf } from '../core/episode/record.ts';
import { createSpeculativeRollback } from '../episode/strategies/speculative-rollback.ts';
import { exportDataset, type ExportOptions } from './export-dataset.ts';
import { exporters } from './tables/tables.ts';
import { readManifest, type Manifest } from './rows/manifest.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-certified-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

interface Exported {
  readonly manifest: Manifest;
  rows(table: string): readonly Readonly<Record<string, unknown>>[];
}

function exported(source: EpisodeSource, options: Partial<ExportOptions> = {}): Exported {
  const manifest = exportDataset({ source, folder, formats: ['jsonl'], ...options });
  expect(readManifest(folder)).toEqual(manifest);
  const rows = (table: string): Record<string, unknown>[] =>
    readFileSync(join(folder, `${table}.jsonl`), 'utf8')
      .split('\n')
      .filter(line => line !== '')
      .map(line => JSON.parse(line) as Record<string, unknown>);
  return { manifest, rows };
}

/** A corrected episode that passes after a restore. */
async function lampEpisode(shows: Shows, certifies = true): Promise<StoredEpisode> {
  const environment = createForgetfulWorld({ shows });
  const strategy = createSpeculativeRollback({ speculate: 1 });
  const { stored } = await run({
    tasks: [await environment.task('light', 1)],
    parts: { environment, student: armingStudent, teacher: disarmingTeacher, strategy },
    certifies,
  });
  return stored[0] as StoredEpisode;
}

const training = ['next-actions', 'corrections', 'preferences'];
const replayed = { milliseconds: 1 };

/** The same episode, as if its world needed certificates, with one that agrees for these leaves. */
function certifiedAt(episode: StoredEpisode, leaves: readonly number[]): StoredEpisode {
  const certificates = leaves.map((leaf): Certificate => ({ result: 'agreed', leaf, ...replayed }));
  return { ...episode, end: { ...episode.end, certification: 'by-replay' }, certificates };
}

describe('export of worlds that are certified by replay', () => {
  it('[EXP-13] rows of certified leaves say how they are certified', async () => {
    const { manifest, rows } = exported(sourceOf([await lampEpisode('nothing')]));
    expect(manifest.version).toBe(5);
    expect(manifest.certification).toEqual({
      certified: 1,
      uncertified: { leaves: { missing: 0, broken: 0, diverged: 0 }, corrections: 0, preferences: 0 },
    });
    for (const table of training) expect(rows(table).length).toBeGreaterThan(0);
    for (const row of training.flatMap(rows)) expect(row).toMatchObject({ certified: 'by-replay', pass: true });
    expect(rows('episodes')).toMatchObject([{ outcome: 'passed', certified: 'by-replay', rollbacks: 1, restored: 1 }]);
  });

  it('[EXP-28] rows say where their step goes and what the page was given; exports that know it of none have no such columns', async () => {
    const known = await lampEpisode('nothing');
    const { leaf, milliseconds } = known.certificates[0] as Certificate;
    const length = foldEpisode(known).tree.path(leaf).length;
    const conditions = { clock: '2026-02-02T09:00:00.000Z' };
    const locators = Array.from({ length }, (_, index) =>
      index === length - 1 ? null : `body > a:nth-child(${index})`,
    );
    const certificates: Certificate[] = [{ result: 'agreed', leaf, milliseconds, outside: { conditions, locators } }];
    const silent = { ...known, head: { ...known.head, key: 'collect/1/lamp/light/2/0', index: 1 } };
    const tables = ['next-actions', 'prompt-completion', 'corrections'].map(name => exporters.need(name));
    const { rows } = exported(sourceOf([{ ...known, certificates }, silent]), { tables });
    for (const table of ['next-actions', 'prompt-completion']) {
      const [told, untold] = [...Map.groupBy(rows(table), ({ episode }) => episode).values()];
      expect(told?.map(({ locator }) => locator)).toEqual(locators);
      for (const row of told ?? []) expect(JSON.parse(String(row['conditions']))).toEqual(conditions);
      expect(untold).toHaveLength(length);
      for (const row of untold ?? []) expect(row).toMatchObject({ locator: null, conditions: null });
    }
    expect(rows('corrections')[0]).not.toHaveProperty('locator');
    for (const row of exported(sourceOf([known])).rows('next-actions')) expect(row).not.toHaveProperty('locator');
  });

  it.each([
    ['a replay that differed', { shows: 'verdict', certifies: true }, { missing: 0, broken: 0, diverged: 1 }],
    ['no replay', { shows: 'nothing', certifies: false }, { missing: 1, broken: 0, diverged: 0 }],
  ] as const)(
    '[EXP-13] with %s nothing is trained on, and what is left out is counted',
    async (_name, { shows, certifies }, leaves) => {
      const episode = await lampEpisode(shows, certifies);
      expect(episode.end).toMatchObject({ outcome: 'passed', verdict: { pass: true } });
      const { manifest, rows } = exported(sourceOf([episode]));
      expect(manifest.certification).toEqual({
        certified: 0,
        uncertified: { leaves, corrections: 1, preferences: 1 },
      });
      expect(manifest.archive).toMatchObject({ entries: 0 });
      expect(training.flatMap(rows)).toEqual([]);
      expect(rows('episodes')).toMatchObject([{ outcome: 'passed', certified: null }]);
    },
  );

  it('[EXP-13] [EXP-19] a correction is taken where its state lies on the way to a certified leaf, with a verdict only where that is certified', async () => {
    const episode = await scriptedEpisode({ slips: 2, branch: 'passing' });
    const record = foldEpisode(episode);
    const [main, first, second] = leavesOf(record).map(({ node }) => node) as [number, number, number];
    const nodesOf = (leaves: readonly number[]): unknown[] =>
      exported(sourceOf([certifiedAt(episode, leaves)]))
        .rows('corrections')
        .map(({ node, pass }) => [node, pass]);
    const [one, two] = record.corrections.map(({ node }) => node);
    expect(nodesOf([main])).toEqual([
      [one, true],
      [two, true],
    ]);
    // The first branch leaves the path at the start, the second one after the first correction.
    expect(nodesOf([first])).toEqual([[one, null]]);
    expect(nodesOf([second])).toEqual([
      [one, null],
      [two, null],
    ]);
    expect(nodesOf([])).toEqual([]);
    const { manifest } = exported(sourceOf([certifiedAt(episode, [first])]));
    expect(manifest.certification).toEqual({
      certified: 1,
      uncertified: { leaves: { missing: 2, broken: 0, diverged: 0 }, corrections: 1, preferences: 1 },
    });
  });

  it('[EXP-13] state worlds have no word of certificates in their manifest', async () => {
    const { manifest, rows } = exported(sourceOf([await scriptedEpisode({ slips: 1 })]));
    expect(manifest.version).toBe(5);
    expect(manifest).not.toHaveProperty('certification');
    for (const row of training.flatMap(rows)) expect(row['certified']).toBe('by-construction');
  });

  it('[EXP-19] tokens that led to a leaf which is not certified are left out, passed or not', () => {
    const made = createTokenEpisodes();
    const episodes = (['passed', 'failed'] as const).map((outcome, index) =>
      made
        .begin(index)
        .ask({ prompt: [1], completion: [2, 3] })
        .step()
        .end(outcome),
    );
    const figuresOf = (certified: boolean): Manifest['tokens'] =>
      exported(made.sourceOf(episodes.map(episode => certifiedAt(episode, certified ? [episode.end.leaf] : []))), {
        tokens: ['trl'],
      }).manifest.tokens;
    expect(figuresOf(false)).toEqual({ calls: 2, sampled: 0, left: { 'where it led is not certified': 2 } });
    expect(figuresOf(true)).toEqual({ calls: 2, sampled: 4, left: {} });
  });

  it('[EXP-8] a certificate that comes while rows are written changes nothing', async () => {
    const episode = await lampEpisode('nothing', false);
    let reads = 0;
    const late: EpisodeSource = {
      ...sourceOf([episode]),
      episodes: () => [++reads < 2 ? episode : certifiedAt(episode, [episode.end.leaf])],
    };
    const { manifest, rows } = exported(late);
    expect(reads).toBe(2);
    expect(manifest.certification?.certified).toBe(0);
    expect(training.flatMap(rows)).toEqual([]);
  });
});
