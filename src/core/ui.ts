import type { JsonObject } from './json.ts';

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
  readonly name?: string;
  readonly value?: string;
  readonly states?: readonly UiState[];
  readonly children?: readonly UiNode[];
  /** Dispatched by a click. */
  readonly press?: Intent;
  /** Dispatched by a fill or select, with what was entered added to the input as `value`. */
  readonly enter?: Intent;
  /** What a combobox offers. */
  readonly options?: readonly string[];
  /** The order of the children carries no meaning, so a variation may change it. */
  readonly shuffle?: true;
}

/** A screen with its interactive elements numbered in document order: `e1`, `e2`, … */
export interface Screen {
  readonly root: UiNode;
  readonly elements: readonly UiNode[];
  readonly text: string;
}

export function createScreen(root: UiNode): Screen {
  const elements: UiNode[] = [];
  return { root, elements, text: write(root, '', elements) };
}

export function isInteractive(node: UiNode): boolean {
  return (node.press !== undefined || node.enter !== undefined) && node.states?.includes('disabled') !== true;
}

export function elementAt(screen: Screen, ref: string): UiNode | undefined {
  return screen.elements[Number(ref.slice(1)) - 1];
}

function write(node: UiNode, indent: string, elements: UiNode[]): string {
  let line = indent;
  if (isInteractive(node)) {
    elements.push(node);
    line += `[e${elements.length}] `;
  }
  line += node.role === 'text' ? (node.name ?? '') : node.role;
  if (node.role !== 'text' && node.name !== undefined) line += ` "${node.name}"`;
  if (node.value !== undefined) line += `: ${node.value === '' ? '(empty)' : node.value}`;
  if (node.options !== undefined) line += ` {${node.options.join(' | ')}}`;
  if (node.states !== undefined) for (const state of node.states) line += ` (${state})`;
  line += '\n';
  if (node.children !== undefined) {
    const deeper = `${indent}  `;
    for (const child of node.children) line += write(child, deeper, elements);
  }
  return line;
}
