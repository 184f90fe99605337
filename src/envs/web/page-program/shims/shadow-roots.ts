import type { PageListeners, PageShadowRoots, PageTripwires } from '../parts.ts';
import { replaceMethod } from './clock-sources.ts';
import { createSelections } from './selections.ts';

// Taken before they are watched.
const { apply } = Reflect;
type Get = (self: object) => unknown;
const getter = (holder: object, name: string): Get => {
  const get = Object.getOwnPropertyDescriptor(holder, name)?.get as () => unknown;
  return self => apply(get, self, []);
};
const { prototype: ofRoots } = ShadowRoot;
const [openRootOf, modeOf, isClonable] = [
  getter(Element.prototype, 'shadowRoot'),
  getter(ofRoots, 'mode'),
  getter(ofRoots, 'clonable'),
];
const isConnected = getter(Node.prototype, 'isConnected');
const activeIn = [getter(Document.prototype, 'activeElement'), getter(ofRoots, 'activeElement')] as const;
const findIn = [Document.prototype.querySelectorAll, DocumentFragment.prototype.querySelectorAll] as const;
const sheets = [Document.prototype, ofRoots].map(
  holder => Object.getOwnPropertyDescriptor(holder, 'adoptedStyleSheets') as Required<PropertyDescriptor>,
) as [Required<PropertyDescriptor>, Required<PropertyDescriptor>];

/**
 * Knows the shadow roots that scripts attach, closed ones too. Those that the parser or a copy made are known to nobody from
 * their beginning on, and are refused.
 */
export function createShadowRoots(
  { trip, tripSince, moment }: Pick<PageTripwires, 'trip' | 'tripSince' | 'moment'>,
  listeners: Pick<PageListeners, 'enter'>,
): PageShadowRoots {
  const roots = new WeakMap<object, ShadowRoot>();
  const [rootOf, setRoot] = [roots.get.bind(roots), roots.set.bind(roots)];
  /** When an element was first part of a snapshot, in snapshots. */
  const known = new WeakMap<object, number>();
  const [knownSince, setKnown] = [known.get.bind(known), known.set.bind(known)];
  let all: WeakRef<ShadowRoot>[] = [];
  const told: ((root: ShadowRoot) => void)[] = [root => listeners.enter(root)];
  const main = document;
  const of = (host: Element): ShadowRoot | null => rootOf(host) ?? null;
  const place = (root: Document | ShadowRoot): 0 | 1 => (root === main ? 0 : 1);

  replaceMethod(Element.prototype, 'attachShadow', (real, self, values) => {
    const root = apply(real, self, values) as ShadowRoot;
    if (rootOf(self as object) === root) return root;
    setRoot(self as object, root);
    all.push(new WeakRef(root));
    // A copy of its host has one that nobody can find.
    if (modeOf(root) === 'closed' && isClonable(root) === true) trip('a closed shadow root that can be copied');
    const since = knownSince(self as object);
    if (since !== undefined) tripSince('a shadow root of an element that was there before', since);
    for (const tell of told) tell(root);
    return root;
  });

  function shown(): readonly ShadowRoot[] {
    const found: ShadowRoot[] = [];
    const living: WeakRef<ShadowRoot>[] = [];
    for (const ref of all) {
      const root = ref.deref();
      if (root === undefined) continue;
      living.push(ref);
      if (isConnected(root) === true) found.push(root);
    }
    all = living;
    return found;
  }

  return {
    ...createSelections(shown),
    onNew: tell => void told.push(tell),
    of,
    shown,
    know(host) {
      if (knownSince(host) === undefined) setKnown(host, moment());
    },
    activeElement() {
      let active = activeIn[0](main) as Element | null;
      for (let root = active && of(active); root !== null; root = active && of(active)) {
        const inner = activeIn[1](root) as Element | null;
        if (inner === null) break;
        active = inner;
      }
      return active;
    },
    limitOf(host) {
      const open = openRootOf(host);
      if (open !== null && open !== of(host)) return 'a shadow root that the parser or a copy made';
      return of(host) !== null && host === main.body ? 'a shadow root of the body' : null;
    },
    find(selector) {
      const found: Element[] = [];
      for (const root of [main, ...shown()]) {
        const list = apply(findIn[place(root)], root, [selector]) as NodeListOf<Element>;
        for (let index = 0; index < list.length; index++) found.push(list[index] as Element);
      }
      return found;
    },
    sheetsOf(root) {
      const list = apply(sheets[place(root)].get, root, []) as readonly CSSStyleSheet[];
      const found: CSSStyleSheet[] = [];
      for (let index = 0; index < list.length; index++) found.push(list[index] as CSSStyleSheet);
      return found;
    },
    adopt: (root, wanted) => void apply(sheets[place(root)].set, root, [[...wanted]]),
  };
}
