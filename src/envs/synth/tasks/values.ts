import type { Random } from '../../../core/random.ts';
import { fieldOf, rowsOf, titleOf, type Model, type Row, type SynthState, type Value } from '../app/model.ts';
import { anyText, anyValue, titleField, variety } from '../app/seed.ts';
import type { Entity, Field } from '../spec/schema.ts';

/** A value that a task gives to a field, and how it is called on screens. */
export type NewValue = { readonly field: string; readonly label: string; readonly value: Value; readonly text: string };

/** Another value for a field of a record; null when there is none. */
export function newValue(model: Model, state: SynthState, { entity, field, current, random }: Draw): NewValue | null {
  const drawn = drawValue(model, state, { entity, field, current, random });
  if (drawn === undefined || drawn === current) return null;
  return { field: field.id, label: field.label, value: drawn, text: textOf(model, state, { field, value: drawn }) };
}

export interface Draw {
  readonly entity: Entity;
  readonly field: Field;
  /** The value that it has; undefined for a new record. */
  readonly current: Value | undefined;
  readonly random: Random;
}

function drawValue(model: Model, state: SynthState, { entity, field, current, random }: Draw): Value | undefined {
  if (field.id === entity.title) return newTitle(state, entity, random) ?? undefined;
  if (field.type === 'flag') return current !== true;
  if (field.type === 'link') {
    const others = rowsOf(state, model.entity(field.target)).filter(({ id }) => id !== current);
    return others.length === 0 ? undefined : random.pick(others).id;
  }
  for (let attempt = 0; attempt < 8; attempt++) {
    const value = anyValue(field, random);
    if (value !== current) return value;
  }
  return undefined;
}

/** A title that no record has; null when the words of the spec give none. */
export function newTitle(state: SynthState, entity: Entity, random: Random): string | null {
  const taken = new Set(rowsOf(state, entity).map(row => titleOf(entity, row).toLowerCase()));
  for (let attempt = 0; attempt < 40; attempt++) {
    const title = anyText(titleField(entity), random);
    if (!taken.has(title.toLowerCase())) return title;
  }
  return null;
}

/** Whether new titles are found easily. */
export function hasNewTitles(entity: Entity): boolean {
  return variety(titleField(entity)) > entity.records * 1.25;
}

/** How a value is written in instructions and on screens. */
function textOf(model: Model, state: SynthState, { field, value }: { field: Field; value: Value }): string {
  const { words } = model.spec;
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  if (field.type !== 'link') return String(value);
  const target = model.entity(field.target);
  const row = rowsOf(state, target).find(({ id }) => id === value);
  return row === undefined ? words.none : titleOf(target, row);
}

/** The record that an empty form gives. */
export function blankRow({ entity, id }: { entity: Entity; id: string }): Row {
  const row: Row = { id };
  for (const field of entity.fields) row[field.id] = blankValue(field);
  if (entity.workflow !== null) row['state'] = entity.workflow.initial;
  return row;
}

function blankValue(field: Field): Value {
  switch (field.type) {
    case 'number':
      return field.min;
    case 'flag':
      return false;
    case 'choice':
      return field.options[0] ?? '';
    case 'link':
      return null;
    default:
      return '';
  }
}

export function fieldsOf(entity: Entity, ids: readonly string[]): Field[] {
  return ids.map(id => fieldOf(entity, id)).filter(field => field !== undefined);
}
