/**
 * A page that holds an object. `nameOfUses()` lists what can be done to it, `use(at)` does it, `tell()` reads all that it can, and
 * `tell(names)` these alone.
 */
export function writeHoldingPage(script: string): string {
  return `<!doctype html><title>Page</title><p id="place">place</p><script>${helpers}
let held = ${script};
${program}</script>`;
}

/** What would leave the page, wait for somebody, or end it. */
const left = [
  'location href submit requestSubmit open print close stop go back forward reload assign replace navigate write writeln',
  'reportError requestFullscreen webkitRequestFullscreen webkitRequestFullScreen requestPictureInPicture showPicker',
  'showOpenFilePicker showSaveFilePicker showDirectoryPicker prompt alert confirm eval constructor document window top self',
  'parent frames opener captureEvents releaseEvents requestPointerLock find import getScreenDetails queryLocalFonts',
  'dispatchEvent getDisplayMedia getUserMedia send sendBeacon fetch setInterval requestAnimationFrame setTimeout',
].join(' ');

/** What two fresh pages read differently, or what our clock drives. */
const unsteady = [
  'timeStamp now timeOrigin timing memory currentTime startTime eventCounts interactionCount toJSON getEntries',
  'getEntriesByName getEntriesByType navigation lastModified connection webkitTemporaryStorage webkitPersistentStorage',
].join(' ');

const helpers = `
const place = document.getElementById('place');
function shown(html, selector) {
  const box = document.createElement('div');
  box.innerHTML = html;
  place.append(box);
  return box.querySelector(selector);
}`;

