import type { Random } from '../../../core/random.ts';
import { nextId } from '../../../worlds/app/table.ts';
import type { AppTemplate } from '../../../worlds/app/template.ts';
import { kit, linkedTo } from '../app/commands.ts';
import { article, prefixOf, rowsOf, titleOf, type Model, type Row, type SynthState } from '../app/model.ts';
import type { Entity, Field } from '../spec/schema.ts';
import { checksOf, editing, noChanges, pathsOf, type Edit } from './effects.ts';
import {
  creations,
  fieldChanges,
  filled,
  flagsOff,
  flagsOn,
  joined,
  linkChanges,
  linkRemovals,
  mention,
  removals,
  waysFor,
} from './phrases.ts';
import { blankRow, fieldsOf, newTitle, newValue, type NewValue } from './values.ts';
import { pickFrom, type Subject } from './workflow-tasks.ts';

/** Fields that a task can change, without links where those have a task of their own. */
function editableFields({ model, entity }: Subject, isLink: boolean): Field[] {
  const ids = model.pageOf(entity.id)?.editable ?? [];
  return fieldsOf(entity, ids).filter(field => (field.type === 'link') === isLink);
}

/** A change of a field, in words. */
export function changeWords(template: string, { kind, x, label, text }: ChangeWords, random: Random): string {
  const ways = { value: fieldChanges, on: flagsOn, off: flagsOff, link: linkChanges, unlink: linkRemovals }[kind];
  return filled(random.pick(waysFor(template, ways)), {
    x,
    label: kind === 'on' || kind === 'off' ? label : label.toLowerCase(),
    value: text,
  });
}

interface ChangeWords {
  readonly kind: ChangeKind;
  readonly x: string;
  readonly label: string;
  readonly text: string;
}

export type ChangeKind = 'value' | 'on' | 'off' | 'link' | 'unlink';

export function kindOf(field: Field, { value }: NewValue): ChangeKind {
  if (field.type === 'flag') return value === true ? 'on' : 'off';
  if (field.type === 'link') return value === null ? 'unlink' : 'link';
  return 'value';
}

function edited(entity: Entity, row: Row, { field, value }: NewValue): Edit {
  return { table: entity.table, id: row.id, member: field, value };
}

/** One field of a record gets another value. */
export function editTemplate({ model, entity }: Subject): AppTemplate<SynthState> | null {
  const fields = editableFields({ model, entity }, false);
  const id = `edit-${entity.table}`;
  if (fields.length === 0) return null;
  return kit.template(id, {
    about: `Change one field of ${article(entity.singular)}.`,
    split: 'train',
    sample(state, random) {
      const row = random.pick(rowsOf(state, entity));
      const field = random.pick(fields);
      const given = newValue(model, state, { entity, field, current: row[field.id], random });
      if (given === null) return null;
      const change = { kind: kindOf(field, given), label: field.label };
      return {
        name: titleOf(entity, row),
        change,
        fields: { [field.label]: given.text },
        ...editing([edited(entity, row, given)]),
      };
    },
    instruction: ({ name, change, fields: texts }, random) =>
      changeWords(id, { ...change, x: mention(entity, name, random), text: texts[change.label] ?? '' }, random),
    checks: asked => checksOf(asked),
    allow: asked => pathsOf(asked),
  });
}

/** Two fields of a record, in one sentence. */
export function editTwoTemplate({ model, entity }: Subject): AppTemplate<SynthState> | null {
  const fields = editableFields({ model, entity }, false).filter(
    ({ type, id }) => type !== 'flag' && id !== entity.title,
  );
  const id = `edit-two-fields-of-${entity.table}`;
  if (fields.length < 2) return null;
  return kit.template(id, {
    about: `Change two fields of ${article(entity.singular)}.`,
    split: 'test',
    sample(state, random) {
      const row = random.pick(rowsOf(state, entity));
      const given = random
        .sample(fields, 2)
        .map(field => newValue(model, state, { entity, field, current: row[field.id], random }))
        .filter(value => value !== null);
      if (given.length < 2) return null;
      const texts = Object.fromEntries(given.map(({ label, text }) => [label, text]));
      return { name: titleOf(entity, row), fields: texts, ...editing(given.map(value => edited(entity, row, value))) };
    },
    instruction: ({ name, fields: texts }, random) => {
      const parts = Object.entries(texts).map(([label, text]) => `${label.toLowerCase()} ${text}`);
      const ways = [
        'Update {x}: {parts}.',
        '{x} has changed in two places, {parts}. Save both.',
        'Two corrections for {x}: {parts}.',
      ];
      return filled(random.pick(ways), { x: mention(entity, name, random), parts: joined(parts) });
    },
    checks: asked => checksOf(asked),
    allow: asked => pathsOf(asked),
  });
}

