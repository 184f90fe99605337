import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { segmentsOf } from '../src/core/chat/segments.ts';
import type { ModelCall } from '../src/core/chat/model.ts';
import { exportDataset } from '../src/dataset/export-dataset.ts';
import { keepAttempt } from '../src/serve/proxy/record/episode.ts';
import { harnessTools } from '../src/runs/folder/harness-tools.ts';
import { readCalls } from '../src/serve/proxy/record/read-calls.ts';
import { openStore, type Store } from '../src/store/store.ts';
import { clerk } from './fixtures/models/clerk.ts';
import { startProxied, type Proxied } from './fixtures/models/proxied.ts';

const root = join(import.meta.dirname, '..');

interface TokenRow {
  readonly prompt_ids: readonly number[];
  readonly completion_ids: readonly number[];
  readonly logprobs: readonly number[];
  readonly env_mask: readonly number[];
  readonly episode: string;
}

describe('a harness of other people, recorded through the proxy', () => {
  let folder: string;
  let store: Store;
  let proxied: Proxied;
  const said: Record<string, string> = {};

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'espalier-harness-'));
    store = openStore({ path: join(folder, 'store.db') });
    proxied = await startProxied(clerk, {
      wantsTokens: true,
      keep: attempt => void keepAttempt(attempt, { journal: store, run: 'harness', template: 'warehouse' }),
    });
    const node = join(root, 'node_modules', '.bin', 'node');
    for (const name of ['agent-loop', 'compacting-loop']) {
      const { stdout } = await promisify(execFile)(node, [join(root, 'examples/harness', `${name}.ts`), proxied.url]);
      said[name] = stdout;
    }
    exportDataset({
      source: store,
      folder: join(folder, 'export'),
      formats: ['jsonl'],
      tokens: ['trl'],
      toolsOf: () => harnessTools(store.summaries()),
    });
  });
  afterAll(async () => {
    await proxied.close();
    store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const exchangesOf = (session: string): readonly ModelCall[] =>
    readCalls(proxied.calls(session)).map(({ exchange }) => exchange);
  const sampledOf = (session: string): readonly number[] =>
    exchangesOf(session).flatMap(({ reply }) => reply.tokens?.completion ?? []);
  const rowsOf = <T extends { readonly episode: string }>(table: string, session: string): T[] =>
    readFileSync(join(folder, 'export', `${table}.jsonl`), 'utf8')
      .split('\n')
      .filter(line => line !== '')
      .map(line => JSON.parse(line) as T)
      .filter(({ episode }) => episode.includes(session));
  const masked = ({ completion_ids: ids, env_mask: mask }: TokenRow): number[] =>
    ids.filter((_, place) => mask[place] === 1);

  it('[PRX-14] that only appends gives one segment, and its masked tokens are those that were sampled', () => {
    expect(said['agent-loop']).toContain('8 calls of the model, 7 of tools: There is enough of everything.\npassed');
    const calls = exchangesOf('agent-loop');
    expect(segmentsOf(calls)).toEqual([{ calls: [0, 1, 2, 3, 4, 5, 6, 7], by: 'tokens' }]);
    const rows = rowsOf<TokenRow>('tokens-trl', 'agent-loop');
    expect(rows).toHaveLength(1);
    expect(rows.flatMap(masked)).toEqual(sampledOf('agent-loop'));
    expect(rows[0]?.prompt_ids).toEqual(calls[0]?.reply.tokens?.prompt);
    const { prompt, completion } = calls.at(-1)!.reply.tokens!;
    expect([...rows[0]!.prompt_ids, ...rows[0]!.completion_ids]).toEqual([...prompt!, ...completion!]);
  });

  it('[PRX-14] that compacts gives a segment for every context it wrote, and nothing is trained twice', () => {
    const rewrites = Number(/(\d+) rewrites\npassed/.exec(said['compacting-loop'] ?? '')?.[1]);
    expect(rewrites).toBe(2);
    expect(segmentsOf(exchangesOf('compacting-loop'))).toHaveLength(1 + rewrites);
    const rows = rowsOf<TokenRow>('tokens-trl', 'compacting-loop');
    expect(rows).toHaveLength(1 + rewrites);
    expect(rows.flatMap(masked)).toEqual(sampledOf('compacting-loop'));
  });

  it('[PRX-15] becomes an episode: a step for each call of a tool, its finish, its verdict, and rows to train on', () => {
    const episode = [...store.episodes()].find(({ head }) => head.key.includes('agent-loop'));
    expect(episode?.head).toMatchObject({
      run: 'harness',
      student: 'any',
      task: { environment: 'proxy', template: 'warehouse' },
    });
    expect(episode?.end).toMatchObject({ outcome: 'passed', leaf: 8, verdict: { pass: true, progress: 1 } });
    const rows = rowsOf<{ episode: string; messages: { tool_calls?: object[]; content: string }[]; tools: string }>(
      'next-actions',
      'agent-loop',
    );
    const answers = rows.map(({ messages }) => messages.at(-1));
    expect(answers.slice(0, -1).map(answer => answer?.tool_calls?.[0])).toMatchObject([
      { function: { name: 'look_up', arguments: { item: 'nails' } } },
      { function: { name: 'order', arguments: { item: 'nails', count: 6 } } },
      { function: { name: 'look_up', arguments: { item: 'screws' } } },
      { function: { name: 'look_up', arguments: { item: 'bolts' } } },
      { function: { name: 'order', arguments: { item: 'bolts', count: 3 } } },
      { function: { name: 'look_up', arguments: { item: 'hinges' } } },
      { function: { name: 'order', arguments: { item: 'hinges', count: 8 } } },
    ]);
    expect(answers.at(-1)).toEqual({ role: 'assistant', content: 'There is enough of everything.' });
    expect(rows[0]?.tools).toContain('"name":"look_up"');
  });
});
