import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import type { Action } from '../../core/action.ts';
import type { View } from '../../core/episode/view.ts';
import { readScreen } from '../../core/episode/screen-text.ts';
import { createRandom } from '../../core/random.ts';
import type { CompactSituation } from '../../models/prompt/compact.ts';
import { readModelFiles } from './model-files.ts';
import { openRuntime } from './runtime.ts';
import { createSmallModel } from './small-model.ts';
import { createSmallPolicy } from './small-policy.ts';

const folder = join(import.meta.dirname, '../../../test/fixtures/small');
const copies: string[] = [];

afterEach(() => {
  for (const copy of copies.splice(0)) rmSync(copy, { recursive: true });
  vi.doUnmock('onnxruntime-node');
  vi.resetModules();
});

const situations = readFileSync(join(folder, 'prompts.jsonl'), 'utf8')
  .split('\n')
  .filter(line => line !== '')
  .map(line => JSON.parse(line) as CompactSituation);

const first = situations[0] as CompactSituation;

function copied(): string {
  const copy = mkdtempSync(join(tmpdir(), 'espalier-small-'));
  copies.push(copy);
  cpSync(folder, copy, { recursive: true });
  return copy;
}

function viewOf({ task, done, screens }: CompactSituation): View {
  return {
    instruction: task,
    observation: { text: screens.at(-1) ?? '' },
    history: done,
    path: done.map((text, at) => ({
      action: { kind: 'back' },
      text,
      by: 'student',
      screen: screens[at] ?? '',
      applied: true,
    })),
    tools: [],
    random: createRandom('small'),
  } as View;
}

it('[SML-5] every step of a model with random weights can be taken on its screen', async () => {
  const model = createSmallModel(readModelFiles(folder));
  for (const situation of situations) {
    const { steps } = await model.weigh(situation);
    const wrong = steps.filter(({ action }) => !canBeTaken(action, situation.screens.at(-1) ?? ''));
    expect(wrong).toEqual([]);
  }
});

function canBeTaken(action: Action, screen: string): boolean {
  if (!('ref' in action)) return action.kind === 'finish';
  const line = readScreen(screen).find(({ ref }) => ref === action.ref);
  if (action.kind === 'select') return line?.options.includes(action.option) === true;
  return line !== undefined && (action.kind === 'click') !== (line.role === 'textbox');
}

it('[SML-5] a step that was taken here is not taken again', async () => {
  const policy = createSmallPolicy({ model: createSmallModel(readModelFiles(folder)) });
  const screen = 'page "Claims"\n  [e1] button "Save"\n  [e2] button "Send"\n  [e3] button "Open"';
  const view = viewOf({ task: 'Save', done: [], screens: [screen] });
  const step = { text: 'click', by: 'student' as const, screen, applied: false };
  const refused = ['e1', 'e2', 'e3'].map(ref => ({ ...step, action: { kind: 'click' as const, ref } }));
  const { action, alternatives = [] } = await policy.act({ ...view, path: refused });
  expect([action, ...alternatives.map(other => other.action)].map(one => one?.kind)).not.toContain('click');
  const changed = refused.map(one => ({ ...one, screen: 'page "Before"' }));
  const before = await policy.act({ ...view, path: changed });
  expect([before.action, ...(before.alternatives ?? []).map(other => other.action)].map(one => one?.kind)).toContain(
    'click',
  );
});

it('[SML-5] what a step that was taken leaves goes to other steps of its kind', async () => {
  const click = (ref: string): Action => ({ kind: 'click', ref });
  const chances: readonly [Action, number][] = [
    [click('e1'), 0.6],
    [{ kind: 'finish' }, 0.3],
    [click('e2'), 0.1],
  ];
  const steps = chances.map(([action, chance]) => ({ action, logprob: Math.log(chance) }));
  const model = {
    ...createSmallModel(readModelFiles(folder)),
    weigh: async () => ({ steps, tokens: 9, leftOut: null }),
  };
  const view = viewOf({ task: 'Save', done: [], screens: ['page "Claims"'] });
  const step = { text: 'click', by: 'student' as const, screen: 'page "Claims"', applied: true, action: click('e1') };
  const { action, confidence } = await createSmallPolicy({ model }).act({ ...view, path: [step] });
  expect(action).toEqual(click('e2'));
  expect(confidence).toBeCloseTo(0.7, 9);
});

it('[SML-4] a decision says how likely it was, and what else was weighed', async () => {
  const policy = createSmallPolicy({ model: createSmallModel(readModelFiles(folder)) });
  const { action, logprob = 1, confidence, entropy, alternatives = [] } = await policy.act(viewOf(first));
  expect(action).not.toBeNull();
  expect(logprob).toBeLessThanOrEqual(0);
  expect(confidence).toBeCloseTo(Math.exp(logprob), 9);
  expect(entropy).toBeGreaterThan(0);
  expect(alternatives.length).toBeGreaterThan(3);
  expect(alternatives.map(({ action: other }) => other)).not.toContainEqual(action);
});

