import type { MainWindow, PageShadowRoots } from '../parts.ts';
import type { Natives } from './natives.ts';

/** Whether what is read from the page is what the browser has. */
export interface Soundness {
  /**
   * Called before anything of the page is read. From then on, until the caller is done, no script of the page can run: what is
   * whole now stays whole. Says which member of the page would answer in the place of the browser's; null when none would.
   */
  check(): string | null;
}

type Get = (this: Node) => Node | null;

// Of this realm, while it has a page: no script of the page can replace them, and no name in the page hides them.
const [firstChild, nextSibling] = ['firstChild', 'nextSibling'].map(
  name => Object.getOwnPropertyDescriptor(Node.prototype, name)?.get as Get,
) as [Get, Get];

/** Every member that our program asks anything for: `tab/page-bundle.ts` writes them in. Others may be hidden. */
const asked: ReadonlySet<string | symbol> = new Set('names of members'.split(' '));

/** Members that libraries give fields to hear of what is written; what a field holds is not read by them. */
const ofFields: ReadonlySet<string | symbol> = new Set(['value', 'checked']);

export function createSoundness(
  main: MainWindow,
  natives: Pick<Natives, 'replaced' | 'isOfNodes' | 'nameOf'>,
  roots: Pick<PageShadowRoots, 'of'>,
): Soundness {
  const { document } = main;
  const ofDocument = new Set(Reflect.ownKeys(document));

  const isTaken = (node: Node, key: string | symbol): boolean =>
    asked.has(key) && natives.isOfNodes(key) && Reflect.has(Object.getPrototypeOf(node) as object, key);
  const hiddenIn = (node: Node): string | symbol | null => {
    for (const key of Reflect.ownKeys(node))
      if (isTaken(node, key) && !ofFields.has(key) && !(node === document && ofDocument.has(key))) return key;
    return null;
  };
  const ofAll = [main.Node.prototype, main.Element.prototype];
  /** In a class of the page's own: a member that every element has. */
  const hiddenInClass = (node: Node): string | symbol | null => {
    let at = Object.getPrototypeOf(node) as object | null;
    for (; at !== null && natives.nameOf(at) === null; at = Object.getPrototypeOf(at) as object | null)
      for (const key of Reflect.ownKeys(at))
        if (key !== 'constructor' && asked.has(key) && ofAll.some(holder => Object.hasOwn(holder, key))) return key;
    return null;
  };
  const visit = (node: Node): string | null => {
    const key = hiddenIn(node) ?? hiddenInClass(node);
    // Fields of a form, and forms and images of the document, are members under their names.
    if (key !== null) return `a node with a member "${String(key)}" in the place of the browser's`;
    const shadow = roots.of(node as Element);
    const within = shadow === null ? null : visit(shadow);
    if (within !== null) return within;
    for (
      let child = Reflect.apply(firstChild, node, []);
      child !== null;
      child = Reflect.apply(nextSibling, child, [])
    ) {
      const found = visit(child);
      if (found !== null) return found;
    }
    return null;
  };
  return {
    check() {
      const replaced = natives.replaced();
      return replaced === null ? visit(document) : `a ${replaced} of its own`;
    },
  };
}
