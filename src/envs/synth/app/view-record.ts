import type { UiNode, UiState } from '../../../core/ui.ts';
import {
  button,
  cell,
  checkbox,
  combobox,
  dialog,
  heading,
  link,
  list,
  listItem,
  menu,
  menuItem,
  region,
  row as tableRow,
  switchButton,
  tab,
  table,
  text,
  textbox,
  toolbar,
  type Child,
} from '../../../worlds/app/elements.ts';
import type { Entity, Field, Page, Transition } from '../spec/schema.ts';
import {
  capitalised,
  fieldOf,
  labelOf,
  rowsOf,
  shownValue,
  titleOf,
  worded,
  type Row,
  type SynthState,
} from './model.ts';
import { obstacle } from './rules.ts';
import { fieldForm, linkOptions, quickForm, type View } from './view-form.ts';

export interface Opened {
  readonly entity: Entity;
  readonly page: Page;
  readonly row: Row;
}

/** A record that is open: as a page, a panel, a dialog, or below its line in the list. */
export function recordView(view: View, state: SynthState, opened: Opened): UiNode {
  const { entity, page, row } = opened;
  const { words } = view.model.spec;
  const title = titleOf(entity, row);
  const children = view.model.inside(entity.id);
  const away = page.opening === 'page' ? words.back : words.close;
  const shownChild = children.find(({ id }) => id === state.ui.tab);
  const content: Child[] = [
    page.opening === 'page' && heading(title),
    (page.opening === 'page' ? link : button)(away, view.gestures.close.with({})),
    children.length > 0 && tabs(view, state, children),
    ...(shownChild === undefined
      ? [...details(view, state, opened), ...changes(view, state, opened)]
      : childList(view, state, { ...opened, child: shownChild })),
  ];
  return page.opening === 'dialog' ? dialog(title, content) : region(title, content);
}

function tabs({ model, gestures }: View, { ui }: SynthState, children: readonly Entity[]): UiNode {
  const names: [string, string][] = [[model.spec.words.details, ''], ...children.map(childTab)];
  const nodes = names.map(([name, id]) =>
    tab(name, gestures.showTab.with({ tab: id }), id === ui.tab ? ['selected'] : undefined),
  );
  return toolbar('', nodes);
}

function childTab({ plural, id }: Entity): [string, string] {
  return [capitalised(plural), id];
}

/** The values of the record, each to read, or to change in its place. */
function details(view: View, state: SynthState, opened: Opened): Child[] {
  const { entity, page } = opened;
  const columns = [...(entity.workflow === null ? [] : ['state']), ...entity.fields.map(({ id }) => id)];
  const nodes = columns.flatMap(column => detail(view, state, { ...opened, column }));
  return page.layout === 'table' && page.editing !== 'inline' ? [table(capitalised(entity.singular), nodes)] : nodes;
}

function detail(view: View, state: SynthState, { column, ...opened }: Opened & { column: string }): UiNode[] {
  const { model, gestures } = view;
  const { entity, page, row } = opened;
  const { words } = model.spec;
  const field = fieldOf(entity, column);
  const label = labelOf(entity, column);
  const isEditable = field !== undefined && page.editable.includes(column);
  if (isEditable && page.editing === 'inline') return [inlineControl(view, state, { ...opened, field })];
  const { overlay, field: edited, row: about } = state.ui;
  if (isEditable && overlay === 'edit' && edited === column && about === row.id) {
    return [fieldForm(view, state, { entity, field, page })];
  }
  const value = shownValue(model, state, { entity, row, column });
  const press = gestures.startEditing.with({ entity: entity.id, id: row.id, field: column });
  const change = isEditable && page.editing === 'per-field' && button(`${words.change} ${label.toLowerCase()}`, press);
  if (page.layout === 'table') return [tableRow(label, [cell(value), change])];
  return change === false ? [text(`${label}: ${value}`)] : [text(`${label}: ${value}`), change];
}

