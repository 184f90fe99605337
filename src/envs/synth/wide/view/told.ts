import { labelOf, shownValue, titleOf, type Model, type Row, type SynthState } from '../../app/model.ts';
import type { Entity } from '../../spec/schema.ts';
import { wideOf } from '../app/wide-commands.ts';

export interface Told {
  readonly entity: Entity;
  readonly row: Row;
  readonly column: string;
}

/** A value as the app tells it: `Doctor: Ada Holm`, `by Ada Holm`, `12 seats`. */
export function told(model: Model, state: SynthState, { entity, row, column }: Told): string {
  const value = shownValue(model, state, { entity, row, column });
  const way = wideOf(model).told[`${entity.id}.${column}`];
  return way === undefined ? value : way.replace('{v}', value);
}

/** The same with its label, as forms and tables have it. */
export function labelled(model: Model, state: SynthState, place: Told): string {
  return `${labelOf(place.entity, place.column)}: ${shownValue(model, state, place)}`;
}

/** The name of a record in a list: `{title} by {author}`. */
export function nameOf(model: Model, state: SynthState, { entity, row, way }: Named): string {
  return way.replaceAll(/\{(\w+)\}/g, (_, column: string) =>
    column === 'title' ? titleOf(entity, row) : told(model, state, { entity, row, column }),
  );
}

interface Named extends Omit<Told, 'column'> {
  readonly way: string;
}
