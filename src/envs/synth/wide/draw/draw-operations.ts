import type { Random } from '../../../../core/random.ts';
import { capitalised, fieldId } from '../../domains/notation.ts';
import type { Entity, Field, Need, Transition } from '../../spec/schema.ts';
import type { Operation } from '../../spec/wide-schema.ts';
import { joints, verbsFor } from './field-verbs.ts';
import type { Sideline } from './sidelines.ts';

export interface SideEntity {
  readonly entity: Entity;
  readonly sideline: Sideline;
}

interface Source {
  readonly entity: Entity;
  /** What can be added to a record of it. */
  readonly sides: readonly SideEntity[];
  readonly isMain: boolean;
  readonly random: Random;
}

/** What can be done with a record: steps of its workflow, changes of fields, and what is added to it. */
export function drawOperations({ entity, sides, isMain, random }: Source): Operation[] {
  const used = new Set<string>();
  const moves = (entity.workflow?.transitions ?? []).map(transition =>
    moveOperation(entity, { transition, used, random }),
  );
  const fields = random.sample(
    entity.fields.filter(({ type }) => type !== 'flag'),
    isMain ? random.between(2, 4) : random.between(1, 2),
  );
  const changes = fields.flatMap(field => changeOperation(entity, { fields: [field], used, random }));
  const pairs = isMain && random.chance(0.5) ? pairOperation(entity, { used, random }) : [];
  const added = sides.flatMap(side => sideOperation(entity, { side, used, random }));
  return [...moves.flat(), ...changes, ...pairs, ...added];
}

interface Naming {
  readonly used: Set<string>;
  readonly random: Random;
}

/** One of the labels that no other operation of the entity has. */
function freeLabel(labels: readonly string[], { used, random }: Naming): string | null {
  const label = random.shuffle(labels).find(one => !used.has(fieldId(one)) && fieldId(one).length <= 30);
  if (label === undefined) return null;
  used.add(fieldId(label));
  return label;
}

/** A step of the workflow; what it needs may be asked for at once, as in `lend {x} to {reader}`. */
function moveOperation(entity: Entity, { transition, ...naming }: Naming & { transition: Transition }): Operation[] {
  const { random } = naming;
  const label = freeLabel([transition.label, ...transition.phrases.map(buttonOf)], naming);
  if (label === null) return [];
  const asked = random.chance(0.7) ? askedFor(entity, transition) : undefined;
  const verbs = [...new Set([transition.label, ...transition.phrases])].map(placed);
  const orders =
    asked === undefined
      ? verbs
      : verbs.flatMap(verb => random.sample(joints, 3).map(joint => `${verb} ${named(joint, asked)}`));
  const status = (entity.workflow?.label ?? '').toLowerCase();
  const facts =
    asked === undefined
      ? [
          `{x} should be ${transition.to}`,
          `{x} is not ${transition.to} yet`,
          `the ${status} of {x} has to be ${transition.to}`,
        ]
      : [`{x} should be ${transition.to}, ${named('with {v} as {l}', asked)}`];
  return [
    {
      id: fieldId(label),
      entity: entity.id,
      label,
      orders,
      facts,
      transition: transition.id,
      adds: null,
      asks: asked === undefined ? [] : [asked.id],
      confirm: transition.confirm,
    },
  ];
}

/** The field that a step needs to be set, where it can be asked for. */
function askedFor({ fields, title }: Entity, { needs }: Transition): Field | undefined {
  const isAsked = ({ field, is }: Need): boolean => is === 'set' && field !== title;
  const need = needs.find(isAsked);
  const field = fields.find(({ id }) => id === need?.field);
  return field?.type === 'link' || field?.type === 'text' || field?.type === 'date' ? field : undefined;
}

interface Change extends Naming {
  readonly fields: readonly Field[];
}

function changeOperation(entity: Entity, { fields: [field], ...naming }: Change): Operation[] {
  if (field === undefined || field.id === entity.inside) return [];
  const { random } = naming;
  const { labels, orders, facts } = verbsFor(field, field.id === entity.title);
  const label = freeLabel(
    labels.map(one => one.replace('{l}', field.label.toLowerCase())),
    naming,
  );
  if (label === null) return [];
  return [
    {
      id: fieldId(label),
      entity: entity.id,
      label,
      orders: random.sample(orders, 4).map(order => named(order, field)),
      facts: random.sample(facts, 3).map(fact => named(fact, field)),
      transition: null,
      adds: null,
      asks: [field.id],
      confirm: false,
    },
  ];
}

const editLabels = ['Edit', 'Edit details', 'Change details', 'Update', 'Correct', 'Edit {noun}', 'Modify'];

/** Several fields in one form. */
function pairOperation(entity: Entity, naming: Naming): Operation[] {
  const { random } = naming;
  const fields = random.sample(
    entity.fields.filter(({ type, id }) => type !== 'flag' && id !== entity.title && id !== entity.inside),
    random.between(2, 3),
  );
  const label = freeLabel(
    editLabels.map(one => one.replace('{noun}', entity.singular)),
    naming,
  );
  if (label === null || fields.length < 2) return [];
  const parts = fields.map(field => `${field.label.toLowerCase()} {${field.id}}`);
  const all = `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;
  return [
    {
      id: fieldId(label),
      entity: entity.id,
      label,
      orders: [`update {x}: ${all}`, `change {x} to ${all}`, `set ${all} for {x}`, `correct {x}: ${parts.join('; ')}`],
      facts: [`{x} has ${all}`, `for {x} we now have ${all}`],
      transition: null,
      adds: null,
      asks: fields.map(({ id }) => id),
      confirm: false,
    },
  ];
}

function sideOperation(entity: Entity, { side, ...naming }: Naming & { side: SideEntity }): Operation[] {
  const label = freeLabel(side.sideline.labels, naming);
  if (label === null) return [];
  const { inside, fields } = side.entity;
  return [
    {
      id: fieldId(label),
      entity: entity.id,
      label,
      orders: [...side.sideline.orders],
      facts: [...side.sideline.facts],
      transition: null,
      adds: side.entity.id,
      asks: fields.map(({ id }) => id).filter(id => id !== inside),
      confirm: false,
    },
  ];
}

function named(way: string, { id, label }: Field): string {
  return way.replaceAll('{v}', `{${id}}`).replaceAll('{l}', label.toLowerCase());
}

/** `send ~ home` is `send {x} home`. */
function placed(verb: string): string {
  const small = `${verb.charAt(0).toLowerCase()}${verb.slice(1)}`;
  return small.includes('~') ? small.replace('~', '{x}') : `${small} {x}`;
}

function buttonOf(verb: string): string {
  return capitalised(verb.replace(/~ ?/, '').trim());
}
