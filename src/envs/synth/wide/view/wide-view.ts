import type { UiNode } from '../../../../core/ui.ts';
import {
  alert,
  banner,
  button,
  heading,
  link,
  list,
  menu,
  menuItem,
  navigation,
  page as pageNode,
  region,
  status,
  tab,
  text,
  toolbar,
  type Child,
} from '../../../../worlds/app/elements.ts';
import { capitalised, rowOf, rowsOf, titleOf, type Model, type SynthState } from '../../app/model.ts';
import { confirmView, formView } from '../../app/view-form.ts';
import { settingsView } from '../../app/view-list.ts';
import { wideOf } from '../app/wide-commands.ts';
import { deskPage, operationScreen } from './operation-view.ts';
import { wideList } from './list-view.ts';
import { recordScreen } from './record-view.ts';
import type { WideView } from './view-context.ts';

export function createWideView(view: WideView): (state: SynthState) => UiNode {
  const { spec } = view.model;
  return state => {
    const { notice } = state.ui;
    return pageNode(spec.title, [...shell(view, state), notice !== '' && alert(notice), ...body(view, state)]);
  };
}

/** Pages with their titles. Entities without a navigation to them are not on screens of their own. */
export function widePages(model: Model): (readonly [string, string])[] {
  const { spec } = model;
  const wide = wideOf(model);
  const lists = spec.entities.filter(({ id }) => wide.lists[id] !== undefined);
  const home = wide.shell === 'dashboard' || spec.start === 'home' ? [[spec.words.home, 'home'] as const] : [];
  const desks = wide.desks.flatMap(id => {
    const operation = wide.operations.find(known => `${known.entity}.${known.id}` === id);
    return operation === undefined ? [] : [[operation.label, `desk:${id}`] as const];
  });
  const settings = spec.settings.length > 0 ? [[spec.words.settings, 'settings'] as const] : [];
  if (wide.shell === 'none') return lists.slice(0, 1).map(({ plural, id }) => [capitalised(plural), id] as const);
  return [...home, ...lists.map(({ plural, id }) => [capitalised(plural), id] as const), ...desks, ...settings];
}

function shell(view: WideView, state: SynthState): Child[] {
  const { model, gestures } = view;
  const { ui } = state;
  const { words } = model.spec;
  const pages = widePages(model);
  const go = (id: string) => gestures.visit.with({ page: id });
  const links = pages.map(([name, id]) => link(name, go(id), id === ui.page ? ['current'] : undefined));
  switch (wideOf(model).shell) {
    case 'none':
      return [];
    case 'banner':
      return [banner('Top', [navigation('Main', links), status(summary(view, state))])];
    case 'tabs':
      return [
        toolbar(
          words.menu,
          pages.map(([name, id]) => tab(name, go(id), id === ui.page ? ['selected'] : undefined)),
        ),
      ];
    case 'menu':
      return menuShell(view, state);
    case 'nested':
      return nestedShell(view, state);
    default:
      return [navigation(words.menu, links)];
  }
}

/** `24 patients, 8 doctors`. */
function summary({ model }: WideView, state: SynthState): string {
  const lists = model.spec.entities.filter(({ id }) => wideOf(model).lists[id] !== undefined);
  return lists
    .slice(0, 2)
    .map(entity => `${rowsOf(state, entity).length} ${entity.plural}`)
    .join(', ');
}

function menuShell({ model, gestures }: WideView, { ui }: SynthState): Child[] {
  const { words } = model.spec;
  const isOpen = ui.overlay === 'menu' && ui.field === 'main';
  const items = widePages(model).map(([name, id]) => menuItem(name, gestures.visit.with({ page: id })));
  return [
    button(words.menu, gestures.unfold.with({ menu: 'main', row: '' }), isOpen ? ['expanded'] : undefined),
    isOpen && menu(words.menu, items),
  ];
}

/** A menu within a menu: the lists in one part, the rest in the other. */
function nestedShell({ model, gestures }: WideView, { ui }: SynthState): Child[] {
  const { words } = model.spec;
  const pages = widePages(model);
  const isList = (id: string): boolean => wideOf(model).lists[id] !== undefined;
  const parts: [string, string, (readonly [string, string])[]][] = [
    [words.open, 'main/lists', pages.filter(([, id]) => isList(id))],
    [words.goTo, 'main/rest', pages.filter(([, id]) => !isList(id))],
  ];
  const isIn = (path: string): boolean =>
    ui.overlay === 'menu' && (ui.field === path || ui.field.startsWith(`${path}/`));
  const press = (path: string) => gestures.unfold.with({ menu: path, row: '' });
  const branches = parts
    .filter(([, , inside]) => inside.length > 0)
    .flatMap(([name, path, inside]) => [
      menuItem(name, press(path), isIn(path) ? ['expanded'] : undefined),
      isIn(path) &&
        menu(
          name,
          inside.map(([title, id]) => menuItem(title, gestures.visit.with({ page: id }))),
        ),
    ]);
  return [
    button(words.menu, press('main'), isIn('main') ? ['expanded'] : undefined),
    isIn('main') && menu(words.menu, branches),
  ];
}

function body(view: WideView, state: SynthState): Child[] {
  const { model, changeSetting } = view;
  const { ui } = state;
  if (ui.page === 'settings' && changeSetting !== null) return [settingsView(view, state, changeSetting)];
  if (ui.page.startsWith('desk:')) return [deskPage(view, state, ui.page.slice('desk:'.length))];
  const wide = wideOf(model);
  const look = wide.records[ui.page];
  if (look === undefined) return [homeView(view, state)];
  const entity = model.entity(ui.page);
  const page = model.pageOf(ui.page);
  if (ui.overlay === 'create' && page !== undefined) return [formView(view, state, page)];
  if (ui.overlay === 'confirm') return [confirmView(view, state, entity)];
  const opened = ui.record === '' ? undefined : rowOf(state, entity, ui.record);
  const operation = operationScreen(view, state, entity);
  if (operation !== null && (look.place === 'wizard' || opened === undefined)) return [operation];
  const isAlone = look.kind === 'page' || look.kind === 'tabs' || look.kind === 'dialog';
  const record = opened === undefined ? null : recordScreen(view, state, { entity, look, row: opened });
  if (record !== null && isAlone) return [record, operation];
  return [wideList(view, state, entity), look.kind === 'panel' && record, operation];
}

const shownAtHome = 4;

/** Figures and the first records of each list, with links to them. */
function homeView({ model, gestures }: WideView, state: SynthState): UiNode {
  const { words, title } = model.spec;
  const lists = model.spec.entities.filter(({ id }) => wideOf(model).lists[id] !== undefined);
  if (wideOf(model).shell !== 'dashboard') return region(words.welcome, [heading(title)]);
  return region(words.home, [
    heading(words.welcome),
    ...lists.map(entity => {
      const rows = rowsOf(state, entity);
      const open = (record: string) => gestures.visitRecord.with({ page: entity.id, record });
      return region(capitalised(entity.plural), [
        text(`${rows.length} ${entity.plural}`),
        list(
          words.open,
          rows.slice(0, shownAtHome).map(row => link(titleOf(entity, row), open(row.id))),
        ),
        link(`${words.open} ${entity.plural}`, gestures.visit.with({ page: entity.id })),
      ]);
    }),
  ]);
}
