import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isLong } from '../../../../test/long-form.ts';
import { retrace } from '../../../../test/fixtures/pages/retrace.ts';
import { createPages } from '../../../../test/fixtures/pages/site-pages.ts';
import { createSystemTimers } from '../../../system/clock.ts';
import { createBrowserPool, type BrowserPool } from '../browser/pool.ts';

let pool: BrowserPool;
beforeAll(() => {
  pool = createBrowserPool({ timers: createSystemTimers() });
});
afterAll(() => pool.close());

/** Names that objects of the language and the browser have members under, and such as are easily mistaken. */
const names = `
  length key getItem setItem removeItem clear item namedItem name id style keys __proto__ constructor toString valueOf
  hasOwnProperty prototype then toJSON get set children childNodes firstChild parentNode attributes elements form value dataset
  size entries forEach has delete next document window undefined null true NaN`
  .trim()
  .split(/\s+/);
const odd = ['', ' ', '0', '7', '-0', '01', '1e3', '4294967295', '\ud800', 'ä', 'a.b', 'a=b'];

const buttons = '<button id="do">Do</button><button id="show">Show</button><p id="out" role="status"></p>';

/** A page that writes on one button, and says on another what is there. */
function naming(kind: Kind): string {
  const all = kind.names ?? [...names, ...odd];
  return `${buttons}<div id="place"></div><script>{
    const names = ${JSON.stringify(all)}, place = document.getElementById('place'); let n = 0;
    ${kind.declare ?? ''};
    const write = (name, index) => { ${kind.write} }, read = () => { ${kind.read} };
    document.getElementById('do').addEventListener('click', () => {
      n++; names.forEach((name, index) => { if (index % 3 !== n % 3) write(name, index) });
    });
    document.getElementById('show').addEventListener('click', () => {
      document.getElementById('out').textContent = JSON.stringify(read());
    });
  }</script>`;
}

interface Kind {
  readonly declare?: string;
  readonly write: string;
  readonly read: string;
  readonly names?: readonly string[];
  readonly isStored?: boolean;
}

const stored = (store: string): Kind => ({
  isStored: true,
  names: [...names.slice(0, 20), '', '7'],
  write: `index % 3 === (n + 1) % 3 ? ${store}.removeItem(name) : Storage.prototype.setItem.call(${store}, name, name + n)`,
  read: `const at = index => Storage.prototype.key.call(${store}, index), found = [];
    for (let index = 0; at(index) !== null; index++) found.push([at(index), Storage.prototype.getItem.call(${store}, at(index))]);
    return found`,
});

/** Whatever the names are, these are restored. */
const kinds: Readonly<Record<string, Kind>> = {
  'the local storage': stored('localStorage'),
  'the storage of a session': stored('sessionStorage'),
  'a plain object': {
    declare: 'const held = {}',
    write: `Object.defineProperty(held, name, { value: n + name, writable: true, enumerable: n % 2 > 0, configurable: true })`,
    read: 'return Object.entries(Object.getOwnPropertyDescriptors(held)).map(([name, member]) => [name, member.value, member.enumerable])',
  },
  'an object without a prototype': {
    declare: 'const held = Object.create(null)',
    write: 'index % 3 === (n + 1) % 3 ? delete held[name] : (held[name] = { [name]: n })',
    read: 'return Object.entries(held)',
  },
  'a map': {
    declare: 'const held = new Map()',
    write: 'index % 3 === (n + 1) % 3 ? held.delete(name) : held.set(name, { n })',
    read: 'return [...held]',
  },
  'data attributes': {
    names: names.filter(name => /^[a-z_A-Z]+$/.test(name)),
    write: 'index % 3 === (n + 1) % 3 ? delete place.dataset[name] : (place.dataset[name] = name + n)',
    read: 'return place.outerHTML',
  },
  attributes: {
    names: names.filter(name => !/^on|^style$/.test(name)),
    declare: `const svg = place.appendChild(document.createElementNS('http://www.w3.org/2000/svg', 'g'))`,
    write: `for (const one of [place, svg]) if (name !== 'id' || one === svg) one.setAttribute(name, name + n)`,
    read: 'return [place.outerHTML, [...svg.attributes].map(({ name, value }) => [name, value])]',
  },
  'properties of a style': {
    names: names.filter(name => name !== ''),
    write: `place.style.setProperty('--' + name, n)`,
    read: `return [place.getAttribute('style'), names.map(name => getComputedStyle(place).getPropertyValue('--' + name))]`,
  },
  'parameters and form data': {
    declare: `const held = [new URLSearchParams(), new FormData()]`,
    write: 'for (const one of held) index % 3 === (n + 1) % 3 ? one.delete(name) : one.append(name, name + n)',
    read: 'return held.map(one => [...one])',
  },
  headers: {
    names: names.map(name => `x-${name.replaceAll('_', '-')}`.toLowerCase()),
    declare: 'const held = new Headers()',
    write: 'held.append(name, n)',
    read: 'return [...held]',
  },
  cookies: {
    names: names.filter(name => name !== ''),
    write: 'document.cookie = name + "=" + name + n',
    read: 'return document.cookie',
  },
  'names of ids': {
    names: names.filter(name => name !== ''),
    write: `const one = document.createElement('i'); one.id = name; one.textContent = n; place.append(one)`,
    read: `return [place.innerHTML, names.map(name => document.getElementById(name)?.textContent)]`,
  },
};

