import { refuse } from '../../../core/errors.ts';
import type { Entity, Need, Transition } from '../spec/schema.ts';
import { fieldOf, rowOf, titleOf, type Model, type Row, type SynthState } from './model.ts';

/** A record and a transition that it may or may not make. */
export interface Move {
  readonly entity: Entity;
  readonly row: Row;
  readonly transition: Transition;
}

export function isNeedMet(model: Model, state: SynthState, { entity, row, need }: NeedOf): boolean {
  const value = row[need.field] ?? null;
  switch (need.is) {
    case 'set':
      return value !== null && value !== '' && value !== false;
    case 'empty':
      return value === null || value === '' || value === false;
    case 'at-least':
      return Number(value) >= need.value;
    case 'at-most':
      return Number(value) <= need.value;
    default: {
      const field = fieldOf(entity, need.field);
      if (field?.type !== 'link') return false;
      return rowOf(state, model.entity(field.target), String(value))?.['state'] === need.value;
    }
  }
}

export interface NeedOf {
  readonly entity: Entity;
  readonly row: Row;
  readonly need: Need;
}

/** What a need asks for, in words. */
function describeNeed(entity: Entity, need: Need): string {
  const label = fieldOf(entity, need.field)?.label ?? need.field;
  switch (need.is) {
    case 'set':
      return fieldOf(entity, need.field)?.type === 'flag' ? `"${label}" must be on` : `${label} must be set`;
    case 'empty':
      return fieldOf(entity, need.field)?.type === 'flag' ? `"${label}" must be off` : `${label} must be empty`;
    case 'at-least':
      return `${label} must be at least ${need.value}`;
    case 'at-most':
      return `${label} must be at most ${need.value}`;
    default:
      return `${label} must be ${need.value}`;
  }
}

/** Why a record cannot make a transition; null when it can. */
export function obstacle(model: Model, state: SynthState, { entity, row, transition }: Move): string | null {
  const { from, needs, label } = transition;
  const title = titleOf(entity, row);
  if (!from.includes(String(row['state']))) {
    return `${label} is not possible: ${title} is ${String(row['state'])}, not ${from.join(' or ')}.`;
  }
  const unmet = needs.find(need => !isNeedMet(model, state, { entity, row, need }));
  return unmet === undefined ? null : `${label} is not possible for ${title}: ${describeNeed(entity, unmet)}.`;
}

/** Makes the transition on a draft, or refuses with the reason. */
export function makeMove(model: Model, draft: SynthState, move: Move): void {
  const reason = obstacle(model, draft, move);
  if (reason !== null) refuse(reason);
  const { entity, row, transition } = move;
  row['state'] = transition.to;
  for (const effect of transition.effects) {
    if (effect.does === 'set') row[effect.field] = effect.value ?? emptyOf(entity, effect.field);
    else if (effect.does === 'add') row[effect.field] = Number(row[effect.field]) + effect.value;
    else moveLinked(model, draft, { ...move, field: effect.field, to: effect.value });
  }
}

function moveLinked(model: Model, draft: SynthState, move: Move & { field: string; to: string }): void {
  const field = fieldOf(move.entity, move.field);
  const id = move.row[move.field];
  const linked = field?.type === 'link' ? rowOf(draft, model.entity(field.target), String(id)) : undefined;
  if (linked !== undefined) linked['state'] = move.to;
}

function emptyOf(entity: Entity, field: string): null | '' | false {
  const type = fieldOf(entity, field)?.type;
  return type === 'link' ? null : type === 'flag' ? false : '';
}
