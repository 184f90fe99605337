import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { startScriptedUpstream } from '../../../test/fixtures/models/scripted-upstream.ts';
import { createSystemHost } from '../../system/workers/host.ts';
import { forgeTasks } from '../forge.ts';
import { spendingSchema } from '../settings/model-config.ts';

const folder = mkdtempSync(join(tmpdir(), 'espalier-trials-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A student that lends books as it is told, every other time, and does nothing else. */
const sometimes = `
const call = (tool, input) => ({ action: { kind: 'call', tool, input } });
export const policy = {
  name: 'sometimes',
  act({ instruction, path, random }) {
    const quoted = [...instruction.matchAll(/"([^"]+)"/g)].map(found => found[1]);
    const title = quoted.find(text => text.startsWith('The '));
    const reader = quoted.find(text => text !== title);
    if (path.length === 0 && random.chance(0.5)) return call('list_books', { text: title ?? '' });
    if (path.length === 1) return call('lend_book', { id: path[0].result[0]?.id ?? '', reader: reader ?? '' });
    return { action: { kind: 'finish' } };
  },
};
`;

function student(name: string, source: string): string {
  const file = join(folder, `${name}.mjs`);
  writeFileSync(file, source);
  return file;
}

const options = { app: 'forge:examples/library/library.ts,kinds=commands', seeds: 4, nodes: 400 };

it('[FORGE-6] [FORGE-16] keeps what the student passes in some of its trials, and says how it does', async () => {
  const name = student('sometimes', sometimes);
  const trials = { name, trials: 12, band: [0.2, 0.8] as const, curriculum: true };
  const result = await forgeTasks({ ...options, student: trials });
  expect(new Set(result.tasks.map(({ template }) => template))).toEqual(new Set(['lend-book.forged']));
  const [first, ...others] = result.skills ?? [];
  expect(first).toMatchObject({ template: 'lend-book.forged', isFrontier: true });
  expect(first?.passRate).toBeGreaterThan(0.2);
  expect(others.every(({ passRate, isFrontier }) => passRate === 0 && !isFrontier)).toBe(true);
  expect(result.noise).toMatchObject({ level: 0, next: 0 });
  // Most of the tries went where there is something to learn.
  expect(first?.tries).toBeGreaterThan(others.reduce((sum, { tries }) => sum + tries, 0));
  expect(result.dropped.every(({ rung }) => rung === 'pass rate in band' || rung === 'new to the pool')).toBe(true);
  expect(await forgeTasks({ ...options, student: trials })).toEqual(result);
});

it('[FORGE-6] a student that throws stops the forging, and is not taken for a bad task', async () => {
  const name = student('throws', "export const policy = { name: 'throws', act() { throw new Error('no weights'); } };");
  const trials = { name, trials: 2, curriculum: false };
  await expect(forgeTasks({ ...options, student: trials })).rejects.toThrow('no weights');
});

it('[FORGE-6] refuses who cannot be tried', async () => {
  const trials = { name: 'planner', trials: 2, curriculum: false };
  await expect(forgeTasks({ ...options, student: trials })).rejects.toThrow(/it sees the state/);
});

it('[FORGE-6] a model behind an endpoint is a student like any other', async () => {
  let asked = 0;
  const upstream = await startScriptedUpstream(({ body }) => {
    const messages = (body['messages'] as { content: unknown }[]).map(({ content }) => String(content));
    const quoted = [...messages.join('\n').matchAll(/"([^"]+)"/g)].map(found => found[1] ?? '');
    const title = quoted.find(text => text.startsWith('The ')) ?? '';
    const id = /"id":"(b\d+)"/.exec(messages.at(-1)?.replaceAll('\\', '') ?? '')?.[1];
    // It finds every other book, and never lends one.
    if (id === undefined && asked++ % 2 === 0) return { calls: [{ name: 'list_books', input: { text: title } }] };
    return { calls: [{ name: 'finish', input: {} }] };
  });
  const name = `openai:one@${upstream.url}`;
  try {
    const tried = { name, trials: 2, curriculum: false };
    await expect(forgeTasks({ ...options, seeds: 1, student: tried })).rejects.toThrow(/nothing says how to ask it/);
    const models = { host: createSystemHost(), folder: join(folder, 'model'), spending: spendingSchema.parse({}) };
    const result = await forgeTasks({ ...options, seeds: 1, student: tried, models });
    expect(asked).toBeGreaterThan(0);
    expect(result.tasks).toEqual([]);
    expect(result.dropped.map(({ rung, detail }) => `${rung}: ${detail}`)).toContain(
      'pass rate in band: the student passes it in 0 % of its tries',
    );
    const spent = { ...models, spending: spendingSchema.parse({ tokens: 1 }) };
    const cut = await forgeTasks({ ...options, seeds: 4, student: tried, models: spent });
    expect(cut.dropped.length).toBeLessThan(12);
  } finally {
    await upstream.close();
  }
});
