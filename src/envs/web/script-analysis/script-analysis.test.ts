import { describe, expect, it } from 'vitest';
import { analyseScript, type ScriptKind } from './script-analysis.ts';

type Case = readonly [source: string, assigned: string | null, hidden?: readonly string[], kind?: ScriptKind];

const holdsArguments = 'the arguments object, held as a value';

const assignments: readonly Case[] = [
  ['const a = 1; let b = 2; class C {} function f(p) { return p; }', ''],
  ['let a; a = 1;', 'a'],
  ['let a = 1; a += 1; let b; b ??= 2; let c; c ||= 3; let d; d &&= 4; let e = 2; e **= 2;', 'a b c d e'],
  ['let a = 0; a++; let b = 0; --b;', 'a b'],
  ['let a, b, c, d; [a, , [b], ...c] = list; ({ key: d } = o);', 'a b c d'],
  ['let a, b, c; ({ a, x: [b = 1], ...c } = o);', 'a b c'],
  ['let a = 1, b; [a = b] = [];', 'a'],
  ['let a = {}; a.b = 1; a["c"]++; [a.d] = []; ({ e: a.e } = o); for (a.f of []);', ''],
  ['for (const a of list) use(() => a); for (let b in o) use(() => b);', ''],
  ['let a; for (a of list); let b; for (b in o); let c; for ([c] of list);', 'a b c'],
  ['for (var a of list); for (var { b } of list); for (var c in o);', 'a b c'],
  ['for (let i = 0; i < 3; i++) use(() => i);', 'i'],
  ['for (let i = 0, stop = 3; i < stop; ) { i += 1; }', 'i'],
  ['for (var i = 0; ;) break;', 'i'],
  ['var a = 1; var b; var { c, d: [e] } = o;', 'a c e'],
  ['function f() { var inner = 1; return () => inner; }', 'inner'],
  ['{ function f() {} }', 'f'],
  ['if (x) function f() {}', 'f'],
  ['switch (x) { case 1: function f() {} }', 'f'],
  ['label: function f() {}', 'f'],
  ['function f() {} function f() {}', 'f'],
  ['function f() { function g() {} } function g() {}', ''],
  ['function f(g) { function g() {} }', 'g'],
  ['function f() {} f = null; class C {} C = null;', 'f C'],
  ['const f = function g() { g = 1; };', 'g'],
  ['try {} catch (e) { use(() => e); }', 'e'],
  ['try {} catch ({ message: [m] }) {} try {} catch {}', 'm'],
  ['try {} catch (e) { var e = 1; }', 'e'],
  ['function f(a, { b }, ...c) { arguments[0] = 1; }', 'a b c'],
  ['function f(a) { return () => arguments.length; }', 'a'],
  ['function f(a) { return function (b) { return arguments.length; }; }', 'b'],
  ['const o = { arguments: 1 }; function f(a) { return o.arguments; }', ''],
  ['delete a;', 'a'],
  ['with (o) { a; }', null, ['a with statement']],
  ['const run = eval; (0, eval)("1"); window.eval("2");', ''],
  ['let \\u0061b = 1; ab = 2;', 'ab'],
  ['a => { a = 1; };', 'a'],
  ['((a = 1, { b = 2 } = {}) => a + b)();', ''],
  ['((a, b = (a = 2)) => b)();', 'a'],
  ['class A { x = (n = 1); static { m = 2; } [k = 3]() {} }', 'n m k'],
  ['`${a = 1}`; tag`${b++}`;', 'a b'],
  ['const f = async () => { n = await n; };', 'n'],
  ['<!-- a = 1\nb = 2;\n--> c = 3', 'b'],
  ['#!/usr/bin/env node\na = 1', 'a'],
  ['a = 1; return false;', 'a', [], 'function-body'],
  ['value = arguments.length', 'value event source lineno colno error', [], 'function-body'],
  ['import a, { b as c } from "x"; import * as d from "y";', 'a c d', [], 'module'],
  ['export let a = 1; export const b = 2;', 'a', [], 'module'],
  ['export function f() {} export default class {}', '', [], 'module'],
  ['a<!--b', 'b', [], 'module'],
];

