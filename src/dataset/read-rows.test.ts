import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mailWorld, scriptedEpisode, sourceOf } from '../../test/fixtures/episodes.ts';
import { toolCallOf } from '../core/episode/action-tools.ts';
import { foldEpisode, type EpisodeRecord } from '../core/episode/record.ts';
import { writePrompt } from '../core/episode/view.ts';
import { exportDataset } from './export-dataset.ts';
import type { Row } from './rows/columns.ts';
import type { Manifest } from './rows/manifest.ts';
import { readExamples } from './read-rows.ts';

const episode = await scriptedEpisode({ slips: 2, call: true });
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-read-'));
  exportDataset({ source: sourceOf([episode]), folder, toolsOf: () => mailWorld.tools });
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Changes a file, and the manifest so that it fits. */
function alter(name: string, change: (text: string) => string): void {
  const path = join(folder, name);
  writeFileSync(path, change(readFileSync(path, 'utf8')));
  const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex');
  changeManifest(manifest => ({
    ...manifest,
    files: manifest.files.map(file => (file.name === name ? { ...file, sha256 } : file)),
  }));
}

function changeManifest(change: (manifest: Manifest) => object): void {
  const path = join(folder, 'manifest.json');
  writeFileSync(path, JSON.stringify(change(JSON.parse(readFileSync(path, 'utf8')) as Manifest)));
}

/** A row as it was before version 5: one message with all that was told, and one call. */
function singleTurn(line: string, record: EpisodeRecord): string {
  const { action: _action, request: _request, ...row } = JSON.parse(line) as Row;
  const node = row['node'] as number;
  const { name, input } = toolCallOf(record.tree.node(node).action);
  const call = { type: 'function', function: { name, arguments: input } };
  const messages = [
    { role: 'system', content: 'You operate an application.' },
    { role: 'user', content: writePrompt(record.situation(node)) },
    { role: 'assistant', content: '', tool_calls: [call] },
  ];
  return JSON.stringify({ ...row, messages });
}

const refusal = (parts: object): unknown =>
  expect.objectContaining({ name: 'EspalierError', boundary: 'input', ...parts });
const says = (text: string): unknown => expect.objectContaining({ message: expect.stringContaining(text) });

describe('reading rows', () => {
  it('[EXP-11] gives back what was seen and done', () => {
    const record = foldEpisode(episode);
    const examples = [...readExamples(folder)];
    const steps = record.tree.path(record.end.leaf).map(({ id }) => id);
    const corrected = record.corrections.map(({ node }) => node);
    expect(examples.map(({ kind, node }) => [kind, node])).toEqual([
      ...steps.map(node => ['next-action', node]),
      ...corrected.map(node => ['correction', node]),
    ]);
    for (const { node, prompt, action, actor, ...rest } of examples) {
      expect(prompt).toBe(writePrompt(record.situation(node)));
      expect(action).toEqual(record.tree.node(node).action);
      expect(actor).toBe(record.tree.node(node).actor.role);
      const { run, key, task } = record.head;
      expect(rest).toMatchObject({ pass: true, run, episode: key, environment: 'mail', template: task.template });
    }
  });

  it.each([1, 2, 3, 4])('[EXP-17] gives the same from rows that were exported before, with version %i', version => {
    const record = foldEpisode(episode);
    const now = [...readExamples(folder)];
    for (const name of ['next-actions.jsonl', 'corrections.jsonl'])
      alter(name, text => text.replaceAll(/.+/g, line => singleTurn(line, record)));
    changeManifest(({ prompt: _prompt, ...manifest }) => ({ ...manifest, version }));
    expect([...readExamples(folder)]).toEqual(now);
  });

  it('[EXP-11] reads lines that are longer than a piece of the file, and that lie across two', () => {
    const long = 'é'.repeat(2 ** 20);
    alter('corrections.jsonl', text => text.replaceAll('<task>\\n', `<task>\\n${long}`));
    const corrections = [...readExamples(folder)].filter(({ kind }) => kind === 'correction');
    expect(corrections).toHaveLength(2);
    for (const { prompt } of corrections) expect(prompt.startsWith(`Task\n${long}`)).toBe(true);
  });

  it('[EXP-11] refuses a cut, altered or missing file before the first row', () => {
    const first = (): unknown => readExamples(folder)[Symbol.iterator]().next();
    const path = join(folder, 'corrections.jsonl');
    const whole = readFileSync(path);
    truncateSync(path, whole.length - 1);
    expect(first).toThrow(refusal({ code: 'corrupt-record' }));
    expect(first).toThrow(says('corrections.jsonl was cut or altered'));
    writeFileSync(path, whole.toString('utf8').replace('true', 'null'));
    expect(first).toThrow(says('cut or altered'));
    rmSync(path);
    expect(first).toThrow(says('corrections.jsonl cannot be read'));
  });

  it.each([
    ['is not JSON', (line: string) => line.slice(0, -3)],
    ['is no chat row', (line: string) => line.replace('"role":"user"', '"role":"someone"')],
    [
      'in a way that is no action',
      (line: string) => line.replace(/"kind\\":\\"(click|fill|select)/, '"kind\\":\\"wave'),
    ],
  ])('[EXP-11] names the file and the line of what %s', (what, spoil) => {
    alter('next-actions.jsonl', text =>
      text
        .split('\n')
        .map((line, at) => (at === 1 ? spoil(line) : line))
        .join('\n'),
    );
    expect(() => [...readExamples(folder)]).toThrow(says(`next-actions.jsonl:2`));
    expect(() => [...readExamples(folder)]).toThrow(says(what));
  });

  it('[EXP-11] refuses a folder without a manifest, with a bad one, or with one from a later version', () => {
    const read = (): unknown => [...readExamples(folder)];
    changeManifest(manifest => ({ ...manifest, version: 6 }));
    expect(read).toThrow(refusal({ code: 'unsupported' }));
    changeManifest(manifest => ({ ...manifest, version: 1, surprise: true }));
    expect(read).toThrow(says('surprise'));
    writeFileSync(join(folder, 'manifest.json'), '{');
    expect(read).toThrow(refusal({ code: 'corrupt-record' }));
    rmSync(join(folder, 'manifest.json'));
    expect(read).toThrow(says('Expected a folder that rows were exported to'));
  });

  it('[EXP-11] says when there are no rows in JSON lines', () => {
    exportDataset({ source: sourceOf([episode]), folder, toolsOf: () => mailWorld.tools, formats: ['parquet'] });
    expect(() => [...readExamples(folder)]).toThrow(refusal({ code: 'unsupported' }));
  });
});