/** A record is linked to another one, or to none. */
export function relinkTemplate({ model, entity }: Subject): AppTemplate<SynthState> | null {
  const fields = editableFields({ model, entity }, true).filter(field => field.type === 'link');
  const id = `relink-${entity.table}`;
  if (fields.length === 0) return null;
  return kit.template(id, {
    about: `Link ${article(entity.singular)} to another record, or take the link away.`,
    split: 'train',
    sample(state, random) {
      const field = random.pick(fields);
      const isCleared = !field.required && random.chance(0.2);
      const fitting = rowsOf(state, entity).filter(row => !isCleared || row[field.id] !== null);
      const row = pickFrom(fitting, random);
      if (row === null) return null;
      const none = { field: field.id, label: field.label, value: null, text: model.spec.words.none };
      const given = isCleared ? none : newValue(model, state, { entity, field, current: row[field.id], random });
      if (given === null) return null;
      const change = { kind: kindOf(field, given), label: field.label };
      return {
        name: titleOf(entity, row),
        change,
        fields: { [field.label]: given.text },
        ...editing([edited(entity, row, given)]),
      };
    },
    instruction: ({ name, change, fields: texts }, random) =>
      changeWords(id, { ...change, x: mention(entity, name, random), text: texts[change.label] ?? '' }, random),
    checks: asked => checksOf(asked),
    allow: asked => pathsOf(asked),
  });
}

/** A new record with some of its fields given. An entity inside of another is added to a record of that one. */
export function createTemplate({ model, entity }: Subject): AppTemplate<SynthState> {
  const id = `add-${entity.table}`;
  return kit.template(id, {
    about: `Create ${article(entity.singular)} with given details.`,
    split: 'train',
    sample(state, random) {
      const title = newTitle(state, entity, random);
      if (title === null) return null;
      const row = blankRow({ entity, id: nextId(rowsOf(state, entity), prefixOf(model, entity)) });
      row[entity.title] = title;
      const given = givenValues({ model, entity }, state, { row, random });
      if (given === null) return null;
      for (const { field, value } of given) row[field] = value;
      const texts = Object.fromEntries(given.map(({ label, text }) => [label, text]));
      return {
        title: { [titleLabel(entity)]: title },
        fields: texts,
        ...noChanges,
        additions: [{ table: entity.table, row }],
      };
    },
    instruction: ({ title, fields: texts }, random) => {
      const parts = Object.entries(texts).map(([label, text]) => `${label.toLowerCase()} ${text}`);
      const x = `"${title[titleLabel(entity)] ?? ''}"`;
      const named = { a: article(entity.singular), noun: entity.singular, x, fields: joined(parts) };
      return filled(random.pick(waysFor(id, creations)), named);
    },
    checks: asked => checksOf(asked),
    allow: asked => pathsOf(asked),
  });
}

function titleLabel(entity: Entity): string {
  return entity.fields.find(({ id }) => id === entity.title)?.label ?? '';
}

const mostGiven = 3;

/** Every required link, and one or two fields more. */
function givenValues(
  { model, entity }: Subject,
  state: SynthState,
  { row, random }: { row: Row; random: Random },
): NewValue[] | null {
  const others = entity.fields.filter(({ id }) => id !== entity.title);
  const isNeeded = (field: Field): boolean => (field.type === 'link' || field.type === 'text') && field.required;
  const optional = random.sample(
    others.filter(field => !isNeeded(field) && field.type !== 'flag'),
    random.between(1, 2),
  );
  const chosen = [...others.filter(isNeeded), ...optional].slice(0, mostGiven);
  if (others.filter(isNeeded).length > mostGiven) return null;
  const given = chosen.map(field => newValue(model, state, { entity, field, current: row[field.id], random }));
  return given.every(value => value !== null) && given.length > 0 ? given : null;
}

export function removeTemplate({ model, entity }: Subject): AppTemplate<SynthState> {
  const id = `remove-${entity.table}`;
  return kit.template(id, {
    about: `Delete ${article(entity.singular)}.`,
    split: 'train',
    sample(state, random) {
      const free = rowsOf(state, entity).filter(row => linkedTo(model, state, { entity, id: row.id }) === null);
      const row = pickFrom(free, random);
      if (row === null) return null;
      return { name: titleOf(entity, row), ...noChanges, removals: [{ table: entity.table, id: row.id }] };
    },
    instruction: ({ name }, random) =>
      filled(random.pick(waysFor(id, removals)), { x: `"${name}"`, noun: entity.singular, plural: entity.plural }),
    checks: asked => checksOf(asked),
    allow: asked => pathsOf(asked),
  });
}

/** Two of the settings of the app. */
export function settingsTemplate({ spec }: Model): AppTemplate<SynthState> {
  return kit.template('change-settings', {
    about: 'Change two settings of the app.',
    split: 'train',
    sample(state, random) {
      const chosen = random.sample(spec.settings, 2).map(({ id, label, options }) => ({
        id,
        label,
        value: random.pick(options.filter(option => option !== state.settings[id])),
      }));
      return { settings: chosen };
    },
    instruction: ({ settings }, random) => {
      const parts = settings.map(({ label, value }) => `"${label}" to ${value}`);
      return filled(
        random.pick([
          'In the settings, set {parts}.',
          'I prefer other settings: change {parts}.',
          'Switch {parts} on the page with the settings.',
        ]),
        { parts: joined(parts) },
      );
    },
    checks: ({ settings }) =>
      settings.map(({ id, label, value }) => ({
        id: 'setting',
        name: `${label} is ${value}`,
        test: (final: SynthState) => final.settings[id] === value,
      })),
    allow: ({ settings }) => settings.map(({ id }) => `/settings/${id}`),
  });
}
