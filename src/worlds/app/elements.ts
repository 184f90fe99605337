import { EspalierError } from '../../core/errors.ts';
import type { Intent, UiNode, UiRole, UiState } from '../../core/ui.ts';

/** Short ways to write the nodes of a view. A child that is false, null or undefined is left out. */
export type Child = UiNode | false | null | undefined;

interface Marks {
  readonly states?: readonly UiState[] | undefined;
  readonly shuffle?: true;
}

/** Every node has the same members in the same order: reading a screen is then several times faster. */
function node(role: UiRole, name: string, parts: Omit<UiNode, 'role' | 'name'>): UiNode {
  const { value, states, children, press, enter, options, shuffle } = parts;
  return { role, name, value, states, children, press, enter, options, shuffle };
}

function kept(children: readonly Child[]): readonly UiNode[] {
  const isNode = (child: Child): child is UiNode => child !== false && child !== null && child !== undefined;
  return children.every(isNode) ? children : children.filter(isNode);
}

function group(role: UiRole): (name: string, children: readonly Child[], marks?: Marks) => UiNode {
  return (name, children, marks) =>
    node(role, name, { children: kept(children), states: marks?.states, shuffle: marks?.shuffle });
}

function pressable(role: UiRole): (name: string, press: Intent, states?: readonly UiState[]) => UiNode {
  return (name, press, states) => {
    if (press === undefined) throw withoutAction(role, name, `${role}(name, command.with({...}))`);
    return node(role, name, { press, states });
  };
}

/** Without an action an element would be on the screen, and nobody could use it. */
function withoutAction(role: string, name: string, call: string): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'invalid-app',
    message: `The ${role} "${name}" was made without what it does.`,
    expected: `Expected ${call}.`,
  });
}

const ticked: readonly UiState[] = ['checked'];

function toggle(role: UiRole): (name: string, checked: boolean, press: Intent) => UiNode {
  return (name, checked, press) => {
    if (press === undefined) throw withoutAction(role, name, `${role}(name, checked, command.with({...}))`);
    return node(role, name, { press, states: checked ? ticked : undefined });
  };
}

function words(role: UiRole): (name: string) => UiNode {
  return name => node(role, name, {});
}

export const page = group('page');
export const banner = group('banner');
export const navigation = group('navigation');
export const toolbar = group('toolbar');
export const region = group('region');
export const form = group('form');
export const searchBox = group('search');
export const dialog = group('dialog');
export const menu = group('menu');
export const list = group('list');
export const listItem = group('listitem');
export const table = group('table');
export const row = group('row');

export const button = pressable('button');
export const link = pressable('link');
export const tab = pressable('tab');
export const menuItem = pressable('menuitem');

export const checkbox = toggle('checkbox');
export const radio = toggle('radio');
export const switchButton = toggle('switch');

export const heading = words('heading');
export const text = words('text');
export const alert = words('alert');
export const status = words('status');
export const cell = words('cell');

/** A field for free text; `enter` is `command.entering({...})`. */
export function textbox(name: string, value: string, { enter, states }: EntryOptions): UiNode {
  if (enter === undefined)
    throw withoutAction('textbox', name, 'textbox(name, value, { enter: command.entering({}) })');
  return node('textbox', name, { value, enter, states });
}

/** A choice of one option; `enter` is `command.entering({...})`. */
export function combobox(name: string, value: string, { enter, options, states }: ChoiceOptions): UiNode {
  if (enter === undefined || !Array.isArray(options)) {
    const call = 'combobox(name, value, { enter: command.entering({}), options: [...] })';
    throw withoutAction('combobox', name, call);
  }
  return node('combobox', name, { value, enter, options, states });
}

interface EntryOptions {
  readonly enter: Intent;
  readonly states?: readonly UiState[] | undefined;
}

interface ChoiceOptions extends EntryOptions {
  readonly options: readonly string[];
}
