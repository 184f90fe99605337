import type { AppTemplate } from '../../../worlds/app/template.ts';
import { kit } from '../app/commands.ts';
import { isCovered, isShown } from '../app/listing.ts';
import {
  article,
  fieldOf,
  labelOf,
  rowOf,
  rowsOf,
  shownValue,
  titleOf,
  type Row,
  type SynthState,
} from '../app/model.ts';
import type { Entity, Page } from '../spec/schema.ts';
import { counts, extremes, filled, joined, lookups, mention, waysFor } from './phrases.ts';
import { pickFrom, type Subject } from './workflow-tasks.ts';

const nothing = { checks: () => [], allow: () => [] };

/** Fields whose values differ enough to be asked for. */
function telling(entity: Entity): string[] {
  return entity.fields
    .filter(field => {
      if (field.id === entity.title || field.type === 'flag') return false;
      if (field.type === 'choice') return field.options.length > 3;
      return field.type !== 'number' || field.max - field.min > 8;
    })
    .map(({ id }) => id);
}

function isEmpty(row: Row, column: string): boolean {
  return row[column] === null || row[column] === '';
}

/** A value of a record. */
export function lookupTemplate({ model, entity }: Subject): AppTemplate<SynthState> | null {
  const id = `look-up-${entity.table}`;
  const columns = telling(entity);
  if (columns.length === 0) return null;
  return kit.template(id, {
    about: `Tell a detail of ${article(entity.singular)}.`,
    split: 'train',
    sample(state, random) {
      const column = random.pick(columns);
      const hidden = rowsOf(state, entity).filter(
        row => !isEmpty(row, column) && !isShown(model, state, { entity, id: row.id, columns: [column] }),
      );
      const row = pickFrom(hidden, random);
      return row === null ? null : { row: row.id, name: titleOf(entity, row), place: placeOf(entity, column) };
    },
    instruction: ({ name, place }, random) => {
      const column = columnAt(entity, place);
      const label = labelOf(entity, column).toLowerCase();
      const x = mention(entity, name, random);
      return filled(random.pick(waysFor(id, lookups)), {
        x: x.includes(entity.singular) ? `"${name}"` : x,
        label,
        noun: entity.singular,
      });
    },
    ...nothing,
    answer: ({ row: rowId, place }, initial) => {
      const column = columnAt(entity, place);
      const row = rowOf(initial, entity, rowId);
      return row === undefined ? '' : shownValue(model, initial, { entity, row, column });
    },
    shown: (state, { row, place }) => isShown(model, state, { entity, id: row, columns: [columnAt(entity, place)] }),
  });
}

/** A field by its place: its name may stand in the instruction, where nobody should take it for something to type. */
function placeOf(entity: Entity, column: string): number {
  return entity.fields.findIndex(({ id }) => id === column);
}

function columnAt(entity: Entity, place: number): string {
  return entity.fields[place]?.id ?? '';
}

/** Values that records are counted by, each with its column. */
type Condition = { readonly column: string; readonly value: string };

/** How many records have a value that the list can be filtered by, or two of them. */
export function countTemplate({ model, entity }: Subject, conditions: 1 | 2): AppTemplate<SynthState> | null {
  const id = conditions === 1 ? `count-${entity.table}` : `count-by-two-${entity.table}`;
  const page = model.pageOf(entity.id);
  const fields = page?.filters ?? [];
  const isLane = page?.layout === 'board' && conditions === 1;
  const columns = isLane ? [...new Set(['state', ...fields])] : fields;
  if (page === undefined || columns.length < conditions) return null;
  return kit.template(id, {
    about: `Count the ${entity.plural} that have ${conditions === 1 ? 'something' : 'two things'} in common.`,
    split: conditions === 1 ? 'train' : 'test',
    sample(state, random) {
      const chosen = random.sample(columns, conditions);
      const byCount = new Map<number, Record<string, string>[]>();
      for (const row of rowsOf(state, entity)) {
        const asked = chosen.map(column => ({ column, value: shownValue(model, state, { entity, row, column }) }));
        const count = countOf({ model, entity }, state, asked);
        const named = Object.fromEntries(asked.map(({ column, value }) => [labelOf(entity, column), value]));
        byCount.set(count, [...(byCount.get(count) ?? []), named]);
      }
      // Small and large numbers are asked for alike, so that none can be guessed.
      const found = byCount.get(random.pick([...byCount.keys()])) ?? [];
      return { conditions: random.pick(found) };
    },
    instruction: ({ conditions: asked }, random) => {
      const parts = conditionsOf(entity, asked).map(condition => conditionWords(entity, condition));
      return filled(random.pick(waysFor(id, counts, 3)), { plural: entity.plural, conditions: joined(parts) });
    },
    ...nothing,
    answer: ({ conditions: asked }, initial) =>
      String(countOf({ model, entity }, initial, conditionsOf(entity, asked))),
    shown(state, { conditions: named }) {
      const { ui } = state;
      const asked = conditionsOf(entity, named);
      if (!isListShown(ui, page) || ui.query !== '') return false;
      const set = Object.entries(ui.filter).filter(([, chosen]) => chosen !== '');
      if (isLane && asked[0]?.column === 'state' && set.length === 0) return true;
      return set.length === asked.length && asked.every(({ column, value }) => ui.filter[column] === value);
    },
  });
}

