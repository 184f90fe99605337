import { z } from 'zod';
import { refuse } from '../../../core/errors.ts';
import type { JsonObject } from '../../../core/json.ts';
import { appKit } from '../../../worlds/app/app.ts';
import type { AppCommand, Command, Input } from '../../../worlds/app/command.ts';
import { need, nextId, remove } from '../../../worlds/app/table.ts';
import type { Entity, Field, Transition } from '../spec/schema.ts';
import { readInput, requireNewTitle, inputSchema } from './inputs.ts';
import {
  capitalised,
  article,
  linksOf,
  prefixOf,
  rowsOf,
  titleOf,
  workflowOf,
  type Model,
  type Row,
  type SynthState,
} from './model.ts';
import { makeMove } from './rules.ts';

export type SynthCommand = Command<SynthState, Input>;
export const kit = appKit<SynthState>(z.custom<SynthState>());

/** The commands of one entity, as far as its page offers them. */
export interface EntityCommands {
  readonly create: SynthCommand | null;
  /** Changes any of the fields at once. */
  readonly edit: SynthCommand | null;
  /** Changes one field. */
  readonly set: ReadonlyMap<string, SynthCommand>;
  readonly remove: SynthCommand | null;
  /** A command for each transition, by its id. */
  readonly moves: ReadonlyMap<string, SynthCommand>;
  /** One command that brings a record into a state. */
  readonly moveTo: SynthCommand | null;
}

export function entityCommands(model: Model, entity: Entity): EntityCommands {
  const page = model.pageOf(entity.id);
  const transitions = entity.workflow?.transitions ?? [];
  const isOneByOne = page?.editing === 'inline' || page?.editing === 'per-field';
  const editable = entity.fields.filter(({ id }) => page?.editable.includes(id));
  const bySelect = page?.actions === 'select' && transitions.length > 0;
  const moves = bySelect ? [] : transitions;
  return {
    create: page === undefined || page.creation !== null ? createCommand(model, entity) : null,
    edit: !isOneByOne && editable.length > 0 ? editCommand(model, entity, editable) : null,
    set: new Map(isOneByOne ? editable.map(field => [field.id, setCommand(model, entity, field)]) : []),
    remove: page?.removable === true ? removeCommand(model, entity) : null,
    moves: new Map(moves.map(transition => [transition.id, moveCommand(model, entity, transition)])),
    moveTo: bySelect ? moveToCommand(model, entity) : null,
  };
}

export function allOf({ create, edit, set, remove: erase, moves, moveTo }: EntityCommands): AppCommand<SynthState>[] {
  return [create, edit, ...set.values(), erase, ...moves.values(), moveTo].filter(command => command !== null);
}

export function snake(text: string): string {
  return (
    text
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z]+/g) ?? []
  ).join('_');
}

export function recordId(entity: Entity): z.ZodString {
  return z.string().max(60).describe(`id of the ${entity.singular}`);
}

export function rowFor(draft: SynthState, entity: Entity, id: string): Row {
  return need(rowsOf(draft, entity), id, entity.singular);
}

/** What is open stays open; forms, menus and questions are done with. Quiet apps say nothing about it. */
export function settle({ spec }: Model, draft: SynthState, said: string): void {
  const notice = spec.wide?.isQuiet === true ? '' : said;
  Object.assign(draft.ui, { overlay: 'none', formOf: '', field: '', step: 0, row: '', pending: '', form: {}, notice });
}

function createCommand(model: Model, entity: Entity): SynthCommand {
  const members = entity.fields.map(field => [field.id, creationSchema(model, field)] as const);
  return kit.command(`create_${snake(entity.id)}`, {
    about: `Create a new ${entity.singular}.`,
    input: z.object(Object.fromEntries(members)) as z.ZodType<Input>,
    run(draft, input) {
      const row: Row = { id: nextId(rowsOf(draft, entity), prefixOf(model, entity)) };
      for (const field of entity.fields)
        row[field.id] = readInput(model, draft, { field, given: input[field.id] ?? '' });
      if (entity.workflow !== null) row['state'] = entity.workflow.initial;
      requireNewTitle(draft, entity, { id: row.id, title: titleOf(entity, row) });
      rowsOf(draft, entity).push(row);
      settle(model, draft, `${titleOf(entity, row)} is created.`);
      return { id: row.id };
    },
  });
}

