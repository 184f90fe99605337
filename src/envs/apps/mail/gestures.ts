import { z } from 'zod';
import type { AppCommand } from '../../../worlds/app/command.ts';
import { find, need } from '../../../worlds/app/table.ts';
import { audience, prefixed } from './commands-messages.ts';
import {
  clean,
  everything,
  fieldNames,
  gesture,
  longest,
  noFields,
  orders,
  places,
  shows,
  type Mail,
} from './state.ts';

export const goToFolder = gesture('go_to_folder', {
  about: 'Show a folder.',
  input: z.object({ folder: z.enum(places) }),
  run(draft, { folder }) {
    draft.ui = { ...clean, ...everything, selected: [], screen: 'mail', folder };
  },
});

export const goTo = gesture('go_to', {
  about: 'Show contacts, labels, rules or settings.',
  input: z.object({ screen: z.enum(['contacts', 'labels', 'rules', 'settings']) }),
  run(draft, { screen }) {
    Object.assign(draft.ui, clean, everything, { screen });
    if (screen !== 'settings') return;
    const { signature, vacation } = draft.settings;
    draft.ui.fields = { ...noFields, subject: signature, body: vacation.message };
  },
});

export const backToList = gesture('back_to_list', {
  about: 'Go back from a message to its list.',
  input: z.object({}),
  run(draft) {
    Object.assign(draft.ui, clean, { screen: 'mail' });
  },
});

export const openMessage = gesture('open_message', {
  about: 'Open a message, which marks it as read, or a draft, to go on writing.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const opened = need(draft.messages, id, 'message');
    const { ui } = draft;
    if (ui.selected.length > 0) ui.selected = [];
    ui.open = id;
    ui.menu = null;
    ui.notice = '';
    if (opened.folder === 'drafts') {
      const { to, cc, subject, body } = opened;
      Object.assign(ui, { screen: 'compose', mode: 'new', fields: { ...noFields, to, cc, subject, body } });
      return;
    }
    ui.screen = 'message';
    if (opened.unread) opened.unread = false;
  },
});

export const search = gesture('search', {
  about: 'Type into the search field.',
  input: z.object({ value: z.string().max(longest.search, `a search of at most ${longest.search} characters`) }),
  run(draft, { value }) {
    Object.assign(draft.ui, { query: value, page: 1, selected: [], menu: null, notice: '' });
  },
});

export const narrow = gesture('narrow', {
  about: 'Choose which messages the list shows.',
  input: z.object({ value: z.enum(shows) }),
  run(draft, { value }) {
    Object.assign(draft.ui, { show: value, page: 1, selected: [], menu: null });
  },
});

export const arrange = gesture('arrange', {
  about: 'Choose the order of the list.',
  input: z.object({ value: z.enum(orders) }),
  run(draft, { value }) {
    Object.assign(draft.ui, { order: value, page: 1 });
  },
});

export const showLabel = gesture('show_label', {
  about: 'Show all mail with a label.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    Object.assign(draft.ui, clean, everything, { screen: 'mail', folder: 'all', label: id });
  },
});

export const turnPage = gesture('turn_page', {
  about: 'Go to a page of the list.',
  input: z.object({ page: z.int() }),
  run(draft, { page }) {
    draft.ui.page = page;
  },
});

export const select = gesture('select', {
  about: 'Tick or untick messages of the list.',
  input: z.object({ ids: z.array(z.string()).max(100), on: z.boolean() }),
  run(draft, { ids, on }) {
    const others = draft.ui.selected.filter(known => !ids.includes(known));
    draft.ui.selected = on ? [...others, ...ids].slice(0, 100) : others;
    draft.ui.menu = null;
  },
});

export const openMenu = gesture('open_menu', {
  about: 'Open or close a menu.',
  input: z.object({ menu: z.enum(['move', 'label']).nullable() }),
  run(draft, { menu }) {
    draft.ui.menu = menu;
  },
});

export const ask = gesture('ask', {
  about: 'Open or close a question that has to be answered before something is deleted.',
  input: z.object({ dialog: z.enum(['delete', 'empty', 'contact', 'label']).nullable(), open: z.string().nullable() }),
  run(draft, { dialog, open }) {
    draft.ui.dialog = dialog;
    if (open !== null) draft.ui.open = open;
  },
});

export const compose = gesture('compose', {
  about: 'Begin to write a message.',
  input: z.object({ to: z.string().max(longest.address) }),
  run(draft, { to }) {
    Object.assign(draft.ui, clean, { screen: 'compose', fields: { ...noFields, to } });
  },
});

export const answer = gesture('answer', {
  about: 'Begin to answer or to forward a message.',
  input: z.object({ id: z.string(), mode: z.enum(['reply', 'reply-all', 'forward']) }),
  run(draft, { id, mode }) {
    const answered = need(draft.messages, id, 'message');
    const { to, cc } = audience(answered, { me: draft.account.email, all: mode === 'reply-all' });
    const subject = prefixed(mode === 'forward' ? 'Fwd: ' : 'Re: ', answered.subject);
    const fields = mode === 'forward' ? { ...noFields, subject } : { ...noFields, to, cc, subject };
    Object.assign(draft.ui, { screen: 'compose', open: id, mode, fields, menu: null, notice: '' });
  },
});

export const discard = gesture('discard', {
  about: 'Stop writing; nothing is kept of it.',
  input: z.object({}),
  run(draft) {
    const back = draft.ui.mode !== 'new' && draft.ui.open !== null;
    Object.assign(draft.ui, { mode: 'new', fields: noFields, notice: '', screen: back ? 'message' : 'mail' });
    if (!back) draft.ui.open = null;
  },
});

export const type = gesture('type', {
  about: 'Type into a field of a form.',
  input: z.object({
    field: z.enum(fieldNames),
    value: z.string().max(longest.text, `a text of at most ${longest.text} characters`),
  }),
  run(draft, { field, value }) {
    draft.ui.fields[field] = value;
  },
});

export const skipInbox = gesture('skip_inbox', {
  about: 'Tick whether the new rule archives.',
  input: z.object({ on: z.boolean() }),
  run(draft, { on }) {
    draft.ui.skipInbox = on;
  },
});

export const openContact = gesture('open_contact', {
  about: 'Show a contact, or the form to change it; without an id, the form for a new one.',
  input: z.object({ id: z.string().nullable(), form: z.boolean() }),
  run(draft, { id, form }) {
    const known = find(draft.contacts, id ?? '');
    Object.assign(draft.ui, { screen: form ? 'person' : 'contact', open: id, dialog: null, notice: '' });
    draft.ui.fields = form && known !== undefined ? filled(known) : noFields;
  },
});

export const openLabel = gesture('open_label', {
  about: 'Begin to change a label, or stop.',
  input: z.object({ id: z.string().nullable() }),
  run(draft, { id }) {
    const known = find(draft.labels, id ?? '');
    Object.assign(draft.ui, { open: id, dialog: null });
    draft.ui.fields = known === undefined ? noFields : { ...noFields, name: known.name, choice: known.colour };
  },
});

function filled({ name, email, phone, company }: Mail['contacts'][number]): Mail['ui']['fields'] {
  return { ...noFields, name, email, phone, company };
}

export const gestures: readonly AppCommand<Mail>[] = [
  goToFolder,
  goTo,
  backToList,
  openMessage,
  openContact,
  openLabel,
  search,
  narrow,
  arrange,
  showLabel,
  turnPage,
  select,
  openMenu,
  ask,
  compose,
  answer,
  discard,
  type,
  skipInbox,
];
