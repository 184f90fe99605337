import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { prefixOf, ruleFiles, rulesOf } from './spec-rules.ts';

const root = dirname(import.meta.dirname);
const files = ruleFiles();
const rules = files.flatMap(rulesOf);
const stated = new Set(rules.map(({ id }) => id));
const cited = new Set(['src', 'studies', 'test'].flatMap(citations));

function citations(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.test.ts'))
    .flatMap(name => [...readFileSync(join(root, folder, name), 'utf8').matchAll(/\[([A-Z]+-\d+)\]/g)])
    .map(match => match[1] as string);
}

it('every rule is cited by a test', () => {
  expect(rules.length).toBeGreaterThan(1000);
  expect([...stated].filter(rule => !cited.has(rule))).toEqual([]);
});

it('every citation names a rule', () => {
  expect([...cited].filter(rule => !stated.has(rule))).toEqual([]);
});

it('every rule has a number of its own', () => {
  const ids = rules.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

it('rules are one line each, in the order of their numbers, prefix by prefix', () => {
  const wrong = files.flatMap(file => {
    const lines = readFileSync(join(root, file), 'utf8').split('\n');
    const ids = rulesOf(file).map(({ id }) => id);
    const prefixes = [...new Set(ids.map(prefixOf))];
    const inOrder = ids.toSorted(
      (a, b) => prefixes.indexOf(prefixOf(a)) - prefixes.indexOf(prefixOf(b)) || numberOf(a) - numberOf(b),
    );
    const other = lines.filter(line => line.startsWith('- ') || line.startsWith(' ')).length - ids.length;
    return [
      ...ids.filter((id, index) => id !== inOrder[index]).map(id => `${file}: ${id} is out of order`),
      ...(other === 0 ? [] : [`${file} has ${other} lines that are no rules`]),
    ];
  });
  expect(wrong).toEqual([]);
});

it('a rule has at most 40 words', () => {
  const long = rules.filter(({ text }) => text.split(/\s+/).length > 40).map(({ id, file }) => `${file}: ${id}`);
  expect(long).toEqual([]);
});

it('SPEC.md lists every file with its prefixes', () => {
  const page = readFileSync(join(root, 'SPEC.md'), 'utf8');
  const rows = [...page.matchAll(/^\| \[(.+)\]\((.+)\) \| (.+) \|$/gm)].map(([, name, link, prefixes]) => {
    expect(link).toBe(name);
    return [name, prefixes?.split(', ')];
  });
  const found = files.map(file => [file, [...new Set(rulesOf(file).map(({ id }) => prefixOf(id)))]]);
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(found));
  expect(page.split('\n').length).toBeLessThan(80);
});

function numberOf(id: string): number {
  return Number(id.slice(prefixOf(id).length + 1));
}