function inlineControl(view: View, state: SynthState, { entity, page, row, field }: Opened & { field: Field }): UiNode {
  const { model, commands } = view;
  const set = commands(entity.id).set.get(field.id);
  const value = shownValue(model, state, { entity, row, column: field.id });
  if (set === undefined) return text(`${field.label}: ${value}`);
  const enter = set.entering({ id: row.id });
  switch (field.type) {
    case 'flag': {
      const isOn = row[field.id] === true;
      return (page.switches ? switchButton : checkbox)(field.label, isOn, set.with({ id: row.id, value: !isOn }));
    }
    case 'choice':
      return combobox(field.label, value, { enter, options: field.options });
    case 'link':
      return combobox(field.label, value, { enter, options: linkOptions(model, state, field) });
    default:
      return textbox(field.label, String(row[field.id]), { enter });
  }
}

/** What can be done with the record that is open. */
function changes(view: View, state: SynthState, opened: Opened): Child[] {
  const { entity, page, row } = opened;
  const { words } = view.model.spec;
  const { edit, remove } = view.commands(entity.id);
  const press = view.gestures.startEditing.with({ entity: entity.id, id: row.id, field: '' });
  return [
    ...(page.actions === 'row' || page.actions === 'toolbar' ? [] : moves(view, state, opened)),
    edit !== null && button(page.longLabels ? `${words.edit} ${entity.singular}` : words.edit, press),
    remove !== null &&
      button(
        page.longLabels ? `${words.remove} ${entity.singular}` : words.remove,
        view.gestures.ask.with({ id: row.id, pending: 'remove' }),
      ),
  ];
}

/** The transitions of a record: as buttons, behind a menu, or as a choice of the next state. */
export function moves(view: View, state: SynthState, opened: Opened): Child[] {
  const { model, gestures, commands } = view;
  const { entity, page, row } = opened;
  const { words } = model.spec;
  if (entity.workflow === null) return [];
  const { moveTo } = commands(entity.id);
  if (page.actions === 'select' && moveTo !== null) {
    const next = entity.workflow.transitions.filter(({ from }) => from.includes(String(row['state'])));
    const all = page.gate === 'refuse' ? entity.workflow.states : [String(row['state']), ...next.map(({ to }) => to)];
    const options = [...new Set(all)];
    return [combobox(words.moveTo, String(row['state']), { enter: moveTo.entering({ id: row.id }), options })];
  }
  const offered = entity.workflow.transitions.filter(
    transition => page.gate !== 'hide' || transition.from.includes(String(row['state'])),
  );
  if (page.actions !== 'menu') return offered.map(transition => moveNode(view, state, { ...opened, transition }));
  const isOpen = state.ui.overlay === 'actions' && state.ui.row === row.id;
  return [
    button(
      words.actions,
      gestures.showMenu.with({ overlay: 'actions', row: row.id }),
      isOpen ? ['expanded'] : undefined,
    ),
    isOpen &&
      menu(
        words.actions,
        offered.map(transition => moveNode(view, state, { ...opened, transition })),
      ),
  ];
}

function moveNode(
  view: View,
  state: SynthState,
  { entity, page, row, transition }: Opened & { transition: Transition },
) {
  const { id, label, confirm } = transition;
  const command = view.commands(entity.id).moves.get(id);
  const press =
    confirm || command === undefined
      ? view.gestures.ask.with({ id: row.id, pending: id })
      : command.with({ id: row.id });
  const isBlocked = page.gate === 'disable' && obstacle(view.model, state, { entity, row, transition }) !== null;
  const states: readonly UiState[] | undefined = isBlocked ? ['disabled'] : undefined;
  const name = page.longLabels ? `${label} ${entity.singular}` : label;
  return (page.actions === 'menu' ? menuItem : button)(name, press, states);
}

/** The records that are shown inside of this one, and a form for another. */
function childList(view: View, state: SynthState, { child, page, row }: Opened & { child: Entity }): Child[] {
  const { model } = view;
  const { words } = model.spec;
  const own = rowsOf(state, child).filter(known => known[child.inside ?? ''] === row.id);
  const columns = child.fields.map(({ id }) => id).filter(id => id !== child.title && id !== child.inside);
  const items = own.map(known =>
    listItem(
      titleOf(child, known),
      columns.map(column =>
        text(`${labelOf(child, column)}: ${shownValue(model, state, { entity: child, row: known, column })}`),
      ),
    ),
  );
  const given = { [child.inside ?? '']: row.id };
  return [
    own.length === 0 ? text(words.nothing) : list(worded(capitalised(child.plural), child), items),
    quickForm(view, state, { entity: child, page, given }),
  ];
}
