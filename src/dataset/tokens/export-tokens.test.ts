import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTokenEpisodes } from '../../../test/fixtures/tokens/token-episode.ts';
import type { Row } from '../rows/columns.ts';
import { exportDataset } from '../export-dataset.ts';
import { readManifest, type Manifest } from '../rows/manifest.ts';
import { readExamples } from '../read-rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'espalier-tokens-'));
afterAll(() => rmSync(folder, { recursive: true }));

const hand = createTokenEpisodes();
const episodes = [
  hand
    .begin(0)
    .ask({ prompt: [1, 2], completion: [10], temperature: 1 })
    .step()
    .ask({ prompt: [1, 2, 10, 3], completion: [2_000_000_000], logprobs: null, temperature: 1 })
    .step()
    .end('passed'),
  hand.begin(1).ask({}).step().end('failed'),
  hand.begin(2).step().end('passed'),
  hand
    .begin(3)
    .ask({ prompt: [1], completion: [10] })
    .step()
    .end('errored'),
];
const source = hand.sourceOf(episodes);
const trainers = ['trl', 'verl', 'skyrl', 'prime-rl'] as const;

function linesOf(name: string): Row[] {
  const lines = readFileSync(join(folder, name), 'utf8').trimEnd().split('\n');
  return lines.filter(line => line !== '').map(line => JSON.parse(line) as Row);
}

describe('export with tokens', () => {
  let manifest: Manifest;
  beforeAll(() => {
    manifest = exportDataset({ source, folder, tokens: trainers, toolsOf: () => [] });
  });

  it('[TOK-19] the manifest counts what became of every call of the student', () => {
    expect(manifest.version).toBe(5);
    expect(manifest.tokens).toEqual({
      calls: 4,
      sampled: 2,
      left: { 'the episode broke': 1, 'the server gave no token ids': 1 },
    });
    expect(readManifest(folder)).toEqual(manifest);
    expect(manifest.counts['tokens-trl']).toEqual({
      template: { 'mail/star-message': 1 },
      split: { train: 1 },
      actor: { student: 1 },
    });
  });

  it.each(trainers)('[TOK-19] rows for %s are the same as JSON lines and as Parquet', async trainer => {
    const lines = linesOf(`tokens-${trainer}.jsonl`);
    expect(lines).toHaveLength(trainer === 'skyrl' ? 2 : 1);
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const path = join(folder, `tokens-${trainer}.parquet`);
    const read = (await connection.runAndReadAll(`select * from read_parquet('${path}')`)).getRowObjectsJson();
    connection.closeSync();
    const whole = new Set(['leaf', 'interventions_after', 'seed', 'round', 'num_turns', 'repetition_id']);
    const plain = (read as Record<string, unknown>[]).map(row =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          whole.has(name) ? Number(value) : name === 'metrics' ? (JSON.parse(value as string) as unknown) : value,
        ]),
      ),
    );
    expect(plain).toEqual(lines);
  });

  it('[TOK-19] learners of ours read the folder as before', () => {
    expect([...readExamples(folder)]).toHaveLength(3);
  });

  it('[TOK-19] an export without tokens takes those of an earlier one away, and is as it was', () => {
    const plain = exportDataset({ source, folder, toolsOf: () => [] });
    expect(plain.version).toBe(5);
    expect(plain).not.toHaveProperty('tokens');
    expect(existsSync(join(folder, 'tokens-trl.jsonl'))).toBe(false);
    expect(existsSync(join(folder, 'next-actions.jsonl'))).toBe(true);
  });
});
