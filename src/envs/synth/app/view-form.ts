import type { UiNode } from '../../../core/ui.ts';
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
} from '../../../worlds/app/elements.ts';
import type { Entity, Field, Page } from '../spec/schema.ts';
import type { EntityCommands } from './commands.ts';
import type { Gestures } from './gestures.ts';
import { formInput, formKey, formText } from './inputs.ts';
import { capitalised, rowOf, rowsOf, titleOf, worded, type Model, type SynthState } from './model.ts';

/** What every part of the view needs. */
export interface View {
  readonly model: Model;
  readonly gestures: Gestures;
  commands(entity: string): EntityCommands;
}

/** The form that is open, in the place of the page. */
export function formView(view: View, state: SynthState, page: Page): UiNode {
  const { model, commands } = view;
  const { ui } = state;
  const entity = model.entity(ui.formOf);
  const { words } = model.spec;
  const { create, edit } = commands(entity.id);
  const isNew = ui.overlay === 'create';
  const title = isNew ? worded(words.add, entity) : `${words.edit} ${entity.singular}`;
  const fields = isNew ? entity.fields : entity.fields.filter(({ id }) => page.editable.includes(id));
  const input = formInput(model, state, { entity, fields });
  const save = isNew
    ? create !== null && button(worded(words.create, entity), create.with(input))
    : edit !== null && button(words.save, edit.with({ id: ui.row, ...input }));
  const cancel = button(words.cancel, view.gestures.cancel.with({}));
  const isStepped = isNew && page.creation === 'steps';
  const content = isStepped
    ? stepped(view, state, { entity, page, save, cancel })
    : [...fields.flatMap(field => control(view, state, { entity, field, page })), save, cancel];
  const style = isNew ? page.creation : page.editing;
  const isDialog = style === 'dialog' || (style === 'quick' && !isNew);
  return isDialog ? dialog(title, content) : region(title, [form(capitalised(entity.singular), content)]);
}

interface Steps {
  readonly entity: Entity;
  readonly page: Page;
  readonly save: Child;
  readonly cancel: Child;
}

/** A form in two steps. */
function stepped(view: View, state: SynthState, { entity, page, save, cancel }: Steps): Child[] {
  const { gestures, model } = view;
  const { words } = model.spec;
  const half = Math.ceil(entity.fields.length / 2);
  const isLast = state.ui.step > 0;
  const fields = isLast ? entity.fields.slice(half) : entity.fields.slice(0, half);
  const isOne = half === entity.fields.length;
  return [
    text(`${isLast ? 2 : 1} / ${isOne ? 1 : 2}`),
    ...fields.flatMap(field => control(view, state, { entity, field, page })),
    isLast && button(words.backward, gestures.turnStep.with({ step: 0 })),
    isLast || isOne ? save : button(words.forward, gestures.turnStep.with({ step: 1 })),
    cancel,
  ];
}

/** A form that is always there, for a new record. */
export function quickForm(view: View, state: SynthState, { entity, page, given }: Quick): UiNode | null {
  const { model, commands } = view;
  const { create } = commands(entity.id);
  if (create === null) return null;
  const fields = entity.fields.filter(({ id }) => given[id] === undefined);
  const input = { ...formInput(model, state, { entity, fields }), ...given };
  return form(worded(model.spec.words.add, entity), [
    ...fields.flatMap(field => control(view, state, { entity, field, page })),
    button(worded(model.spec.words.create, entity), create.with(input)),
  ]);
}

interface Quick {
  readonly entity: Entity;
  readonly page: Page;
  /** Values that are not asked for. */
  readonly given: Readonly<Record<string, string>>;
}

/** The form for one field, in the place of its value. */
export function fieldForm(view: View, state: SynthState, { entity, field, page }: Controlled): UiNode {
  const { model, commands, gestures } = view;
  const { words } = model.spec;
  const set = commands(entity.id).set.get(field.id);
  const value = formInput(model, state, { entity, fields: [field] })[field.id] ?? '';
  return form(field.label, [
    ...control(view, state, { entity, field, page }),
    set !== undefined && button(words.save, set.with({ id: state.ui.row, value })),
    button(words.cancel, gestures.cancel.with({})),
  ]);
}

export interface Controlled {
  readonly entity: Entity;
  readonly field: Field;
  readonly page: Page;
}

/** The control for a field of a form. */
function control({ model, gestures }: View, state: SynthState, { entity, field, page }: Controlled): UiNode[] {
  const { words } = model.spec;
  const key = formKey(entity, field.id);
  const value = formText(model, state, { entity, field });
  const enter = gestures.enter.entering({ key });
  const isRequired = (field.type === 'text' || field.type === 'link') && field.required;
  const states = isRequired ? (['required'] as const) : undefined;
  switch (field.type) {
    case 'flag': {
      const isOn = value === words.yes;
      const press = gestures.enter.with({ key, value: isOn ? words.no : words.yes });
      return [(page.switches ? switchButton : checkbox)(field.label, isOn, press)];
    }
    case 'choice': {
      if (!page.radios) return [combobox(field.label, value, { enter, options: field.options })];
      const options = field.options.map(option =>
        radio(option, option === value, gestures.enter.with({ key, value: option })),
      );
      return [list(field.label, options)];
    }
    case 'link':
      return [combobox(field.label, value, { enter, options: linkOptions(model, state, field), states })];
    default:
      return [textbox(field.label, value, { enter, states })];
  }
}

/** Names of the records that a field can be linked to. */
export function linkOptions(model: Model, state: SynthState, field: Field & { type: 'link' }): string[] {
  const target = model.entity(field.target);
  const names = rowsOf(state, target).map(row => titleOf(target, row));
  return field.required ? names : [model.spec.words.none, ...names];
}

/** The question before something that cannot be undone. */
export function confirmView(view: View, state: SynthState, entity: Entity): UiNode {
  const { model, commands, gestures } = view;
  const { words } = model.spec;
  const { row: id, pending } = state.ui;
  const row = rowOf(state, entity, id);
  const own = commands(entity.id);
  const command = pending === 'remove' ? own.remove : (own.moves.get(pending) ?? null);
  const label = pending === 'remove' ? words.remove : transitionLabel(entity, pending);
  const title = row === undefined ? '' : titleOf(entity, row);
  const input =
    pending !== 'remove' && model.pageOf(entity.id)?.actions === 'toolbar' ? { ids: [...state.ui.selected] } : { id };
  return dialog(`${label}?`, [
    text(id === '' ? `${label}: ${state.ui.selected.length} ${entity.plural}` : `${label}: ${title}`),
    command !== null && button(words.confirm, command.with(input)),
    button(words.decline, gestures.cancel.with({})),
  ]);
}

function transitionLabel(entity: Entity, id: string): string {
  return entity.workflow?.transitions.find(transition => transition.id === id)?.label ?? '';
}
