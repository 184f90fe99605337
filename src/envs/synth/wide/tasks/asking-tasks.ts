import type { AppTemplate } from '../../../../worlds/app/template.ts';
import { kit } from '../../app/commands.ts';
import { filterOptions } from '../../app/listing.ts';
import { article, fieldOf, labelOf, rowOf, rowsOf, shownValue, titleOf, type SynthState } from '../../app/model.ts';
import type { Entity } from '../../spec/schema.ts';
import { isGrouped } from '../draw/draw-look.ts';
import { listLook } from '../app/wide-listing.ts';
import { question } from '../speech/questions.ts';
import { says, type Judged } from './judging-tasks.ts';
import { mentioned } from './mentions.ts';

type Template = AppTemplate<SynthState>;
const nothing = { checks: () => [], allow: () => [] };

function isPerson({ fields, title }: Entity): boolean {
  const field = fields.find(({ id }) => id === title);
  return field?.type === 'text' && field.values.some(part => part.length > 5) && /name/i.test(field.label);
}

/** Values that are told in words, and differ enough to be asked for. */
export function askable(entity: Entity): string[] {
  const fields = entity.fields.filter(({ id, type }) => id !== entity.title && id !== entity.inside && type !== 'flag');
  return [...(entity.workflow === null ? [] : ['state']), ...fields.map(({ id }) => id)];
}

/** Fields are kept by their place: the id may be a word of the instruction, where nobody should type it. */
function placed(entity: Entity, column: string): number {
  return column === 'state' ? -1 : entity.fields.findIndex(({ id }) => id === column);
}

function columnAt(entity: Entity, place: number): string {
  return place < 0 ? 'state' : (entity.fields[place]?.id ?? '');
}

/** A value of a record, asked for in the words that fit it. */
export function askTemplate(judged: Judged): Template {
  const { model, entity } = judged;
  return kit.template(`ask-${entity.table}`, {
    about: `Tell a detail of ${article(entity.singular)}.`,
    split: 'train',
    sample(state, random) {
      const column = random.pick(askable(entity));
      const rows = random.shuffle(rowsOf(state, entity)).slice(0, 12);
      const row = rows.find(
        known => known[column] !== null && known[column] !== '' && !says(judged, state, { id: known.id, column }),
      );
      return row === undefined
        ? null
        : { row: row.id, searchOrFind: titleOf(entity, row), place: placed(entity, column) };
    },
    instruction({ searchOrFind: name, place }, random) {
      const column = columnAt(entity, place);
      const field = fieldOf(entity, column) ?? null;
      const isWho = field?.type === 'link' && isPerson(model.entity(field.target));
      const x = mentioned(entity, { searchOrFind: name, by: null }, random);
      const isOnlyPerson =
        entity.fields.filter(one => one.type === 'link' && isPerson(model.entity(one.target))).length === 1;
      return question({ field, isPerson: isWho, isOnlyPerson, label: labelOf(entity, column), x }, random);
    },
    ...nothing,
    answer({ row: id, place }, initial) {
      const row = rowOf(initial, entity, id);
      return row === undefined ? '' : shownValue(model, initial, { entity, row, column: columnAt(entity, place) });
    },
    shown: (state, { row, place }) => says(judged, state, { id: row, column: columnAt(entity, place) }),
  });
}

const counts = [
  'How many {plural} are {v}?',
  'How many {plural} have the {l} {v}?',
  'Count the {plural} with {l} {v}.',
  'What is the number of {plural} whose {l} is {v}?',
  'I want to know how many {plural} we have under {v} ({l}).',
];
const countEnds = [
  'Answer with the number.',
  'Just the number, please.',
  'Give me the count.',
  'Answer with the number alone.',
];

