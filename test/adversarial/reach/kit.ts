/**
 * The script that every hostile page begins with. `spy` looks at what it is handed, at everything that can be reached from there,
 * and at the calls below it on the stack. It tells of what is not the page's: objects of another realm, objects that inherit
 * nothing, and functions whose text stands in no script of the page. Told through the console: a rollback does not take it back.
 */
export const kit = (looks: boolean): string => `const kitLooks = ${looks};${script}`;

const script = String.raw`
const kit = (() => {
  const { apply, ownKeys, getPrototypeOf, getOwnPropertyDescriptor: member, defineProperty } = Reflect;
  const sourceOf = Function.prototype.toString, includes = String.prototype.includes, native = / \{\s*\[native code\]\s*\}$/;
  const test = RegExp.prototype.test.bind(native), say = console.info.bind(console), slice = String.prototype.slice;
  const Wrapped = Error, objects = Object.prototype, functions = Function.prototype, own = kitLooks ? new WeakSet() : new Set(), known = kitLooks ? new WeakSet() : new Set();
  const has = known.has.bind(known), add = known.add.bind(known), mine = own.has.bind(own), make = value => { if (kitLooks) own.add(value) };
  let text = '', busy = false, told = 0;
  const isObject = value => (typeof value === 'object' && value !== null) || typeof value === 'function';
  /** All that a page is given at the start is its own. */
  const learn = value => {
    const left = [value], ways = ['window'];
    while (left.length > 0) {
      const at = left.pop(), way = ways.pop();
      if (!isObject(at) || has(at)) continue;
      add(at);
      let above = at;
      for (let next = getPrototypeOf(at); next !== null; next = getPrototypeOf(above)) above = next;
      if (above !== objects && above !== at) say('reached', 'the window', 'an object of another realm: ' + way);
      let keys = [];
      try { keys = ownKeys(at) } catch { }
      for (const key of keys) { const found = member(at, key); if (found) { left.push(found.value, found.get, found.set); for (const part of ['', ' get', ' set']) ways.push(way + '.' + String(key) + part) } }
      left.push(getPrototypeOf(at));
      ways.push(way + '.__proto__');
    }
  };
  const strange = value => {
    if (!isObject(value) || has(value) || mine(value)) return null;
    if (typeof value === 'function') {
      let source = '';
      try { source = apply(sourceOf, value, []) } catch { return null }
      if (test(source)) return getPrototypeOf(value) === null || has(getPrototypeOf(value)) ? null : 'a native of another realm';
      return apply(includes, text, [source]) ? null : 'a function: ' + apply(slice, source, [0, 160]);
    }
    let at = value, above = null;
    for (let count = 0; count < 20; count++) { const next = getPrototypeOf(at); if (next === null) break; above = next; at = next }
    if (above === null) return 'an object that inherits nothing: ' + keysOf(value);
    return above === objects || mine(above) || has(above) ? null : 'an object of another realm: ' + keysOf(value);
  };
  const keysOf = value => { let words = ''; try { for (const key of ownKeys(value)) words += typeof key === 'string' ? key + ' ' : '' } catch { } return apply(slice, words, [0, 120]) };
  const look = (value, how, depth) => {
    const what = strange(value);
    if (what !== null) { if (told++ < 20) say('reached', how, what); kit.found(value); return }
    if (depth === 0 || !isObject(value) || has(value) || typeof value === 'function') return;
    let keys = [];
    try { keys = ownKeys(value) } catch { }
    for (let index = 0; index < keys.length && index < 30; index++) { const one = member(value, keys[index]); if (one) { look(one.value, how, depth - 1); look(one.get, how, depth - 1) } }
  };
  const sites = how => {
    const before = member(Error, 'prepareStackTrace');
    defineProperty(Error, 'prepareStackTrace', { value: (_, list) => list, configurable: true, writable: true });
    Error.stackTraceLimit = 100;
    const list = new Wrapped().stack;
    if (before) defineProperty(Error, 'prepareStackTrace', before); else delete Error.prepareStackTrace;
    if (typeof list !== 'object') return;
    for (let index = 0; index < list.length; index++) { look(list[index].getThis?.(), how + ' this of a call', 2); look(list[index].getFunction?.(), how + ' function of a call', 1) }
  };
  const callers = (run, how) => { try { for (let at = run, count = 0; at && count < 30; count++) { look(at, how + ' caller', 1); at = at.caller } } catch { } };
  const spy = (how, ...values) => {
    if (busy || !kitLooks) return;
    busy = true;
    try { for (let index = 0; index < values.length; index++) look(values[index], how, 2); sites(how) } catch (error) { } finally { busy = false }
  };
  /** A function in the place of another one. */
  const instead = (real, how, after) => {
    const run = function (...values) {
      spy(how, this, ...values);
      if (kitLooks) callers(run.caller, how);
      after?.();
      const given = new.target === undefined ? apply(real, this, values) : Reflect.construct(real, values, new.target === run ? real : new.target);
      spy(how + ' result', given);
      return given;
    };
    make(run);
    return run;
  };
  const limit = { always: Infinity, once: 1, few: 5, handler: Infinity };
  /** Puts a member in the place of another one, and takes it away again when its time is over. */
  const put = (holder, key, given, mode) => {
    const before = member(holder, key);
    if (before && !before.configurable && !before.writable) return null;
    const undo = () => { if (before) defineProperty(holder, key, before); else delete holder[key] };
    const redo = () => { try { defineProperty(holder, key, given) } catch { } };
    if (mode === 'handler') { addEventListener('click', () => { redo(); setTimeout(undo, 0) }, true) } else redo();
    let left = limit[mode];
    return () => { if (--left <= 0) undo() };
  };
  const patchKey = (holder, key, mode) => {
    const found = member(holder, key);
    if (!found || key === 'constructor' || key === 'prototype') return;
    let done = null;
    const after = () => done?.();
    const how = String(holder?.constructor?.name) + '.' + String(key);
    const given = { ...found };
    for (const name of ['value', 'get', 'set']) if (typeof given[name] === 'function') given[name] = instead(given[name], how, after);
    done = put(holder, key, given, mode);
  };
  const patch = (find, at, mode) => { try { const holder = find(); const keys = ownKeys(holder); patchKey(holder, keys[at % keys.length], mode) } catch { } };
  const patchAll = (find, mode) => { try { const holder = find(); for (const key of ownKeys(holder)) patchKey(holder, key, mode) } catch { } };
  const inherit = (find, key, lie, mode) => {
    const done = { run: null };
    const get = function () { spy('inherited ' + key, this); done.run?.(); return lie };
    const set = function (value) { spy('inherited ' + key, this, value); try { defineProperty(this, key, { value, writable: true, enumerable: true, configurable: true }) } catch { } };
    make(get); make(set);
    done.run = put(find(), key, { get, set, configurable: true }, mode);
  };
  const symbol = (find, key, mode) => {
    const holder = find(), real = holder[key];
    const get = function () { spy('symbol ' + String(key), this); return typeof real === 'function' ? instead(real, 'symbol ' + String(key)) : real };
    make(get);
    try { put(holder, key, { get, configurable: true }, mode) } catch { }
  };
  const global = (name, mode) => {
    const found = member(globalThis, name), value = globalThis[name];
    const get = function () { spy('global ' + name, this); return value };
    make(get);
    try {
      if (typeof value === 'function') { const given = instead(value, 'global ' + name); given.prototype = value.prototype; Object.setPrototypeOf(given, value); put(globalThis, name, { value: given, writable: true, configurable: true }, mode) }
      else put(globalThis, name, { get, configurable: true }, mode);
    } catch { }
  };
  const proxy = find => {
    const holder = find(), above = getPrototypeOf(holder);
    const traps = {};
    for (const name of ['get', 'set', 'has', 'getPrototypeOf', 'getOwnPropertyDescriptor', 'ownKeys'])
      traps[name] = (...values) => {
        if (typeof values[1] === 'string' && values[1].startsWith('espalier')) say('reached', 'proxy', 'a secret name: ' + values[1]);
        spy('proxy ' + name, values[2]);
        return Reflect[name](...values);
      };
    const made = new Proxy(above ?? {}, traps); make(made); try { Object.setPrototypeOf(holder, made) } catch { }
  };
  /** Answers for a node in the place of the browser. */
  const shadow = (find, name, lie, isOnce) => addEventListener('DOMContentLoaded', () => {
    const on = find();
    const get = function () { spy('shadow ' + name, this); if (isOnce) { delete on[name]; setTimeout(() => defineProperty(on, name, { get, configurable: true }), 0) } return lie };
    make(get);
    try { defineProperty(on, name, { get, configurable: true }) } catch { }
  });
  /** With a function of another realm, which nobody watches. */
  const smuggle = (find, key) => addEventListener('DOMContentLoaded', () => {
    const frame = document.createElement('iframe');
    document.body.append(frame);
    const define = frames[0]?.Object.defineProperty;
    frame.remove();
    const holder = find(), real = member(holder, key);
    if (!define || !real) return;
    const given = { ...real };
    for (const name of ['value', 'get']) if (typeof given[name] === 'function') { const run = given[name]; given[name] = function (...values) { spy('smuggled ' + key, this, ...values); return this?.id === 'box' && isBusy ? null : apply(run, this, values) }; make(given[name]) }
    let isBusy = false;
    addEventListener('click', () => { isBusy = !isBusy; define(holder, key, given) });
  });
  if (kitLooks) learn(globalThis);
  if (kitLooks) for (const one of [[].values(), new Map().keys(), new Set().keys(), ''[Symbol.iterator](), 'a'.matchAll(/a/g), (function* () { })(), (async function () { }), (async function* () { }), (function* () { })]) learn(one);
  return { spy, instead, make, learn, patch, patchAll, inherit, symbol, global, proxy, shadow, smuggle, found: () => undefined, read: more => { text += more } };
})();
`;