it('[SML-4] a temperature draws steps by their probabilities, and by the chance of the view alone', async () => {
  const policy = createSmallPolicy({ model: createSmallModel(readModelFiles(folder)), temperature: 1 });
  const view = viewOf(first);
  const draw = async (seed: string) => (await policy.act({ ...view, random: createRandom(seed) })).action;
  const drawn = await Promise.all(Array.from({ length: 20 }, (_, at) => draw(`seed ${at}`)));
  expect(new Set(drawn.map(action => JSON.stringify(action))).size).toBeGreaterThan(3);
  expect(await draw('seed 3')).toEqual(drawn[3]);
});

it('[SML-2] the user is told once that screens did not fit', async () => {
  const told: string[] = [];
  const model = createSmallModel(readModelFiles(folder));
  const policy = createSmallPolicy({ model, onNotice: text => told.push(text) });
  for (const round of [1, 2]) {
    const lines = Array.from({ length: 150 }, (_, at) => `  remark ${round} ${at}`);
    await policy.act(viewOf({ task: 'Save', done: [], screens: [['page "A"', ...lines].join('\n')] }));
  }
  expect(told).toHaveLength(1);
  expect(told[0]).toMatch(/^small: a screen did not fit into its context, and \d+ of its 151 lines were left out/);
});

it('[SML-6] a model file that is cut is refused, with its size and both hashes', () => {
  const copy = copied();
  truncateSync(join(copy, 'model.onnx'), 1000);
  expect(() => readModelFiles(copy)).toThrow(/model\.onnx has 1000 bytes with the hash .*It is cut.*npm install/);
});

it('[SML-6] a model of another version, of another tokenizer or without facts is refused', () => {
  const copy = copied();
  const path = join(copy, 'model.json');
  const facts = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  const tokenizer = readFileSync(join(copy, 'tokenizer.json'), 'utf8');
  writeFileSync(join(copy, 'tokenizer.json'), tokenizer.replace('"e":', '"E ":'));
  expect(() => readModelFiles(copy)).toThrow(/tokenizer\.json has .*The model was trained with another tokenizer/);
  for (const version of [1, 3]) {
    writeFileSync(path, JSON.stringify({ ...facts, version }));
    const told = `is of version ${version}. This Espalier reads version 2: install espalier and`;
    expect(() => readModelFiles(copy)).toThrow(told);
  }
  writeFileSync(path, JSON.stringify({ ...facts, longest: 'long' }));
  expect(() => readModelFiles(copy)).toThrow(/does not describe a model: .*longest/);
  writeFileSync(path, '{"version": 1,');
  expect(() => readModelFiles(copy)).toThrow(/model\.json is cut or no JSON/);
  rmSync(path);
  expect(() => readModelFiles(copy)).toThrow(/holds no model: there is no model\.json in it/);
  expect(() => readModelFiles(join(copy, 'nowhere'))).toThrow(/nowhere does not exist\. Expected a folder/);
});

it('[SML-6] a file that is no model of this kind is refused when it is loaded', async () => {
  const files = readModelFiles(folder);
  const other = join(copied(), 'tokenizer.json');
  await expect(createSmallModel({ ...files, open: () => openRuntime(other) }).weigh(first)).rejects.toThrow(
    /is not a model that this version of Espalier can use/,
  );
});

it('[SML-7] without the runtime the error says what to install', async () => {
  vi.doMock('onnxruntime-node', () => {
    throw new Error('Cannot find module ../bin/napi-v6/sunos/x64/onnxruntime_binding.node');
  });
  vi.resetModules();
  const { createSmallModel: create } = await import('./small-model.ts');
  await expect(create(readModelFiles(folder)).weigh(first)).rejects.toThrow(
    /onnxruntime-node cannot be loaded: .*npm install --ignore-scripts onnxruntime-node@1\.30\.0/s,
  );
});

it('[SML-7] the install script of the runtime, which downloads binaries, never runs', () => {
  const root = join(import.meta.dirname, '../../..');
  const { allowScripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { allowScripts: object };
  expect(allowScripts).toHaveProperty('onnxruntime-node', false);
  expect(readFileSync(join(root, '.npmrc'), 'utf8')).toContain('onnxruntime-node-install=skip');
  const installed = readdirSync(join(root, 'node_modules/onnxruntime-node/bin'), { recursive: true, encoding: 'utf8' });
  expect(installed.filter(name => name.includes('cuda'))).toEqual([]);
});
