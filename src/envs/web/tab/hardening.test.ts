import { createContext, runInContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { createSafeLanguage } from '../page-program/safe-language.ts';
import { harden, readScript } from './hardening.ts';

/** A script that does a little of everything that our program does. */
const script = `const given = (function () {
  const pairs = new Map([['a', 1], ['b', 2]]);
  const [first, ...others] = 'x,y,z'.split(',');
  const sum = (...values) => values.reduce((all, value) => all + value, 0);
  const swap = ([one, two]) => [two, one];
  const options = { deep: { list: [3, 4] }, ...{ more: 5 } };
  const { deep: { list: [three] }, absent = 'none' } = options;
  let text = '';
  for (const [key, value] of pairs) text += key + value;
  for (const letter of 'hi') text += letter.toUpperCase();
  const found = /^(\\w)-(\\d)$/.exec('a-1') ?? [];
  const missing = null;
  return JSON.stringify({
    first, others, sum: sum(...[1, 2], 3), swapped: swap(['p', 'q']), three, absent, text, group: found[2],
    keys: Object.keys(options).filter(key => key.startsWith('m')).map(key => key.slice(0, 2)),
    is: sum instanceof Function, left: missing?.trim(), bound: sum.call(undefined, 4, 5), sorted: [...pairs.keys()].toSorted().join('-'),
  });
})();`;

/** Replaces every function of the language, and tells of each that is called. */
const patch = `globalThis.called = [];
for (const holder of [Object, Reflect, JSON, Array, String, Number, Math, Symbol, Object.prototype, Array.prototype, String.prototype, Number.prototype, Map.prototype,
  Set.prototype, RegExp.prototype, Function.prototype, [].values().__proto__, new Map().entries().__proto__, ''[Symbol.iterator]().__proto__])
  for (const key of Object.getOwnPropertyNames(holder).concat(Object.getOwnPropertySymbols(holder))) {
    const found = Object.getOwnPropertyDescriptor(holder, key);
    if (!found.configurable || key === 'constructor' || key === '__proto__') continue;
    for (const part of ['value', 'get']) if (typeof found[part] === 'function') found[part] = () => { called[called.length] = String(key); throw 0 };
    if (holder !== Object || key !== 'defineProperty') later[later.length] = () => define(holder, key, found);
  }
for (let index = 0; index < later.length; index++) later[index]();
const getter = key => ({ __proto__: null, get() { called[called.length] = key }, configurable: true });
const names = ['absent', 'then', '0', 'value'];
for (let index = 0; index < names.length; index++) define(Object.prototype, names[index], getter(names[index]));`;

describe('a hardened script', () => {
  it('[SITE-113] works as before, and calls no function that a script of its realm has replaced', () => {
    const [page, own] = [createContext({}), createContext({})];
    const run = runInContext(`(${harden(readScript(script), 'given')})`, page) as (...values: unknown[]) => string;
    const plain = runInContext(`${script}; given`, createContext({})) as string;
    const safe = createSafeLanguage(runInContext('globalThis', own) as typeof globalThis);
    runInContext(`const later = [], define = Object.defineProperty; ${patch}`, page);
    expect(run(safe, runInContext('globalThis', page))).toBe(plain);
    expect(runInContext('called.length', page)).toBe(0);
  });
});
