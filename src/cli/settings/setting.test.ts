import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { settingsInFile } from './given-settings.ts';
import { assign, readAssignment } from './setting.ts';
import { settingsOf } from './verb-settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'espalier-setting-'));
afterAll(() => rmSync(folder, { recursive: true }));

const module = { strategy: { kind: 'module' } };

function set(...texts: readonly string[]): Record<string, unknown> {
  return assign(module, texts.map(readAssignment), settingsOf('collect'));
}

test('[CLI-21] options of a module keep any plain name, and a later value replaces an earlier one', () => {
  expect(set('strategy.options.width=3', 'strategy.options.a.b=x', 'strategy.options.width=4')).toEqual({
    strategy: { kind: 'module', options: { width: 4, a: { b: 'x' } } },
  });
});

test.each([
  ['strategy.options.__proto__=1', 'There is no setting'],
  ['strategy.options.__proto__.polluted=1', 'There is no setting'],
  ['strategy.options.=1', 'There is no setting'],
  ['strategy.options.constructor.x=1', 'lies in "constructor"'],
])('[CLI-21] %s is refused, and changes no other object', (text, message) => {
  expect(() => set(text)).toThrow(message);
  expect({}).not.toHaveProperty('polluted');
  expect(Object).not.toHaveProperty('x');
});

test('[CLI-21] a setting inside of a plain value is refused', () => {
  expect(() => set('strategy.options.a=5', 'strategy.options.a.b=1')).toThrow('lies in "a", which has another value');
});

test('[CLI-21] a broken or endlessly nested file is refused by name', () => {
  const [toml, deep] = [join(folder, 'broken.toml'), join(folder, 'deep.json')];
  writeFileSync(toml, 'width = = 4');
  expect(() => settingsInFile(toml)).toThrow(/broken\.toml cannot be read: .*Expected TOML/s);
  writeFileSync(deep, `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`);
  expect(() => assign(module, settingsInFile(deep), settingsOf('rl'))).toThrow('There is no setting "a.a.a.a');
});
