import { expect, it } from 'vitest';
import { analyseScript, type ScriptKind } from './script-analysis.ts';

/** What the function whose parameters or body begin at `¦` uses, and which of that changes. */
function read(marked: string, kind: ScriptKind = 'module') {
  const [before = '', after = ''] = marked.split('¦');
  const { bindings } = analyseScript(before + after, kind);
  const lines = before.split('\n');
  const found = bindings?.at(lines.length - 1, lines.at(-1)?.length ?? 0);
  if (found === null || found === undefined) throw new Error(`There is no function in ${marked}`);
  return { ...found, ...found.told };
}

type Case = readonly [source: string, uses: string, assigned: string, kind?: ScriptKind];

const cases: readonly Case[] = [
  ['let a = 1; const f = ¦() => a;', 'a', ''],
  ['let a = 1; const f = ¦() => a; a = 2;', 'a', 'a'],
  ['let a = 1; const f = ¦() => a; { let a = 1; a = 2; }', 'a', ''],
  ['let e = 1; const f = ¦(e) => { e = 2; };', '', ''],
  ['const f = ¦() => { const g = () => a; }; let a; a++;', 'a', 'a'],
  ['var a = 1; const f = ¦() => a;', 'a', ''],
  ['var a = 1; var a = 2; const f = ¦() => a;', 'a', 'a'],
  ['for (;;) { var a = 1; use(¦() => a); }', 'a', 'a'],
  ['for (const a of b) use(¦() => a);', 'a', ''],
  ['for (var a of b) use(¦() => a);', 'a', 'a'],
  ['for (let i = 0; i < 3; i++) use(¦() => i);', 'i', 'i'],
  ['let a; for (a of b) use(¦() => a);', 'a', 'a'],
  ['let a; ({ k: [a] } = b); use(¦() => a);', 'a', 'a'],
  ['function g(p) { return ¦() => p; }', 'p', ''],
  ['function g(p) { return ¦() => p + arguments.length; }', 'p arguments', 'p'],
  ['function g(p) { arguments[0] = 1; return ¦() => p; }', 'p', 'p'],
  ['function g(p) { var p = 2; return ¦() => p; }', 'p', 'p'],
  ['function g(p) { function p() {} return ¦() => p; }', 'p', 'p'],
  ['let x = 1; x = 2; function f¦(a = () => x) { var x; }', 'x', 'x'],
  ['let x = 1; x = 2; function f(a = ¦() => x) { var x; }', 'x', 'x'],
  ['let x = 1; x = 2; function f(a = () => x) { var x; return ¦() => x; }', 'x', ''],
  [
    'let x = 1; x = 2; switch (x) { case 1: { let x = 3; } } const f = ¦() => { switch (x) { case 0: let x; } };',
    'x',
    'x',
  ],
  ['try {} catch (e) { use(¦() => e); }', 'e', ''],
  ['try {} catch (e) { var e = 1; use(¦() => e); }', 'e', 'e'],
  ['class A { static n = 0; m¦() { return A; } }', 'A', ''],
  ['const A = ¦class B { m() { return a + B; } }; let a; a = 1;', 'a', 'a'],
  ['let a; a = 1; class A { constructor¦(b) { use(b); } m() { return a; } }', 'a', 'a'],
  ['import { a } from "./b.js"; const f = ¦() => a;', 'a', 'a'],
  ['let g = 1; g = 2; function f¦() { { function g() {} } return g; }', 'g', 'g'],
  ['let g = 1; g = 2; function f¦() { { function g() {} } return g; }', 'g', 'g', 'script'],
  ['const f = function g¦() { return g; };', 'g', ''],
  ['label: for (;;) use(¦() => { o.label; ({ label: 1 }); break_; }); var o, break_;', 'o break_', ''],
];

for (const [source, uses, assigned, kind = 'module'] of cases)
  it(`[SITE-131] tells what a function uses: ${source}`, () => {
    const words = (text: string): string[] => text.split(' ').filter(Boolean).toSorted();
    const found = read(source, kind);
    expect([found.uses.toSorted(), found.assigned?.toSorted()]).toEqual([words(uses), words(assigned)]);
  });

it('[SITE-131] nothing in a variable is final, unless an async function or a generator may still declare it', () => {
  expect(read('async function f() { await 0; const a = 1; return ¦() => a; }').late).toEqual(['a']);
  expect(read('function f() { const a = 1; return ¦() => a; }').late).toEqual([]);
});

it('[SITE-131] says what cannot be seen from within a function, though it uses it', () => {
  expect(read('let x = 1; x = 2; function f¦(a = x) { var x; }').covered).toEqual(['x']);
  expect(read('let x; function g(y) { return ¦(z) => x; }').hides.toSorted()).toEqual(['arguments', 'y', 'z']);
});

it('[SITE-127] tells the class whose private members or super a function uses', () => {
  const source = 'class A extends B { #n = 1; #m() {} a() { return ¦() => this.#n + super.a(); } }';
  const home = { offset: 0, fields: ['n'], isSingle: true };
  expect(read(source)).toMatchObject({ privates: [home], supers: [home], usesThis: true });
  expect(read(source, 'script')).toMatchObject({ privates: [{ ...home, isSingle: false }] });
  expect(read(`const make = () => ${source}`)).toMatchObject({ privates: [{ isSingle: false }] });
  expect(read('class A { #n; a() { return class { #n; b() { return ¦() => this.#n; } }; } }').privates).toMatchObject([
    { fields: ['n'], isCovered: false },
  ]);
});

it('[SITE-128] tells what stands at the top of a module, and which functions use nothing else', () => {
  const source =
    'let n = 0; function up() { n++; } const get = () => n; let other = () => 1; other = 2; export { up };';
  expect(analyseScript(source, 'module').bindings?.top).toEqual({
    names: ['n', 'up', 'get', 'other'],
    plain: [
      { name: 'up', tail: 'function up() { n++; }' },
      { name: 'get', tail: '() => n' },
    ],
  });
  expect(analyseScript(source.replace('export { up };', ''), 'script').bindings?.top).toBeNull();
});

it('[SITE-131] tells functions that share a scope by a function that each such scope has of its own', () => {
  const source = 'const make = () => { let n = 0; function up() { n++; } return { up, get: ¦() => up && n }; };';
  expect(read(source).owners).toEqual([{ mark: 'up', names: ['n'] }]);
});

it('[SITE-131] tells all that changes in a shared scope and can be seen from within a function, whichever it uses itself', () => {
  const body = 'let n = 0, m = 0, k = 0; const one = 1; function up() { n++; m++; k = one; up; }';
  const found = read(`const make = () => { ${body} return ¦(k) => n + k; };`);
  expect(found.owners).toEqual([{ mark: 'up', names: ['n'] }]);
  expect([...found.visible]).toEqual([['up', ['n', 'm']]]);
  // A mark that another variable hides cannot be read from there.
  expect(read(`const make = () => { ${body} return ¦(up) => n; };`).owners).toEqual([]);
  const more = 'function down() { down; }';
  expect(read(`const make = () => { ${body} ${more} return ¦(up) => n; };`).owners).toEqual([
    { mark: 'down', names: ['n'] },
  ]);
});
