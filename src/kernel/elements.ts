import type { Intent, UiNode, UiRole, UiState } from '../core/ui.ts';

/** Short ways to write the nodes of a view. A child that is false or null is left out. */
export type Child = UiNode | false | null;

interface Marks {
  readonly states?: readonly UiState[];
  readonly shuffle?: true;
}

const kept = (children: readonly Child[]): UiNode[] => children.filter(child => child !== false && child !== null);

function group(role: UiRole): (name: string, children: readonly Child[], marks?: Marks) => UiNode {
  return (name, children, marks) => ({ role, name, children: kept(children), ...marks });
}

function pressable(role: UiRole): (name: string, press: Intent, states?: readonly UiState[]) => UiNode {
  return (name, press, states) => (states === undefined ? { role, name, press } : { role, name, press, states });
}

function toggle(role: UiRole): (name: string, checked: boolean, press: Intent) => UiNode {
  return (name, checked, press) => (checked ? { role, name, press, states: ['checked'] } : { role, name, press });
}

function words(role: UiRole): (name: string) => UiNode {
  return name => ({ role, name });
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
  return { role: 'textbox', name, value, enter, ...(states === undefined ? {} : { states }) };
}

/** A choice of one option; `enter` is `command.entering({...})`. */
export function combobox(name: string, value: string, { enter, options, states }: ChoiceOptions): UiNode {
  return { role: 'combobox', name, value, enter, options, ...(states === undefined ? {} : { states }) };
}

interface EntryOptions {
  readonly enter: Intent;
  readonly states?: readonly UiState[];
}

interface ChoiceOptions extends EntryOptions {
  readonly options: readonly string[];
}
