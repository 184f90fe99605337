import type { JsonObject } from '../../../../core/json.ts';
import type { UiNode } from '../../../../core/ui.ts';
import {
  button,
  checkbox,
  combobox,
  dialog,
  form,
  list,
  radio,
  region,
  switchButton,
  text,
  textbox,
  type Child,
} from '../../../../worlds/app/elements.ts';
import { capitalised, rowOf, rowsOf, titleOf, type Row, type SynthState } from '../../app/model.ts';
import { obstacle } from '../../app/rules.ts';
import { linkOptions } from '../../app/view-form.ts';
import type { Entity, Field } from '../../spec/schema.ts';
import type { Operation } from '../../spec/wide-schema.ts';
import { askedFields, isPlain, wideOf } from '../app/wide-commands.ts';
import type { WideView } from './view-context.ts';

export interface Offered {
  readonly operation: Operation;
  readonly row: Row;
  readonly label: string;
  /** What it looks like; a button where nothing is said. */
  readonly role?: typeof button;
}

/** What starts an operation, or does it where nothing is asked; null where the state of the record hides it. */
export function operationButton(view: WideView, state: SynthState, offered: Offered): UiNode | null {
  const { gestures, wide } = view;
  const { operation, row, label, role = button } = offered;
  const gate = gateOf(view, state, offered);
  if (gate === 'hidden') return null;
  const command = wide.operations.get(`${operation.entity}.${operation.id}`);
  const press =
    isPlain(operation) && command !== undefined
      ? command.with({ id: row.id })
      : gestures.begin.with({ operation: operation.id, row: row.id });
  return role(label, press, gate === 'disabled' ? ['disabled'] : undefined);
}

/** Whether a step of the workflow is offered now. */
function gateOf({ model }: WideView, state: SynthState, { operation, row }: Offered): 'open' | 'hidden' | 'disabled' {
  const entity = model.entity(operation.entity);
  const transition = entity.workflow?.transitions.find(({ id }) => id === operation.transition);
  const gate = model.pageOf(entity.id)?.gate ?? 'hide';
  if (transition === undefined || gate === 'refuse') return 'open';
  const isOut = !transition.from.includes(String(row['state']));
  if (gate === 'hide') return isOut ? 'hidden' : 'open';
  if (operation.asks.length > 0) return isOut ? 'disabled' : 'open';
  return obstacle(model, state, { entity, row, transition }) === null ? 'open' : 'disabled';
}

function keyOf({ id }: Operation, field: Field): string {
  return `${id}.${field.id}`;
}

function typedIn({ ui }: SynthState, operation: Operation, field: Field): string {
  return ui.form[keyOf(operation, field)] ?? '';
}

/** What the form of an operation holds, as the input of its command. */
function inputOf(view: WideView, state: SynthState, operation: Operation): JsonObject {
  const members = askedFields(view.model, operation).map(field => {
    const value = typedIn(state, operation, field);
    const given = field.type === 'number' && /^-?\d{1,12}$/.test(value) ? Number(value) : value;
    return [field.id, field.type === 'number' && value === '' ? 'no number' : given] as const;
  });
  return Object.fromEntries(members);
}

function controls(view: WideView, state: SynthState, operation: Operation): UiNode[] {
  return askedFields(view.model, operation).flatMap(field => control(view, state, { operation, field }));
}

interface Asked {
  readonly operation: Operation;
  readonly field: Field;
}

function control({ model, gestures }: WideView, state: SynthState, { operation, field }: Asked): UiNode[] {
  const key = keyOf(operation, field);
  const value = typedIn(state, operation, field);
  const enter = gestures.enter.entering({ key });
  const page = model.pageOf(operation.entity);
  const isTyped = wideOf(model).records[operation.entity]?.isTyped === true;
  switch (field.type) {
    case 'choice':
      if (page?.radios === true && field.options.length < 6) {
        const options = field.options.map(option =>
          radio(option, option === value, gestures.enter.with({ key, value: option })),
        );
        return [list(field.label, options)];
      }
      return [combobox(field.label, value, { enter, options: field.options })];
    case 'link':
      return [
        isTyped
          ? textbox(field.label, value, { enter })
          : combobox(field.label, value, { enter, options: linkOptions(model, state, field) }),
      ];
    default:
      return [textbox(field.label, value, { enter })];
  }
}

