import type { UiNode } from '../../../../core/ui.ts';
import {
  button,
  cell,
  checkbox,
  combobox,
  heading,
  link,
  list,
  listItem,
  navigation,
  region,
  row as tableRow,
  searchBox,
  switchButton,
  table,
  text,
  textbox,
  toolbar,
  type Child,
} from '../../../../worlds/app/elements.ts';
import type { Page as Shown } from '../../../../worlds/app/table.ts';
import { filterOptions } from '../../app/listing.ts';
import { quickForm } from '../../app/view-form.ts';
import {
  capitalised,
  fieldOf,
  labelOf,
  shownValue,
  titleOf,
  worded,
  type Row,
  type SynthState,
} from '../../app/model.ts';
import type { Entity } from '../../spec/schema.ts';
import type { ListLook } from '../../spec/wide-schema.ts';
import { isPlain, operationsOf, wideOf } from '../app/wide-commands.ts';
import { listLook, matching, openPlace, placeFor, placesOf, shownRows } from '../app/wide-listing.ts';
import { operationButton } from './operation-view.ts';
import { recordScreen } from './record-view.ts';
import { nameOf, told } from './told.ts';
import type { WideView } from './view-context.ts';

interface Listing {
  readonly entity: Entity;
  readonly look: ListLook;
  readonly shown: Shown<Row>;
}

/** The page of an entity: what narrows the list, and the list in its kind. */
export function wideList(view: WideView, state: SynthState, entity: Entity): UiNode {
  const look = listLook(view.model, entity.id);
  const shown = shownRows(view.model, state, entity);
  const listing = { entity, look, shown };
  return region(capitalised(entity.plural), [
    ...narrowing(view, state, listing),
    creation(view, state, entity),
    look.isSelectable && selection(view, state, listing),
    ...places(view, state, listing),
    look.count === 'text' && text(countWords(listing)),
    look.count === 'heading' && heading(countWords(listing)),
    shown.total === 0 && !isTree(state, look) ? text(view.model.spec.words.nothing) : collection(view, state, listing),
    ...pager(view, listing),
  ]);
}

/** A button for a new record, or the form for one. */
function creation(view: WideView, state: SynthState, entity: Entity): Child {
  const page = view.model.pageOf(entity.id);
  if (page === undefined || page.creation === null) return null;
  if (page.creation === 'quick') return quickForm(view, state, { entity, page, given: {} });
  return button(worded(view.model.spec.words.add, entity), view.gestures.startCreating.with({ entity: entity.id }));
}

function countWords({ entity, shown }: Listing): string {
  return `${shown.total} ${shown.total === 1 ? entity.singular : entity.plural}`;
}

function isTree({ ui }: SynthState, { kind }: ListLook): boolean {
  return kind === 'tree' && ui.query === '';
}

function narrowing({ model, gestures }: WideView, state: SynthState, { entity, look }: Listing): Child[] {
  const { words } = model.spec;
  const { ui } = state;
  const typed = look.isSent ? ui.typed : ui.query;
  const enter = look.isSent ? gestures.type.entering({}) : gestures.search.entering({});
  const filters = look.filters.map(column => {
    const options = [words.any, ...filterOptions(model, state, { entity, column })];
    const value = ui.filter[column] ?? '';
    const change = gestures.filter.entering({ column, any: words.any });
    return combobox(labelOf(entity, column), value === '' ? words.any : value, { enter: change, options });
  });
  const orders = Object.fromEntries(
    look.sorts.flatMap(column => [
      [`${labelOf(entity, column)}, ${words.lowest}`, `${column}:asc`],
      [`${labelOf(entity, column)}, ${words.highest}`, `${column}:desc`],
    ]),
  ) as Record<string, string>;
  const current = Object.keys(orders).find(name => orders[name] === ui.sort) ?? '';
  const nodes: Child[] = [
    look.find !== '' && textbox(look.find, typed, { enter }),
    look.find !== '' && look.isSent && button(words.find, gestures.search.with({ value: ui.typed })),
    ...filters,
    look.sorts.length > 0 &&
      combobox(words.sortBy, current, { enter: gestures.arrange.entering({ orders }), options: Object.keys(orders) }),
  ];
  const kept = nodes.filter(node => node !== false && node !== null);
  return kept.length > 2 ? [searchBox(`${words.find} ${entity.plural}`, kept)] : kept;
}

