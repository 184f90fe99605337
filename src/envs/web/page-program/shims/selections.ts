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

const { attachShadow } = Element.prototype;
const { createElement } = Document.prototype;

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

type Places = SelectedRange['places'];
const areSame = (one: Places, other: Places): boolean => one.every((part, index) => part === other[index]);

/** Reads and makes what is selected, in shadow roots and fields too. */
export function createSelections(shown: () => readonly ShadowRoot[]): PageSelections {
  const current = (): Selection | null => apply(selectionOfWindow, globalThis, []) as Selection | null;
  let nowhere: ShadowRoot | null = null;
  /** What a script selects by the selection of a shadow root is shown to scripts as if a person had selected it. */
  const unseen = (): Selection | null => {
    nowhere ??= apply(attachShadow, apply(createElement, document, ['div']), [{ mode: 'closed' }]) as ShadowRoot;
    return selectionIn(nowhere);
  };
  function seenIn(selection: Selection): Places | null {
    const [anchor, focus] = [anchorOf(selection), focusOf(selection)];
    return anchor === null || focus === null ? null : [anchor, anchorAt(selection), focus, focusAt(selection)];
  }
  return {
    selected() {
      const selection = current();
      const seen = selection && seenIn(selection);
      if (selection === null || seen === null || !isConnected(seen[0]) || !isConnected(seen[2])) return null;
      const [range] = apply(rangesOf, selection, [{ shadowRoots: [...shown()] }]) as readonly (
        | StaticRange
        | undefined
      )[];
      if (range === undefined) return null;
      const [start, end] = [
        [startOf(range), startAt(range)],
        [endOf(range), endAt(range)],
      ] as [[Node, number], [Node, number]];
      const direction = directionOf(selection);
      return {
        places: direction === 'backward' ? [...end, ...start] : [...start, ...end],
        seen,
        field: fieldAround(range, selection),
        words: [typeOf(selection), direction, apply(textOf, selection, [])].join(),
      };
    },
    select({ places, seen }: SelectedRange) {
      const [selection, hidden] = [current(), unseen()];
      if (selection === null || hidden === null) return;
      apply(removeAllRanges, selection, []);
      apply(setBaseAndExtent, hidden, [...places]);
      const shownAs = seenIn(selection);
      if (areSame(places, seen) && (shownAs === null || !areSame(shownAs, seen)))
        apply(setBaseAndExtent, selection, [...places]);
    },
    deselect() {
      const selection = current();
      if (selection !== null) apply(removeAllRanges, selection, []);
    },
  };
}
