import { z } from 'zod';

const key = z.string().regex(/^[a-z][a-zA-Z]{0,30}$/, 'expected letters only, starting with a small one');
const label = z.string().trim().min(1).max(60);
/** A way of saying something, with names in braces: `assign {doctor} to {x}`. */
const way = z.string().min(1).max(160);

/** Something that is done with a record: a step of its workflow, new values for its fields, or a record added to it. */
const operation = z.strictObject({
  id: key,
  entity: key,
  /** What its button says. */
  label,
  /** Orders, such as `lend {x} to {reader}`. */
  orders: z.array(way).min(1),
  /** Facts that call for it, such as `{reader} has borrowed {x}`. */
  facts: z.array(way).default([]),
  /** The transition that it takes, if any. */
  transition: key.nullable().default(null),
  /** The entity inside of this one that it adds a record of, if any. */
  adds: key.nullable().default(null),
  /** The fields it asks for: of the record, or of the one that it adds. */
  asks: z.array(key).default([]),
  confirm: z.boolean().default(false),
});
export type Operation = z.infer<typeof operation>;

export const listKinds = ['links', 'rows', 'items', 'table', 'cards', 'board', 'tree', 'calendar', 'folders'] as const;
export const pagers = ['navigation', 'plain', 'numbers', 'more'] as const;
export const counting = ['name', 'text', 'heading', 'none'] as const;

const listLook = z.strictObject({
  kind: z.enum(listKinds),
  /** How a record is called in the list: `{title} by {author}`. */
  name: way,
  /** Fields that stand beside the name, joined to one text or each on its own line. */
  aside: z.array(key).default([]),
  isJoined: z.boolean().default(true),
  /** The field that a tree, a board, a calendar or folders go by. */
  group: z.string().default(''),
  count: z.enum(counting),
  pager: z.enum(pagers),
  size: z.int().min(3).max(60),
  /** The label of the search field; empty where nothing can be searched. */
  find: z.string().max(60),
  /** Whether a button starts the search. */
  isSent: z.boolean().default(false),
  /** Fields that the search looks at, the title aside. */
  searched: z.array(key).default([]),
  filters: z.array(key).default([]),
  sorts: z.array(key).default([]),
  /** Operations that stand in the list itself, and whether their labels name the record. */
  tools: z.array(key).default([]),
  isNamed: z.boolean().default(false),
  /** Flags that are switched in the list. */
  flags: z.array(key).default([]),
  isSelectable: z.boolean().default(false),
});
export type ListLook = z.infer<typeof listLook>;

export const recordKinds = ['page', 'dialog', 'panel', 'expand', 'tabs'] as const;
export const tellings = ['lines', 'sentence', 'table', 'labels'] as const;
export const places = ['forms', 'buttons', 'dialog', 'menu', 'submenu', 'wizard', 'toolbar'] as const;

const recordLook = z.strictObject({
  kind: z.enum(recordKinds),
  /** What the region is called; empty for the name of the record. */
  name: z.string().max(60),
  back: label,
  telling: z.enum(tellings),
  /** Whether the state of the workflow stands apart, as a status. */
  hasStatus: z.boolean(),
  /** Where operations are offered. */
  place: z.enum(places),
  /** What the group or the menu of operations is called. */
  desk: label,
  /** Whether links are typed or chosen. */
  isTyped: z.boolean(),
});
export type RecordLook = z.infer<typeof recordLook>;

export const shells = ['none', 'side', 'banner', 'tabs', 'menu', 'nested', 'dashboard'] as const;
export const registers = ['plain', 'terse', 'polite', 'chatty', 'hurried', 'formal'] as const;

/** What apps with operations have beside the rest: how they look, and how people speak about them. */
export const wideSchema = z.strictObject({
  operations: z.array(operation),
  shell: z.enum(shells),
  /** Pages of operations, as `entity.operation`, where the record is named in a form. */
  desks: z.array(z.string()).default([]),
  lists: z.record(z.string(), listLook),
  records: z.record(z.string(), recordLook),
  /** How a value is told: `{v} seats`, by `entity.field`. */
  told: z.record(z.string(), way),
  registers: z.array(z.enum(registers)).min(1),
  /** Whether nothing is said when a change is made, as in most apps that people write. */
  isQuiet: z.boolean().default(false),
});
export type Wide = z.infer<typeof wideSchema>;
