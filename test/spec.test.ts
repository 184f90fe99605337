import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

const root = dirname(import.meta.dirname);
const stated = [...readFileSync(join(root, 'SPEC.md'), 'utf8').matchAll(/^- \*\*([A-Z]+-\d+)\*\*/gm)].map(
  match => match[1] as string,
);
const rules = new Set(stated);

function citations(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.test.ts'))
    .flatMap(name => [...readFileSync(join(root, folder, name), 'utf8').matchAll(/\[([A-Z]+-\d+)\]/g)])
    .map(match => match[1] as string);
}

const cited = new Set([...citations('src'), ...citations('studies'), ...citations('test')]);

it('every rule of the specification is cited by a test', () => {
  expect(rules.size).toBeGreaterThan(30);
  expect([...rules].filter(rule => !cited.has(rule))).toEqual([]);
});

it('every citation names a rule of the specification', () => {
  expect([...cited].filter(rule => !rules.has(rule))).toEqual([]);
});

it('every rule has a number of its own', () => {
  expect(stated.filter((rule, index) => stated.indexOf(rule) !== index)).toEqual([]);
});