describe('names that mean something to objects', () => {
  it.each(Object.entries(kinds))('[SITE-160] are put back in %s', async (_, kind) => {
    const environment = createPages({ pool, pages: { '/': naming(kind) } });
    const retraced = await retrace(environment, ['Do', 'Show', 'Do', 'Do', 'Show']);
    // How a browser lists many names that come and go is not always to be had again.
    expect(retraced.reasons.filter(reason => !reason.includes('lists its names in another order'))).toEqual([]);
    expect(retraced.restored).toBeGreaterThanOrEqual(kind.isStored === true ? 4 : 6);
    expect(retraced.shown.length).toBeGreaterThan(150);
  });

  it('[SITE-161] lists names of the storage in the order in which they were, or says that it cannot', async () => {
    const page = `<button id="grow">Grow</button>${naming({
      names: [...'zyxwab'],
      declare: `document.getElementById('grow').addEventListener('click', () => {
        for (let index = 0; index < 300; index++) localStorage.setItem('more' + index, n);
        for (let index = 0; index < 300; index++) localStorage.removeItem('more' + index);
      })`,
      write: 'localStorage.setItem(name, n)',
      read: 'return Object.keys(localStorage)',
    })}`;
    const steps = ['Do', 'Do', 'Show', 'Grow', 'Show', 'Do', 'Show'];
    const { shown, reasons } = await retrace(createPages({ pool, pages: { '/': page } }), steps);
    expect(shown).toMatch(/a.*z|z.*a/);
    for (const reason of reasons) expect(reason).toContain('its storage lists its names in another order');
  });

  /** Fields, forms and images that members of forms and of the document have in the place of the browser's. */
  const clobbering = ['length', 'elements', 'children', 'attributes', 'parentNode', 'childNodes', 'toString', 'name'];
  const ways: Readonly<Record<string, (name: string) => string>> = {
    'a field': name => `const one = document.createElement('input'); one.name = '${name}'; form.append(one)`,
    'a field by its id': name => `const one = document.createElement('button'); one.id = '${name}'; form.append(one)`,
    'a form': name => `const one = document.createElement('form'); one.name = '${name}'; document.body.append(one)`,
    'a member of the window': name => `window['${name}'] = n`,
    'a member of an element': name => `form['${name}'] = n`,
  };
  const clobbered = Object.keys(ways).flatMap(way => clobbering.map(name => [way, name] as const));
  const due = isLong ? clobbered : clobbered.filter((_, index) => index % 7 === 0);

  it.each(due)('[SITE-160] are put back or refused where %s is called %s', async (way, name) => {
    const page = `<form id="form"><input name="first" aria-label="First"></form>${naming({
      names: ['x'],
      declare: `const form = document.getElementById('form')`,
      write: `if (n === 2) { ${(ways[way] as (name: string) => string)(name)} }`,
      read: `return [n, document.body.innerHTML.length, String(window['${name}']).slice(0, 40)]`,
    }).replace('index % 3 !== n % 3', 'true')}`;
    const { reasons } = await retrace(createPages({ pool, pages: { '/': page } }), ['Do', 'Show', 'Do', 'Show']);
    for (const reason of reasons) expect(reason).not.toContain('led to another state');
  });
});
