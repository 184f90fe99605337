import { z } from 'zod';
import { kit } from '../../app/commands.ts';
import { closedUi } from '../../app/seed.ts';
import type { SynthState } from '../../app/model.ts';

const text = z.string().max(400);
const id = z.string().max(80);

export type WideGestures = ReturnType<typeof createWideGestures>;

/** What people do on the screens of wide apps, beside the gestures that every made-up app has. */
export function createWideGestures() {
  return {
    visit: kit.gesture('visit', {
      about: 'Go to a page.',
      input: z.object({ page: id }),
      run: (draft, { page }) => void Object.assign(draft.ui, { ...closedUi, page }),
    }),
    visitRecord: kit.gesture('visit_record', {
      about: 'Go to the page of a record.',
      input: z.object({ page: id, record: id }),
      run: (draft, { page, record }) => void Object.assign(draft.ui, { ...closedUi, page, record }),
    }),
    showPlace: kit.gesture('show_place', {
      about: 'Show the records of a folder, a branch or a month.',
      input: z.object({ place: id }),
      run(draft, { place }) {
        draft.ui.filter = { ...draft.ui.filter, place: draft.ui.filter['place'] === place ? '' : place };
        Object.assign(draft.ui, { number: 1, record: '', overlay: 'none', notice: '' });
      },
    }),
    unfold: kit.gesture('unfold', {
      about: 'Open a menu, or close it.',
      input: z.object({ menu: id, row: id }),
      run(draft, { menu, row }) {
        const { overlay, field, row: about } = draft.ui;
        const isOpen = overlay === 'menu' && field === menu && about === row;
        const parent = menu.includes('/') ? menu.slice(0, menu.lastIndexOf('/')) : '';
        const closed = { overlay: parent === '' ? 'none' : 'menu', field: parent, row: parent === '' ? '' : row };
        Object.assign(draft.ui, isOpen ? closed : { overlay: 'menu', field: menu, row }, { notice: '' });
      },
    }),
    begin: kit.gesture('begin', {
      about: 'Open the form of an operation.',
      input: z.object({ operation: id, row: id }),
      run: (draft, { operation, row }) =>
        void Object.assign(draft.ui, {
          overlay: 'operation',
          pending: operation,
          row,
          step: 0,
          form: {},
          field: '',
          notice: '',
        }),
    }),
    nameRecord: kit.gesture('name_record', {
      about: 'Name the record that a form is about.',
      input: z.object({ value: text }),
      run: (draft, { value }) => void (draft.ui.typed = value),
    }),
    tickAll: kit.gesture('tick_all', {
      about: 'Select every record that is listed, or none.',
      input: z.object({ ids: z.array(id).max(60) }),
      run: (draft, { ids }) => void (draft.ui.selected = [...ids]),
    }),
  };
}

/** The branch, folder or month that is open. */
export function placeOf({ ui }: SynthState): string {
  return ui.filter['place'] ?? '';
}
