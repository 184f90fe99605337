import type { UiNode } from '../../../core/ui.ts';
import {
  button,
  cell,
  checkbox,
  combobox,
  form,
  heading,
  link,
  list,
  listItem,
  region,
  row as tableRow,
  searchBox,
  switchButton,
  tab,
  table,
  text,
  textbox,
  toolbar,
  type Child,
} from '../../../worlds/app/elements.ts';
import type { Page as Shown } from '../../../worlds/app/table.ts';
import type { Entity, Page } from '../spec/schema.ts';
import { filterOptions, listed } from './listing.ts';
import { capitalised, labelOf, rowOf, shownValue, titleOf, worded, type Row, type SynthState } from './model.ts';
import { quickForm, type View } from './view-form.ts';
import { moves, recordView, type Opened } from './view-record.ts';

interface Listing {
  readonly entity: Entity;
  readonly page: Page;
}

/** The page of an entity: what narrows the list, the list, and what opens beside it. */
export function listView(view: View, state: SynthState, page: Page): UiNode {
  const { model, gestures } = view;
  const { words } = model.spec;
  const entity = model.entity(page.entity);
  const listing = { entity, page };
  const shown = listed(model, state, page);
  const { ui } = state;
  const opened = ui.record === '' ? undefined : rowOf(state, entity, ui.record);
  const add = page.creation !== null && page.creation !== 'quick';
  const count = `${shown.total} ${shown.total === 1 ? entity.singular : entity.plural}`;
  return region(capitalised(entity.plural), [
    ...narrowing(view, state, listing),
    add && button(worded(words.add, entity), gestures.startCreating.with({ entity: entity.id })),
    page.creation === 'quick' && quickForm(view, state, { entity, page, given: {} }),
    page.actions === 'toolbar' && selectionBar(view, state, listing),
    text(count),
    shown.total === 0 ? text(words.nothing) : collection(view, state, { ...listing, shown }),
    ...pager(view, shown),
    opened !== undefined && page.opening === 'panel' && recordView(view, state, { entity, page, row: opened }),
  ]);
}

/** Search, filters and order. */
function narrowing(view: View, state: SynthState, listing: Listing): Child[] {
  const { model, gestures } = view;
  const { page } = listing;
  const { words } = model.spec;
  const { ui } = state;
  const isPanel = page.filterPlace === 'panel';
  const isOpen = !isPanel || ui.overlay === 'filters';
  const isNarrowed = ui.query !== '' || Object.values(ui.filter).some(value => value !== '');
  const toggle = gestures.showMenu.with({ overlay: 'filters', row: '' });
  const controls: Child[] = [
    ...search(view, state, listing),
    page.filters.length > 0 && isPanel && button(words.filters, toggle, isOpen ? ['expanded'] : undefined),
    ...(isOpen ? page.filters.map(column => filter(view, state, { ...listing, column })) : []),
    isNarrowed && button(words.clear, gestures.clear.with({})),
    page.sorting === 'select' && page.sorts.length > 0 && order(view, state, listing),
  ];
  return controls.some(node => node !== false && node !== null) ? [searchBox(words.search, controls)] : [];
}

function search({ model, gestures }: View, { ui }: SynthState, { page, entity }: Listing): Child[] {
  const { words } = model.spec;
  const label = `${words.search} ${entity.plural}`;
  if (page.search === 'none') return [];
  if (page.search === 'live') return [textbox(label, ui.query, { enter: gestures.search.entering({}) })];
  return [
    textbox(label, ui.typed, { enter: gestures.type.entering({}) }),
    button(words.find, gestures.search.with({ value: ui.typed })),
  ];
}

function filter({ model, gestures }: View, state: SynthState, { entity, page, column }: Listing & { column: string }) {
  const { any } = model.spec.words;
  const options = [any, ...filterOptions(model, state, { entity, column })];
  const value = state.ui.filter[column] ?? '';
  const label = labelOf(entity, column);
  if (page.filterPlace === 'tabs' && column === page.filters[0]) {
    const nodes = options.map(option => {
      const isChosen = option === (value === '' ? any : value);
      return tab(option, gestures.filter.with({ column, value: option, any }), isChosen ? ['selected'] : undefined);
    });
    return toolbar(label, nodes);
  }
  const enter = gestures.filter.entering({ column, any });
  return combobox(label, value === '' ? any : value, { enter, options });
}

function order({ model, gestures }: View, { ui }: SynthState, { entity, page }: Listing): UiNode {
  const { words } = model.spec;
  const orders: Record<string, string> = { [words.none]: '' };
  for (const column of page.sorts) {
    orders[`${labelOf(entity, column)}, ${words.lowest}`] = `${column}:asc`;
    orders[`${labelOf(entity, column)}, ${words.highest}`] = `${column}:desc`;
  }
  const value = Object.keys(orders).find(name => orders[name] === ui.sort) ?? words.none;
  return combobox(words.sortBy, value, { enter: gestures.arrange.entering({ orders }), options: Object.keys(orders) });
}

function selectionBar({ model, gestures, commands }: View, { ui }: SynthState, { entity }: Listing): Child {
  if (ui.selected.length === 0) return null;
  const buttons = (entity.workflow?.transitions ?? []).map(({ id, label, confirm }) => {
    const command = commands(entity.id).moves.get(id);
    const press =
      confirm || command === undefined
        ? gestures.ask.with({ id: '', pending: id })
        : command.with({ ids: [...ui.selected] });
    return button(label, press);
  });
  return toolbar(`${ui.selected.length} ${model.spec.words.select}`, buttons, { shuffle: true });
}

