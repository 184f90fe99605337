import { hash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mailWorld, scriptedEpisode, sourceOf } from '../../test/fixtures/episodes.ts';
import { withPictures } from '../../test/fixtures/pictures/with-pictures.ts';
import type { EpisodeSource, StoredEpisode } from '../core/episode/journal.ts';
import { foldEpisode } from '../core/episode/record.ts';
import { writePrompt } from '../core/episode/view.ts';
import { firstPictured } from '../models/prompt/folding.ts';
import { exportDataset } from './export-dataset.ts';
import type { Row } from './rows/columns.ts';
import { readManifest, type Manifest } from './rows/manifest.ts';
import { readExamples } from './read-rows.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-export-pictures-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const seen = withPictures(await scriptedEpisode({ slips: 2, index: 0 }));
const again = withPictures(await scriptedEpisode({ slips: 2, index: 1 }));
const blind = await scriptedEpisode({ slips: 1, index: 2, template: 'two-settings' });
const training = ['next-actions', 'corrections', 'preferences'];

function sourceWith(episodes: readonly StoredEpisode[]): EpisodeSource {
  const attachment = (address: string): Uint8Array | null =>
    seen.pictures.get(address) ?? again.pictures.get(address) ?? null;
  return { ...sourceOf(episodes), attachment };
}

function exported(episodes: readonly StoredEpisode[], source = sourceWith(episodes)): Manifest {
  return exportDataset({ source, folder, toolsOf: () => mailWorld.tools });
}

function rowsOf(table: string): Row[] {
  const lines = readFileSync(join(folder, `${table}.jsonl`), 'utf8')
    .split('\n')
    .slice(0, -1);
  return lines.map(line => JSON.parse(line) as Row);
}

const allBytes = (): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), 'hex')]),
  );

interface Told {
  readonly role: string;
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly tool_calls?: readonly unknown[];
}

function talk(row: Row, column: string): readonly Told[] {
  return row[column] as unknown as readonly Told[];
}

