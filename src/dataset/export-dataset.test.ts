import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { mailWorld, scriptedEpisode, sourceOf, type EpisodeScript } from '../../test/fixtures/episodes.ts';
import { isLong } from '../../test/long-form.ts';
import type { Outcome, Phase } from '../core/episode/events.ts';
import type { EpisodeSource, StoredEpisode } from '../core/episode/journal.ts';
import { archiveGates } from './archive/archive-rules.ts';
import { exportDataset, type ExportOptions, type ExportProgress } from './export-dataset.ts';
import type { Row } from './rows/columns.ts';
import type { Manifest } from './rows/manifest.ts';

const base = mkdtempSync(join(tmpdir(), 'espalier-export-'));
afterAll(() => rmSync(base, { recursive: true }));

let folders = 0;
const freshFolder = (): string => join(base, String(++folders));

interface Exported {
  readonly folder: string;
  readonly manifest: Manifest;
  rows(table: string): Row[];
}

function exported(episodes: readonly StoredEpisode[], options: Partial<ExportOptions> = {}): Exported {
  const folder = options.folder ?? freshFolder();
  const source = sourceOf(episodes);
  const manifest = exportDataset({ source, toolsOf: () => mailWorld.tools, ...options, folder });
  return { folder, manifest, rows: table => rowsIn(join(folder, `${table}.jsonl`)) };
}

function rowsIn(path: string): Row[] {
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return lines.map(line => JSON.parse(line) as Row);
}

const bytesIn = (folder: string): Record<string, string> =>
  Object.fromEntries(readdirSync(folder).map(name => [name, readFileSync(join(folder, name), 'hex')]));

/** What is the same but for its place in the plan is played once. */
const played = new Map<string, Promise<StoredEpisode>>();
async function episodeOf({
  index = 0,
  phase = 'collect',
  round = 0,
  ...script
}: EpisodeScript): Promise<StoredEpisode> {
  const name = JSON.stringify(script);
  const known = played.get(name) ?? scriptedEpisode(script);
  played.set(name, known);
  const { head, ...rest } = await known;
  return { head: { ...head, index, phase, round, key: `${phase}/${round}/${head.task.id}/${index}` }, ...rest };
}

const anyEpisodes = fc.array(
  fc.record({
    phase: fc.constantFrom<Phase>('collect', 'collect', 'evaluate'),
    round: fc.integer({ min: 0, max: 2 }),
    template: fc.constantFrom('star-message', 'label-by-sender'),
    outcome: fc.constantFrom<Outcome>('passed', 'failed', 'discarded', 'errored'),
    slips: fc.constantFrom(0, 2),
    branch: fc.constantFrom('none', 'passing' as const),
  }),
  { maxLength: 6 },
);

const prepared = (scripts: readonly EpisodeScript[]): Promise<StoredEpisode[]> =>
  Promise.all(scripts.map((script, index) => episodeOf({ ...script, index })));

const variety = await prepared([
  { slips: 2, branch: 'passing' },
  { slips: 1, branch: 'none', call: true },
  { template: 'two-settings', slips: 1 },
  { outcome: 'failed', slips: 1 },
  { outcome: 'discarded', slips: 1, round: 1 },
  { outcome: 'errored', slips: 1 },
  { template: 'label-by-sender', slips: 1 },
  { phase: 'evaluate' },
]);
const training = ['next-actions', 'corrections', 'preferences'];

/** Preferences whose rejected action is a training target in the same state of the same task. */
function contradictions(episodes: readonly StoredEpisode[], rows: Exported['rows']): Row[] {
  const key = ({ task, digest }: Row, action: string): string => JSON.stringify([task, digest, action]);
  const targets = new Set(['next-actions', 'corrections'].flatMap(rows).map(row => key(row, row['action'] as string)));
  const actionOf = (row: Row): string => {
    const own = episodes.find(({ head }) => head.key === row['episode']);
    const step = own?.events.find(event => event.kind === 'step' && event.node.id === row['rejected_node']);
    return step?.kind === 'step' ? JSON.stringify(step.node.action) : '';
  };
  return rows('preferences').filter(row => targets.has(key(row, actionOf(row))));
}

