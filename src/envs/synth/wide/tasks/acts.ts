import type { Random } from '../../../../core/random.ts';
import { nextId } from '../../../../worlds/app/table.ts';
import {
  fieldOf,
  prefixOf,
  rowOf,
  rowsOf,
  titleOf,
  type Model,
  type Row,
  type SynthState,
  type Value,
} from '../../app/model.ts';
import { makeMove, obstacle } from '../../app/rules.ts';
import type { Entity } from '../../spec/schema.ts';
import type { Operation } from '../../spec/wide-schema.ts';
import { changesOf, noChanges, type Changes } from '../../tasks/effects.ts';
import { newValue } from '../../tasks/values.ts';
import { askedEntity, askedFields } from '../app/wide-commands.ts';

/** An operation on a record, with the values that it asks for, by their fields. */
export type Act = {
  readonly operation: string;
  readonly row: string;
  /** The name of the record; planners try it first in fields that are called like this. */
  readonly searchOrFind: string;
  /** What stands in the instruction, by the labels of the fields. */
  readonly fields: { readonly [label: string]: string };
  readonly values: { readonly [field: string]: Value };
};

export interface Acting {
  readonly model: Model;
  readonly entity: Entity;
}

/** An operation on some record, with values that change something; null when no record allows it. */
export function drawAct(
  { model, entity }: Acting,
  { state, operation, random, isFitting = () => true }: Drawn,
): Act | null {
  for (const row of random.shuffle(rowsOf(state, entity)).filter(isFitting).slice(0, 12)) {
    const given = askedFields(model, operation).map(field =>
      newValue(model, state, {
        entity: askedEntity(model, operation),
        field,
        current: operation.adds === null ? row[field.id] : undefined,
        random,
      }),
    );
    const known = given.filter(value => value !== null);
    if (known.length < given.length) continue;
    const values = Object.fromEntries(known.map(({ field, value }) => [field, value]));
    const fields = Object.fromEntries(known.map(({ label, text }) => [label, text]));
    const act = { operation: operation.id, row: row.id, searchOrFind: titleOf(entity, row), fields, values };
    if (isPossible({ model, entity }, state, { act, operation })) return act;
  }
  return null;
}

interface Drawn {
  readonly state: SynthState;
  readonly operation: Operation;
  readonly random: Random;
  isFitting?(row: Row): boolean;
}

function isPossible(
  { model, entity }: Acting,
  state: SynthState,
  { act, operation }: { act: Act; operation: Operation },
): boolean {
  const transition = entity.workflow?.transitions.find(({ id }) => id === operation.transition);
  const row = rowOf(state, entity, act.row);
  if (transition === undefined || row === undefined) return row !== undefined;
  return obstacle(model, state, { entity, row: { ...row, ...act.values }, transition }) === null;
}

/** What some acts change, one after the other. */
export function changesBy({ model, entity }: Acting, state: SynthState, acts: readonly Act[]): Changes {
  const operations = acts.map(act => ({ act, operation: operationOf(model, entity, act.operation) }));
  const additions: { table: string; row: Row }[] = [];
  for (const { act, operation } of operations) {
    if (operation.adds === null) continue;
    const child = model.entity(operation.adds);
    const before = additions.filter(({ table }) => table === child.table).map(({ row }) => row);
    const id = nextId([...rowsOf(state, child), ...before], prefixOf(model, child));
    const row: Row = { id };
    for (const field of child.fields)
      row[field.id] = field.id === child.inside ? act.row : (act.values[field.id] ?? '');
    additions.push({ table: child.table, row });
  }
  const edits = changesOf(model, state, copy => {
    for (const { act, operation } of operations) {
      const row = rowOf(copy, entity, act.row);
      if (row === undefined || operation.adds !== null) continue;
      Object.assign(row, act.values);
      const transition = entity.workflow?.transitions.find(({ id }) => id === operation.transition);
      if (transition !== undefined && obstacle(model, copy, { entity, row, transition }) === null)
        makeMove(model, copy, { entity, row, transition });
    }
  });
  return { ...noChanges, edits, additions };
}

export function operationOf({ spec }: Model, entity: Entity, id: string): Operation {
  const found = spec.wide?.operations.find(known => known.entity === entity.id && known.id === id);
  if (found === undefined) throw new Error(`"${entity.id}" has no operation "${id}"`);
  return found;
}

/** A way to say an act: names in braces are replaced by what the task has for them, with or without quotes. */
export function sayAct({ model, entity }: Acting, { act, way, x, isQuoted = true }: Saying): string {
  const asked = askedEntity(model, operationOf(model, entity, act.operation));
  const bare = isQuoted ? way : way.replaceAll(/"(\{\w+\})"/g, '$1');
  return bare.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (name === 'x') return x;
    return act.fields[fieldOf(asked, name)?.label ?? ''] ?? '';
  });
}

interface Saying {
  readonly act: Act;
  readonly way: string;
  readonly x: string;
  readonly isQuoted?: boolean;
}
