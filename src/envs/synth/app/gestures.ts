import { z } from 'zod';
import { formKey } from './inputs.ts';
import { kit } from './commands.ts';
import { fieldOf, rowOf, shownValue, type Model, type SynthState } from './model.ts';
import { closedUi } from './seed.ts';

const text = z.string().max(400);
const id = z.string().max(60);
const nothing = z.object({});

/** What people do on screens without changing data. They are the same in every app; the page says what they are about. */
export type Gestures = ReturnType<typeof createGestures>;

export function createGestures(model: Model) {
  return { ...moving(model), ...narrowing(), ...entering(model), ...asking() };
}

function moving({ spec }: Model) {
  const pages = ['home', 'settings', ...spec.pages.map(({ entity }) => entity)] as const;
  const visit = (draft: SynthState, page: string): void => {
    Object.assign(draft.ui, { ...closedUi, page });
  };
  return {
    go: kit.gesture('go', {
      about: 'Go to a page.',
      input: z.object({ page: z.enum(pages) }),
      run: (draft, { page }) => visit(draft, page),
    }),
    goTo: kit.gesture('go_to', {
      about: 'Go to the page with this title.',
      input: z.object({ value: text }),
      run: (draft, { value }) => visit(draft, pageTitles({ spec }).find(([title]) => title === value)?.[1] ?? 'home'),
    }),
    open: kit.gesture('open', {
      about: 'Open a record.',
      input: z.object({ id }),
      run(draft, input) {
        Object.assign(draft.ui, { record: input.id, tab: '', overlay: 'none', form: {}, field: '', notice: '' });
      },
    }),
    close: kit.gesture('close', {
      about: 'Close the record that is open.',
      input: nothing,
      run: draft =>
        void Object.assign(draft.ui, { record: '', tab: '', overlay: 'none', form: {}, field: '', notice: '' }),
    }),
    showTab: kit.gesture('show_tab', {
      about: 'Show a tab of the record that is open.',
      input: z.object({ tab: id }),
      run: (draft, { tab }) => void Object.assign(draft.ui, { tab, form: {}, overlay: 'none', field: '' }),
    }),
  };
}

/** Pages with their titles, in the order of the navigation. */
export function pageTitles({ spec }: Pick<Model, 'spec'>): (readonly [string, string])[] {
  const titles = spec.pages.map(({ entity }) => {
    const { plural = '' } = spec.entities.find(known => known.id === entity) ?? {};
    return [`${plural.charAt(0).toUpperCase()}${plural.slice(1)}`, entity] as const;
  });
  const settings = spec.settings.length > 0 ? [[spec.words.settings, 'settings'] as const] : [];
  return [[spec.words.home, 'home'], ...titles, ...settings];
}

function narrowing() {
  return {
    type: kit.gesture('type', {
      about: 'Type into the search field.',
      input: z.object({ value: z.string().max(200) }),
      run: (draft, { value }) => void (draft.ui.typed = value),
    }),
    search: kit.gesture('search', {
      about: 'List only what contains this text.',
      input: z.object({ value: z.string().max(200) }),
      run: (draft, { value }) => void Object.assign(draft.ui, { query: value, typed: value, number: 1, notice: '' }),
    }),
    filter: kit.gesture('filter', {
      about: 'List only what has this value.',
      input: z.object({ column: id, value: text, any: text }),
      run(draft, { column, value, any }) {
        draft.ui.filter[column] = value === any ? '' : value;
        Object.assign(draft.ui, { number: 1, notice: '' });
      },
    }),
    clear: kit.gesture('clear', {
      about: 'List everything again.',
      input: nothing,
      run: draft => void Object.assign(draft.ui, { filter: {}, query: '', typed: '', number: 1, notice: '' }),
    }),
    sort: kit.gesture('sort', {
      about: 'Sort the list.',
      input: z.object({ sort: id }),
      run: (draft, { sort }) => void Object.assign(draft.ui, { sort, number: 1 }),
    }),
    arrange: kit.gesture('arrange', {
      about: 'Sort the list by one of the orders on offer.',
      input: z.object({ orders: z.record(z.string(), z.string()), value: text }),
      run: (draft, { orders, value }) => void Object.assign(draft.ui, { sort: orders[value] ?? '', number: 1 }),
    }),
    turn: kit.gesture('turn', {
      about: 'Turn to a page of the list.',
      input: z.object({ number: z.int().min(1).max(1000) }),
      run: (draft, { number }) => void (draft.ui.number = number),
    }),
    tick: kit.gesture('tick', {
      about: 'Select a record, or take it out of the selection.',
      input: z.object({ id, on: z.boolean() }),
      run(draft, input) {
        const others = draft.ui.selected.filter(known => known !== input.id);
        draft.ui.selected = input.on ? [...others, input.id] : others;
      },
    }),
  };
}

