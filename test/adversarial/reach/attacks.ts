import type { Random } from '../../../src/core/random.ts';

/** What a page does to reach our program. */
export interface Attack {
  readonly kind: string;
  readonly name: string;
  /** Runs before anything else in the page, after the kit. */
  readonly script: string;
  readonly html: string;
}

const holders =
  `Object Object.prototype Function.prototype Array Array.prototype String String.prototype Number Number.prototype
  Symbol Symbol.prototype Map.prototype Set.prototype WeakMap.prototype WeakSet.prototype WeakRef.prototype Promise Promise.prototype
  RegExp.prototype Date Date.prototype Error Error.prototype JSON Math Reflect Proxy console
  Boolean.prototype BigInt.prototype ArrayBuffer.prototype Uint8Array.prototype`
    .trim()
    .split(/\s+/);
const unnamed = [
  '[].values().__proto__',
  'new Map().keys().__proto__',
  'new Set().keys().__proto__',
  "''[Symbol.iterator]().__proto__",
  "'a'.matchAll(/a/g).__proto__",
  '[].values().__proto__.__proto__',
  '(function* () { })().__proto__.__proto__',
  'Object.getPrototypeOf(async function () { })',
  '(() => { let at = Promise; try { at = Object.getOwnPropertyDescriptor(Promise, Symbol.species).get.call(Promise) } catch { } return at })()',
];
const dom =
  `EventTarget Node Element HTMLElement Document DocumentFragment HTMLInputElement HTMLSelectElement HTMLIFrameElement
  HTMLFormElement HTMLButtonElement Event UIEvent MouseEvent PointerEvent CustomEvent MutationObserver MutationRecord
  ResizeObserver IntersectionObserver NodeList HTMLCollection NamedNodeMap Attr CharacterData Text Range Selection Storage History
  Location Navigation Window Performance MessagePort MessageChannel XMLHttpRequest Response Headers AbortSignal AbortController
  CSSStyleDeclaration DOMTokenList DOMRect DOMRectReadOnly Animation KeyframeEffect ShadowRoot URL File Crypto`
    .trim()
    .split(/\s+/);
const inheritedNames =
  `then catch get set value writable enumerable configurable apply construct phase unchecked at milliseconds keeps
  pointer once capture passive signal toJSON constructor length next done return view refused typing hand id text index script bound
  name names variables self get0 0 1 2 state entries address what kind type listener heardAs isFrame every run values due order
  composed bubbles cancelable detail clientX behavior block left top didTimeout isTrusted subtree childList attributes
  characterData attributeOldValue visibilityProperty opacityProperty mode preventScroll delay timeout proxy ownKeys has
  createState language program hardened start lend begin x y width height key code target`
    .trim()
    .split(/\s+/);
const symbols =
  'iterator asyncIterator species hasInstance toPrimitive toStringTag isConcatSpreadable match matchAll replace search split unscopables'.split(
    ' ',
  );
const symbolHolders = [
  ...holders.filter(name => /^[A-Z]/.test(name)),
  'Element',
  'Node',
  'HTMLElement',
  'NodeList.prototype',
  'EventTarget',
];
const globals =
  `Promise Array Map Set WeakMap WeakSet Object Function String Number Symbol Reflect JSON Math Proxy RegExp Date Error
  TypeError MutationObserver ResizeObserver IntersectionObserver MessageChannel Event MouseEvent PointerEvent Element HTMLElement Node
  EventTarget ShadowRoot URL DOMException AbortController setTimeout requestAnimationFrame queueMicrotask fetch getComputedStyle
  getSelection dispatchEvent addEventListener postMessage structuredClone reportError scrollTo history navigation performance
  innerWidth innerHeight scrollX scrollY document location globalThis self window top parent frames`
    .trim()
    .split(/\s+/);
const nodeNames =
  `firstChild nextSibling childNodes children parentNode parentElement nodeType nodeName tagName attributes textContent
  hasChildNodes getAttribute getAttributeNames hasAttribute isConnected ownerDocument shadowRoot checkVisibility getBoundingClientRect
  querySelector querySelectorAll closest matches contains data removeChild insertBefore style scrollTop focus tabIndex
  childElementCount localName namespaceURI getRootNode isContentEditable`
    .trim()
    .split(/\s+/);

