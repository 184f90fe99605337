import type { Random } from '../../../../core/random.ts';
import { labelOf, rowsOf, shownValue, titleOf, type Model, type Row, type SynthState } from '../../app/model.ts';
import type { Entity } from '../../spec/schema.ts';
import { listLook } from '../app/wide-listing.ts';

/** How a task calls a record: by its title, or by a value that only it has and that the list shows. */
export type Mention = {
  readonly searchOrFind: string;
  readonly by: { readonly label: string; readonly value: string } | null;
};

const rarely = 0.12;

export function drawMention(
  model: Model,
  state: SynthState,
  { entity, row, without = [], random }: Mentioned,
): Mention {
  const title = titleOf(entity, row);
  if (!random.chance(rarely)) return { searchOrFind: title, by: null };
  const { aside, name, kind } = listLook(model, entity.id);
  const named = kind === 'table' ? [] : [...name.matchAll(/\{(\w+)\}/g)].map(([, column = '']) => column);
  const columns = [...new Set([...aside, ...named])].filter(
    column => column !== 'state' && column !== 'title' && !without.includes(column),
  );
  const telling = columns.flatMap(column => {
    const value = shownValue(model, state, { entity, row, column });
    const same = rowsOf(state, entity).filter(
      other => shownValue(model, state, { entity, row: other, column }) === value,
    );
    return same.length === 1 && value.length > 2 ? [{ label: labelOf(entity, column), value }] : [];
  });
  return telling.length === 0 ? { searchOrFind: title, by: null } : { searchOrFind: '', by: random.pick(telling) };
}

interface Mentioned {
  readonly entity: Entity;
  readonly row: Row;
  /** Fields that the task is about. */
  readonly without?: readonly string[];
  readonly random: Random;
}

/** The record in words: plain, quoted, with its noun, or by what only it has. */
export function mentioned({ singular }: Entity, { searchOrFind: title, by }: Mention, random: Random): string {
  if (by !== null) {
    const label = by.label.toLowerCase();
    return random.pick([
      `the ${singular} with ${label} ${by.value}`,
      `the ${singular} that has ${by.value} as ${label}`,
      `the ${singular} whose ${label} is ${by.value}`,
    ]);
  }
  return random.pick([
    title,
    title,
    `"${title}"`,
    `"${title}"`,
    `the ${singular} ${title}`,
    `the ${singular} "${title}"`,
    `${title} (${singular})`,
  ]);
}