/** Conditions by the columns that their labels stand for. */
function conditionsOf(entity: Entity, named: Readonly<Record<string, string>>): Condition[] {
  const columns = ['state', ...entity.fields.map(({ id }) => id)];
  return Object.entries(named).flatMap(([label, value]) => {
    const column = columns.find(known => labelOf(entity, known) === label);
    return column === undefined ? [] : [{ column, value }];
  });
}

/** Whether the list of a page is on the screen, alone or with a record beside it. */
function isListShown(ui: SynthState['ui'], { entity, opening }: Page): boolean {
  return ui.page === entity && !isCovered(ui) && (ui.record === '' || opening === 'panel' || opening === 'expand');
}

function conditionWords(entity: Entity, { column, value }: Condition): string {
  const label = labelOf(entity, column);
  return fieldOf(entity, column)?.type === 'flag'
    ? `"${label}" set to ${value}`
    : `the ${label.toLowerCase()} ${value}`;
}

function countOf({ model, entity }: Subject, state: SynthState, conditions: readonly Condition[]): number {
  const fits = (row: Row): boolean =>
    conditions.every(({ column, value }) => shownValue(model, state, { entity, row, column }) === value);
  return rowsOf(state, entity).filter(fits).length;
}

/** The record with the highest or lowest value of a column that the list can be sorted by. */
export function extremeTemplate({ model, entity }: Subject): AppTemplate<SynthState> | null {
  const id = `extreme-${entity.table}`;
  const page = model.pageOf(entity.id);
  const columns = page?.sorting === 'none' ? [] : (page?.sorts ?? []).filter(column => hasOneExtreme(entity, column));
  if (columns.length === 0) return null;
  return kit.template(id, {
    about: `Find the ${entity.singular} with the highest or lowest value.`,
    split: 'train',
    sample(state, random) {
      const column = random.pick(columns);
      const direction = random.pick(['asc', 'desc']);
      const [first, second] = ranked(entity, state, { column, direction });
      return first === undefined || first[column] === second?.[column]
        ? null
        : { place: placeOf(entity, column), direction };
    },
    instruction: ({ place, direction }, random) => {
      const column = columnAt(entity, place);
      const isDate = fieldOf(entity, column)?.type === 'date';
      const most = direction === 'desc' ? (isDate ? 'latest' : 'highest') : isDate ? 'earliest' : 'lowest';
      const names = {
        noun: entity.singular,
        plural: entity.plural,
        title: labelOf(entity, entity.title).toLowerCase(),
      };
      return filled(random.pick(waysFor(id, extremes)), {
        ...names,
        most,
        label: labelOf(entity, column).toLowerCase(),
      });
    },
    ...nothing,
    answer: ({ place, direction }, initial) => {
      const [first] = ranked(entity, initial, { column: columnAt(entity, place), direction });
      return first === undefined ? '' : titleOf(entity, first);
    },
    shown(state, { place, direction }) {
      const { ui } = state;
      const isWhole = ui.query === '' && Object.values(ui.filter).every(value => value === '') && ui.number === 1;
      return (
        page !== undefined && isListShown(ui, page) && isWhole && ui.sort === `${columnAt(entity, place)}:${direction}`
      );
    },
  });
}

/** Whether the values differ enough for one record to stand out in most worlds. */
function hasOneExtreme(entity: Entity, column: string): boolean {
  const field = fieldOf(entity, column);
  return field?.type === 'date' || (field?.type === 'number' && field.max - field.min >= entity.records);
}

function ranked(
  entity: Entity,
  state: SynthState,
  { column, direction }: { column: string; direction: string },
): Row[] {
  const sign = direction === 'desc' ? -1 : 1;
  return rowsOf(state, entity).toSorted((left, right) => {
    const [one, other] = [left[column] ?? '', right[column] ?? ''];
    return sign * (one < other ? -1 : one > other ? 1 : 0);
  });
}
