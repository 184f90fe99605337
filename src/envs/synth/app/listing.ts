import { paginate, type Page as Shown } from '../../../worlds/app/table.ts';
import type { Entity, Page } from '../spec/schema.ts';
import { rowsOf, shownValue, titleOf, type Model, type Row, type SynthState } from './model.ts';

/** The records that the list of a page shows: searched, filtered, sorted, a page of them. */
export function listed(model: Model, state: SynthState, page: Page): Shown<Row> {
  const entity = model.entity(page.entity);
  const { query, filter, sort, number } = state.ui;
  const wanted = Object.entries(filter).filter(([, value]) => value !== '');
  const matching = rowsOf(state, entity).filter(
    row =>
      (query === '' || titleOf(entity, row).toLowerCase().includes(query.toLowerCase())) &&
      wanted.every(([column, value]) => shownValue(model, state, { entity, row, column }) === value),
  );
  const size = page.layout === 'board' ? Math.max(1, matching.length) : page.pageSize;
  return paginate(sorted(entity, matching, sort), number, size);
}

export function sorted(entity: Entity, rows: readonly Row[], sort: string): readonly Row[] {
  const [column = '', direction] = sort.split(':');
  if (column === '') return rows;
  const sign = direction === 'desc' ? -1 : 1;
  return rows.toSorted((left, right) => {
    const [one, other] = [left[column] ?? '', right[column] ?? ''];
    const order =
      typeof one === 'number' && typeof other === 'number'
        ? one - other
        : String(one).localeCompare(String(other), 'en');
    return order === 0 ? titleOf(entity, left).localeCompare(titleOf(entity, right), 'en') : sign * order;
  });
}

/** Values that a column can be filtered by. */
export function filterOptions(model: Model, state: SynthState, { entity, column }: Column): readonly string[] {
  const { words } = model.spec;
  if (column === 'state') return entity.workflow?.states ?? [];
  const field = entity.fields.find(({ id }) => id === column);
  if (field?.type === 'choice') return field.options;
  if (field?.type === 'flag') return [words.yes, words.no];
  if (field?.type !== 'link') return [];
  const target = model.entity(field.target);
  return [...rowsOf(state, target).map(row => titleOf(target, row)), words.none];
}

export interface Column {
  readonly entity: Entity;
  readonly column: string;
}

/** Whether the screen shows these values of a record: in the list, or where the record is open. */
export function isShown(model: Model, state: SynthState, { entity, id, columns }: Look): boolean {
  const { ui } = state;
  const page = model.pageOf(entity.id);
  if (page === undefined || ui.page !== entity.id || isCovered(ui)) return false;
  if (ui.record === id) return ui.tab === '';
  if (ui.record !== '' && page.opening !== 'panel' && page.opening !== 'expand') return false;
  const inList = new Set([entity.title, ...page.columns, ...(page.layout === 'board' ? ['state'] : [])]);
  return columns.every(column => inList.has(column)) && listed(model, state, page).items.some(row => row.id === id);
}

export interface Look {
  readonly entity: Entity;
  readonly id: string;
  readonly columns: readonly string[];
}

/** Whether a record is on the first page of its list, as it is before anybody searches or sorts. */
export function isOnFirstPage(model: Model, state: SynthState, { entity, id }: Omit<Look, 'columns'>): boolean {
  const page = model.pageOf(entity.id);
  if (page === undefined) return false;
  const rows = rowsOf(state, entity);
  return page.layout === 'board' || rows.slice(0, page.pageSize).some(row => row.id === id);
}

/** Whether a form or a question stands in the place of the page. */
export function isCovered({ overlay, field }: SynthState['ui']): boolean {
  // A field that is edited by itself is edited in its place.
  return overlay === 'create' || overlay === 'confirm' || (overlay === 'edit' && field === '');
}
