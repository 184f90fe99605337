import { z } from 'zod';
import { wideSchema } from './wide-schema.ts';

/** Names of fields, entities and tables: letters only, because ids of records are told from names by their digits. */
const key = z
  .string()
  .regex(/^[a-z][a-zA-Z]{0,30}$/, 'expected letters only, starting with a small one, such as "phone"');
const label = z.string().trim().min(1).max(60);
const named = { id: key, label };

const textField = z.strictObject({
  ...named,
  type: z.literal('text'),
  required: z.boolean().default(false),
  /** Lists of words; a value takes one of each list: `[["Anna", "Ben"], ["Weber", "Moss"]]` gives "Ben Weber". */
  values: z.array(z.array(z.string().min(1)).min(1)).min(1),
});
const numberField = z.strictObject({
  ...named,
  type: z.literal('number'),
  min: z.int(),
  max: z.int(),
});
const choiceField = z.strictObject({ ...named, type: z.literal('choice'), options: z.array(label).min(2).max(12) });
const flagField = z.strictObject({ ...named, type: z.literal('flag') });
const dateField = z.strictObject({ ...named, type: z.literal('date'), from: z.iso.date(), to: z.iso.date() });
/** A relation: the value is the id of a record of another entity. */
const linkField = z.strictObject({
  ...named,
  type: z.literal('link'),
  target: key,
  required: z.boolean().default(false),
});
const field = z.discriminatedUnion('type', [textField, numberField, choiceField, flagField, dateField, linkField]);
export type Field = z.infer<typeof field>;
export type TextField = z.infer<typeof textField>;
export type LinkField = z.infer<typeof linkField>;

/** What must hold before a transition. */
const need = z.discriminatedUnion('is', [
  z.strictObject({ field: key, is: z.enum(['set', 'empty']) }),
  z.strictObject({ field: key, is: z.enum(['at-least', 'at-most']), value: z.int() }),
  z.strictObject({ field: key, is: z.literal('in-state'), value: label }),
]);
export type Need = z.infer<typeof need>;

/** What a transition changes beside the state of its own record. */
const effect = z.discriminatedUnion('does', [
  z.strictObject({ field: key, does: z.literal('set'), value: z.union([z.string(), z.int(), z.boolean(), z.null()]) }),
  z.strictObject({ field: key, does: z.literal('add'), value: z.int() }),
  /** Brings the linked record into a state. */
  z.strictObject({ field: key, does: z.literal('move'), value: label }),
]);
export type Effect = z.infer<typeof effect>;

const transition = z.strictObject({
  id: key,
  /** What the button says. */
  label,
  /** Other words for the same thing, used in instructions. */
  phrases: z.array(label).default([]),
  from: z.array(label).min(1),
  to: label,
  needs: z.array(need).default([]),
  effects: z.array(effect).default([]),
  /** Asks before it is done. */
  confirm: z.boolean().default(false),
});
export type Transition = z.infer<typeof transition>;

const workflow = z.strictObject({
  /** What the state is called on screens: "Status". */
  label,
  /** The state of a new record. */
  initial: label,
  states: z.array(label),
  transitions: z.array(transition),
});
export type Workflow = z.infer<typeof workflow>;

const entity = z.strictObject({
  id: key,
  /** Member of the state that holds the records. */
  table: key,
  singular: label,
  plural: label,
  /** The text field that tells records apart. */
  title: key,
  fields: z.array(field).min(1).max(12),
  workflow: workflow.nullable().default(null),
  /** The link field to the record that this one is shown inside of; such an entity has no page of its own. */
  inside: key.nullable().default(null),
  /** How many records a seed makes. */
  records: z.int().min(2).max(60),
});
export type Entity = z.infer<typeof entity>;

