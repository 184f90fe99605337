import { z } from 'zod';
import { refuse } from '../../../core/errors.ts';
import type { AppCommand } from '../../../worlds/app/command.ts';
import { need, nextId, remove } from '../../../worlds/app/table.ts';
import { command, folderNames, isAddress, longest, noFields, type Mail, type Message } from './state.ts';

const ids = z
  .array(z.string())
  .min(1, 'choose at least one message')
  .max(100, 'at most 100 messages at once')
  .describe('Ids of the messages, such as ["m12"].');

export const star = command('star_message', {
  about: 'Put a star on a message, or take it off.',
  input: z.object({ id: z.string(), starred: z.boolean() }),
  run(draft, { id, starred }) {
    need(draft.messages, id, 'message').starred = starred;
  },
});

export const mark = command('mark_messages', {
  about: 'Mark messages as unread or as read.',
  input: z.object({ ids, unread: z.boolean() }),
  run(draft, input) {
    for (const item of needAll(draft, input.ids)) item.unread = input.unread;
    settle(draft, input.unread ? 'Marked as unread.' : 'Marked as read.');
  },
});

export const move = command('move_messages', {
  about: 'Move messages to the inbox, the archive, spam or the trash.',
  input: z.object({ ids, folder: z.enum(['inbox', 'archive', 'spam', 'trash']) }),
  run(draft, { ids: wanted, folder }) {
    const incoming = folder === 'inbox' || folder === 'spam';
    for (const item of needAll(draft, wanted)) {
      if (incoming && item.from === draft.account.email) refuse(`"${item.subject}" is from you: it cannot go there.`);
      if (item.folder === 'drafts' && folder !== 'trash') refuse('A draft can only be sent or deleted.');
      item.folder = folder;
    }
    leaveMessage(draft, `Moved to ${folderNames[folder]}.`);
  },
});

export const label = command('label_messages', {
  about: 'Put a label on messages, or take it off.',
  input: z.object({ ids, label: z.string().describe('Id of the label, such as "l2".'), on: z.boolean() }),
  run(draft, { ids: wanted, label: id, on }) {
    const { name } = need(draft.labels, id, 'label');
    for (const item of needAll(draft, wanted)) {
      if (item.labels.includes(id) !== on) {
        item.labels = on ? [...item.labels, id] : item.labels.filter(known => known !== id);
      }
    }
    settle(draft, on ? `Labelled ${name}.` : `Label ${name} taken off.`);
  },
});

export const erase = command('delete_forever', {
  about: 'Delete messages for good. They must be in the trash or in spam.',
  input: z.object({ ids }),
  run(draft, input) {
    for (const { folder, subject } of needAll(draft, input.ids)) {
      if (folder !== 'trash' && folder !== 'spam') refuse(`Move "${subject}" to the trash first.`);
    }
    for (const id of input.ids) remove(draft.messages, id);
    leaveMessage(draft, 'Deleted for good.');
  },
});

export const empty = command('empty_folder', {
  about: 'Delete everything in the trash or in spam for good.',
  input: z.object({ folder: z.enum(['trash', 'spam']) }),
  run(draft, { folder }) {
    const kept = draft.messages.filter(item => item.folder !== folder);
    if (kept.length === draft.messages.length) refuse(`${folderNames[folder]} is empty already.`);
    draft.messages = kept;
    leaveMessage(draft, `${folderNames[folder]} is empty now.`);
  },
});

/** Closes what was open for the command: menus, dialogs, the selection. */
function settle(draft: Mail, notice: string): void {
  const { ui } = draft;
  ui.menu = null;
  ui.dialog = null;
  ui.selected = [];
  ui.notice = notice;
}

/** The open message went elsewhere: back to the list. */
function leaveMessage(draft: Mail, notice: string): void {
  settle(draft, notice);
  if (draft.ui.screen !== 'message') return;
  draft.ui.screen = 'mail';
  draft.ui.open = null;
}

function needAll(draft: Mail, wanted: readonly string[]): Message[] {
  return wanted.map(id => need(draft.messages, id, 'message'));
}

const addresses = z.string().trim().max(longest.address, `at most ${longest.address} characters of addresses`);
const subject = z.string().trim().max(longest.subject, `a subject of at most ${longest.subject} characters`);
const body = z.string().trim().max(longest.text, `a text of at most ${longest.text} characters`);
const written = {
  to: addresses.describe('Addresses, separated by commas.'),
  cc: addresses.default('').describe('Addresses that get a copy, separated by commas.'),
  subject,
  body,
  draft: z.string().nullable().default(null).describe('Id of the draft this was written in, or null.'),
};
const mostMessages = 500;

export const send = command('send_message', {
  about: 'Send a message. The signature is added by itself.',
  input: z.object(written),
  run(draft, input) {
    const to = checked(input.to);
    if (to === '') refuse('Write an address into the To field.');
    if (input.subject === '') refuse('Write a subject.');
    if (input.body === '') refuse('Write a text.');
    const content = { to, cc: checked(input.cc), subject: input.subject, body: signed(draft, input.body) };
    const id = put(draft, { draftId: input.draft, content: { ...content, folder: 'sent' } });
    closeForm(draft, 'Message sent.');
    return { id };
  },
});