const givesBack = 'a constructor that returns what it was given, and a class with private members';

const features: readonly Case[] = [
  ['function* ids() { yield 1; }', '', ['generator functions: ids']],
  ['const o = { *each() {} }; class A { *all() {} }', '', ['generator functions: each, all']],
  ['async function* f() {}', '', ['async generator functions: f']],
  ['async () => { for await (const a of b); };', ''],
  ['class A { #n = 0; static #m() {} static is(o) { return #n in o; } }', ''],
  ['const { then } = p; p.then(f); p["then"](f); p?.then;', ''],
  ['const o = { m() { return super.m(); } };', '', ['super in methods of object literals: super.m']],
  ['const o = { m() { return () => super[k]; } };', '', ['super in methods of object literals']],
  ['class A extends B { constructor() { super(); } }', ''],
  ['class A extends B { m() { return super.m(); } static n = super.n; }', ''],
  ['class A { constructor(o) { return o; } } class B extends A { #n = 0; }', '', [givesBack]],
  ['class A { constructor(o) { return o; } } class B extends A { static #n = 0; } class C { #n = 0; }', ''],
  ['class A { constructor(a, o = {}) { return a ? o : this; } } class B extends A { #m() {} }', '', [givesBack]],
  ['class A { constructor(o) { return new Proxy(this, o); } m(o) { return o; } } class B extends A { #n = 0; }', ''],
  ['class A { constructor(o) { const f = function (o) { return o; }; f(o); } }', ''],
  ['import("x");', ''],
  ['await p;', '', ['top-level await'], 'module'],
  ['for await (const a of b);', '', ['top-level await'], 'module'],
  ['use(import.meta.url);', '', [], 'module'],
  ['const mode = import.meta.env?.MODE; if (import.meta.hot) import.meta.hot.accept();', '', [], 'module'],
  [
    'let x; x = import.meta.env; use({ a: import.meta.env }, import.meta["dirname"], -import.meta.n);',
    'x',
    [],
    'module',
  ],
  ['import.meta.n++;', '', ['import.meta'], 'module'],
  ['delete import.meta.n;', '', ['import.meta'], 'module'],
  ['[import.meta.n] = [1];', '', ['import.meta'], 'module'],
  ['({ a: import.meta.n } = { a: 1 });', '', ['import.meta'], 'module'],
  ['({ a: import.meta.n = 2 } = {});', '', ['import.meta'], 'module'],
  ['[...import.meta.n] = [1];', '', ['import.meta'], 'module'],
  ['for (import.meta.n of [1]);', '', ['import.meta'], 'module'],
  ['const { env } = import.meta;', '', ['import.meta'], 'module'],
  ['use({}[import.meta]);', '', ['import.meta'], 'module'],
  ['use(import.meta);', '', ['import.meta'], 'module'],
  ['import.meta.url = 1;', '', ['import.meta'], 'module'],
  ['const f = async () => { await p; };', '', [], 'module'],
  ['RegExp.$1;', '', ['static members of RegExp']],
  ['window.RegExp.lastMatch;', '', ['static members of RegExp: RegExp']],
  ['/x/.constructor.input;', '', ['static members of RegExp: input']],
  ['const R = RegExp; use(RegExp);', '', ['static members of RegExp']],
  [
    'new RegExp("a"); RegExp("b"); x instanceof RegExp; x.constructor === RegExp; RegExp.prototype; RegExp.escape(x);',
    '',
  ],
  ['new WeakRef(o); new FinalizationRegistry(f);', ''],
  ['window.Atomics; self["WebAssembly"];', '', ['the use of Atomics', 'the use of WebAssembly']],
  ['new DisposableStack();', '', ['the use of DisposableStack']],
  ['function f() { kept = arguments; }', 'kept', [holdsArguments]],
  ['function f() { return arguments; }', '', [holdsArguments]],
  ['function f() { "use strict"; return arguments; }', ''],
  ['function f() { return arguments; }', '', [], 'module'],
  ['class A { m() { return arguments; } }', ''],
  ['function f() { g(arguments); }', '', [holdsArguments]],
  ['function f() { return arguments.callee; }', '', [holdsArguments]],
  ['function f() { return arguments[0]() + arguments[Symbol.iterator](); }', '', [holdsArguments]],
  ['function f() { return g.apply(this, arguments) + g(...arguments) + arguments.length + arguments[i]; }', ''],
  ['function f() { return [].slice.call(arguments, 1).concat(Array.from(arguments)); }', ''],
  ['function f() { return Array.prototype.slice.call(arguments); }', ''],
  ['function f() { return kept.keep.call(arguments); }', '', [holdsArguments]],
  ['function f(x, a = () => x) { var x; }', ''],
  ['function f(a = x) { return () => { let x; }; }', ''],
  ['class A { m() {} get g() { return 1; } set g(v) {} static s = 1; f = () => this; static { use(this); } }', ''],
  ['tag`a${b}`; `then${a}`;', ''],
  ['async function f() { await using a = b; }', '', ['asynchronous disposal (await using)']],
  ['{ using a = b; }', ''],
  ['function A() { return () => new.target; }', ''],
];