const program = `
const left = new Set('${left}'.split(' '));
const unsteady = new Set('${unsteady}'.split(' '));
const inherited = new Set(['EventTarget', 'Node', 'Element', 'HTMLElement', 'SVGElement']);
const texts = ['x', '10', 'true', 'rtl', 'auto', 'none', 'hidden', 'text', 'arraybuffer', 'json', 'checkbox', '#h', 'http://pages.test/o', 'red', 'manual', '<b>n</b>', 'a b', '2026-02-03', '12:00'];

function protosOf(object) {
  const found = [];
  for (let proto = Object.getPrototypeOf(object); proto !== null && proto !== Object.prototype; proto = Object.getPrototypeOf(proto)) found.push(proto);
  return found;
}
const nameOf = proto => proto[Symbol.toStringTag] ?? proto.constructor?.name ?? '?';

function usesOf() {
  if (held === null || held === undefined) return [];
  const own = held === window ? [[held, 'window']] : [];
  const [first, ...others] = protosOf(held).map(proto => [proto, nameOf(proto)]);
  const isPlain = held instanceof HTMLDivElement && held.parentNode === place.lastChild;
  const chain = [...own, ...(first === undefined ? [] : [first]), ...others.filter(([, name]) => isPlain || !inherited.has(name))];
  return chain.flatMap(([proto, name]) => Object.entries(Object.getOwnPropertyDescriptors(proto)).flatMap(([key, { set, value }]) => {
    if (left.has(key) || (typeof value === 'function' && /^[A-Z]/.test(key))) return [];
    return set !== undefined || typeof value === 'function' ? [{ name: name + '.' + key, key, isSet: set !== undefined }] : [];
  }));
}

function setMember(key) {
  const before = held[key];
  const values = { string: texts, number: [before + 1, 1, 0, 0.5, 3], boolean: [!before], function: [() => 2] }[typeof before] ?? [() => 1, 'x', 1, true, place];
  for (const value of values) {
    try {
      held[key] = value;
      if (!Object.is(held[key], before)) return;
    } catch {}
  }
}

function callMember(key) {
  const length = held[key].length;
  const kinds = [() => 'x', () => 1, () => document.createElement('i'), () => () => 1, () => ({}), () => 'input', () => place];
  const lists = length === 0
    ? [[], [1], ['x'], [document.createElement('i')]]
    : [...kinds.map(kind => Array.from({ length }, kind)), ['x', () => 1].slice(0, length), ['a', 'b', 'c'].slice(0, length), [0, 1, 'z'].slice(0, length), [document.createElement('i'), null].slice(0, length)];
  let done = 0;
  for (const list of lists) {
    try {
      held[key](...list)?.catch?.(() => undefined);
      if (++done === 2) return;
    } catch {}
  }
}

globalThis.nameOfUses = () => usesOf().map(({ name }) => name);
globalThis.use = at => {
  const { key, isSet } = usesOf()[at];
  try {
    (isSet ? setMember : callMember)(key);
  } catch {}
};

const seen = new Map();
function show(value, depth) {
  if (typeof value === 'string') return JSON.stringify(value).slice(0, 200);
  if (typeof value === 'function') return 'function ' + value.name;
  if (typeof value !== 'object' || value === null) return typeof value === 'symbol' ? 'symbol' : String(value);
  if (value instanceof Node) {
    if (!seen.has(value)) seen.set(value, seen.size);
    return value.nodeName + ' ' + seen.get(value);
  }
  if (depth === 0) return nameOf(value);
  if (Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView))) return '[' + Array.from(value).slice(0, 8).map(one => show(one, depth - 1)) + ']';
  const parts = Reflect.ownKeys(value).slice(0, 12).map(key => String(key) + '=' + read(() => value[key], depth - 1));
  for (const proto of protosOf(value).slice(0, 1))
    for (const [key, { get }] of Object.entries(Object.getOwnPropertyDescriptors(proto)))
      if (get !== undefined && !unsteady.has(key)) parts.push(key + ':' + read(() => value[key], 0));
  if (typeof value[Symbol.iterator] === 'function' && typeof value.next !== 'function') parts.push('*' + read(() => [...value].slice(0, 6), 1));
  return nameOf(value) + '{' + parts + '}';
}
function read(get, depth) {
  try {
    return show(get(), depth);
  } catch (cause) {
    return '! ' + cause?.name;
  }
}

const reader = /^(get|has|is|check|to[A-Z]|query|entries|keys|values|item|supports|closest|matches|contains|lookup|compare|key$|valueOf|namedItem|indexOf|join$|at$|includes)/;
let wanted = null;
const isWanted = name => wanted === null || wanted.includes(name);
function linesOf(object, name) {
  if (object === null || object === undefined) return [];
  const keys = object === window ? [] : Reflect.ownKeys(object).slice(0, 40).filter(key => isWanted(name + '.' + String(key)));
  const lines = keys.map(key => name + '.' + String(key) + '=' + read(() => object[key], 1));
  for (const proto of protosOf(object))
    for (const [key, { get, value }] of Object.entries(Object.getOwnPropertyDescriptors(proto))) {
      if (unsteady.has(key) || left.has(key) || !isWanted(name + '.' + key)) continue;
      if (get !== undefined) lines.push(name + '.' + key + ': ' + read(() => object[key], 1));
      else if (typeof value === 'function' && reader.test(key))
        for (const list of [[], [0], ['x'], ['a']]) {
          const text = read(() => {
            const answer = object[key](...list);
            answer?.catch?.(() => undefined);
            return typeof answer?.then === 'function' ? 'later' : answer;
          }, 1);
          lines.push(name + '.' + key + '(' + list + ') ' + text);
        }
    }
  if (isWanted(name + '.*') && typeof object[Symbol.iterator] === 'function' && typeof object.next !== 'function') lines.push(name + '.* ' + read(() => [...object].slice(0, 10), 2));
  if (isWanted(name + '.next') && typeof object.next === 'function') lines.push(name + '.next ' + read(() => object.next(), 1));
  return lines;
}

globalThis.tell = names => {
  wanted = names ?? null;
  const others = { document, navigator, history, screen, fonts: document.fonts, performance, selection: getSelection(), local: localStorage, session: sessionStorage, highlights: CSS.highlights, viewport: visualViewport };
  const more = {
    exec: () => (held instanceof RegExp ? held.exec('a a a')?.index : ''),
    entries: () => performance.getEntries().filter(({ entryType }) => /mark|measure|resource/.test(entryType)).map(({ entryType, name }) => entryType + ' ' + name),
    animations: () => document.getAnimations().map(({ playState }) => playState),
    body: () => document.body.outerHTML,
    globals: () => Object.keys(globalThis),
  };
  return [
    ...linesOf(held, 'held'),
    ...Object.entries(others).flatMap(([name, object]) => (object === held ? [] : linesOf(object, name))),
    ...Object.entries(more).flatMap(([name, get]) => (isWanted(name) ? [name + ' ' + get()] : [])),
  ];
};
`;