/** What is done with the records that are selected. */
function selection({ model, gestures, wide }: WideView, { ui }: SynthState, { entity, shown }: Listing): Child {
  const ids = shown.items.map(({ id }) => id);
  const isAll = ids.length > 0 && ids.every(id => ui.selected.includes(id));
  const buttons = operationsOf(model, entity.id)
    .filter(isPlain)
    .map(operation => {
      const command = wide.bulk.get(`${entity.id}.${operation.id}`);
      return command !== undefined && button(operation.label, command.with({ ids: [...ui.selected] }));
    });
  return toolbar(ui.selected.length === 0 ? 'Selection' : `${ui.selected.length} selected`, [
    checkbox('Select all', isAll, gestures.tickAll.with({ ids: isAll ? [] : ids })),
    ...(ui.selected.length === 0 ? [] : buttons),
  ]);
}

/** Folders as links with their counts, months to turn to. */
function places({ model, gestures }: WideView, state: SynthState, { entity, look }: Listing): Child[] {
  const { words } = model.spec;
  if (look.kind !== 'folders' && look.kind !== 'calendar') return [];
  const all = placesOf(model, state, entity);
  const open = openPlace(model, state, entity);
  const show = (place: string) => gestures.showPlace.with({ place });
  if (look.kind === 'calendar') {
    const at = open === null ? -1 : all.indexOf(open);
    const [before, after] = [all[at - 1], all[at + 1]];
    return [
      toolbar('Months', [
        before !== undefined && button(words.previous, show(before)),
        text(open ?? ''),
        after !== undefined && button(words.next, show(after)),
      ]),
    ];
  }
  const rows = matching(model, state, entity);
  const count = (place: string): number => rows.filter(row => placeFor(model, state, { entity, row }) === place).length;
  return [
    navigation(
      labelOf(entity, look.group),
      all.map(place => link(`${place} (${count(place)})`, show(place), place === open ? ['current'] : undefined)),
    ),
  ];
}

function collection(view: WideView, state: SynthState, listing: Listing): UiNode {
  const { entity, look, shown } = listing;
  const name = look.count === 'name' ? countWords(listing) : capitalised(entity.plural);
  const lines = (rows: readonly Row[]): UiNode[] => rows.flatMap(row => line(view, state, { ...listing, row }));
  switch (look.kind) {
    case 'table':
      return table(name, [headers(listing), ...lines(shown.items)]);
    case 'cards':
      return region(name, lines(shown.items));
    case 'board':
      return lanes(view, state, { ...listing, lines });
    case 'calendar':
      return days(view, state, { ...listing, lines });
    case 'tree':
      return isTree(state, look) ? tree(view, state, { ...listing, lines }) : list(name, lines(shown.items));
    default:
      return list(name, lines(shown.items));
  }
}

interface Grouped extends Listing {
  lines(rows: readonly Row[]): UiNode[];
}

function lanes({ model }: WideView, state: SynthState, { entity, shown, lines }: Grouped): UiNode {
  const all = placesOf(model, state, entity);
  return region(
    capitalised(entity.plural),
    all.map(place => {
      const rows = shown.items.filter(row => placeFor(model, state, { entity, row }) === place);
      return list(`${place} (${rows.length})`, lines(rows));
    }),
  );
}

function days({ model }: WideView, state: SynthState, { entity, look, shown, lines }: Grouped): UiNode {
  const dayOf = (row: Row): string => shownValue(model, state, { entity, row, column: look.group });
  const all = [...new Set(shown.items.map(dayOf))].toSorted();
  return region(
    'Calendar',
    all.map(day => list(day, lines(shown.items.filter(row => dayOf(row) === day)))),
  );
}

/** Branches that open one at a time. */
function tree({ model, gestures }: WideView, state: SynthState, { entity, shown, lines }: Grouped): UiNode {
  const all = placesOf(model, state, entity);
  const open = openPlace(model, state, entity);
  return list(
    capitalised(entity.plural),
    all
      .flatMap(place => [
        button(place, gestures.showPlace.with({ place }), place === open ? ['expanded'] : undefined),
        place === open && shown.items.length > 0 && list(place, lines(shown.items)),
      ])
      .filter(node => node !== false),
  );
}

