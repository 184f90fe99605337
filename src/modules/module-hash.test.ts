import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { hash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { identityOf } from '../runs/evaluation/find-evaluated.ts';
import { hashModule } from './module-hash.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-module-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string): string {
  const full = join(folder, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
  return full;
}

describe('the hash of a module', () => {
  it('is another student when a file changed that its module imports [RUN-41]', () => {
    const source = write('mine.ts', "import { act } from './act.ts';\nexport const policy = { name: 'mine', act };\n");
    write('act.ts', "export * from './deep/act.ts';\n");
    write('deep/act.ts', 'export const act = () => 1;\n');
    const before = identityOf({ name: 'mine', source, policyFor: () => null as never });
    write('deep/act.ts', 'export const act = () => 2;\n');
    expect(identityOf({ name: 'mine', source, policyFor: () => null as never })).not.toBe(before);
    write('deep/act.ts', 'export const act = () => 1;\n');
    expect(identityOf({ name: 'mine', source, policyFor: () => null as never })).toBe(before);
  });

  it.each([
    ["import './x.ts'", 'x.ts'],
    ["export { a } from './x.ts'", 'x.ts'],
    ['import a from"./x.mjs"', 'x.mjs'],
    ["import {\n  a,\n  b,\n} from './x.ts'", 'x.ts'],
    ["const a = await import('./x.ts')", 'x.ts'],
    ["const a = await import(/* late */ './x.ts')", 'x.ts'],
    ['const a = await import(`./x.ts`)', 'x.ts'],
    ["const a = require('./x')", 'x.js'],
    ["const a = require('./x')", 'x/index.js'],
    ["import a from './x.json' with { type: 'json' }", 'x.json'],
    ["import a from './x.ts?v=1'", 'x.ts'],
    ["const a = readFileSync(new URL('./weights.bin', import.meta.url))", 'weights.bin'],
    ["const a = readFileSync(new URL('weights.bin', import.meta.url))", 'weights.bin'],
    ["const a = import.meta.resolve('../beside.ts')", '../beside.ts'],
  ])('follows %j', (line, path) => {
    const entry = write('own/mine.ts', `${line};\n`);
    write(join('own', path), 'one');
    const before = hashModule(entry);
    write(join('own', path), 'two');
    expect(hashModule(entry)).not.toBe(before);
  });

  it('counts a package by its version, and nothing else of it', () => {
    const entry = write('mine.ts', "import { a } from '@own/words/more';\nimport 'node:fs';\nimport 'espalier';\n");
    write('node_modules/@own/words/package.json', '{"name":"@own/words","version":"1.0.0"}');
    write('node_modules/@own/words/more.js', 'one');
    const before = hashModule(entry);
    write('node_modules/@own/words/more.js', 'two');
    expect(hashModule(entry)).toBe(before);
    write('node_modules/@own/words/package.json', '{"name":"@own/words","version":"1.0.1"}');
    expect(hashModule(entry)).not.toBe(before);
  });

  it('follows the names that the own package.json gives to files', () => {
    write('package.json', '{"name":"own","imports":{"#act":"./act.cjs"}}');
    const entry = write('mine.cjs', "const { act } = require('#act');\n");
    write('act.cjs', 'one');
    const before = hashModule(entry);
    write('act.cjs', 'two');
    expect(hashModule(entry)).not.toBe(before);
  });

  it('is the hash of the text of a module that imports nothing of the user’s, as in earlier runs', () => {
    const text = "import { defineApp } from 'espalier';\nimport { join } from 'node:path';\n";
    expect(hashModule(write('mine.ts', text))).toBe(hash('sha256', text));
  });

  it('ends where modules import each other, and where a file is missing', () => {
    const entry = write('mine.ts', "import './other.ts';\nimport './gone.ts';\n");
    write('other.ts', "import './mine.ts';\n");
    const before = hashModule(entry);
    write('gone.ts', '');
    expect(hashModule(entry)).not.toBe(before);
  });
});
