import { EspalierError } from '../../../../core/errors.ts';
import { isInteractive, type UiNode, type UiRole, type UiState } from '../../../../core/ui.ts';

/** One element of a screen as the page is told of it: what it is, not what it does. */
export interface RenderNode {
  readonly role: UiRole;
  readonly name?: string;
  readonly value?: string;
  readonly states?: readonly UiState[];
  readonly options?: readonly string[];
  readonly children?: readonly RenderNode[];
  /** `e12` on what can be acted on, numbered as on the screen. */
  readonly ref?: string;
}

/** How a screen looks. It changes what is seen, never what is there. */
export interface Appearance {
  readonly theme: 'light' | 'dark' | 'contrast' | 'warm';
  readonly density: 'comfortable' | 'compact';
}

/** Where a person is on a page: focus, caret and scrolling. Nothing of it is in the state of an app. */
export interface FocusState {
  /** Child numbers from the body down to the element in focus. */
  readonly focus: readonly number[] | null;
  /** Whether the focus is shown by a ring. */
  readonly ring: boolean;
  readonly caret: readonly [start: number, end: number] | null;
  /** Whether the choice in focus is open. */
  readonly open: boolean;
  /** Null is where people start: at the top, or at the dialog that is open. */
  readonly scroll: readonly [x: number, y: number] | null;
  /** What is scrolled within the page. */
  readonly scrolled: readonly { readonly at: readonly number[]; readonly x: number; readonly y: number }[];
}

/** Where people are on a screen that they come to. */
export const initialFocusState: FocusState = {
  focus: null,
  ring: false,
  caret: null,
  open: false,
  scroll: null,
  scrolled: [],
};

/** What a person did, as the page tells it. */
export type UserIntent =
  | { readonly kind: 'click'; readonly ref: string }
  | { readonly kind: 'fill'; readonly ref: string; readonly text: string }
  | { readonly kind: 'select'; readonly ref: string; readonly option: string };

/** A screen as the page is told of it. */
export function toRenderNode(root: UiNode): RenderNode {
  let count = 0;
  const face = (node: UiNode): RenderNode => {
    refuseUndrawable(node);
    const { role, name, value, states, options, children } = node;
    const ref = isInteractive(node) ? { ref: `e${++count}` } : {};
    return {
      role,
      ...(name === undefined ? {} : { name }),
      ...(value === undefined ? {} : { value }),
      ...(states === undefined || states.length === 0 ? {} : { states }),
      ...(options === undefined ? {} : { options }),
      ...(children === undefined || children.length === 0 ? {} : { children: children.map(face) }),
      ...ref,
    };
  };
  return face(root);
}

/** A page has no element for these: drawing something else would say another thing than the screen does. */
function refuseUndrawable({ role, name, children, press, enter }: UiNode): void {
  const isField = role === 'textbox' || role === 'combobox';
  if (isField && children !== undefined && children.length > 0) throw undrawable(role, name, 'has children');
  if (isField && press !== undefined) throw undrawable(role, name, 'can be pressed');
  if (!isField && enter !== undefined) throw undrawable(role, name, 'can be filled');
}

function undrawable(role: UiRole, name: string | undefined, what: string): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'view-failed',
    message: `The ${role} ${JSON.stringify(name ?? '')} ${what}, which no page can draw.`,
    expected:
      'Expected text to be entered in textboxes and comboboxes only, which have no children and are not pressed.',
  });
}