/** Calls of the platform that run functions of the page on the way. */
const coercions = [
  "addEventListener({ toString() { kit.spy('type'); return 'x' } }, () => 0, { get capture() { kit.spy('capture'); return true }, get once() { kit.spy('once', this); return true }, get signal() { kit.spy('signal') } })",
  "setTimeout(() => kit.spy('timer'), { valueOf() { kit.spy('wait'); return 1 } })",
  "setTimeout({ toString() { kit.spy('code'); return '0' } }, 1)",
  "scrollTo({ get top() { kit.spy('top', this); return 0 }, get behavior() { kit.spy('behavior', this) } })",
  "Promise.resolve({ then(...values) { kit.spy('thenable', this, ...values); values[0](1) } })",
  "new Promise(resolve => { kit.spy('executor'); resolve(1) }).then(...[(...values) => kit.spy('reaction', ...values)])",
  "fetch({ toString() { kit.spy('address'); return '/inner' } }).then(function (answer) { kit.spy('answer', this, answer); return answer.text() }).then(text => kit.spy('text', text))",
  "new Date({ valueOf() { kit.spy('date'); return 5 } })",
  "history.pushState({ get a() { kit.spy('state', this); return 1 } }, { toString() { kit.spy('title'); return '' } }, { toString() { kit.spy('address'); return '/b' } })",
  "document.cookie = { toString() { kit.spy('cookie'); return 'a=b' } }",
  "performance.mark({ toString() { kit.spy('mark'); return 'm' } }, { get detail() { kit.spy('detail', this) } })",
  "new IntersectionObserver(function (...values) { kit.spy('crossing', this, ...values) }, { get root() { kit.spy('root', this); return null } }).observe(document.documentElement)",
  "new ResizeObserver(function (...values) { kit.spy('size', this, ...values) }).observe(document.documentElement)",
  "new MutationObserver(function (...values) { kit.spy('change', this, ...values) }).observe(document, { subtree: true, childList: true, get attributes() { kit.spy('options', this); return true } })",
  "requestIdleCallback(function (deadline) { kit.learn(deadline); kit.spy('idle', this) })",
  "requestAnimationFrame(function (...values) { kit.spy('frame', this, ...values) })",
  "Object.defineProperty({}, { toString() { kit.spy('key'); return 'k' } }, { get value() { kit.spy('descriptor', this) } })",
  "alert({ toString() { kit.spy('alert'); return 'x' } })",
  "customElements.define('x-a', class extends HTMLElement { static observedAttributes = ['a']; connectedCallback() { kit.spy('connected', this, arguments) } disconnectedCallback() { kit.spy('disconnected', this) } attributeChangedCallback(...values) { kit.spy('attribute', this, ...values) } })",
  "document.addEventListener('click', function (...values) { kit.spy('click', this, ...values) }, true)",
  "onerror = function (...values) { kit.spy('error', this, ...values) }; setTimeout(() => { throw { get stack() { kit.spy('stack', this) }, toString() { kit.spy('text'); return 'x' } } })",
  "addEventListener('unhandledrejection', function (...values) { kit.spy('rejection', this, ...values) }); Promise.reject({ get message() { kit.spy('message') } })",
  "crypto.getRandomValues(new (class extends Uint8Array { get buffer() { kit.spy('buffer', this); return super.buffer } })(4))",
  "new File([{ toString() { kit.spy('part'); return 'p' } }], { toString() { kit.spy('file'); return 'n' } }, { get lastModified() { kit.spy('options', this); return 1 } })",
  "const given = Promise.withResolvers(); kit.make(given.resolve); kit.make(given.reject); kit.spy('resolvers', given)",
  "kit.spy('timing', performance.toJSON(), performance.timing.toJSON())",
  "postMessage({ get a() { kit.spy('message', this) } }, '*'); onmessage = function (...values) { kit.spy('heard', this, ...values) }",
  "scheduler.postTask(function (...values) { kit.spy('task', this, ...values) }, { get delay() { kit.spy('delay', this); return 1 } })",
  "const x = new XMLHttpRequest(); x.onload = function (...values) { kit.spy('load', this, ...values) }; x.open('GET', '/inner'); x.send()",
  "new Intl.DateTimeFormat('en').formatToParts().forEach(part => kit.spy('part', part))",
];

const pickName = (random: Random, names: readonly string[]): string => random.pick(names);
const number = (random: Random): number => Math.floor(random.next() * 10_000);

type Draw = (random: Random) => Omit<Attack, 'kind'>;

/** How a script stands in the place of another: for good, until it was called so many times, or while a handler of the page runs. */
const modes = ['always', 'always', 'once', 'few', 'handler'] as const;

