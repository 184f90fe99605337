import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { benchmarkTable } from '../scripts/docs/benchmark-table.ts';
import { nouns } from '../src/cli/environments/nouns.ts';
import { readBlocks, type Block } from '../scripts/docs/blocks.ts';
import { renderReference } from '../scripts/docs/reference.ts';
import { runPage } from '../scripts/docs/run-page.ts';
import { missingLines } from '../scripts/docs/same-output.ts';
import { createWarmCommand, type WarmCommand } from './fixtures/warm-command.ts';

const root = join(import.meta.dirname, '..');
const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter(name => name.endsWith('.md'))
    .map(name => `docs/${name}`),
].map(name => ({ name, text: readFileSync(join(root, name), 'utf8') }));

function isRun({ language, attributes }: Block): boolean {
  return ['sh', 'console', 'ts'].includes(language) && attributes['skip'] === undefined;
}

/** What a newcomer types first runs as a newcomer runs it: every command in a process of its own. */
const firstPages: ReadonlySet<string> = new Set(['README.md']);

let folder = '';
let warm: WarmCommand;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'espalier-docs-'));
  warm = await createWarmCommand(folder);
});
afterAll(async () => {
  warm.close();
  await rm(folder, { recursive: true });
});

describe('examples', () => {
  for (const { name, text } of pages) {
    if (!readBlocks(text).some(isRun)) continue;
    test(`[DOC-1] of ${name} run and print what the page shows`, async () => {
      const wrong: string[] = [];
      const options = firstPages.has(name) ? {} : { espalier: warm.script };
      for await (const { block, command, expected, code, stdout, stderr } of runPage(text, options)) {
        const where = `${name}:${block.line}: ${command.trim()}`;
        const exit = Number(block.attributes['exit'] ?? 0);
        if (code !== exit) wrong.push(`${where}\nended with ${code}, not ${exit}\n${stderr}`);
        const missing = expected === null ? [] : missingLines(expected, stdout);
        if (missing.length > 0) wrong.push(`${where}\ndid not print ${missing.join('\n')}\nbut\n${stdout}`);
      }
      expect(wrong, 'run `npm run docs` and read what changed').toEqual([]);
    });
  }

  test('[DOC-1] an example that is not run says why', () => {
    const reasons = pages.flatMap(({ text }) => readBlocks(text).map(block => block.attributes['skip']));
    expect(reasons.filter(reason => reason !== undefined && reason.length < 10)).toEqual([]);
  });

  test('[DOC-1] an output that differs in more than numbers is found', () => {
    expect(missingLines('3 passed in 2.1 s\n', '14 passed in 30 ms\n')).toEqual([]);
    expect(missingLines('3 passed\n', '3 failed\n')).toEqual(['# passed']);
    expect(missingLines('one\n', 'one\ntwo\n')).toEqual(['(the program printed more)']);
    expect(missingLines('one\n…\nfour\n', 'one\ntwo\nfour\n')).toEqual([]);
    expect(missingLines('two\none\n', 'one\ntwo\n')).toEqual(['one']);
  });
});

test('[DOC-2] the reference is what the program says of itself', async () => {
  const written = pages.find(({ name }) => name === 'docs/reference.md')?.text;
  expect(written, 'run `npm run docs -- reference`').toBe(await renderReference());
});

test('[BEN-11] figures have a column that does not depend on the speed of the machine', () => {
  const figure = (name: string, value: number, unit: string) => ({ name, value, unit, spread: 0, runs: 1 });
  const on = (speed: number): string[] =>
    benchmarkTable([
      figure('mail.step-observe', 40_000 * speed, '1/s'),
      figure('planner.median', 10 / speed, 'ms'),
      figure('mail.sessions-10k', 500, 'MiB'),
      figure('machine.calibration', 2000 * speed, '1/s'),
    ]).map(line => line.split(' | ')[3] as string);
  expect(on(1)).toEqual(['relative', '---:', '20', '20', '–', '–']);
  expect(on(3)).toEqual(on(1));
  expect(benchmarkTable([figure('planner.median', 10, 'ms')]).at(-1)).toContain('| 10 | ms | – |');
});

test('[CLI-7] `espalier list` names what the docs name: endpoints of models, and environments of others', () => {
  const usages = (noun: string): string[] => nouns.need(noun).registry.entries.map(({ name, usage = name }) => usage);
  const page = (name: string): string => pages.find(found => found.name === `docs/${name}.md`)?.text ?? '';
  const kinds = [...page('models').matchAll(/^\| `([a-z]+):/gm)].map(match => match[1] as string);
  expect(kinds.length).toBeGreaterThan(3);
  for (const kind of kinds) expect(usages('dialects')).toContain(kind);
  const pageNames = [...page('browser').matchAll(/^\| `((?:wai|miniwob|page|app):<[^`]*)`/gm)].map(
    match => match[1] as string,
  );
  expect(pageNames).toHaveLength(4);
  for (const name of pageNames) expect(usages('environments')).toContain(name);
});

test('[DOC-3] links lead to files and headings that exist', () => {
  const broken: string[] = [];
  for (const { name, text } of pages) {
    for (const [, target] of text.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/\]\(([^)\s]+)\)/g)) {
      if (target === undefined || /^[a-z]+:/.test(target)) continue;
      const [path = '', heading] = target.split('#');
      const file = path === '' ? name : join(dirname(name), path);
      if (!existsSync(join(root, file))) broken.push(`${name}: ${target}`);
      else if (heading !== undefined && !headingsOf(file).includes(heading)) broken.push(`${name}: ${target}`);
    }
  }
  expect(broken).toEqual([]);
});

test('[DOC-3] the README is short, and every page can be found from it', () => {
  const readme = pages[0]?.text ?? '';
  expect(readme.split('\n').length).toBeLessThanOrEqual(200);
  expect(pages.slice(1).filter(({ name }) => !readme.includes(`](${name})`))).toEqual([]);
});

/** Headings as GitHub names them. */
function headingsOf(file: string): string[] {
  return [...readFileSync(join(root, file), 'utf8').matchAll(/^#+ (.+)$/gm)].map(match =>
    (match[1] as string)
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\- ]/gu, '')
      .replaceAll(' ', '-'),
  );
}