/** What is left out is as in an empty form. */
function creationSchema(model: Model, field: Field): z.ZodType {
  const schema = inputSchema(model, field);
  const isNeeded = (field.type === 'text' || field.type === 'link') && field.required;
  if (isNeeded) return schema;
  const blank =
    field.type === 'flag'
      ? false
      : field.type === 'number'
        ? field.min
        : field.type === 'choice'
          ? field.options[0]
          : '';
  return schema.default(blank ?? '');
}

function editCommand(model: Model, entity: Entity, editable: readonly Field[]): SynthCommand {
  const members = editable.map(field => [field.id, inputSchema(model, field).optional()] as const);
  return kit.command(`edit_${snake(entity.id)}`, {
    about: `Change the details of ${article(entity.singular)}; what is left out stays.`,
    input: z.object({ id: recordId(entity), ...Object.fromEntries(members) }) as z.ZodType<Input>,
    run(draft, input) {
      const row = rowFor(draft, entity, String(input['id']));
      for (const field of editable) {
        const given = input[field.id];
        if (given !== undefined)
          assign(model, draft, { entity, row, field, value: readInput(model, draft, { field, given }) });
      }
      settle(model, draft, `${titleOf(entity, row)} is saved.`);
    },
  });
}

interface Assignment {
  readonly entity: Entity;
  readonly row: Row;
  readonly field: Field;
  readonly value: Row[string] | undefined;
}

export function assign(_model: Model, draft: SynthState, { entity, row, field, value }: Assignment): void {
  if (field.id === entity.title) requireNewTitle(draft, entity, { id: row.id, title: String(value) });
  row[field.id] = value ?? null;
}

function setCommand(model: Model, entity: Entity, field: Field): SynthCommand {
  const value = inputSchema(model, field);
  return kit.command(`set_${snake(entity.id)}_${snake(field.id)}`, {
    about:
      field.type === 'flag'
        ? `Switch "${field.label.toLowerCase()}" of ${article(entity.singular)} on or off.`
        : `Set the ${field.label.toLowerCase()} of ${article(entity.singular)}.`,
    input: z.object({ id: recordId(entity), value }) as unknown as z.ZodType<Input>,
    run(draft, input) {
      const row = rowFor(draft, entity, String(input['id']));
      const given = input['value'] ?? '';
      assign(model, draft, { entity, row, field, value: readInput(model, draft, { field, given }) });
      settle(model, draft, `${field.label} of ${titleOf(entity, row)} is changed.`);
    },
  });
}

function removeCommand(model: Model, entity: Entity): SynthCommand {
  return kit.command(`remove_${snake(entity.id)}`, {
    about: `Delete ${article(entity.singular)} for good.`,
    input: z.object({ id: recordId(entity) }),
    run(draft, { id }) {
      const row = rowFor(draft, entity, id);
      const user = linkedTo(model, draft, { entity, id });
      if (user !== null) refuse(`${titleOf(entity, row)} is still used by ${user}.`);
      const title = titleOf(entity, row);
      remove(rowsOf(draft, entity), id);
      settle(model, draft, `${title} is deleted.`);
      if (draft.ui.record === id) draft.ui.record = '';
      draft.ui.selected = draft.ui.selected.filter(known => known !== id);
    },
  }) as unknown as SynthCommand;
}

/** The title of a record that is linked to this one; null when none is. */
export function linkedTo(
  model: Model,
  state: SynthState,
  { entity, id }: { entity: Entity; id: string },
): string | null {
  for (const other of model.spec.entities) {
    const links = linksOf(other).filter(({ target }) => target === entity.id);
    const user = rowsOf(state, other).find(row => links.some(link => row[link.id] === id));
    if (user !== undefined) return titleOf(other, user);
  }
  return null;
}