export const saveDraft = command('save_draft', {
  about: 'Save a message as a draft, or save a draft again.',
  input: z.object(written),
  run(draft, input) {
    const { to, cc } = input;
    const content = { to, cc, subject: input.subject, body: input.body, folder: 'drafts' } as const;
    if (to === '' && input.subject === '' && input.body === '') refuse('There is nothing to save yet.');
    const id = put(draft, { draftId: input.draft, content });
    closeForm(draft, 'Draft saved.');
    return { id };
  },
});

export const reply = command('reply_to_message', {
  about: 'Answer a message: its sender, or everybody who got it.',
  input: z.object({
    id: z.string(),
    body,
    all: z.boolean().default(false).describe('Whether copies go to the others.'),
  }),
  run(draft, { id, body: text, all }) {
    const answered = need(draft.messages, id, 'message');
    if (answered.folder === 'drafts') refuse('A draft cannot be answered.');
    if (text === '') refuse('Write a text.');
    const { to, cc } = audience(answered, { me: draft.account.email, all });
    const content = { to, cc, subject: prefixed('Re: ', answered.subject), body: signed(draft, text) };
    const made = put(draft, { draftId: null, content: { ...content, folder: 'sent', thread: answered.thread } });
    closeForm(draft, 'Reply sent.');
    return { id: made };
  },
});

export const forward = command('forward_message', {
  about: 'Pass a message on, with its attachment and a note above it.',
  input: z.object({
    id: z.string(),
    to: addresses.describe('Addresses, separated by commas.'),
    note: body.default(''),
  }),
  run(draft, { id, to: wanted, note }) {
    const { subject: title, body: text, file, folder } = need(draft.messages, id, 'message');
    if (folder === 'drafts') refuse('A draft cannot be forwarded.');
    const to = checked(wanted);
    if (to === '') refuse('Write an address into the To field.');
    const content = { to, cc: '', subject: prefixed('Fwd: ', title), body: passedOn(note, text), file };
    const made = put(draft, { draftId: null, content: { ...content, folder: 'sent' } });
    closeForm(draft, 'Message forwarded.');
    return { id: made };
  },
});

/** Who gets an answer; to one's own message it goes to those who got that. */
export function audience(answered: Message, { me, all }: { me: string; all: boolean }): { to: string; cc: string } {
  const { from, to, cc } = answered;
  const others = all ? [to, cc].filter(address => address !== '' && address !== me).join(', ') : '';
  if (from === me) return { to: to === '' ? me : to, cc: all ? cc : '' };
  return { to: from, cc: others };
}

export function prefixed(prefix: string, title: string): string {
  return title.startsWith(prefix) ? title : `${prefix}${title}`.slice(0, longest.subject);
}

export function signed({ settings }: Mail, text: string): string {
  return settings.signature === '' ? text : `${text}\n${settings.signature}`;
}

export function passedOn(note: string, text: string): string {
  const quoted = `Forwarded message:\n${text}`.slice(0, longest.text);
  return note === '' ? quoted : `${note.slice(0, longest.text - 1)}\n${quoted}`;
}

type Content = Pick<Message, 'to' | 'cc' | 'subject' | 'body' | 'folder'> & Partial<Pick<Message, 'file' | 'thread'>>;

/** Writes a message of one's own: into the draft it began as, or as a new record at the end. */
function put(draft: Mail, { draftId, content }: { draftId: string | null; content: Content }): string {
  if (draftId !== null) {
    const known = need(draft.messages, draftId, 'draft');
    if (known.folder !== 'drafts') refuse('That is not a draft any more.');
    Object.assign(known, content, { date: draft.now });
    return draftId;
  }
  if (draft.messages.length >= mostMessages) refuse('The mailbox is full: delete some messages first.');
  const id = nextId(draft.messages, 'm');
  const { name, email } = draft.account;
  const marks = { unread: false, starred: false, labels: [], file: null, date: draft.now };
  draft.messages.push({ id, thread: id, sender: name, from: email, ...marks, ...content });
  return id;
}

/** The form is done with: back to where it was opened from. */
function closeForm(draft: Mail, notice: string): void {
  const { ui } = draft;
  const answering = ui.mode !== 'new' && ui.open !== null;
  ui.screen = ui.screen !== 'compose' ? ui.screen : answering ? 'message' : 'mail';
  if (ui.screen === 'mail') ui.open = null;
  ui.mode = 'new';
  ui.fields = noFields;
  ui.notice = notice;
}

/** A list of addresses in its usual form. */
function checked(text: string): string {
  const parts = text
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '');
  for (const part of parts) if (!isAddress(part)) refuse(`"${part}" is not an address such as name@example.org.`);
  const joined = parts.join(', ');
  return joined.length <= longest.address ? joined : refuse('Those are too many addresses.');
}

export const messageCommands: readonly AppCommand<Mail>[] = [
  star,
  mark,
  move,
  label,
  erase,
  empty,
  send,
  reply,
  forward,
  saveDraft,
];