describe('an export with pictures', () => {
  it('[PIC-13] [EXP-16] has the pictures that a model would be shown, each as an image part and as a file', () => {
    exported([seen.episode]);
    const record = foldEpisode(seen.episode);
    for (const row of training.flatMap(rowsOf)) {
      const node = row['node'] as number;
      const before = record.tree.path(record.tree.node(node).parent).map(({ id }) => id);
      const shown = [...before, node].slice(firstPictured(before.length));
      expect(row['images']).toEqual(shown.map(id => `images/${record.shot(id)?.hash}.png`));
      const messages = talk(row, 'messages' in row ? 'messages' : 'prompt');
      const parts = messages.flatMap(({ role, content }) => content.map(({ type }) => [role, type]));
      expect(parts.filter(([, type]) => type === 'image')).toEqual(shown.map(() => ['user', 'image']));
      expect(messages[0]?.content.map(({ type }) => type)).toEqual(['text']);
    }
    for (const row of rowsOf('preferences')) {
      for (const column of ['chosen', 'rejected']) {
        const [answer] = talk(row, column);
        expect(answer?.content.map(({ type }) => type)).toEqual(['text']);
        expect(answer?.tool_calls).toHaveLength(1);
      }
    }
  });

  it('[PIC-13] has one form for all rows: what was taken on no picture has none, and its message in parts too', () => {
    exported([seen.episode, blind]);
    const rows = training.flatMap(rowsOf);
    const unseen = rows.filter(row => row['episode'] === blind.head.key);
    expect(unseen.length).toBeGreaterThan(0);
    for (const row of unseen) {
      expect(row['images']).toEqual([]);
      const [, user] = talk(row, 'messages' in row ? 'messages' : 'prompt');
      expect(user?.content.map(({ type }) => type)).toEqual(['text']);
    }
    for (const table of training) {
      const columns = rowsOf(table).map(row => Object.keys(row).join());
      expect(new Set(columns).size).toBe(1);
    }
  });

  it('[PIC-14] writes each picture once, as it is, and lists it in the manifest', () => {
    const source = sourceWith([seen.episode, again.episode]);
    const asked: string[] = [];
    const attachment = (address: string): Uint8Array | null => {
      asked.push(address);
      return source.attachment(address);
    };
    const manifest = exported([], { ...source, attachment });
    expect(new Set(asked).size).toBe(asked.length);
    const named = new Set(training.flatMap(rowsOf).flatMap(row => row['images'] as string[]));
    const files = readdirSync(join(folder, 'images')).map(name => `images/${name}`);
    expect(files.toSorted()).toEqual([...named].toSorted());
    expect(manifest.images?.map(({ name }) => name)).toEqual([...named].toSorted());
    for (const { name, bytes, sha256 } of manifest.images ?? []) {
      const data = readFileSync(join(folder, name));
      expect(hash('sha256', data, 'hex')).toBe(sha256);
      expect(data).toHaveLength(bytes);
      expect(name).toBe(`images/${sha256}.png`);
    }
    expect(readManifest(folder)).toEqual(manifest);
    for (const { table, columns } of manifest.files) expect(columns.includes('images')).toBe(table !== 'episodes');
    const before = allBytes();
    exported([seen.episode, again.episode]);
    expect(allBytes()).toEqual(before);
  });

  it('[PIC-14] takes away pictures that are no longer of it, and no file of others', () => {
    exported([seen.episode]);
    writeFileSync(join(folder, 'images', 'mine.png'), 'mine');
    exported([blind]);
    expect(readdirSync(join(folder, 'images'))).toEqual(['mine.png']);
    expect(readManifest(folder).images).toBeUndefined();
    exported([seen.episode]);
    rmSync(join(folder, 'images', 'mine.png'));
    exported([blind]);
    expect(readdirSync(folder)).not.toContain('images');
  });

  it('[PIC-14] leaves an earlier export as it was when a picture cannot be had or written', () => {
    exported([seen.episode]);
    const before = allBytes();
    const blank: EpisodeSource = { ...sourceOf([again.episode]), attachment: () => null };
    expect(() => exported([], blank)).toThrow(
      expect.objectContaining({ boundary: 'store', message: expect.stringContaining('is not in the store') }),
    );
    expect(allBytes()).toEqual(before);
  });

  it('[PIC-14] gives the bytes of an export without pictures when no episode that is trained on has any', () => {
    exported([blind]);
    const before = allBytes();
    const evaluated = { ...seen.episode, head: { ...seen.episode.head, phase: 'evaluate' as const } };
    const manifest = exported([blind, evaluated]);
    expect(manifest).not.toHaveProperty('images');
    expect(manifest.version).toBe(5);
    for (const table of training) {
      const path = join(folder, `${table}.jsonl`);
      expect(readFileSync(path, 'hex')).toBe(before[path]);
    }
    expect(readdirSync(folder)).not.toContain('images');
  });

  it('[PIC-13] has the same rows in Parquet, as another reader sees them', async () => {
    exported([seen.episode, blind]);
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    for (const table of training) {
      const path = join(folder, `${table}.parquet`);
      const result = await connection.runAndReadAll(`select images, node, episode from read_parquet('${path}')`);
      const rows = result.getRowObjectsJson().map(row => ({ ...row, node: Number(row['node']) }));
      expect(rows).toEqual(rowsOf(table).map(({ images, node, episode }) => ({ images, node, episode })));
    }
    connection.closeSync();
  });

  it('[PIC-13] reads back as what was seen and done', () => {
    exported([seen.episode, blind]);
    const records = new Map([seen.episode, blind].map(episode => [episode.head.key, foldEpisode(episode)]));
    const examples = [...readExamples(folder)];
    expect(new Set(examples.map(({ episode }) => episode)).size).toBe(2);
    for (const { episode, node, prompt, images, action } of examples) {
      const record = records.get(episode);
      expect(prompt).toBe(record === undefined ? null : writePrompt(record.situation(node)));
      expect(action).toEqual(record?.tree.node(node).action);
      const shot = record?.shot(node) ?? null;
      expect(images?.at(-1)).toEqual(shot === null ? undefined : `images/${shot.hash}.png`);
    }
  });
});