function entering(model: Model) {
  return {
    enter: kit.gesture('enter', {
      about: 'Fill in a field of a form.',
      input: z.object({ key: z.string().max(80), value: text }),
      run: (draft, { key, value }) => void (draft.ui.form[key] = value),
    }),
    startCreating: kit.gesture('start_creating', {
      about: 'Open an empty form.',
      input: z.object({ entity: id }),
      run: (draft, { entity }) =>
        void Object.assign(draft.ui, { overlay: 'create', formOf: entity, step: 0, notice: '', form: {} }),
    }),
    startEditing: kit.gesture('start_editing', {
      about: 'Open a form with the details of a record, or with one field of it.',
      input: z.object({ entity: id, id, field: id }),
      run(draft, input) {
        const entity = model.entity(input.entity);
        const row = rowOf(draft, entity, input.id);
        if (row === undefined) return;
        const fields = entity.fields.filter(field => input.field === '' || field.id === input.field);
        const texts = fields.map(({ id: column }) => [
          formKey(entity, column),
          fieldText(model, draft, { entity, row, column }),
        ]);
        Object.assign(draft.ui, { overlay: 'edit', formOf: entity.id, row: row.id, field: input.field, notice: '' });
        draft.ui.form = Object.fromEntries(texts) as Record<string, string>;
      },
    }),
    turnStep: kit.gesture('turn_step', {
      about: 'Go to a step of the form.',
      input: z.object({ step: z.int().min(0).max(20) }),
      run: (draft, { step }) => void Object.assign(draft.ui, { step, notice: '' }),
    }),
    cancel: kit.gesture('cancel', {
      about: 'Close a form, a menu or a question.',
      input: nothing,
      run: draft =>
        void Object.assign(draft.ui, {
          overlay: 'none',
          formOf: '',
          field: '',
          row: '',
          pending: '',
          form: {},
          notice: '',
        }),
    }),
  };
}

/** The text that a form starts with: empty for what has no value. */
function fieldText(model: Model, state: SynthState, place: Parameters<typeof shownValue>[2]): string {
  const { entity, row, column } = place;
  return fieldOf(entity, column)?.type !== 'link' && row[column] === '' ? '' : shownValue(model, state, place);
}

function asking() {
  return {
    ask: kit.gesture('ask', {
      about: 'Ask before something is done.',
      input: z.object({ id, pending: id }),
      run: (draft, input) =>
        void Object.assign(draft.ui, { overlay: 'confirm', row: input.id, pending: input.pending, notice: '' }),
    }),
    showMenu: kit.gesture('show_menu', {
      about: 'Open a menu, or close it.',
      input: z.object({ overlay: z.enum(['menu', 'filters', 'actions']), row: id }),
      run(draft, { overlay, row }) {
        const isOpen = draft.ui.overlay === overlay && draft.ui.row === row;
        Object.assign(draft.ui, { overlay: isOpen ? 'none' : overlay, row: isOpen ? '' : row, notice: '' });
      },
    }),
  };
}
