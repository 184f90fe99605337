import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTokenEpisodes, teacher } from '../../../test/fixtures/tokens/token-episode.ts';
import { openStore } from '../../store/store.ts';
import { createOutput } from '../terminal/output.ts';
import { runPaths } from '../../runs/folder/folder.ts';
import { exportRows } from './export.ts';
import { inspect } from './inspect.ts';
import { report } from './report.ts';

const hand = createTokenEpisodes();
const episode = hand
  .begin()
  .ask({ prompt: [1, 2, 3], completion: [10], problem: 'no call' })
  .ask({ prompt: [1, 2, 3, 10, 4], completion: [11, 12] })
  .step()
  .ask({ by: teacher, question: 'review', prompt: [1], completion: [1] })
  .ask({})
  .step()
  .end('passed');

let run = '';
let told = '';
beforeEach(() => {
  run = mkdtempSync(join(tmpdir(), 'espalier-token-run-'));
  told = '';
  const store = openStore({ path: runPaths(run).store });
  hand.write(store, episode);
  store.close();
});
afterEach(() => rmSync(run, { recursive: true }));

const stream = { write: (text: string) => (told += text) };
const output = createOutput({ results: stream, progress: stream, colours: false });

describe('a run that asked models', () => {
  it('[TOK-20] inspect says what was asked for each step, and in all', async () => {
    expect(await inspect(output, { run, episode: episode.head.key })).toBe(0);
    expect(told).toContain('asked m 2 times, 1 of no use, 8 + 3 tokens');
    expect(told).toContain('m 4 times, 1 of no use, 9 + 4 tokens');
  });

  it('[TOK-20] export writes rows of tokens for the trainers that are named, and says what is left out', async () => {
    expect(await exportRows(output, { run, tokens: ['trl', 'skyrl'] })).toBe(0);
    expect(told).toContain('tokens-trl.parquet');
    expect(told).toContain('Tokens: 3 tokens sampled by the student in 3 calls.');
    expect(told).toContain('1 call left out: the server gave no token ids.');
    const files = ['tokens-trl.jsonl', 'tokens-skyrl.parquet', 'tokens-verl.jsonl'];
    expect(files.map(name => existsSync(join(run, 'export', name)))).toEqual([true, true, false]);
  });

  it('[TOK-20] [TOK-22] export says why there are no tokens when the student asked no model', async () => {
    const silent = createTokenEpisodes();
    mkdirSync(join(run, 'silent'));
    const store = openStore({ path: runPaths(join(run, 'silent')).store });
    silent.write(store, silent.begin().step().end('passed'));
    store.close();
    expect(await exportRows(output, { run: join(run, 'silent'), tokens: ['trl'] })).toBe(0);
    expect(told).toContain('Tokens: 0 tokens sampled by the student in 0 calls.');
    expect(told).toContain('The student of these episodes asked no model');
    expect(told).toContain('Add --tokenizer bytes');
  });

  it('[TOK-20] export without it writes none', async () => {
    expect(await exportRows(output, { run })).toBe(0);
    expect(told).not.toContain('okens');
  });

  it('[TOK-20] report draws it as any other', async () => {
    expect(await report(output, { source: run })).toBe(0);
  });
});
