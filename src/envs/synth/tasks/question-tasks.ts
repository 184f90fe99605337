import type { AppTemplate } from '../../../kernel/template.ts';
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
      return row === null ? null : { row: row.id, name: titleOf(entity, row), column };
    },
    instruction: ({ name, column }, random) => {
      const label = labelOf(entity, column).toLowerCase();
      const x = mention(entity, name, random);
      return filled(random.pick(waysFor(id, lookups)), {
        x: x.includes(entity.singular) ? `"${name}"` : x,
        label,
        noun: entity.singular,
      });
    },
    ...nothing,
    answer: ({ row: rowId, column }, initial) => {
      const row = rowOf(initial, entity, rowId);
      return row === undefined ? '' : shownValue(model, initial, { entity, row, column });
    },
    shown: (state, { row, column }) => isShown(model, state, { entity, id: row, columns: [column] }),
  });
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
      const row = random.pick(rowsOf(state, entity));
      const chosen = random.sample(columns, conditions);
      const values = chosen.map(column => ({ column, value: shownValue(model, state, { entity, row, column }) }));
      return { conditions: values };
    },
    instruction: ({ conditions: asked }, random) => {
      const parts = asked.map(condition => conditionWords(entity, condition));
      return filled(random.pick(waysFor(id, counts, 3)), { plural: entity.plural, conditions: joined(parts) });
    },
    ...nothing,
    answer: ({ conditions: asked }, initial) => String(countOf({ model, entity }, initial, asked)),
    shown(state, { conditions: asked }) {
      const { ui } = state;
      if (!isListShown(ui, page) || ui.query !== '') return false;
      const set = Object.entries(ui.filter).filter(([, chosen]) => chosen !== '');
      if (isLane && asked[0]?.column === 'state' && set.length === 0) return true;
      return set.length === asked.length && asked.every(({ column, value }) => ui.filter[column] === value);
    },
  });
}

/** Whether the list of a page is on the screen, alone or with a record beside it. */
function isListShown(ui: SynthState['ui'], { entity, opening }: Page): boolean {
  return ui.page === entity && !isCovered(ui) && (ui.record === '' || opening === 'panel' || opening === 'expand');
}

function conditionWords(entity: Entity, { column, value }: Condition): string {
  const label = labelOf(entity, column);
  return fieldOf(entity, column)?.type === 'flag' ? `"${label}" at ${value}` : `the ${label.toLowerCase()} ${value}`;
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
  const columns =
    page?.sorting === 'none'
      ? []
      : (page?.sorts ?? []).filter(column => ['number', 'date'].includes(fieldOf(entity, column)?.type ?? ''));
  if (columns.length === 0) return null;
  return kit.template(id, {
    about: `Find the ${entity.singular} with the highest or lowest value.`,
    split: 'train',
    sample(state, random) {
      const column = random.pick(columns);
      const direction = random.pick(['asc', 'desc']);
      const [first, second] = ranked(entity, state, { column, direction });
      return first === undefined || first[column] === second?.[column] ? null : { column, direction };
    },
    instruction: ({ column, direction }, random) => {
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
    answer: (asked, initial) => {
      const [first] = ranked(entity, initial, asked);
      return first === undefined ? '' : titleOf(entity, first);
    },
    shown(state, { column, direction }) {
      const { ui } = state;
      const isWhole = ui.query === '' && Object.values(ui.filter).every(value => value === '') && ui.number === 1;
      return page !== undefined && isListShown(ui, page) && isWhole && ui.sort === `${column}:${direction}`;
    },
  });
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
