import { z } from 'zod';
import type { Input } from '../../../../worlds/app/command.ts';
import { nextId } from '../../../../worlds/app/table.ts';
import { assign, kit, recordId, rowFor, settle, snake, type SynthCommand } from '../../app/commands.ts';
import { inputSchema, readInput } from '../../app/inputs.ts';
import { article, fieldOf, prefixOf, rowsOf, titleOf, type Model, type Row, type SynthState } from '../../app/model.ts';
import { makeMove } from '../../app/rules.ts';
import type { Entity, Field } from '../../spec/schema.ts';
import type { Operation, Wide } from '../../spec/wide-schema.ts';

/** Commands of a wide app. */
export interface WideCommands {
  /** By the id of the entity, a dot, and the id of the operation. */
  readonly operations: ReadonlyMap<string, SynthCommand>;
  /** The same for several records at once, where it asks for nothing. */
  readonly bulk: ReadonlyMap<string, SynthCommand>;
  /** Switches a flag, by the id of the entity, a dot, and the id of the field. */
  readonly flags: ReadonlyMap<string, SynthCommand>;
}

export function wideOf({ spec }: Model): Wide {
  if (spec.wide === undefined) throw new Error('the spec has no operations');
  return spec.wide;
}

export function operationsOf(model: Model, entity: string): Operation[] {
  return wideOf(model).operations.filter(operation => operation.entity === entity);
}

/** The entity whose fields an operation asks for: of the record, or of the one that it adds. */
export function askedEntity(model: Model, operation: Operation): Entity {
  return model.entity(operation.adds ?? operation.entity);
}

export function askedFields(model: Model, operation: Operation): Field[] {
  const entity = askedEntity(model, operation);
  return operation.asks.map(id => fieldOf(entity, id)).filter(field => field !== undefined);
}

export function createWideCommands(model: Model): WideCommands {
  const { operations } = wideOf(model);
  const flagged = model.spec.entities.flatMap(entity =>
    entity.fields.filter(({ type }) => type === 'flag').map(field => ({ entity, field })),
  );
  return {
    operations: new Map(operations.map(one => [`${one.entity}.${one.id}`, operationCommand(model, one)])),
    bulk: new Map(operations.filter(isPlain).map(one => [`${one.entity}.${one.id}`, bulkCommand(model, one)])),
    flags: new Map(flagged.map(({ entity, field }) => [`${entity.id}.${field.id}`, flagCommand(model, entity, field)])),
  };
}

/** Whether it is done by one click. */
export function isPlain({ asks, confirm }: Operation): boolean {
  return asks.length === 0 && !confirm;
}

function operationCommand(model: Model, operation: Operation): SynthCommand {
  const entity = model.entity(operation.entity);
  const fields = askedFields(model, operation);
  const members = fields.map(field => [field.id, inputSchema(model, field)] as const);
  return kit.command(`${snake(operation.label)}_${snake(entity.id)}`, {
    about: aboutOf(operation, { noun: article(entity.singular), fields }),
    input: z.object({ id: recordId(entity), ...Object.fromEntries(members) }) as z.ZodType<Input>,
    run: (draft, input) => perform(model, draft, { operation, input, id: String(input['id']) }),
  });
}

/** An operation that asks for nothing, for several records at once. */
function bulkCommand(model: Model, operation: Operation): SynthCommand {
  const entity = model.entity(operation.entity);
  const ids = z.array(z.string().max(60)).min(1, `select ${article(entity.singular)} first`);
  return kit.command(`${snake(operation.label)}_selected_${snake(entity.table)}`, {
    about: aboutOf(operation, { noun: `several ${entity.plural}`, fields: [] }),
    input: z.object({ ids: ids.max(60).describe(`ids of the ${entity.plural}`) }),
    run(draft, input) {
      for (const id of new Set(input.ids)) perform(model, draft, { operation, input: {}, id });
      draft.ui.selected = [];
    },
  }) as unknown as SynthCommand;
}

function aboutOf({ label }: Operation, { noun, fields }: { noun: string; fields: readonly Field[] }): string {
  const asked = fields.map(field => field.label.toLowerCase()).join(', ');
  return `${label}: ${noun}${asked === '' ? '' : `, with ${asked}`}.`;
}

interface Performed {
  readonly operation: Operation;
  readonly id: string;
  readonly input: Input;
}

function perform(model: Model, draft: SynthState, { operation, id, input }: Performed): { id: string } {
  const entity = model.entity(operation.entity);
  const row = rowFor(draft, entity, id);
  const values = askedFields(model, operation).map(field => ({
    field,
    value: readInput(model, draft, { field, given: input[field.id] ?? '' }),
  }));
  if (operation.adds !== null) {
    const child = model.entity(operation.adds);
    const added: Row = { id: nextId(rowsOf(draft, child), prefixOf(model, child)), [child.inside ?? '']: row.id };
    for (const { field, value } of values) added[field.id] = value;
    rowsOf(draft, child).push(inOrder(child, added));
    settle(model, draft, `${operation.label}: ${titleOf(entity, row)}.`);
    return { id: added.id };
  }
  for (const { field, value } of values) assign(model, draft, { entity, row, field, value });
  const transition = entity.workflow?.transitions.find(known => known.id === operation.transition);
  if (transition !== undefined) makeMove(model, draft, { entity, row, transition });
  settle(model, draft, noticeOf(titleOf(entity, row), operation, transition?.to));
  draft.ui.typed = '';
  return { id: row.id };
}

function noticeOf(title: string, { label }: Operation, state: string | undefined): string {
  return state === undefined ? `${label}: ${title} is saved.` : `${title}: ${state}.`;
}

/** The members of a record in the order of its fields. */
function inOrder({ fields }: Entity, row: Row): Row {
  return { id: row.id, ...Object.fromEntries(fields.map(({ id }) => [id, row[id] ?? ''])) };
}

function flagCommand(model: Model, entity: Entity, field: Field): SynthCommand {
  return kit.command(`switch_${snake(entity.id)}_${snake(field.id)}`, {
    about: `Switch "${field.label.toLowerCase()}" of ${article(entity.singular)} on or off.`,
    input: z.object({ id: recordId(entity), value: z.boolean() }),
    run(draft, { id, value }) {
      const row = rowFor(draft, entity, id);
      row[field.id] = value;
      settle(model, draft, `${titleOf(entity, row)} is saved.`);
    },
  }) as unknown as SynthCommand;
}