describe('export', () => {
  it('[EXP-1] [EXP-2] [EXP-3] [EXP-6] has the rows of the laws, whatever the episodes', async () => {
    await fc.assert(
      fc.asyncProperty(anyEpisodes, async scripts => {
        const episodes = await prepared(scripts);
        const { rows, manifest } = exported(episodes, { formats: ['jsonl'] });
        const trained = episodes.filter(({ head }) => head.phase === 'collect' && head.task.split === 'train');
        const whole = trained.filter(({ end }) => end.outcome !== 'errored');
        const corrected = whole.flatMap(({ events }) => events.filter(event => event.kind === 'correction'));
        expect(rows('corrections')).toHaveLength(corrected.length);
        const least = scripts.every(({ branch }) => branch === 'none') ? corrected.length : 0;
        expect(rows('preferences').length).toBeGreaterThanOrEqual(least);
        expect(rows('preferences').length).toBeLessThanOrEqual(corrected.length);
        expect(contradictions(episodes, rows)).toEqual([]);
        expect(rows('episodes')).toHaveLength(episodes.length);
        const keys = new Set(trained.map(({ head }) => head.key));
        for (const row of training.flatMap(rows)) expect(keys).toContain(row['episode']);
        const steps = rows('next-actions').map(row => `${row['episode']} ${row['node']}`);
        expect(new Set(steps).size).toBe(steps.length);
        for (const row of rows('next-actions')) expect(row['pass']).toBe(true);
        for (const { name, rows: count } of manifest.files)
          expect(rows(name.replace('.jsonl', ''))).toHaveLength(count);
      }),
      { numRuns: isLong ? 15 : 7 },
    );
  });

  it('[EXP-6] takes no row of a held-out template unless asked, and none of an evaluation ever', () => {
    const splitsIn = ({ rows }: Exported): unknown[] => [...new Set(training.flatMap(rows).map(row => row['split']))];
    expect(splitsIn(exported(variety))).toEqual(['train']);
    const both = exported(variety, { splits: ['train', 'test'] });
    expect(splitsIn(both)).toEqual(['train', 'test']);
    expect(both.manifest.filter.splits).toEqual(['train', 'test']);
    expect(splitsIn(exported(variety, { splits: ['test'] }))).toEqual(['test']);
    for (const { rows } of [exported(variety), both]) {
      for (const row of training.flatMap(rows)) expect(row['episode']).toMatch(/^collect\//);
      expect(rows('episodes').map(row => row['phase'])).toContain('evaluate');
    }
  });

  it('[EXP-6] takes what the filter names, and says so', () => {
    const { rows, manifest } = exported(variety, { filter: { round: 1 }, formats: ['jsonl'] });
    expect(rows('episodes').map(row => row['round'])).toEqual([1]);
    expect(manifest.filter).toEqual({ run: null, round: 1, outcome: null, splits: ['train'] });
    expect(exported(variety, { filter: { run: 'another' } }).manifest.runs).toEqual([]);
    const strict = { gates: archiveGates({ steps: 2 }), perBin: 1 };
    const { archive, files } = exported(variety, { archive: strict }).manifest;
    expect(archive).toMatchObject({ perBin: 1, scope: 'task', entries: 0 });
    expect(archive.gates[1]).toEqual({ name: 'steps', about: 'at most 2 steps', rejected: 5 });
    expect(files[0]).toMatchObject({ name: 'next-actions.jsonl', rows: 0 });
  });

  it('[EXP-8] gives identical bytes twice, into a new folder or over the old one', () => {
    const first = exported(variety);
    const bytes = bytesIn(first.folder);
    expect(Object.keys(bytes)).toHaveLength(9);
    expect(bytesIn(exported(variety).folder)).toEqual(bytes);
    expect(bytesIn(exported(variety, { folder: first.folder }).folder)).toEqual(bytes);
  });

  it('[EXP-8] has a manifest that says what the files are', () => {
    const { folder, manifest, rows } = exported(variety);
    expect(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))).toEqual(manifest);
    expect(manifest.runs).toEqual(['fixture']);
    for (const { name, bytes, sha256, table, columns, rows: count } of manifest.files) {
      const content = readFileSync(join(folder, name));
      expect([bytes, sha256]).toEqual([content.length, createHash('sha256').update(content).digest('hex')]);
      expect(rows(table)).toHaveLength(count);
      for (const row of rows(table)) expect(Object.keys(row)).toEqual(columns);
    }
    const counted = rows('next-actions').filter(row => row['actor_role'] === 'teacher').length;
    expect(manifest.counts['next-actions']?.actor['teacher']).toBe(counted);
    expect(manifest.counts['corrections']).toMatchObject({ split: { train: rows('corrections').length } });
    expect(Object.keys(manifest.counts['episodes']?.template ?? {})).toEqual([
      'mail/label-by-sender',
      'mail/star-message',
      'mail/two-settings',
    ]);
  });

  it('[EXP-9] has the same rows in Parquet, as another reader sees them', async () => {
    // More rows than are held at a time.
    const many = Array.from({ length: 150 }, (_, round) =>
      variety.map(({ head, ...rest }, index) => ({
        head: { ...head, round, key: `${head.phase}/${round}/${index}` },
        ...rest,
      })),
    ).flat();
    const { folder, manifest, rows } = exported(many, { archive: { perBin: 10_000 } });
    const database = await DuckDBInstance.create(':memory:');
    const connection = await database.connect();
    for (const { table, columns, rows: count } of manifest.files.filter(({ format }) => format === 'parquet')) {
      const path = join(folder, `${table}.parquet`);
      const result = await connection.runAndReadAll(`select * from read_parquet('${path}')`);
      expect(result.columnNames()).toEqual(columns);
      const read = result.getRowObjectsJson().map(row => restored(row as Row));
      expect(read).toHaveLength(count);
      expect(read).toEqual(rows(table));
    }
    expect(rows('next-actions').length).toBeGreaterThan(2000);
    const [found] = (
      await connection.runAndReadAll(
        `select count(*) as count, min(seed) as seed from read_parquet('${join(folder, 'next-actions.parquet')}') where pass and actor_role = 'teacher'`,
      )
    ).getRowObjectsJson();
    const teacher = rows('next-actions').filter(row => row['actor_role'] === 'teacher');
    expect(found).toEqual({ count: String(teacher.length), seed: '1' });
    connection.closeSync();
  });

  it('[EXP-9] writes tables without rows', async () => {
    const { folder, manifest } = exported([]);
    expect(manifest.files.map(({ rows }) => rows)).toEqual(Array.from({ length: 8 }, () => 0));
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const result = await connection.runAndReadAll(
      `select * from read_parquet('${join(folder, 'preferences.parquet')}')`,
    );
    expect(result.columnNames()).toContain('chosen');
    expect(result.currentRowCount).toBe(0);
    connection.closeSync();
  });

  it('[EXP-8] is of one moment, also beside a run that ends an episode whenever it is looked at', () => {
    const known = variety.slice(0, 2);
    const readings = [known, variety.slice(0, 4), variety];
    let reading = 0;
    const next = (): EpisodeSource => sourceOf(readings[reading++] ?? variety);
    const growing: EpisodeSource = {
      episodes: filter => next().episodes(filter),
      summaries: filter => next().summaries(filter),
      attachment: () => null,
    };
    expect(bytesIn(exported([], { source: growing }).folder)).toEqual(bytesIn(exported(known).folder));
    expect(reading).toBeGreaterThan(1);
  });

  it('[EXP-10] replaces an earlier export, and takes away files that are no longer of it', () => {
    const { folder } = exported(variety);
    writeFileSync(join(folder, 'notes.txt'), 'mine');
    // As an export leaves it that was killed.
    mkdirSync(join(folder, '.partial', 'rest'), { recursive: true });
    exported(variety.slice(0, 2), { folder, formats: ['jsonl'] });
    expect(readdirSync(folder).toSorted()).toEqual([
      'corrections.jsonl',
      'episodes.jsonl',
      'manifest.json',
      'next-actions.jsonl',
      'notes.txt',
      'preferences.jsonl',
    ]);
    expect(bytesIn(folder)['episodes.jsonl']).not.toBe('');
  });

  it('[EXP-10] leaves everything as it was when it fails on the way', () => {
    const { folder } = exported(variety);
    const before = bytesIn(folder);
    const source = sourceOf(variety);
    let passes = 0;
    const failing = {
      ...source,
      *episodes(): Iterable<StoredEpisode> {
        yield* source.episodes();
        if (++passes === 2) throw new Error('the disk is gone');
      },
    };
    expect(() => exported(variety, { folder, source: failing })).toThrow('the disk is gone');
    expect(bytesIn(folder)).toEqual(before);
  });

  it('[EXP-10] says that a folder cannot be written to', () => {
    const file = join(base, 'a-file');
    writeFileSync(file, '');
    expect(() => exported(variety, { folder: file })).toThrow(
      expect.objectContaining({ boundary: 'store', code: 'unavailable', message: expect.stringContaining(file) }),
    );
  });

  it('tells how far it is', () => {
    const seen: ExportProgress[] = [];
    const { manifest } = exported(variety, { formats: ['jsonl'], onProgress: progress => seen.push(progress) });
    const rows = manifest.files.reduce((sum, file) => sum + file.rows, 0);
    expect(seen.at(-1)).toEqual({ stage: 'rows', episodes: variety.length, rows });
    expect(seen[0]).toEqual({ stage: 'archive', episodes: 1, rows: 0 });
  });
});

/** What Parquet calls a whole number or a list of JSON comes as text from the other reader. */
function restored(row: Row): Row {
  const numbers = new Set([
    'node',
    'seed',
    'round',
    'rejected_node',
    'index',
    'trial',
    'leaves',
    'leaves_passed',
    'steps',
    'taken',
  ]);
  for (const name of [
    'reviews',
    'shown',
    'skipped',
    'corrections',
    'interventions',
    'rollbacks',
    'restored',
    'forks',
    'tokens',
  ])
    numbers.add(name);
  const entries = Object.entries(row).map(([name, value]) => {
    if (name === 'failed_checks') return [name, value] as const;
    if (Array.isArray(value)) return [name, value.map(item => JSON.parse(item as string) as Row)] as const;
    return [name, numbers.has(name) ? Number(value) : value] as const;
  });
  return Object.fromEntries(entries);
}
