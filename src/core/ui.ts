import type { JsonObject } from './json.ts';
import { onLine } from './text.ts';

export type UiRole =
  | 'page'
  | 'banner'
  | 'navigation'
  | 'toolbar'
  | 'region'
  | 'form'
  | 'search'
  | 'dialog'
  | 'menu'
  | 'menuitem'
  | 'list'
  | 'listitem'
  | 'table'
  | 'row'
  | 'cell'
  | 'heading'
  | 'text'
  | 'alert'
  | 'status'
  | 'button'
  | 'link'
  | 'tab'
  | 'checkbox'
  | 'radio'
  | 'switch'
  | 'textbox'
  | 'combobox';

export type UiState = 'checked' | 'current' | 'disabled' | 'expanded' | 'invalid' | 'required' | 'selected' | 'unread';

/** A command and its input, ready to be dispatched. */
export interface Intent {
  readonly command: string;
  readonly input: JsonObject;
}

/** One element of a screen, as plain JSON. What is interactive carries the intent it dispatches. */
export interface UiNode {
  readonly role: UiRole;
  readonly name?: string | undefined;
  readonly value?: string | undefined;
  readonly states?: readonly UiState[] | undefined;
  readonly children?: readonly UiNode[] | undefined;
  /** Dispatched by a click. */
  readonly press?: Intent | undefined;
  /** Dispatched by a fill or select, with what was entered added to the input as `value`. */
  readonly enter?: Intent | undefined;
  /** What a combobox offers. */
  readonly options?: readonly string[] | undefined;
  /** The order of the children carries no meaning, so a variation may change it. */
  readonly shuffle?: true | undefined;
}

/** A screen with its interactive elements numbered in document order: `e1`, `e2`, … */
export interface Screen {
  readonly root: UiNode;
  readonly elements: readonly UiNode[];
  readonly text: string;
}

/** Made once: this runs for every line of every screen. */
const marks = Array.from({ length: 256 }, (_, index) => `[e${index}] `);

export function createScreen(root: UiNode): Screen {
  const elements: UiNode[] = [];
  return { root, elements, text: write(root, '', elements) };
}

function write(node: UiNode, indent: string, elements: UiNode[]): string {
  const { role, name, value, states, options, children } = node;
  let text = indent;
  if (isInteractive(node)) {
    elements.push(node);
    text += marks[elements.length] ?? `[e${elements.length}] `;
  }
  if (name === undefined) text += role;
  else text += role === 'text' ? onLine(name) : `${role} "${onLine(name)}"`;
  if (value !== undefined) text += value === '' ? ': (empty)' : `: ${onLine(value)}`;
  if (options !== undefined) text += ` {${options.join(' | ')}}`;
  if (states !== undefined) for (const state of states) text += ` (${state})`;
  text += '\n';
  if (children !== undefined) {
    const deeper = `${indent}  `;
    for (const child of children) text += write(child, deeper, elements);
  }
  return text;
}

export function isInteractive(node: UiNode): boolean {
  return (node.press !== undefined || node.enter !== undefined) && node.states?.includes('disabled') !== true;
}

export function elementAt(screen: Screen, ref: string): UiNode | undefined {
  return screen.elements[Number(ref.slice(1)) - 1];
}
