import type { MainParts } from '../parts.ts';

/** The attributes of elements: each as its name and its value, one after the other. */
export interface PageAttributes {
  of(element: Element): readonly string[];
  /** Says why they cannot be as they were. */
  restore(element: Element, wanted: readonly string[]): string | null;
}

const none: readonly string[] = Object.freeze([]);
/** What decides whether and what a `<link>` loads: its load is told to scripts once more. */
const loading = /^(href|rel|media|type|as|disabled|crossorigin|integrity|imagesrcset|imagesizes|charset)$/;

export function createAttributes(
  document: Document,
  { listeners, images }: Pick<MainParts, 'listeners' | 'images'>,
): PageAttributes {
  function attributesOf(element: Element): readonly string[] {
    const names = element.getAttributeNames();
    if (names.length === 0) return none;
    const found: string[] = [];
    for (const key of keysOf(element, names)) found.push(key, valueOf(element, key) as string);
    for (const name of names) if (name.startsWith('on')) listeners.heed(name.slice(2));
    return found;
  }

  /** A content security policy may take the attribute and ignore what it says. Nobody hears of the trial: the page is muted. */
  function ignoresStyles(): boolean {
    const trial = document.createElement('i');
    trial.setAttribute('style', '--espalier-trial: 1');
    return trial.style.length === 0;
  }

  /** Why attributes that were written anew are not as they were. */
  function limitOfWritten(element: Element, written: readonly string[]): string | null {
    // Handlers are called in the order in which they came, among other listeners.
    if (written.some(name => /^on[a-z]/.test(name))) return 'an inline event handler was changed since';
    if (element.localName === 'link' && written.some(name => loading.test(name)))
      return 'a link was changed since: what it names would have to be loaded again';
    if (written.includes('style') && element.hasAttribute('style') && ignoresStyles())
      return 'the content security policy of the page forbids style attributes';
    return images.loadAgain(element, written);
  }

  /** Says why they cannot be as they were. */
  function restoreAttributes(element: Element, wanted: readonly string[]): string | null {
    const now = attributesOf(element);
    if (areSame(now, wanted)) return null;
    const written: string[] = [];
    const [before, keys] = [now, wanted].map(list => list.filter((_, index) => index % 2 === 0)) as [
      string[],
      string[],
    ];
    // The order of attributes can be seen: where it differs, all are put in anew.
    // Those that are missing are added at the end.
    const present = before.filter(key => keys.includes(key));
    const isOrdered = areSame([...present, ...keys.filter(key => !present.includes(key))], keys);
    for (const key of before)
      if (!isOrdered || !keys.includes(key)) {
        removeAttribute(element, key);
        written.push(nameIn(key));
      }
    for (const [index, key] of keys.entries()) {
      const value = wanted[2 * index + 1] as string;
      if (valueOf(element, key) === value) continue;
      restoreAttribute(element, key, value);
      written.push(nameIn(key));
    }
    return limitOfWritten(element, written);
  }

  return { of: attributesOf, restore: restoreAttributes };
}

/**
 * The names of attributes. One that its name alone does not lead to stands after its namespace, which may be empty: those of a
 * namespace, such as `xlink:href`, those with capitals in HTML, and several of one name.
 */
function keysOf(element: Element, names: readonly string[]): readonly string[] {
  const isHtml = element.namespaceURI === 'http://www.w3.org/1999/xhtml';
  const isUsual = (name: string, index: number): boolean =>
    element.getAttributeNS(null, name) !== null &&
    !(isHtml && /[A-Z]/.test(name)) &&
    names.indexOf(name) === index &&
    names.lastIndexOf(name) === index;
  if (names.every(isUsual)) return names;
  const { attributes } = element;
  return names.map((name, index) => {
    if (isUsual(name, index)) return name;
    return `${(attributes[index] as Attr).namespaceURI ?? ''} ${name}`;
  });
}

const nameIn = (key: string): string => key.slice(key.lastIndexOf(' ') + 1);

/** The namespace and the name within it; null where the name alone leads to the attribute. */
function placeOf(key: string): readonly [namespace: string | null, name: string] | null {
  const end = key.lastIndexOf(' ');
  if (end < 0) return null;
  const name = key.slice(end + 1);
  return end === 0 ? [null, name] : [key.slice(0, end), name.slice(name.indexOf(':') + 1)];
}

function valueOf(element: Element, key: string): string | null {
  const place = placeOf(key);
  return place === null ? element.getAttribute(key) : element.getAttributeNS(place[0], place[1]);
}

function removeAttribute(element: Element, key: string): void {
  const place = placeOf(key);
  if (place === null) element.removeAttribute(key);
  else element.removeAttributeNS(place[0], place[1]);
}

function restoreAttribute(element: Element, key: string, value: string): void {
  const place = placeOf(key);
  if (place === null) element.setAttribute(key, value);
  else element.setAttributeNS(place[0], place[0] === null ? place[1] : nameIn(key), value);
}

/** Attributes as texts, for a hash. */
export function pairsOf(attributes: readonly string[]): string[] {
  const pairs: string[] = [];
  for (let index = 0; index < attributes.length; index += 2)
    pairs.push(`${attributes[index]}=${attributes[index + 1]}`);
  return pairs;
}

export function areSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return false;
  return true;
}