function headers({ entity, look }: Listing): UiNode {
  return tableRow(
    '',
    [entity.title, ...look.aside].map(column => cell(labelOf(entity, column))),
  );
}

/** One record in the list, with what is done to it there. */
function line(view: WideView, state: SynthState, listing: Listing & { row: Row }): UiNode[] {
  const { model, gestures } = view;
  const { entity, look, row } = listing;
  const { ui } = state;
  const record = wideOf(model).records[entity.id];
  const name = nameOf(model, state, { entity, row, way: look.name });
  const title = titleOf(entity, row);
  const isOpen = ui.record === row.id;
  const press = isOpen ? gestures.close.with({}) : gestures.open.with({ id: row.id });
  const isExpanded = isOpen && record?.kind === 'expand';
  const opener = (label: string): UiNode =>
    record?.kind === 'expand' ? button(label, press, isExpanded ? ['expanded'] : undefined) : link(label, press);
  const below = isExpanded && record !== undefined ? [recordScreen(view, state, { entity, look: record, row })] : [];
  const tools = lineTools(view, state, listing);
  const aside = look.aside.map(column => told(model, state, { entity, row, column }));
  const texts = look.isJoined && aside.length > 0 ? [text(aside.join(', '))] : aside.map(text);
  if (look.kind === 'table') {
    const cells = look.aside.map(column => cell(shownValue(model, state, { entity, row, column })));
    return [tableRow(title, [...tools.before, opener(title), ...cells, ...tools.after]), ...below];
  }
  if (look.kind === 'links' && tools.before.length + tools.after.length === 0) {
    return [opener(aside.length > 0 && look.isJoined ? `${name}, ${aside.join(', ')}` : name), ...below];
  }
  if (look.kind === 'cards') {
    const label = look.isNamed ? `${view.model.spec.words.open} ${title}` : view.model.spec.words.open;
    return [region(name, [...texts, ...tools.before, ...tools.after, opener(label), ...below])];
  }
  const inner = [...tools.before, opener(title), ...texts, ...tools.after, ...below];
  return [look.kind === 'rows' ? tableRow(name, inner) : listItem(name, inner)];
}

interface Tools {
  readonly before: readonly UiNode[];
  readonly after: readonly UiNode[];
}

function lineTools(view: WideView, state: SynthState, { entity, look, row }: Listing & { row: Row }): Tools {
  const { model, gestures, wide } = view;
  const isTicked = state.ui.selected.includes(row.id);
  const title = titleOf(entity, row);
  const flags = look.flags.flatMap(column => {
    const command = wide.flags.get(`${entity.id}.${column}`);
    const isOn = row[column] === true;
    const toggle = model.pageOf(entity.id)?.switches === true ? switchButton : checkbox;
    return command === undefined
      ? []
      : [toggle(fieldOf(entity, column)?.label ?? '', isOn, command.with({ id: row.id, value: !isOn }))];
  });
  const operations = operationsOf(model, entity.id)
    .filter(({ id }) => look.tools.includes(id))
    .map(operation =>
      operationButton(view, state, {
        operation,
        row,
        label: look.isNamed ? `${operation.label} ${title}` : operation.label,
      }),
    )
    .filter(node => node !== null);
  const tick = gestures.tick.with({ id: row.id, on: !isTicked });
  return { before: [...(look.isSelectable ? [checkbox('Select', isTicked, tick)] : []), ...flags], after: operations };
}

function pager({ model, gestures }: WideView, { look, shown }: Listing): Child[] {
  const { words } = model.spec;
  const { page, pages, total } = shown;
  if (pages === 1) return [];
  const turn = (number: number) => gestures.turn.with({ number });
  const steps = [
    page > 1 && button(words.previous, turn(page - 1)),
    page < pages && button(words.next, turn(page + 1)),
  ];
  switch (look.pager) {
    case 'navigation':
      return [navigation(`Page ${page} of ${pages}`, steps)];
    case 'numbers': {
      const numbers = Array.from({ length: pages }, (_, index) => index + 1);
      return [
        navigation(
          words.next,
          numbers.map(number => button(String(number), turn(number), number === page ? ['current'] : undefined)),
        ),
      ];
    }
    case 'more':
      return [text(`${(page - 1) * look.size + 1} to ${Math.min(total, page * look.size)} of ${total}`), ...steps];
    default:
      return [text(`${page} / ${pages}`), ...steps];
  }
}
