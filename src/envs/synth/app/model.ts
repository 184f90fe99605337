import { z } from 'zod';
import type { JsonObject } from '../../../core/json.ts';
import { find } from '../../../worlds/app/table.ts';
import type { Entity, Field, LinkField, Page, Spec, Workflow } from '../spec/schema.ts';

export type Value = string | number | boolean | null;
/** A record of any entity: its id, the values of its fields by their ids, and `state` when it has a workflow. */
export type Row = { id: string; [field: string]: Value };

const uiSchema = z.strictObject({
  /** `home`, `settings`, or the id of an entity. */
  page: z.string(),
  /** The record that is open; empty when none is. */
  record: z.string(),
  tab: z.string(),
  overlay: z.enum(['none', 'create', 'edit', 'confirm', 'actions', 'filters', 'menu', 'operation']),
  /** The entity that the form is about, and the one field that is edited by itself. */
  formOf: z.string(),
  field: z.string(),
  step: z.int(),
  /** The record that a menu or question is about, and the transition that waits for a yes. */
  row: z.string(),
  pending: z.string(),
  typed: z.string().max(200),
  query: z.string().max(200),
  filter: z.record(z.string(), z.string()),
  /** `fee:asc`; empty for the order of the table. */
  sort: z.string(),
  number: z.int(),
  selected: z.array(z.string()),
  form: z.record(z.string(), z.string().max(400)),
  notice: z.string(),
});
export type Ui = z.infer<typeof uiSchema>;

/** The tables of records stand beside `ui` and `settings`, under the names that the spec gives them. */
export type SynthState = JsonObject & { ui: Ui; settings: { [id: string]: string } };

export interface Model {
  readonly spec: Spec;
  entity(id: string): Entity;
  /** The page of an entity; undefined for one that is shown inside of another. */
  pageOf(entity: string): Page | undefined;
  /** Entities that are shown inside of this one. */
  inside(entity: string): readonly Entity[];
}

export function createModel(spec: Spec): Model {
  const entities = new Map(spec.entities.map(entity => [entity.id, entity]));
  const pages = new Map(spec.pages.map(page => [page.entity, page]));
  const children = new Map(spec.entities.map(({ id }) => [id, spec.entities.filter(other => parentOf(other) === id)]));
  return {
    spec,
    entity(id) {
      const known = entities.get(id);
      if (known === undefined) throw new Error(`there is no entity "${id}"`);
      return known;
    },
    pageOf: id => pages.get(id),
    inside: id => children.get(id) ?? [],
  };
}

function parentOf(entity: Entity): string | null {
  const link = entity.inside === null ? undefined : fieldOf(entity, entity.inside);
  return link?.type === 'link' ? link.target : null;
}

export function stateSchema({ entities, settings }: Spec): z.ZodType<SynthState> {
  const tables = entities.map(entity => [entity.table, z.array(rowSchema(entity))] as const);
  const choices = settings.map(({ id, options }) => [id, z.enum(options)] as const);
  const members = {
    ...Object.fromEntries(tables),
    settings: z.strictObject(Object.fromEntries(choices)),
    ui: uiSchema,
  };
  return z.strictObject(members) as unknown as z.ZodType<SynthState>;
}

function rowSchema({ fields, workflow }: Entity): z.ZodType {
  const members = fields.map(field => [field.id, valueSchema(field)] as const);
  const state = workflow === null ? {} : { state: z.enum(workflow.states) };
  return z.strictObject({ id: z.string(), ...Object.fromEntries(members), ...state });
}

function valueSchema(field: Field): z.ZodType {
  switch (field.type) {
    case 'number':
      return z.int();
    case 'flag':
      return z.boolean();
    case 'choice':
      return z.enum(field.options);
    case 'link':
      return z.string().nullable();
    default:
      return z.string().max(200);
  }
}

export function rowsOf(state: SynthState, entity: Entity): Row[] {
  return state[entity.table] as unknown as Row[];
}

export function rowOf(state: SynthState, entity: Entity, id: string): Row | undefined {
  return find(rowsOf(state, entity), id);
}

export function fieldOf(entity: Entity, id: string): Field | undefined {
  return entity.fields.find(field => field.id === id);
}

export function linksOf(entity: Entity): LinkField[] {
  return entity.fields.filter(field => field.type === 'link');
}

export function titleOf(entity: Entity, row: Row): string {
  return String(row[entity.title]);
}

/** Ids of records start with the first letters of their table, told apart where two tables start alike. */
export function prefixOf({ spec }: Model, entity: Entity): string {
  for (let length = 1; length < entity.table.length; length++) {
    const prefix = entity.table.slice(0, length).toLowerCase();
    const clash = spec.entities.some(other => other !== entity && other.table.toLowerCase().startsWith(prefix));
    if (!clash) return prefix;
  }
  return entity.table.toLowerCase();
}

/** The label of a column: of a field, or of the state of the workflow. */
export function labelOf(entity: Entity, column: string): string {
  return column === 'state' ? (entity.workflow?.label ?? '') : (fieldOf(entity, column)?.label ?? '');
}

/** What stands on the screen for a value. */
export function shownValue(model: Model, state: SynthState, place: Place): string {
  const { entity, row, column } = place;
  const { words } = model.spec;
  const value = row[column];
  const field = fieldOf(entity, column);
  if (field?.type === 'link') {
    const target = value === null ? undefined : rowOf(state, model.entity(field.target), String(value));
    return target === undefined ? words.none : titleOf(model.entity(field.target), target);
  }
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  return value === '' || value === undefined ? '–' : String(value);
}

/** One value of one record. */
export interface Place {
  readonly entity: Entity;
  readonly row: Row;
  readonly column: string;
}

export function workflowOf(entity: Entity): Workflow {
  if (entity.workflow === null) throw new Error(`"${entity.id}" has no workflow`);
  return entity.workflow;
}

/** `{thing}` in a label is the name of the entity. */
export function worded(label: string, entity: Entity): string {
  return label.replace('{thing}', entity.singular);
}

export function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** `an apple`, `a pear`. */
export function article(noun: string): string {
  return /^[aeiou]/i.test(noun) ? `an ${noun}` : `a ${noun}`;
}
