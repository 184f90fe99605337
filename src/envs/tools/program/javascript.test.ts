import { createContext, runInContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../core/json.ts';
import { createRandom } from '../../../core/random.ts';
import { randomProgram } from '../../../../test/fixtures/tools/random-program.ts';
import { runProgram } from './run-program.ts';
import { ProgramError } from './values.ts';

type Outcome = { readonly result: string; readonly calls: readonly string[] } | { readonly error: string };

/** What our interpreter makes of a program. */
function interpreted(source: string): Outcome {
  const calls: string[] = [];
  try {
    const result = runProgram(source, {
      tools: ['tool'],
      call(_tool, input) {
        calls.push(JSON.stringify(input));
        return calls.length % 2 === 0;
      },
    });
    return { result: JSON.stringify(result), calls };
  } catch (cause) {
    if (!(cause instanceof ProgramError)) throw cause;
    return { error: cause.message };
  }
}

const context = createContext({ tool: () => false });

/** What Node.js makes of it. Undefined is null in JSON of tools. */
function executed(source: string): Outcome {
  const calls: string[] = [];
  const json = (value: unknown): string =>
    JSON.stringify(value ?? null, (_key, member: unknown) => (member === undefined ? null : member) as Json);
  const tool = (input: unknown): boolean => {
    calls.push(json(input));
    return calls.length % 2 === 0;
  };
  try {
    const program = `'use strict'; (function () { ${source}\n })()`;
    context['tool'] = tool;
    return { result: json(runInContext(program, context, { timeout: 1000 })), calls };
  } catch (cause) {
    return { error: String(cause) };
  }
}

describe('programs', () => {
  it.each([
    ['an index is worked out once', 'const a = [1, 2, 3]; let i = 0; a[i++] += 10; return { a, i };'],
    ['an index is worked out once by ++', 'const a = [1, 2, 3]; let i = 0; a[i++]++; return { a, i };'],
    ['the left side is read first', 'let n = 1; n += (n = 5); return n;'],
    ['the place comes before the value', 'const o = {}; let n = 0; o[n++] = n++; return { o, n };'],
    ['join leaves null and undefined empty', 'return [1, null, undefined].join("-");'],
    ['split without a separator', 'return "xundefinedy".split();'],
    ['split with a limit of 2^32', 'return ["a,b".split(",", 4294967296), "a,b".split(",", 4294967297)];'],
    ['split with a negative limit', 'return ["a,b".split(",", -1), "a,b".split(",", -4294967296)];'],
    [
      'own members with inherited names',
      'const o = { constructor: 1 }; o.toString = 2; return [o.constructor, o.toString];',
    ],
    ['split with a limit', 'return "a,b,c".split(",", 2);'],
    [
      'every turn has its own name',
      'const f = []; for (let i = 0; i < 3; i++) f.push(() => i); return f.map(g => g());',
    ],
    ['a search from a place', 'return ["abca".indexOf("a", 1), "abc".includes("a", 1), [1, 2].indexOf(1, 1)];'],
    ['concat of several', 'return [1].concat([2], 3, [[4]]).concat();'],
    [
      'every and some stop early',
      'let n = 0; return [[1, 2, 3].every(x => ++n && x < 2), [1, 2, 3].some((x, at, all) => ++n && x + at > all.length), [].every(x => false), [].some(x => true), n];',
    ],
    ['the array as third argument', 'return [1, 2].map((x, at, all) => all.length + at);'],
  ])('[TOOLS-9] do what JavaScript does: %s', (_what, source) => {
    expect(interpreted(source)).toEqual(executed(source));
  });

  it.each([
    ['a name before its declaration', 'const a = 1; { const b = a; const a = 2; return b; }'],
    ['a name before its declaration, assigned', 'let x = 1; { x = 5; let x = 2; } return x;'],
    ['a name in its own declaration', 'const a = 1; { const a = a + 1; return a; }'],
    ['a name in the list that it goes through', 'const x = [1]; for (const x of x) { return x; }'],
    ['a function outside of its block', '{ function f() { return 1; } } return f();'],
  ])('[TOOLS-9] fail where JavaScript does: %s', (_what, source) => {
    expect(executed(source)).toHaveProperty('error');
    expect(interpreted(source)).toHaveProperty('error');
  });

  it.each([
    ['toString', 'return typeof ({}).toString;'],
    ['a constructor', 'return ({}).constructor === undefined;'],
    ['a computed prototype', 'const o = {}; return o["__proto__"] === undefined;'],
    ['a prototype that is given', 'return ({ __proto__: { a: 1 } }).a === undefined;'],
    ['a prototype that is set', 'const o = {}; o["__proto__"] = 5; return 1;'],
    ['a word that counts', 'const seen = {}; for (const w of ["constructor"]) { if (seen[w]) return w; } return 0;'],
    ['valueOf', 'return ({}).valueOf === undefined;'],
  ])('[TOOLS-9] are refused inherited names with words: %s', (_what, source) => {
    expect(interpreted(source)).toEqual({ error: expect.stringMatching(/inherit no member "\w+". Use another name/) });
  });

  it('[TOOLS-9] by chance do what JavaScript does, or are refused', () => {
    let compared = 0;
    const programs = 500;
    for (let seed = 0; seed < programs; seed++) {
      const source = randomProgram(createRandom(`program ${seed}`));
      const ours = interpreted(source);
      if ('error' in ours) continue;
      compared++;
      expect({ source, ...ours }).toEqual({ source, ...executed(source) });
    }
    expect(compared).toBeGreaterThan(programs / 2);
  });
});
