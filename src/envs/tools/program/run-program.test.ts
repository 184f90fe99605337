import { describe, expect, it } from 'vitest';
import type { Json } from '../../../core/json.ts';
import { runProgram } from './run-program.ts';
import { programLimits, ProgramError } from './values.ts';

const calls: Json[] = [];
const run = (source: string): Json =>
  runProgram(source, {
    tools: ['find_order'],
    call(tool, input) {
      calls.push(input);
      return `${tool}-result`;
    },
  });

describe('a program', () => {
  it('[TOOLS-5] computes with texts, numbers, arrays, objects, loops and functions', () => {
    expect(run('let sum = 0; for (const n of [1, 2, 3]) { if (n === 2) continue; sum += n; } return sum;')).toBe(4);
    expect(run('const f = n => n < 2 ? n : f(n - 1) + f(n - 2); return [1, 5, 9].map(f).join("/");')).toBe('1/5/34');
    expect(run('function g(a) { return `${a.name.toUpperCase()}!`; } return g({ name: "ann" });')).toBe('ANN!');
    expect(run('const o = {}; o.a = 1; o["b"] = [o.a, 2]; return { o, n: o.missing ?? null };')).toEqual({
      o: { a: 1, b: [1, 2] },
      n: null,
    });
    expect(run('let i = 0; while (true) { if (++i > 4) break; } return "a,b".split(",").concat(i);')).toEqual([
      'a',
      'b',
      5,
    ]);
    expect(run('for (let i = 0; i < 3; i++) { find_order({ city: "c" + i }); }')).toBeNull();
    expect(calls).toEqual([{ city: 'c0' }, { city: 'c1' }, { city: 'c2' }]);
  });

  it.each([
    ['a prototype', 'return ({}).__proto__.polluted;', 'no member'],
    ['a prototype of a text', 'return "x".__proto__;', 'no member'],
    ['a constructor', 'return find_order.constructor("return process")();', 'no method'],
    ['a constructor of an array', 'return [].constructor;', 'no member'],
    ['a computed constructor', 'return ""["con" + "structor"];', 'no member'],
    ['a method of functions', 'return find_order.call(null, {});', 'no method'],
    ['a getter', 'return { get a() { return 1; } };', 'plain members'],
    ['a setter', 'return { set a(v) {} };', 'plain members'],
    ['toString', 'return "" + { toString: () => "x" };', 'Expected a text'],
    ['valueOf', 'return 1 - { valueOf: () => 1 };', 'Expected a number'],
    ['a prototype in JSON', 'return { ["__proto__"]: 1 };', '__proto__'],
    ['this', 'return this;', 'ThisExpression'],
    ['the host', 'return process.env;', 'not defined'],
    ['globals', 'return globalThis;', 'not defined'],
    ['eval', 'return eval("1");', 'not defined'],
    ['import', 'return import("node:fs");', 'ImportExpression'],
    ['new', 'return new Map();', 'NewExpression'],
    ['a class', 'class A {}', 'ClassDeclaration'],
    ['a regular expression', 'return /(a+)+$/;', 'regular expressions'],
    ['a tagged template', 'return find_order`x`;', 'TaggedTemplate'],
    ['async', 'const f = async () => 1;', 'synchronous'],
    ['a generator', 'function* g() {}', 'synchronous'],
    ['catching a limit', 'try { while (true) {} } catch { }', 'TryStatement'],
    ['destructuring', 'const { a } = {};', 'declare one name'],
    ['another tool', 'find_order = 1;', 'constant'],
    ['wrong syntax', 'let = ;', 'cannot be read'],
  ])('[TOOLS-5] is refused %s', (_what, source, message) => {
    expect(() => run(source)).toThrow(ProgramError);
    expect(() => run(source)).toThrow(message);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it.each([
    ['an endless loop', 'for (;;) {}', 'steps'],
    ['an array that grows while it is read', 'const a = [1]; for (const x of a) a.push(x);', /steps|memory/],
    ['a huge text', 'let s = "x"; while (true) s += s;', 'text of more than'],
    [
      'many large texts',
      'let s = "x"; while (s.length < 8000) s += s; const a = []; while (true) a.push(s + 1);',
      'memory',
    ],
    [
      'a text from many parts',
      'let s = "x"; while (s.length < 4000) s += s; return [s, s, s, s].join("");',
      'text of more',
    ],
    ['endless recursion', 'const f = () => f(); f();', 'nested too deeply'],
    ['a value that contains itself', 'const a = []; a.push(a); return a;', 'nested too deeply'],
    ['a value that is huge when written', 'let a = [1]; for (let i = 0; i < 40; i++) a = [a, a]; return a;', 'steps'],
    ['deep brackets', `return ${'['.repeat(4000)}${']'.repeat(4000)};`, 'nested too deeply'],
    ['deep brackets that are never reached', `if (false) { ${'('.repeat(61)}1${')'.repeat(61)} }`, 'nested too deeply'],
    ['deep syntax that is never reached', `if (false) ${'!'.repeat(300)}1`, 'nested too deeply'],
    ['deep negation', `return ${'!'.repeat(9000)}1;`, 'nested too deeply'],
    ['deep conditions', `${'if (1) '.repeat(1200)};`, 'nested too deeply'],
    ['a long source', ' '.repeat(programLimits.source + 1), 'at most'],
    ['searches in a large text', 'let s = "a"; while (s.length < 8000) s += s; while (true) s.includes(s);', 'memory'],
    ['an array with a gap', 'const a = []; a[4000000000] = 1;', 'no member'],
  ])('[TOOLS-6] is stopped at %s', (_what, source, message) => {
    const start = performance.now();
    expect(() => run(source)).toThrow(message);
    expect(() => run(source)).toThrow(ProgramError);
    expect(performance.now() - start).toBeLessThan(3000);
  });
});