const draws: Readonly<Record<string, Draw>> = {
  member(random) {
    const holder = pickName(
      random,
      random.chance(0.5) ? [...holders, ...unnamed] : dom.map(name => `${name}.prototype`),
    );
    const [at, mode] = [number(random), random.pick(modes)];
    return { name: `${holder} ${at} ${mode}`, script: `kit.patch(() => ${holder}, ${at}, '${mode}')`, html: '' };
  },
  'all members'(random) {
    const holder = pickName(random, [...holders, ...unnamed, ...dom.map(name => `${name}.prototype`)]);
    const mode = random.pick(modes);
    return { name: `${holder} ${mode}`, script: `kit.patchAll(() => ${holder}, '${mode}')`, html: '' };
  },
  inherited(random) {
    const [holder, key] = [
      random.pick(['Object', 'Object', 'Object', 'Array', 'Function', 'Promise', 'String', 'EventTarget']),
      random.pick(inheritedNames),
    ];
    const lie = random.pick(['undefined', 'undefined', '() => 0', 'true', "'finish'", '1']);
    const mode = random.pick(modes);
    return {
      name: `${holder} ${key} ${lie} ${mode}`,
      script: `kit.inherit(() => ${holder}.prototype, '${key}', ${lie}, '${mode}')`,
      html: '',
    };
  },
  symbol(random) {
    const [holder, key] = [random.pick(symbolHolders), random.pick(symbols)];
    return {
      name: `${holder} ${key}`,
      script: `kit.symbol(() => ${holder}, Symbol.${key}, '${random.pick(modes)}')`,
      html: '',
    };
  },
  stack(random) {
    const way = random.pick([
      "Error.prepareStackTrace = (error, sites) => { for (const site of sites) kit.spy('site', site.getThis?.(), site.getFunction?.()); return '' }; Error.stackTraceLimit = Infinity",
      "Object.defineProperty(Error, 'stackTraceLimit', { get() { kit.spy('limit', this); return 50 } })",
      "const { captureStackTrace } = Error; Error.captureStackTrace = function (...values) { kit.spy('capture', this, ...values); return captureStackTrace(...values) }",
      "Object.defineProperty(Object.prototype, 'stack', { get() { kit.spy('stack', this) }, set(value) { kit.spy('stack', this, value) }, configurable: true })",
      "function deep(count) { return count === 0 ? kit.spy('depth') : deep(count - 1) } addEventListener('click', () => deep(900), true)",
    ]);
    return { name: way.slice(0, 60), script: way, html: '' };
  },
  global(random) {
    const name = random.pick(globals);
    return { name, script: `kit.global('${name}', '${random.pick(modes)}')`, html: '' };
  },
  proxy(random) {
    const holder = random.pick([...dom, 'Object', 'Array', 'Function', 'Promise', 'Map', 'Error']);
    return {
      name: holder,
      script: `kit.proxy(() => ${holder}.prototype)`,
      html: random.chance(0.5) ? '<iframe src="/inner" hidden></iframe>' : '',
    };
  },
  coercion(random) {
    const chosen = [random.pick(coercions), random.pick(coercions)];
    const early = chosen
      .map(text => `try { ${text} } catch { }`)
      .map(text => `{ ${text} }`)
      .join('\n');
    return {
      name: chosen.join(' + ').slice(0, 90),
      script: `${early}\naddEventListener('click', () => { ${early} })`,
      html: '<x-a a="1"></x-a>',
    };
  },
  shadow(random) {
    const [name, lie] = [random.pick(nodeNames), random.pick(['null', '() => null', '() => false', '[]', "''", '0'])];
    const on = random.pick(['box', 'box', 'HTMLDivElement.prototype', 'document', 'document.body', 'form']);
    const once = random.chance(0.4);
    return {
      name: `${on} ${name} ${lie} ${once}`,
      script: `kit.shadow(() => ${on}, '${name}', ${lie}, ${once})`,
      html: '',
    };
  },
  clobber(random) {
    const [one, two] = [
      random.pick(nodeNames),
      random.pick([...nodeNames, 'body', 'title', 'activeElement', 'forms', 'createElement', 'cookie']),
    ];
    const html = random.pick([
      `<form><input name="${one}"><input id="${two}"></form>`,
      `<form name="${two}"></form>`,
      `<img name="${two}"><a id="${one}"></a><a id="${one}"></a>`,
      `<form id="${one}"><button name="${two}" type="button">c</button></form>`,
    ]);
    return { name: html, script: '', html };
  },
  'another realm'(random) {
    const [holder, key] = [
      random.pick(['Node', 'Element', 'CharacterData', 'HTMLElement', 'Document']),
      random.pick(nodeNames),
    ];
    return { name: `${holder} ${key}`, script: `kit.smuggle(() => ${holder}.prototype, '${key}')`, html: '' };
  },
};

export const attackKinds: readonly string[] = Object.keys(draws);

export function drawAttack(random: Random, kinds: readonly string[] = attackKinds): Attack {
  const kind = random.pick(kinds);
  return { kind, ...(draws[kind] as Draw)(random) };
}