const unparsable: readonly (readonly [source: string, kind?: ScriptKind])[] = [
  ['let a = ;'],
  ['@decorate class A {}'],
  ['class A { accessor x = 1; }'],
  ['return 1;'],
  ['await p;'],
  ['await p;', 'function-body'],
  ['});(function () {', 'function-body'],
  ['import "x";'],
  ['with (o) {}', 'module'],
  [`x = ${'('.repeat(100_000)}`],
];

function namesOf(text: string): ReadonlySet<string> {
  return new Set(text.split(' ').filter(name => name !== ''));
}

/** Long texts would fill the screen. */
const shown = (source: string): string => source.slice(0, 100);

describe('analyseScript', () => {
  for (const [source, assigned, hidden = [], kind = 'script'] of [...assignments, ...features])
    it(`[SITE-19] [SITE-21] reads ${shown(source)}`, () => {
      const found = analyseScript(source, kind);
      expect(found.assigned).toEqual(assigned === null ? null : namesOf(assigned));
      expect(found.hidden).toEqual(hidden);
    });

  for (const [source, kind = 'script'] of unparsable)
    it(`counts everything as assigned and hidden in ${shown(source)}`, () => {
      const hidden = [expect.stringContaining('cannot be parsed')];
      const modules = { now: [], later: [], calls: null, onceMade: [] };
      const unknown = { assigned: null, bindings: null, callsEval: true, escapedIdentifiers: true };
      expect(analyseScript(source, kind)).toEqual({ ...unknown, hidden, modules });
    });

  it.each([
    ['function f(a) { eval(a); }', true],
    ['(eval)("a = 1")', true],
    ['ev\\u0061l("a = 1")', true],
    ['f = (a = eval("b")) => a;', true],
    ['const run = eval; (0, eval)("1"); window.eval("2");', false],
  ])('[SITE-21] says whether eval is called by its name: %s', (source, isCalled) => {
    expect(analyseScript(source, 'script').callsEval).toBe(isCalled);
  });

  it.each([
    ['import a from "./a.js"; export * from "./b.js"; export const c = () => import("./c.js");', []],
    ['import a from "./a.js"; export * from "./b.js"; use(import("./c.js"));', null],
  ])('[SITE-129] says which modules a script asks for, and whether it only declares: %s', (source, calls) => {
    const modules = { now: ['./a.js', './b.js'], later: ['./c.js'], calls, onceMade: [] };
    expect(analyseScript(source, 'module').modules).toEqual(modules);
  });

  it.each([
    ['export default class { #a = now(); static b = [1, , "c", { d: /e/g, f() { g() } }]; ["h"]() {} }', true],
    [
      '"use strict"; const a = () => b(); let c, d = -1; class E { } export class F extends E { static g = a } export { c }',
      true,
    ],
    ['import { t } from "./a.js"; var a = /*#__PURE__*/ t(`<p>`), b = { c: [Array, String] };', true],
    ['import { t } from "./a.js"; var a = t(`<p>`);', false],
    ['import { t, b } from "./a.js"; var a = /*#__PURE__*/ t(b);', false],
    ['var a = /*#__PURE__*/ now();', false],
    ['import { Array } from "./a.js"; var b = Array;', false],
    ['var a = Array; function Array() {}', false],
    ['const a = now();', false],
    ['export default now();', false],
    ['export const a = location;', false],
    ['import { a } from "./a.js"; export const b = a;', false],
    ['let a = 1; export const b = a;', false],
    ['export const { a } = {};', false],
    ['export const a = [...""];', false],
    ['export const a = { [b]: 1 };', false],
    ['export const a = `${b}`;', false],
    ['export class A { static b = now() }', false],
    ['export class A { static { now() } }', false],
    ['export class A { [b]() {} }', false],
    ['import { B } from "./a.js"; export class A extends B {}', false],
    ['if (a) {}', false],
  ])(
    '[SITE-129] a module that only declares reads nothing, and calls only what is marked as pure: %s',
    (source, isInert) => {
      expect(analyseScript(source, 'module').modules.calls).toEqual(isInert ? [] : null);
    },
  );

  it('[SITE-129] what a module calls with nothing is named, with where it comes from', () => {
    const source =
      'import{n as e,r as t,t as n}from"./main.js";var r=/* @__PURE__ */ t(e(),1),i=n();export{r as default};';
    const from = './main.js';
    expect(analyseScript(source, 'module').modules.calls).toEqual([
      { from, name: 'n' },
      { from, name: 't' },
    ]);
    expect(analyseScript(source.replace('n()', 'n(1)'), 'module').modules.calls).toBeNull();
  });

  const rolldown = '(e,t)=>()=>(t||e((t={exports:{}}).exports,t),t.exports)';
  it.each([
    [rolldown, ['n']],
    ['(e, t) => () => (t || (e((t = { exports: {} }).exports, t, t.exports), e = null), t.exports)', ['n']],
    [
      '(cb, mod) => function __require() { return mod || (0, cb[__names(cb)[0]])((mod = { exports: {} }).exports, mod), mod.exports; }',
      ['n'],
    ],
    [rolldown.replace('t||', 't&&'), []],
    [rolldown.replaceAll('t.exports)', 'now())'), []],
    [rolldown.replace('(e,t)', '(t,e)'), []],
  ])('[SITE-129] a CommonJS module of a bundle gives the same once it ran: %s', (wrap, onceMade) => {
    const source = `var o=${wrap},u=o((e=>{e.a=1})),v=o((e=>{e.b=1})),c=e=>e,N=c(u(),1);export{u as n,v as r,c as t};`;
    expect(analyseScript(source, 'module').modules.onceMade).toEqual(onceMade);
  });

  it('says whether an identifier is written with escapes', () => {
    expect(analyseScript('const \\u0061 = 1;', 'script').escapedIdentifiers).toBe(true);
    expect(analyseScript('o.\\u{61}b;', 'script').escapedIdentifiers).toBe(true);
    const elsewhere = 'const ä = "\\u0061"; /\\u0061/.test(`\\u0061`); // \\u0061';
    expect(analyseScript(elsewhere, 'script').escapedIdentifiers).toBe(false);
  });
});
