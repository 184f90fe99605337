import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gigpoAgain } from '../../../test/fixtures/credit/gigpo-again.ts';
import { readManifest } from '../../dataset/rows/manifest.ts';
import { collectRun } from '../../runs/collect.ts';
import { readConfig } from '../../runs/config/config.ts';
import { exportRun } from '../../runs/export.ts';
import { trainFromExport } from '../../runs/train.ts';
import { createSystemHost } from '../../system/workers/host.ts';

const host = createSystemHost({ workers: 0 });
const folder = mkdtempSync(join(tmpdir(), 'espalier-bytes-'));
const run = join(folder, 'run');
const out = join(folder, 'rows');
afterAll(() => rmSync(folder, { recursive: true }));

async function collect(to: string, choices: object): Promise<void> {
  const draft = { run: 'bytes', environments: ['mail'], templates: ['star-message', 'contact-phone'], instances: 1 };
  const config = readConfig({ ...draft, strategy: { kind: 'linear' }, ...choices }, 'The test');
  await collectRun({ config, folder: to, host });
}

interface StepRow {
  readonly group: string;
  readonly episode: string;
  readonly leaf: number;
  readonly step: number;
  readonly node: number;
  readonly digest: string;
  readonly reward: number;
  readonly messages: readonly object[];
  readonly tools: string;
  readonly logprob: number | null;
  readonly entropy: number | null;
  readonly advantage: number;
}

interface VerlRow {
  readonly episode: string;
  readonly nodes: readonly number[];
  readonly prompt_ids: readonly number[];
  readonly response_ids: readonly number[];
  readonly response_mask: readonly number[];
  readonly observation_mask: readonly number[];
  readonly response_logprobs: null;
  readonly advantages: readonly number[];
  readonly advantage_mask: readonly number[];
  readonly missing: readonly string[];
}

function rowsOf<T>(name: string): T[] {
  const lines = readFileSync(join(out, name), 'utf8').trimEnd().split('\n');
  return lines.map(line => JSON.parse(line) as T);
}

const textOf = (ids: readonly number[]): string =>
  new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(ids));

describe('rows of tokens of a student that is no model', () => {
  let steps: StepRow[];
  let rows: VerlRow[];
  beforeAll(async () => {
    const demo = join(folder, 'demo');
    await collect(demo, { student: { kind: 'planner' } });
    await exportRun({ folder: demo, host, formats: ['jsonl'], keep: 'all' });
    const student = join(folder, 'student.json');
    trainFromExport({ folders: [demo], seed: 1, host, out: student });
    await collect(run, { student: { kind: 'learned', file: student, temperature: 1.5 }, trials: 6, seed: 2 });
    const tokens = ['trl', 'verl', 'skyrl', 'prime-rl'];
    await exportRun({ folder: run, host, out, formats: ['jsonl'], advantage: 'gigpo', tokens, tokenizer: 'bytes' });
    steps = rowsOf<StepRow>('advantages.jsonl');
    rows = rowsOf<VerlRow>('tokens-verl.jsonl');
  });

  const stepAt = (episode: string, parent: number): StepRow => {
    const own = steps.filter(row => row.episode === episode);
    return own[own.findIndex(({ node }) => node === parent) + 1] as StepRow;
  };

  it('[TOK-21] ids are the bytes of the request and the answers: a line of JSON for the tools and one for each message', () => {
    expect(rows.length).toBeGreaterThan(1);
    for (const { episode, nodes, prompt_ids, response_ids } of rows) {
      const lines = textOf([...prompt_ids, ...response_ids]).split('\n');
      expect(lines.pop()).toBe('');
      const last = stepAt(episode, nodes.at(-1) as number);
      expect(lines).toEqual([last.tools, ...last.messages.map(message => JSON.stringify(message))]);
      const { messages, tools } = stepAt(episode, nodes[0] as number);
      const asked = [tools, ...messages.slice(0, -1).map(message => JSON.stringify(message)), ''];
      expect(textOf(prompt_ids)).toBe(asked.join('\n'));
    }
  });

  it('[TOK-21] masks part the tokens: answers are sampled, the rest came from the environment', () => {
    for (const { episode, nodes, response_ids, response_mask, observation_mask } of rows) {
      expect(response_mask).toHaveLength(response_ids.length);
      expect(observation_mask).toEqual(response_mask.map(sampled => 1 - sampled));
      const sampled = textOf(response_ids.filter((_, at) => response_mask[at] === 1));
      const answers = nodes.map(node => `${JSON.stringify(stepAt(episode, node).messages.at(-1))}\n`);
      expect(sampled).toBe(answers.join(''));
    }
  });

  it('[TOK-21] every byte of an answer has the advantage of its step, computed again from the formula', () => {
    const values = gigpoAgain(steps);
    const again = new Map(steps.map(({ episode, node }, place) => [`${episode}:${node}`, values[place]]));
    const seen = new Set<string>();
    let [answered, farthest] = [0, 0];
    for (const { episode, nodes, response_ids, response_mask, advantages, advantage_mask } of rows) {
      expect(advantage_mask).toEqual(response_mask);
      let answer = 0;
      for (const [at, sampled] of response_mask.entries()) {
        const step = stepAt(episode, nodes[answer] as number);
        const expected = sampled === 1 ? again.get(`${episode}:${step.node}`) : 0;
        farthest = Math.max(farthest, Math.abs((advantages[at] as number) - (expected as number)));
        seen.add((advantages[at] as number).toFixed(6));
        // Each answer is one line.
        if (sampled === 1 && response_ids[at] === 10) answer++;
      }
      expect(answer).toBe(nodes.length);
      answered += answer;
    }
    expect(farthest).toBeLessThan(1e-9);
    expect(answered).toBe(steps.length);
    expect(seen.size).toBeGreaterThan(3);
  });

  it('[TOK-21] [TOK-22] claims no log probabilities of tokens, and names the tokenizer', () => {
    for (const { response_logprobs, missing } of rows) {
      expect(response_logprobs).toBeNull();
      expect(missing).toContain('response_logprobs');
    }
    expect(readManifest(out).tokens).toMatchObject({ tokenizer: 'bytes', calls: expect.any(Number) });
    for (const name of ['trl', 'skyrl', 'prime-rl']) expect(rowsOf(`tokens-${name}.jsonl`).length).toBeGreaterThan(1);
  });

  it('[CREDIT-20] the log probability and the entropy that the student gave its step stand beside the advantage', () => {
    for (const { logprob, entropy } of steps) {
      expect(logprob).toBeLessThanOrEqual(0);
      expect(entropy).toBeGreaterThanOrEqual(0);
    }
    expect(new Set(steps.map(({ logprob }) => logprob)).size).toBeGreaterThan(3);
  });

  it('[TOK-22] refuses a tokenizer without a format, and one that it does not know', async () => {
    await expect(exportRun({ folder: run, host, tokenizer: 'bytes' })).rejects.toThrow('Expected --tokens');
    await expect(exportRun({ folder: run, host, tokens: ['verl'], tokenizer: 'byte' })).rejects.toThrow('bytes');
  });
});
