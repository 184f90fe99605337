import { paginate, type Page as Shown } from '../../../../worlds/app/table.ts';
import { filterOptions, sorted } from '../../app/listing.ts';
import { fieldOf, rowsOf, shownValue, titleOf, type Model, type Row, type SynthState } from '../../app/model.ts';
import type { Entity } from '../../spec/schema.ts';
import type { ListLook } from '../../spec/wide-schema.ts';
import { wideOf } from './wide-commands.ts';
import { placeOf } from './wide-gestures.ts';

export function listLook(model: Model, entity: string): ListLook {
  const look = wideOf(model).lists[entity];
  if (look === undefined) throw new Error(`there is no list of "${entity}"`);
  return look;
}

/** The records that the search and the filters leave, in order. */
export function matching(model: Model, state: SynthState, entity: Entity): readonly Row[] {
  const { query, filter, sort } = state.ui;
  const { searched } = listLook(model, entity.id);
  const wanted = Object.entries(filter).filter(([column, value]) => value !== '' && column !== 'place');
  const rows = rowsOf(state, entity).filter(row => {
    const texts = [titleOf(entity, row), ...searched.map(column => shownValue(model, state, { entity, row, column }))];
    return (
      (query === '' || texts.some(text => text.toLowerCase().includes(query.toLowerCase()))) &&
      wanted.every(([column, value]) => shownValue(model, state, { entity, row, column }) === value)
    );
  });
  return sorted(entity, rows, sort);
}

/** What the list shows: the matching records of the open place, a page of them. */
export function shownRows(model: Model, state: SynthState, entity: Entity): Shown<Row> {
  const look = listLook(model, entity.id);
  const rows = matching(model, state, entity);
  const place = openPlace(model, state, entity);
  const isEverywhere = look.group === '' || look.kind === 'board' || state.ui.query !== '';
  const own =
    isEverywhere || place === null ? rows : rows.filter(row => placeFor(model, state, { entity, row }) === place);
  return paginate(own, state.ui.number, look.size);
}

/** The place of a record: a value of the field that the list goes by, or the month of its date. */
export function placeFor(model: Model, state: SynthState, { entity, row }: { entity: Entity; row: Row }): string {
  const { group } = listLook(model, entity.id);
  const value = shownValue(model, state, { entity, row, column: group });
  return fieldOf(entity, group)?.type === 'date' ? value.slice(0, 7) : value;
}

/** Every place, in order: the options of the field, or the months from the first to the last. */
export function placesOf(model: Model, state: SynthState, entity: Entity): readonly string[] {
  const { group } = listLook(model, entity.id);
  if (fieldOf(entity, group)?.type !== 'date') return filterOptions(model, state, { entity, column: group });
  const months = rowsOf(state, entity)
    .map(row => placeFor(model, state, { entity, row }))
    .filter(month => month !== '–');
  return [...new Set(months)].toSorted();
}

/** The place that is open; null when the list shows everything, or nothing is open. */
export function openPlace(model: Model, state: SynthState, entity: Entity): string | null {
  const { kind } = listLook(model, entity.id);
  const place = placeOf(state);
  if (kind === 'tree') return place;
  if (kind !== 'calendar' && kind !== 'folders') return null;
  const places = placesOf(model, state, entity);
  return places.includes(place) ? place : (places[0] ?? null);
}