const layouts = ['table', 'list', 'cards', 'board'] as const;
export const openings = ['page', 'panel', 'expand', 'dialog'] as const;
export const editings = ['page', 'dialog', 'inline', 'per-field'] as const;
export const creations = ['page', 'dialog', 'steps', 'quick'] as const;
export const actionPlaces = ['buttons', 'menu', 'row', 'select', 'toolbar'] as const;
export const gates = ['hide', 'disable', 'refuse'] as const;
export const searches = ['none', 'live', 'button'] as const;
export const filterPlaces = ['bar', 'panel', 'tabs'] as const;
const sortings = ['none', 'select', 'headers'] as const;
export const navigations = ['links', 'tabs', 'menu', 'home', 'select'] as const;

const page = z.strictObject({
  entity: key,
  layout: z.enum(layouts).default('table'),
  /** Fields shown in the list; "state" is the state of the workflow. */
  columns: z.array(key).default([]),
  /** How a record is opened. */
  opening: z.enum(openings).default('page'),
  editing: z.enum(editings).default('page'),
  /** Fields that can be changed. */
  editable: z.array(key).default([]),
  creation: z.enum(creations).nullable().default(null),
  removable: z.boolean().default(false),
  /** Where the transitions of the workflow are offered. */
  actions: z.enum(actionPlaces).default('buttons'),
  /** What becomes of transitions that the state does not allow. */
  gate: z.enum(gates).default('hide'),
  search: z.enum(searches).default('live'),
  filters: z.array(key).default([]),
  filterPlace: z.enum(filterPlaces).default('bar'),
  sorting: z.enum(sortings).default('none'),
  sorts: z.array(key).default([]),
  pageSize: z.int().min(3).max(60).default(8),
  /** Choices as radio buttons, flags as switches, names of records in the labels of buttons. */
  radios: z.boolean().default(false),
  switches: z.boolean().default(false),
  longLabels: z.boolean().default(false),
});
export type Page = z.infer<typeof page>;

/** Labels that every app has. `{thing}` is replaced by the name of the entity. */
export const plainWords = {
  home: 'Home',
  welcome: 'Welcome',
  menu: 'Menu',
  goTo: 'Go to',
  settings: 'Settings',
  search: 'Search',
  find: 'Find',
  filters: 'Filters',
  any: 'Any',
  clear: 'Clear',
  sortBy: 'Sort by',
  lowest: 'lowest first',
  highest: 'highest first',
  next: 'Next page',
  previous: 'Previous page',
  open: 'Open',
  close: 'Close',
  back: 'Back',
  add: 'Add {thing}',
  save: 'Save',
  create: 'Create {thing}',
  cancel: 'Cancel',
  edit: 'Edit',
  change: 'Change',
  remove: 'Delete',
  confirm: 'Yes',
  decline: 'No',
  actions: 'Actions',
  moveTo: 'Move to',
  apply: 'Apply',
  forward: 'Next',
  backward: 'Previous',
  select: 'Select',
  none: 'None',
  yes: 'Yes',
  no: 'No',
  nothing: 'Nothing found',
  details: 'Details',
} as const;
export type Words = { readonly [name in keyof typeof plainWords]: string };

const wordSchemas = Object.fromEntries(Object.entries(plainWords).map(([name, word]) => [name, label.default(word)]));
const words = z.strictObject(wordSchemas as Record<keyof Words, z.ZodDefault<z.ZodString>>);

const setting = z.strictObject({ id: key, label, options: z.array(label).min(2).max(8) });
export type Setting = z.infer<typeof setting>;

export const specSchema = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, 'expected small words joined by -, such as "my-clinic"'),
  title: label,
  about: z.string().min(1).max(200),
  entities: z.array(entity).min(1).max(10),
  pages: z.array(page).min(1),
  navigation: z.enum(navigations).default('links'),
  /** The first page: "home", or the id of an entity. */
  start: key.default('home'),
  settings: z.array(setting).max(8).default([]),
  words: words.prefault({}),
  /** Other words for the labels above, for variations of the screen. */
  synonyms: z.record(z.string(), z.array(label)).default({}),
  /** Operations and another look, for apps that are closer to what people write by hand. */
  wide: wideSchema.optional(),
});
export type Spec = z.infer<typeof specSchema>;
