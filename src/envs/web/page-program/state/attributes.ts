import type { PageListeners } from '../parts.ts';

/** The attributes of elements: each as its name and its value, one after the other. */
export interface PageAttributes {
  of(element: Element): readonly string[];
  /** Says why they cannot be as they were. */
  restore(element: Element, wanted: readonly string[]): string | null;
}

const none: readonly string[] = Object.freeze([]);

export function createAttributes(document: Document, listeners: PageListeners): PageAttributes {
  function attributesOf(element: Element): readonly string[] {
    const names = element.getAttributeNames();
    if (names.length === 0) return none;
    const found: string[] = [];
    for (const name of names) {
      found.push(keyOf(element, name), element.getAttribute(name) as string);
      if (name.startsWith('on')) listeners.heed(name.slice(2));
    }
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
    if (written.includes('style') && element.hasAttribute('style') && ignoresStyles())
      return 'the content security policy of the page forbids style attributes';
    return null;
  }

  /** Says why they cannot be as they were. */
  function restoreAttributes(element: Element, wanted: readonly string[]): string | null {
    const now = attributesOf(element);
    if (areSame(now, wanted)) return null;
    const written: string[] = [];
    const keys = wanted.filter((_, index) => index % 2 === 0);
    const names = keys.map(key => key.slice(key.lastIndexOf(' ') + 1));
    // The order of attributes can be seen: where it differs, all are put in anew.
    // Those that are missing are added at the end.
    const present = element.getAttributeNames().filter(name => names.includes(name));
    const isOrdered = areSame([...present, ...names.filter(name => !present.includes(name))], names);
    for (const name of element.getAttributeNames())
      if (!isOrdered || !names.includes(name)) {
        element.removeAttribute(name);
        written.push(name);
      }
    for (let index = 0; index < wanted.length; index += 2) {
      const [key, value] = [wanted[index] as string, wanted[index + 1] as string];
      const name = names[index / 2] as string;
      if (element.getAttribute(name) === value && keyOf(element, name) === key) continue;
      restoreAttribute(element, key, value);
      written.push(name);
    }
    return limitOfWritten(element, written);
  }

  return { of: attributesOf, restore: restoreAttributes };
}

/** The name of an attribute, after its namespace where it has one, as `xlink:href` does. */
function keyOf(element: Element, name: string): string {
  const namespace = name.includes(':') ? (element.getAttributeNode(name)?.namespaceURI ?? null) : null;
  return namespace === null ? name : `${namespace} ${name}`;
}

function restoreAttribute(element: Element, key: string, value: string): void {
  const end = key.lastIndexOf(' ');
  if (end < 0) element.setAttribute(key, value);
  else element.setAttributeNS(key.slice(0, end), key.slice(end + 1), value);
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
