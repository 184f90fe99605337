import { z } from 'zod';
import { refuse } from '../../../core/errors.ts';
import type { Json, JsonObject } from '../../../core/json.ts';
import type { Entity, Field } from '../spec/schema.ts';
import { article, rowOf, rowsOf, titleOf, type Model, type Row, type SynthState, type Value } from './model.ts';

const longest = 200;

/** What a command takes for a field. Numbers may come as the text of a form. */
export function inputSchema(model: Model, field: Field): z.ZodType<Json> {
  const { words } = model.spec;
  switch (field.type) {
    case 'number': {
      const range = `${field.label} is a whole number from ${field.min} to ${field.max}`;
      return z.coerce.number(range).int(range).min(field.min, range).max(field.max, range);
    }
    case 'flag':
      return z.boolean();
    case 'choice':
      return z.enum(field.options, `${field.label} is one of ${field.options.join(', ')}`);
    case 'date':
      return z
        .union([z.literal(''), z.iso.date()], `write ${field.label} like 2026-03-31`)
        .describe('a date such as 2026-03-31, or empty');
    case 'link': {
      const { singular } = model.entity(field.target);
      const text = z.string().max(longest);
      if (field.required)
        return text.min(1, `choose a ${singular} as ${field.label}`).describe(`name of the ${singular}`);
      return text.describe(`name of the ${singular}, or ${words.none}`);
    }
    default: {
      const text = z.string().trim().max(longest, `${field.label} has at most ${longest} characters`);
      return field.required ? text.min(1, `${field.label} is missing`) : text;
    }
  }
}

/** The value that is kept for what was given: links are given by name or by id. */
export function readInput(model: Model, state: SynthState, { field, given }: { field: Field; given: Json }): Value {
  if (field.type !== 'link') return given as Value;
  const target = model.entity(field.target);
  const text = String(given);
  if (!field.required && (text === '' || text === model.spec.words.none)) return null;
  const known = rowOf(state, target, text) ?? rowsOf(state, target).find(row => titleOf(target, row) === text);
  return known?.id ?? refuse(`There is no ${target.singular} "${text}".`);
}

/** Two records of an entity never have the same title. */
export function requireNewTitle(state: SynthState, entity: Entity, { id, title }: { id: string; title: string }): void {
  const same = (row: Row): boolean => row.id !== id && titleOf(entity, row).toLowerCase() === title.toLowerCase();
  if (rowsOf(state, entity).some(same)) refuse(`There is ${article(entity.singular)} called ${title} already.`);
}

/** Where a form keeps what is entered for a field. */
export function formKey(entity: Entity, field: string): string {
  return `${entity.id}.${field}`;
}

/** What a form shows for a field: what was entered, or what an empty form has. */
export function formText(model: Model, state: SynthState, { entity, field }: FieldOf): string {
  return state.ui.form[formKey(entity, field.id)] ?? blankText(model, field);
}

export interface FieldOf {
  readonly entity: Entity;
  readonly field: Field;
}

function blankText({ spec }: Model, field: Field): string {
  switch (field.type) {
    case 'number':
      return String(field.min);
    case 'choice':
      return field.options[0] ?? '';
    case 'flag':
      return spec.words.no;
    case 'link':
      return field.required ? '' : spec.words.none;
    default:
      return '';
  }
}

/** What a form holds, as the input of a command. */
export function formInput(model: Model, state: SynthState, { entity, fields }: FormOf): JsonObject {
  const members = fields.map(field => {
    const text = formText(model, state, { entity, field });
    const given =
      field.type === 'flag' ? text === model.spec.words.yes : field.type === 'number' ? numberIn(text) : text;
    return [field.id, given] as const;
  });
  return Object.fromEntries(members);
}

export interface FormOf {
  readonly entity: Entity;
  readonly fields: readonly Field[];
}

/** A text that is no number stays a text, which the command refuses in words. */
function numberIn(text: string): number | string {
  return /^-?\d{1,12}$/.test(text) ? Number(text) : 'no number';
}