function moveCommand(model: Model, entity: Entity, transition: Transition): SynthCommand {
  const isBulk = model.pageOf(entity.id)?.actions === 'toolbar';
  const name = `${snake(transition.label)}_${snake(isBulk ? entity.table : entity.id)}`;
  const about = `${moveSentence(entity, transition, isBulk)}: from ${transition.from.join(' or ')} to ${transition.to}.`;
  const run = (draft: SynthState, ids: readonly string[]): void => {
    const rows = [...new Set(ids)].map(id => rowFor(draft, entity, id));
    for (const row of rows) makeMove(model, draft, { entity, row, transition });
    draft.ui.selected = [];
    settle(model, draft, `${rows.map(row => titleOf(entity, row)).join(', ')}: ${transition.to}.`);
  };
  if (isBulk) {
    const ids = z
      .array(z.string().max(60))
      .min(1, `select ${article(entity.singular)} first`)
      .max(60);
    return kit.command(name, {
      about,
      input: z.object({ ids: ids.describe(`ids of the ${entity.plural}`) }),
      run: (draft, input) => run(draft, input.ids),
    }) as unknown as SynthCommand;
  }
  return kit.command(name, {
    about,
    input: z.object({ id: recordId(entity) }),
    run: (draft, { id }) => run(draft, [id]),
  }) as unknown as SynthCommand;
}

/** `Send a patient home`: the label of the transition with its noun in the right place. */
function moveSentence({ singular, plural }: Entity, { label, phrases }: Transition, isBulk: boolean): string {
  const noun = isBulk ? `several ${plural}` : article(singular);
  const own = phrases.find(phrase => phrase.includes('~') && capitalised(phrase.replace(/~ ?/, '').trim()) === label);
  return own === undefined ? `${label} ${noun}` : capitalised(own.replace('~', noun));
}

function moveToCommand(model: Model, entity: Entity): SynthCommand {
  const { states, transitions, label } = workflowOf(entity);
  return kit.command(`change_${snake(entity.id)}_${snake(label)}`, {
    about: `Change the ${label.toLowerCase()} of ${article(entity.singular)}, one step of its workflow at a time.`,
    input: z.object({ id: recordId(entity), value: z.enum(states) }),
    run(draft, { id, value }) {
      const row = rowFor(draft, entity, id);
      const known = transitions.filter(({ to }) => to === value);
      const fitting = known.find(({ from }) => from.includes(String(row['state'])));
      if (fitting === undefined) refuse(`${titleOf(entity, row)} cannot go from ${String(row['state'])} to ${value}.`);
      makeMove(model, draft, { entity, row, transition: fitting });
      settle(model, draft, `${titleOf(entity, row)}: ${value}.`);
    },
  }) as unknown as SynthCommand;
}

export function settingCommand(model: Model): SynthCommand | null {
  const { spec } = model;
  if (spec.settings.length === 0) return null;
  const ids = spec.settings.map(({ id }) => id);
  return kit.command('change_setting', {
    about: 'Change one of the settings.',
    input: z.object({ setting: z.enum(ids), value: z.string().max(60) }),
    run(draft, { setting, value }) {
      const known = spec.settings.find(({ id }) => id === setting);
      if (known?.options.includes(value) !== true) refuse(`"${value}" is not offered for ${known?.label ?? setting}.`);
      draft.settings[setting] = value;
      settle(model, draft, `${known?.label ?? setting}: ${value}.`);
    },
  }) as unknown as SynthCommand;
}

export function searchQuery(model: Model, entity: Entity): AppCommand<SynthState> {
  return kit.query(`find_${snake(entity.table)}`, {
    about: `List the ${entity.plural} whose ${titleLabel(entity)} contains a text; all when it is empty.`,
    input: z.object({ text: z.string().max(120).default('') }),
    run: (state, { text }): JsonObject[] =>
      rowsOf(state, entity)
        .filter(row => titleOf(entity, row).toLowerCase().includes(text.toLowerCase()))
        .map(row => ({ ...row, ...linkedNames(model, state, { entity, row }) })),
  });
}

function titleLabel(entity: Entity): string {
  return entity.fields.find(({ id }) => id === entity.title)?.label.toLowerCase() ?? 'name';
}

function linkedNames(model: Model, state: SynthState, { entity, row }: { entity: Entity; row: Row }): Row | object {
  const named = linksOf(entity).map(link => {
    const target = model.entity(link.target);
    const other = rowsOf(state, target).find(({ id }) => id === row[link.id]);
    return [link.id, other === undefined ? null : titleOf(target, other)] as const;
  });
  return Object.fromEntries(named);
}
