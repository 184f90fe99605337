import type { PageSelections, SelectedRange } from '../parts.ts';

// Taken before they are watched.
const { apply } = Reflect;
type Get<T> = (self: object) => T;
/** Versions of the browser differ in which interface has a member. */
function getter<T>(holder: object, name: string): Get<T> {
  let at = holder;
  while (!Object.hasOwn(at, name)) at = Object.getPrototypeOf(at) as object;
  const get = Object.getOwnPropertyDescriptor(at, name)?.get as () => T;
  return self => apply(get, self, []);
}
const { prototype: ofSelections } = Selection;
const { getComposedRanges: rangesOf, removeAllRanges, setBaseAndExtent, toString: textOf } = ofSelections;
const [directionOf, typeOf] = [getter<string>(ofSelections, 'direction'), getter<string>(ofSelections, 'type')];
const [anchorOf, focusOf] = [
  getter<Node | null>(ofSelections, 'anchorNode'),
  getter<Node | null>(ofSelections, 'focusNode'),
];
const [anchorAt, focusAt] = [getter<number>(ofSelections, 'anchorOffset'), getter<number>(ofSelections, 'focusOffset')];
const [startOf, endOf] = [
  getter<Node>(StaticRange.prototype, 'startContainer'),
  getter<Node>(StaticRange.prototype, 'endContainer'),
];
const [startAt, endAt] = [
  getter<number>(StaticRange.prototype, 'startOffset'),
  getter<number>(StaticRange.prototype, 'endOffset'),
];
const isConnected = getter<boolean>(Node.prototype, 'isConnected');
const childrenOf = getter<NodeListOf<ChildNode>>(Node.prototype, 'childNodes');
const { getRootNode } = Node.prototype;
const { getSelection: selectionOfWindow } = globalThis;
/** Of Chromium alone, as all of this. */
const { getSelection: selectionOfRoot } = ShadowRoot.prototype as ShadowRoot & { getSelection(): Selection | null };

const rootOf = (node: Node): Node => apply(getRootNode, node, []) as Node;
const isShadow = (root: Node): root is ShadowRoot => root instanceof ShadowRoot;
const selectionIn = (root: ShadowRoot): Selection | null => apply(selectionOfRoot, root, []) as Selection | null;
const isField = (node: Node | undefined): node is HTMLElement =>
  node instanceof HTMLInputElement || node instanceof HTMLTextAreaElement;

/** A field with the caret is selected as a whole in a range, and as one place for who asks its root. */
function fieldAround(range: StaticRange, whole: Selection): HTMLElement | null {
  const [parent, at] = [startOf(range), startAt(range)];
  if (endOf(range) !== parent || endAt(range) !== at + 1) return null;
  const child = childrenOf(parent)[at];
  if (!isField(child)) return null;
  const root = rootOf(parent);
  const selection = isShadow(root) ? selectionIn(root) : whole;
  if (selection === null) return null;
  const isOnePlace = anchorOf(selection) === focusOf(selection) && anchorAt(selection) === focusAt(selection);
  return isOnePlace ? child : null;
}

/** Reads and makes what is selected, in shadow roots and fields too. */
export function createSelections(shown: () => readonly ShadowRoot[]): PageSelections {
  const current = (): Selection | null => apply(selectionOfWindow, globalThis, []) as Selection | null;
  return {
    selected() {
      const selection = current();
      const anchor = selection && anchorOf(selection);
      if (selection === null || anchor === null || !isConnected(anchor)) return null;
      const [range] = apply(rangesOf, selection, [{ shadowRoots: [...shown()] }]) as readonly (
        | StaticRange
        | undefined
      )[];
      if (range === undefined || !isConnected(startOf(range)) || !isConnected(endOf(range))) return null;
      const [start, end] = [
        [startOf(range), startAt(range)],
        [endOf(range), endAt(range)],
      ] as [[Node, number], [Node, number]];
      const direction = directionOf(selection);
      return {
        places: direction === 'backward' ? [...end, ...start] : [...start, ...end],
        field: fieldAround(range, selection),
        // A script that selects in a shadow root is handed its nodes afterwards; who selects by hand shows the host alone.
        isOpen: isShadow(rootOf(anchor)),
        words: [typeOf(selection), direction, apply(textOf, selection, [])].join(),
      };
    },
    select({ places, isOpen }: SelectedRange) {
      const selection = current();
      const roots = [rootOf(places[0]), rootOf(places[2])];
      const root = isOpen ? undefined : roots.find(isShadow);
      if (root !== undefined && selection !== null) apply(removeAllRanges, selection, []);
      const of = root === undefined ? selection : selectionIn(root);
      if (of !== null) apply(setBaseAndExtent, of, [...places]);
    },
    deselect() {
      const selection = current();
      if (selection !== null) apply(removeAllRanges, selection, []);
    },
  };
}