/** How many records have a value that the list can be narrowed to. */
export function tallyTemplate({ model, entity }: Judged): Template | null {
  const look = listLook(model, entity.id);
  const isCounted = look.count !== 'none' && (!isGrouped(look.kind) || look.kind === 'board');
  const isLater = model.spec.start !== entity.id;
  const places = isLater && (look.kind === 'folders' || look.kind === 'board') ? [look.group] : [];
  const columns = [...new Set([...places, ...(isCounted && look.kind !== 'board' ? look.filters : [])])];
  if (columns.length === 0) return null;
  return kit.template(`tally-${entity.table}`, {
    about: `Count the ${entity.plural} that have something in common.`,
    split: 'train',
    sample(state, random) {
      const column = random.pick(columns);
      const count = (value: string): number =>
        rowsOf(state, entity).filter(row => shownValue(model, state, { entity, row, column }) === value).length;
      const options = filterOptions(model, state, { entity, column });
      const byCount = Map.groupBy(options, count);
      // Small and large numbers are asked for alike, so that none can be guessed.
      const value = random.pick(byCount.get(random.pick([...byCount.keys()])) ?? ['']);
      return { column: placed(entity, column), value };
    },
    instruction({ column, value }, random) {
      const id = columnAt(entity, column);
      const ways = id === 'state' ? counts : counts.slice(1);
      const filled = random
        .pick(ways)
        .replace('{plural}', entity.plural)
        .replace('{l}', labelOf(entity, id).toLowerCase())
        .replace('{v}', value);
      return `${filled} ${random.pick(countEnds)}`;
    },
    ...nothing,
    answer({ column, value }, initial) {
      const id = columnAt(entity, column);
      return String(
        rowsOf(initial, entity).filter(row => shownValue(model, initial, { entity, row, column: id }) === value).length,
      );
    },
    shown({ ui }, { column, value }) {
      const id = columnAt(entity, column);
      const others = Object.entries(ui.filter).filter(
        ([name, chosen]) => chosen !== '' && name !== id && name !== 'place',
      );
      const isOpen = ui.page === entity.id && ui.query === '' && ui.record === '' && ui.overlay === 'none';
      if (!isOpen || others.length > 0) return false;
      return places.includes(id) && (ui.filter[id] ?? '') === '' ? true : ui.filter[id] === value;
    },
  });
}

/** The record that comes first in an order that the list offers. */
export function firstTemplate({ model, entity }: Judged): Template | null {
  const look = listLook(model, entity.id);
  const columns = look.sorts.filter(column => {
    const field = fieldOf(entity, column);
    return field?.type === 'date' || (field?.type === 'number' && field.max - field.min >= entity.records);
  });
  if (columns.length === 0 || isGrouped(look.kind)) return null;
  const ranked = (state: SynthState, column: string, sign: number) =>
    rowsOf(state, entity).toSorted((left, right) => {
      const [one, other] = [left[column] ?? '', right[column] ?? ''];
      return sign * (one < other ? -1 : one > other ? 1 : 0);
    });
  return kit.template(`first-${entity.table}`, {
    about: `Find the ${entity.singular} with the highest or lowest value.`,
    split: 'train',
    sample(state, random) {
      const column = random.pick(columns);
      const sign = random.pick([1, -1]);
      const [first, second] = ranked(state, column, sign);
      return first === undefined || first[column] === second?.[column] ? null : { place: placed(entity, column), sign };
    },
    instruction({ place, sign }, random) {
      const column = columnAt(entity, place);
      const isDate = fieldOf(entity, column)?.type === 'date';
      const most = isDate ? (sign > 0 ? 'earliest' : 'latest') : sign > 0 ? 'lowest' : 'highest';
      const [l, title] = [labelOf(entity, column).toLowerCase(), labelOf(entity, entity.title).toLowerCase()];
      return random.pick([
        `Which ${entity.singular} has the ${most} ${l}? Answer with the ${title}.`,
        `Find the ${entity.singular} with the ${most} ${l} and answer with its ${title}.`,
        `Sort the ${entity.plural} by ${l}: which is the ${most}? Give me its ${title}.`,
        `I am looking for the ${entity.singular} that has the ${most} ${l}. Just the ${title}.`,
      ]);
    },
    ...nothing,
    answer({ place, sign }, initial) {
      const [first] = ranked(initial, columnAt(entity, place), sign);
      return first === undefined ? '' : titleOf(entity, first);
    },
    shown({ ui }, { place, sign }) {
      const isWhole = ui.query === '' && Object.values(ui.filter).every(value => value === '') && ui.number === 1;
      const isOpen = ui.page === entity.id && ui.record === '' && ui.overlay === 'none';
      return isOpen && isWhole && ui.sort === `${columnAt(entity, place)}:${sign > 0 ? 'asc' : 'desc'}`;
    },
  });
}
