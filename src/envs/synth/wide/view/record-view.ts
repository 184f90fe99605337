import type { UiNode } from '../../../../core/ui.ts';
import {
  button,
  cell,
  dialog,
  heading,
  link,
  list,
  listItem,
  menu,
  menuItem,
  region,
  row as tableRow,
  status,
  tab,
  table,
  text,
  toolbar,
  type Child,
} from '../../../../worlds/app/elements.ts';
import { capitalised, labelOf, rowsOf, shownValue, titleOf, type Row, type SynthState } from '../../app/model.ts';
import type { Entity } from '../../spec/schema.ts';
import type { Operation, RecordLook } from '../../spec/wide-schema.ts';
import { operationsOf } from '../app/wide-commands.ts';
import { flagControl, inlineForm, operationButton } from './operation-view.ts';
import { labelled, told } from './told.ts';
import type { WideView } from './view-context.ts';

export interface Opened {
  readonly entity: Entity;
  readonly look: RecordLook;
  readonly row: Row;
}

/** A record that is open, with what it says and what can be done with it. */
export function recordScreen(view: WideView, state: SynthState, opened: Opened): UiNode {
  const { entity, look, row } = opened;
  const { ui } = state;
  const title = titleOf(entity, row);
  const isExpanded = look.kind === 'expand';
  const away = (look.kind === 'page' || look.kind === 'tabs' ? link : button)(look.back, view.gestures.close.with({}));
  const isTabbed = look.kind === 'tabs';
  const parts: [string, Child[]][] = [
    [view.model.spec.words.details, facts(view, state, opened)],
    [look.desk, [...offers(view, state, opened), removal(view, opened)]],
    ...additions(view, state, opened),
  ];
  const at = Math.max(
    0,
    parts.findIndex(([name]) => name === ui.tab),
  );
  const tabs = parts.map(([name], index) =>
    tab(name, view.gestures.showTab.with({ tab: name }), index === at ? ['selected'] : undefined),
  );
  const content: Child[] = [
    !isExpanded && away,
    !isExpanded && look.kind !== 'dialog' && heading(title),
    ...(isTabbed ? [toolbar('', tabs), ...(parts[at]?.[1] ?? [])] : parts.flatMap(([, nodes]) => nodes)),
  ];
  if (look.kind === 'dialog') return dialog(title, content);
  return region(look.name === '' || isExpanded ? title : look.name, content);
}

/** What is known of the record, in one of the ways in which apps tell it. */
function facts(view: WideView, state: SynthState, { entity, look, row }: Opened): Child[] {
  const { model } = view;
  const flags = entity.fields.filter(({ type }) => type === 'flag');
  const columns = entity.fields.filter(({ id, type }) => id !== entity.title && type !== 'flag').map(({ id }) => id);
  const first = entity.workflow === null ? [] : ['state'];
  const isApart = look.hasStatus && entity.workflow !== null;
  const all = isApart ? columns : [...first, ...columns];
  const place = (column: string) => ({ entity, row, column });
  const apart = isApart && status(shownValue(model, state, place('state')));
  const switches = flags.map(field => flagControl(view, { entity, row, field }));
  switch (look.telling) {
    case 'sentence':
      return [text(all.map(column => told(model, state, place(column))).join(', ')), apart, ...switches];
    case 'table': {
      const rows = all.map(column =>
        tableRow(labelOf(entity, column), [cell(shownValue(model, state, place(column)))]),
      );
      return [apart, table(capitalised(entity.singular), rows), ...switches];
    }
    case 'labels':
      return [...all.map(column => text(labelled(model, state, place(column)))), apart, ...switches];
    default:
      return [...all.map(column => text(told(model, state, place(column)))), apart, ...switches];
  }
}

/** Operations: as forms, as buttons, in a toolbar, or behind menus. */
function offers(view: WideView, state: SynthState, { entity, look, row }: Opened): Child[] {
  const operations = operationsOf(view.model, entity.id);
  const offered = (operation: Operation) => ({ operation, row, label: operation.label });
  const buttons = (role = button): Child[] =>
    operations.map(operation => operationButton(view, state, { ...offered(operation), role }));
  switch (look.place) {
    case 'forms':
      return operations.map(operation => inlineForm(view, state, offered(operation)));
    case 'toolbar':
      return [toolbar(look.desk, buttons())];
    case 'menu': {
      const isOpen = isUnfolded(state, 'desk', row);
      return [
        button(look.desk, view.gestures.unfold.with({ menu: 'desk', row: row.id }), isOpen ? ['expanded'] : undefined),
        isOpen && menu(look.desk, buttons(menuItem)),
      ];
    }
    case 'submenu':
      return submenus(view, state, { entity, look, row });
    default:
      return buttons();
  }
}

function removal({ model, gestures, commands }: WideView, { entity, row }: Opened): Child {
  if (commands(entity.id).remove === null) return null;
  return button(model.spec.words.remove, gestures.ask.with({ id: row.id, pending: 'remove' }));
}

function isUnfolded({ ui }: SynthState, path: string, { id }: Row): boolean {
  return ui.overlay === 'menu' && ui.row === id && (ui.field === path || ui.field.startsWith(`${path}/`));
}

/** Menus within a menu: steps of the workflow, changes, and what can be added. */
function submenus(view: WideView, state: SynthState, { entity, look, row }: Opened): Child[] {
  const { words } = view.model.spec;
  const operations = operationsOf(view.model, entity.id);
  const groups: [string, string, Operation[]][] = [
    [entity.workflow?.label ?? words.moveTo, 'desk/steps', operations.filter(({ transition }) => transition !== null)],
    [words.change, 'desk/changes', operations.filter(({ transition, adds }) => transition === null && adds === null)],
    [words.add.replace('{thing}', '').trim(), 'desk/additions', operations.filter(({ adds }) => adds !== null)],
  ];
  const unfold = (path: string) => view.gestures.unfold.with({ menu: path, row: row.id });
  const branches = groups
    .filter(([, , inside]) => inside.length > 0)
    .flatMap(([name, path, inside]) => {
      const isOpen = isUnfolded(state, path, row);
      const items = inside.map(operation =>
        operationButton(view, state, { operation, row, label: operation.label, role: menuItem }),
      );
      return [menuItem(name, unfold(path), isOpen ? ['expanded'] : undefined), isOpen && menu(name, items)];
    });
  const isOpen = isUnfolded(state, 'desk', row);
  return [button(look.desk, unfold('desk'), isOpen ? ['expanded'] : undefined), isOpen && menu(look.desk, branches)];
}

/** The records that were added to this one, each kind a list. */
function additions({ model }: WideView, state: SynthState, { entity, row }: Opened): [string, Child[]][] {
  return model.inside(entity.id).map(child => {
    const own = rowsOf(state, child).filter(known => known[child.inside ?? ''] === row.id);
    const columns = child.fields.map(({ id }) => id).filter(id => id !== child.title && id !== child.inside);
    const items = own.map(known =>
      listItem(
        titleOf(child, known),
        columns.map(column => text(told(model, state, { entity: child, row: known, column }))),
      ),
    );
    const name = `${own.length} ${own.length === 1 ? child.singular : child.plural}`;
    return [capitalised(child.plural), [list(name, items)]];
  });
}