function collection(view: View, state: SynthState, listing: Listing & { shown: Shown<Row> }): UiNode {
  const { entity, page, shown } = listing;
  const name = capitalised(entity.plural);
  if (page.layout === 'board') return board(view, state, listing);
  const items = shown.items.flatMap(row => line(view, state, { entity, page, row }));
  if (page.layout !== 'table') return page.layout === 'list' ? list(name, items) : region(name, items);
  return table(name, [headerRow(view, state, listing), ...items]);
}

function board(view: View, state: SynthState, { entity, page, shown }: Listing & { shown: Shown<Row> }): UiNode {
  const lanes = (entity.workflow?.states ?? []).map(lane => {
    const rows = shown.items.filter(row => row['state'] === lane);
    const items = rows.flatMap(row => line(view, state, { entity, page, row }));
    return region(lane, [heading(`${lane} (${rows.length})`), rows.length > 0 && list(lane, items)]);
  });
  return region(capitalised(entity.plural), lanes);
}

/** Names of the columns; those that the list can be sorted by are buttons. */
function headerRow({ gestures }: View, { ui }: SynthState, { entity, page }: Listing): UiNode {
  const cells = [entity.title, ...page.columns].map(column => {
    const label = labelOf(entity, column);
    if (page.sorting !== 'headers' || !page.sorts.includes(column)) return cell(label);
    const isUp = ui.sort === `${column}:asc`;
    const arrow = isUp ? ' ↑' : ui.sort === `${column}:desc` ? ' ↓' : '';
    return button(`${label}${arrow}`, gestures.sort.with({ sort: `${column}:${isUp ? 'desc' : 'asc'}` }));
  });
  return tableRow('', cells);
}

/** One record in the list, with what is open below it. */
function line(view: View, state: SynthState, opened: Opened): UiNode[] {
  const { model } = view;
  const { entity, page, row } = opened;
  const { ui } = state;
  const values = page.columns.map(column => shownValue(model, state, { entity, row, column }));
  const isTicked = ui.selected.includes(row.id);
  const tick =
    page.actions === 'toolbar' &&
    checkbox(model.spec.words.select, isTicked, view.gestures.tick.with({ id: row.id, on: !isTicked }));
  const inRow = page.actions === 'row' ? moves(view, state, opened) : [];
  const isExpanded = page.opening === 'expand' && ui.record === row.id;
  const below = isExpanded ? [recordView(view, state, opened)] : [];
  const title = titleOf(entity, row);
  const opener = openerOf(view, state, opened);
  const toggles = page.columns.flatMap(column => rowToggle(view, { ...opened, column }));
  if (page.layout === 'table')
    return [tableRow(title, [tick, opener, ...values.map(cell), ...toggles, ...inRow]), ...below];
  const told = page.columns.map((column, index) => `${labelOf(entity, column)}: ${values[index] ?? ''}`);
  if (page.layout === 'cards')
    return [region(title, [heading(title), ...told.map(text), tick, ...toggles, ...inRow, opener, ...below])];
  return [listItem(title, [tick, opener, told.length > 0 && text(told.join(', ')), ...toggles, ...inRow, ...below])];
}

/** A flag that can be set in the list itself. */
function rowToggle({ commands }: View, { entity, page, row, column }: Opened & { column: string }): UiNode[] {
  const set = commands(entity.id).set.get(column);
  if (page.editing !== 'inline' || set === undefined || typeof row[column] !== 'boolean') return [];
  const isOn = row[column] === true;
  const toggle = page.switches ? switchButton : checkbox;
  return [toggle(labelOf(entity, column), isOn, set.with({ id: row.id, value: !isOn }))];
}

function openerOf({ model, gestures }: View, { ui }: SynthState, { entity, page, row }: Opened): UiNode {
  const { words } = model.spec;
  const title = titleOf(entity, row);
  const isExpanded = page.opening === 'expand' && ui.record === row.id;
  const press = isExpanded ? gestures.close.with({}) : gestures.open.with({ id: row.id });
  const label = page.layout === 'cards' ? words.open : title;
  if (page.opening === 'page') return link(label, press);
  return button(label, press, isExpanded ? ['expanded'] : undefined);
}

function pager({ model, gestures }: View, { page, pages }: Shown<Row>): Child[] {
  const { words } = model.spec;
  if (pages === 1) return [];
  return [
    text(`${page} / ${pages}`),
    page > 1 && button(words.previous, gestures.turn.with({ number: page - 1 })),
    page < pages && button(words.next, gestures.turn.with({ number: page + 1 })),
  ];
}

/** The settings of the app, each a choice. */
export function settingsView({ model }: Pick<View, 'model'>, state: SynthState, change: SettingPress): UiNode {
  const { settings, words } = model.spec;
  const controls = settings.map(({ id, label, options }) =>
    combobox(label, state.settings[id] ?? '', { enter: change.entering({ setting: id }), options }),
  );
  return region(words.settings, [form(words.settings, controls)]);
}

interface SettingPress {
  entering(input: { setting: string }): NonNullable<UiNode['enter']>;
}