/** The form of an operation on the record itself. */
export function inlineForm(view: WideView, state: SynthState, offered: Offered): UiNode | null {
  const { operation, row, label } = offered;
  const command = view.wide.operations.get(`${operation.entity}.${operation.id}`);
  if (command === undefined || gateOf(view, state, offered) !== 'open') return null;
  if (operation.confirm || operation.asks.length === 0) return operationButton(view, state, offered);
  const press = command.with({ id: row.id, ...inputOf(view, state, operation) });
  return form(label, [...controls(view, state, operation), button(label, press)]);
}

/** The form of the operation that was begun, as a dialog; null when none was. */
export function operationScreen(view: WideView, state: SynthState, entity: Entity): UiNode | null {
  const { model, wide, gestures } = view;
  const { words } = model.spec;
  const { overlay, pending, row: id, step } = state.ui;
  const operation = wideOf(model).operations.find(known => known.entity === entity.id && known.id === pending);
  const command = wide.operations.get(`${entity.id}.${pending}`);
  const row = rowOf(state, entity, id);
  if (overlay !== 'operation' || operation === undefined || command === undefined || row === undefined) return null;
  const title = titleOf(entity, row);
  const cancel = button(words.cancel, gestures.cancel.with({}));
  const press = command.with({ id, ...inputOf(view, state, operation) });
  if (operation.asks.length === 0) {
    return dialog(`${operation.label}?`, [
      text(`${operation.label}: ${title}`),
      button(words.confirm, press),
      button(words.decline, gestures.cancel.with({})),
    ]);
  }
  if (wideOf(model).records[entity.id]?.place === 'wizard') {
    return wizard(view, state, { operation, title, step, save: button(words.confirm, press), cancel });
  }
  const save = button(model.pageOf(entity.id)?.longLabels === true ? operation.label : words.save, press);
  return dialog(`${operation.label}: ${title}`, [...controls(view, state, operation), save, cancel]);
}

interface Wizard {
  readonly operation: Operation;
  readonly title: string;
  readonly step: number;
  readonly save: UiNode;
  readonly cancel: UiNode;
}

/** One question a screen, and everything again before it is done. */
function wizard(view: WideView, state: SynthState, { operation, title, step, save, cancel }: Wizard): UiNode {
  const { model, gestures } = view;
  const { words } = model.spec;
  const fields = askedFields(model, operation);
  const field = fields[step];
  const turn = (to: number) => gestures.turnStep.with({ step: to });
  const back = step > 0 && button(words.backward, turn(step - 1));
  const name = `${operation.label}: ${title}`;
  if (field === undefined) {
    const review = fields.map(known => text(`${known.label}: ${typedIn(state, operation, known)}`));
    return region(name, [text(`Step ${fields.length + 1} of ${fields.length + 1}`), ...review, back, save, cancel]);
  }
  return region(name, [
    text(`Step ${step + 1} of ${fields.length + 1}`),
    form(field.label, control(view, state, { operation, field })),
    back,
    button(words.forward, turn(step + 1)),
    cancel,
  ]);
}

/** A page of its own for an operation: the record is named there, too. */
export function deskPage(view: WideView, state: SynthState, id: string): UiNode {
  const { model, gestures, wide } = view;
  const operation = wideOf(model).operations.find(known => `${known.entity}.${known.id}` === id);
  const command = wide.operations.get(id);
  if (operation === undefined || command === undefined) return region('', []);
  const entity = model.entity(operation.entity);
  const { typed } = state.ui;
  const rows = rowsOf(state, entity);
  const known = rows.find(row => titleOf(entity, row).toLowerCase() === typed.toLowerCase());
  const enter = gestures.nameRecord.entering({});
  const noun = capitalised(entity.singular);
  const isTyped = wideOf(model).records[entity.id]?.isTyped === true;
  const name = isTyped
    ? textbox(noun, typed, { enter })
    : combobox(noun, typed, { enter, options: rows.map(row => titleOf(entity, row)) });
  const press = command.with({ id: known?.id ?? typed, ...inputOf(view, state, operation) });
  return region(operation.label, [
    form(operation.label, [name, ...controls(view, state, operation), button(operation.label, press)]),
  ]);
}

/** A flag of a record, to switch. */
export function flagControl({ model, wide }: WideView, { entity, row, field }: Flag): Child {
  const command = wide.flags.get(`${entity.id}.${field.id}`);
  if (command === undefined) return null;
  const isOn = row[field.id] === true;
  const toggle = model.pageOf(entity.id)?.switches === true ? switchButton : checkbox;
  return toggle(field.label, isOn, command.with({ id: row.id, value: !isOn }));
}

interface Flag {
  readonly entity: Entity;
  readonly row: Row;
  readonly field: Field;
}
