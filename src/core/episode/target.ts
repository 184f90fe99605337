import type { Action } from '../action.ts';
import type { Box, Layout } from '../records.ts';

/** Where on the screen an action is aimed: the box of an element, or a point without size; null when nowhere. */
export function targetOf(action: Action, layout: Layout | undefined): Box | null {
  switch (action.kind) {
    case 'click':
    case 'fill':
    case 'select':
      return boxOf(action.ref, layout);
    case 'click-at':
    case 'hover-at':
    case 'scroll':
      return pointBox(action);
    case 'drag':
      return pointBox(action.from);
    case 'type':
    case 'press':
      // Keys go where the focus is.
      return boxOf(layout?.focus ?? null, layout);
    default:
      return null;
  }
}

function boxOf(ref: string | null, layout: Layout | undefined): Box | null {
  return ref === null ? null : (layout?.elements.find(element => element.ref === ref)?.box ?? null);
}

function pointBox({ x, y }: { readonly x: number; readonly y: number }): Box {
  return { x, y, width: 0, height: 0 };
}
