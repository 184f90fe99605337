import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readBlocks, type Block } from '../scripts/docs/blocks.ts';
import { renderReference } from '../scripts/docs/reference.ts';
import { runPage } from '../scripts/docs/run-page.ts';
import { missingLines } from '../scripts/docs/same-output.ts';

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

describe('examples', () => {
  for (const { name, text } of pages) {
    if (!readBlocks(text).some(isRun)) continue;
    test(`[DOC-1] of ${name} run and print what the page shows`, async () => {
      const wrong: string[] = [];
      for await (const { block, command, expected, code, stdout, stderr } of runPage(text)) {
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
