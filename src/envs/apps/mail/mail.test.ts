import { describe, expect, it } from 'vitest';
import type { StateSession } from '../../../core/contracts.ts';
import type { JsonObject } from '../../../core/json.ts';
import { createRandom } from '../../../core/random.ts';
import { createScreen } from '../../../core/ui.ts';
import { createWorld } from '../../../worlds/world.ts';
import { mail } from './mail.ts';
import { listed, type Mail, type Message } from './state.ts';

const world = createWorld(mail);
const init = (seed: number): Mail => mail.init(createRandom(seed));
const open = (seed = 1): StateSession => world.open(world.task('star-message', seed));
const stateOf = (session: StateSession): Mail => session.state() as Mail;
const dataOf = (session: StateSession): Omit<Mail, 'ui'> => {
  const { ui: _ui, ...data } = stateOf(session);
  return data;
};
const call = (session: StateSession, tool: string, input: JsonObject) => session.step({ kind: 'call', tool, input });

/** The reference of the first element with this role and name. */
function refOf(session: StateSession, role: string, name: string): string {
  const { text } = session.observe();
  const line = text.split('\n').find(known => known.includes(`] ${role} "${name}"`));
  const ref = line?.trim().match(/^\[(e\d+)\]/)?.[1];
  if (ref === undefined) throw new Error(`no ${role} "${name}" in\n${text}`);
  return ref;
}
const press = (session: StateSession, role: string, name: string) =>
  session.step({ kind: 'click', ref: refOf(session, role, name) });
const fill = (session: StateSession, name: string, text: string) =>
  session.step({ kind: 'fill', ref: refOf(session, 'textbox', name), text });
const choose = (session: StateSession, name: string, option: string) =>
  session.step({ kind: 'select', ref: refOf(session, 'combobox', name), option });

function some(session: StateSession, test: (message: Message) => boolean): Message {
  const found = stateOf(session).messages.find(test);
  if (found === undefined) throw new Error('no such message');
  return found;
}
const newest = (session: StateSession): Message | undefined => stateOf(session).messages.at(-1);

describe('the seeded mailbox', () => {
  it('is full of distinct conversations and the same for the same seed', () => {
    expect(init(7)).toEqual(init(7));
    expect(init(7)).not.toEqual(init(8));
    for (let seed = 0; seed < 20; seed++) {
      const { messages, contacts } = init(seed);
      expect(messages.length).toBeGreaterThan(80);
      expect(contacts).toHaveLength(20);
      expect(JSON.stringify(messages)).not.toMatch(/\{(n|day|city|amount|p)\}/);
      expect(messages.map(({ date }) => date)).toEqual(messages.map(({ date }) => date).toSorted());
    }
  });
});

describe('lists', () => {
  it('narrow down by folder, kind, label and text, and sort', () => {
    const { messages } = stateOf(open());
    const all = { folder: 'inbox', label: null, show: 'All', order: 'Newest first', query: '' } as const;
    const inbox = messages.filter(({ folder }) => folder === 'inbox');
    expect(listed(messages, all)).toEqual(inbox.toReversed());
    expect(listed(messages, { ...all, order: 'Oldest first', show: 'Unread' })).toEqual(inbox.filter(m => m.unread));
    const labelled = messages.filter(m => m.labels.includes('l1') && m.folder !== 'trash' && m.folder !== 'spam');
    expect(listed(messages, { ...all, folder: 'all', label: 'l1' })).toEqual(labelled.toReversed());
    const { sender } = inbox[0] as Message;
    const fromSender = listed(messages, { ...all, query: sender.toUpperCase() });
    expect(fromSender.map(m => m.id)).toContain(inbox[0]?.id);
    expect(fromSender.every(m => m.sender === sender)).toBe(true);
    const senders = listed(messages, { ...all, order: 'Sender' }).map(m => m.sender);
    expect(senders).toEqual(senders.toSorted());
  });

  it('star from the screen and by tool alike', () => {
    const [byHand, byTool] = [open(), open()];
    const first = listed(stateOf(byHand).messages, stateOf(byHand).ui)[0] as Message;
    press(byHand, 'switch', 'Star');
    call(byTool, 'star_message', { id: first.id, starred: !first.starred });
    expect(byHand.digest()).toBe(byTool.digest());
    expect(some(byHand, ({ id }) => id === first.id).starred).toBe(!first.starred);
  });

  it('move what is selected', () => {
    const session = open();
    const { sender } = some(session, ({ folder }) => folder === 'inbox');
    fill(session, 'Search mail', sender);
    press(session, 'checkbox', 'Select all');
    const chosen = stateOf(session).ui.selected;
    expect(chosen.length).toBeGreaterThan(0);
    press(session, 'button', 'Move to');
    press(session, 'menuitem', 'Spam');
    expect(chosen.map(id => some(session, m => m.id === id).folder)).toEqual(chosen.map(() => 'spam'));
    expect(stateOf(session).ui).toMatchObject({ selected: [], menu: null, notice: 'Moved to Spam.' });
  });
});

describe('reading', () => {
  it('marks a message as read, and nothing else', () => {
    const session = open();
    const before = dataOf(session);
    choose(session, 'Show', 'Unread');
    const { id, subject } = listed(stateOf(session).messages, stateOf(session).ui)[0] as Message;
    press(session, 'link', subject);
    const expected = before.messages.map(m => (m.id === id ? Object.assign({}, m, { unread: false }) : m));
    expect(dataOf(session)).toEqual({ ...before, messages: expected });
    expect(session.guide().clean).toBe(true);
  });

  it('falls back to the list when the open message is gone', () => {
    const session = open();
    const { id } = some(session, ({ folder }) => folder === 'trash');
    const state = stateOf(session);
    const messages = state.messages.filter(m => m.id !== id);
    const gone: Mail = { ...state, messages, ui: { ...state.ui, screen: 'message', open: id } };
    expect(createScreen(mail.view(gone)).text).toContain('region "Inbox"');
  });
});

describe('writing', () => {
  it('sends from the form what the tool sends', () => {
    const [byHand, byTool] = [open(), open()];
    const written = { to: 'ana@example.org', subject: 'Lunch', body: 'At noon?' };
    press(byHand, 'button', 'Compose');
    fill(byHand, 'To', written.to);
    fill(byHand, 'Subject', written.subject);
    fill(byHand, 'Text', written.body);
    press(byHand, 'button', 'Send');
    call(byTool, 'send_message', written);
    expect(byHand.digest()).toBe(byTool.digest());
    const { signature } = stateOf(byHand).settings;
    const body = signature === '' ? 'At noon?' : `At noon?\n${signature}`;
    expect(newest(byHand)).toMatchObject({ ...written, body, folder: 'sent', unread: false });
  });

  it('says on the screen why a message cannot be sent, and keeps what was typed', () => {
    const session = open();
    const before = dataOf(session);
    press(session, 'button', 'Compose');
    fill(session, 'To', 'ana');
    fill(session, 'Subject', 'Lunch');
    fill(session, 'Text', 'At noon?');
    press(session, 'button', 'Send');
    expect(session.observe().text).toContain('alert ""ana" is not an address such as name@example.org."');
    expect(session.observe().text).toContain('textbox "Subject": Lunch');
    expect(dataOf(session)).toEqual(before);
    const refused = call(session, 'send_message', { to: 'ana@example.org', subject: '', body: 'x' });
    expect(refused).toEqual({ applied: false, problem: { code: 'refused', message: 'Write a subject.' } });
  });

  it('answers within the conversation, to everybody when asked', () => {
    const session = open();
    const answered = some(session, ({ folder, cc }) => folder === 'inbox' && cc !== '');
    call(session, 'reply_to_message', { id: answered.id, body: 'Yes.' });
    const { thread, from } = answered;
    expect(newest(session)).toMatchObject({ thread, to: from, cc: '', subject: `Re: ${answered.subject}` });
    call(session, 'reply_to_message', { id: answered.id, body: 'Yes.', all: true });
    expect(newest(session)).toMatchObject({ thread, to: from, cc: answered.cc });
  });

  it('forwards the attachment under a note', () => {
    const session = open();
    const passed = some(session, ({ folder, file }) => folder === 'inbox' && file !== null);
    call(session, 'forward_message', { id: passed.id, to: 'a@example.org,b@example.org', note: 'See below.' });
    expect(newest(session)).toMatchObject({ to: 'a@example.org, b@example.org', file: passed.file });
    expect(newest(session)?.body).toBe(`See below.\nForwarded message:\n${passed.body}`);
  });

  it('goes on with a draft and turns it into the message sent', () => {
    const session = open();
    const draft = some(session, ({ folder }) => folder === 'drafts');
    const count = stateOf(session).messages.length;
    press(session, 'link', 'Drafts');
    press(session, 'link', draft.subject);
    fill(session, 'Text', 'Done.');
    press(session, 'button', 'Send');
    expect(stateOf(session).messages).toHaveLength(count);
    expect(some(session, ({ id }) => id === draft.id)).toMatchObject({ folder: 'sent', to: draft.to });
  });
});

describe('rules that hold', () => {
  it('keep drafts and own messages out of the inbox', () => {
    const session = open();
    const draft = some(session, ({ folder }) => folder === 'drafts');
    const sent = some(session, ({ folder }) => folder === 'sent');
    const before = session.digest();
    expect(call(session, 'move_messages', { ids: [draft.id], folder: 'archive' }).applied).toBe(false);
    expect(call(session, 'move_messages', { ids: [sent.id], folder: 'inbox' }).applied).toBe(false);
    expect(call(session, 'delete_forever', { ids: [sent.id] }).applied).toBe(false);
    expect(session.digest()).toBe(before);
  });

  it('ask before the trash is emptied', () => {
    const session = open();
    const inTrash = () => stateOf(session).messages.filter(({ folder }) => folder === 'trash').length;
    const before = inTrash();
    expect(before).toBeGreaterThan(0);
    press(session, 'link', 'Trash');
    press(session, 'button', 'Empty Trash');
    press(session, 'button', 'Cancel');
    expect(inTrash()).toBe(before);
    press(session, 'button', 'Empty Trash');
    press(session, 'button', 'Empty folder');
    expect(inTrash()).toBe(0);
    expect(call(session, 'empty_folder', { folder: 'trash' }).problem?.message).toBe('Trash is empty already.');
  });

  it('refuse two contacts with one address and two labels with one name', () => {
    const session = open();
    const { contacts, labels } = stateOf(session);
    const [contact, label] = [contacts[0], labels[0]];
    const twin = call(session, 'add_contact', { name: 'Twin', email: contact?.email.toUpperCase() ?? '' });
    expect(twin.problem?.message).toBe(`${contact?.name} has that address already.`);
    const again = call(session, 'create_label', { name: label?.name.toLowerCase() ?? '', colour: 'Red' });
    expect(again.problem?.message).toBe(`There is a label ${label?.name} already.`);
  });

  it('take a deleted label off messages and rules', () => {
    const session = open();
    const label = some(session, ({ labels }) => labels.length > 0).labels[0] ?? '';
    call(session, 'create_rule', { from: 'a@example.org', label });
    call(session, 'delete_label', { id: label });
    const { labels, messages, rules } = stateOf(session);
    expect(labels.map(({ id }) => id)).not.toContain(label);
    expect(messages.flatMap(item => item.labels)).not.toContain(label);
    expect(rules.map(rule => rule.label)).not.toContain(label);
  });

  it('apply a rule to the inbox only', () => {
    const session = open();
    const { from } = some(session, ({ folder }) => folder === 'inbox');
    call(session, 'create_rule', { from, label: 'l2', archive: true });
    const id = stateOf(session).rules.at(-1)?.id ?? '';
    const inbox = stateOf(session).messages.filter(item => item.folder === 'inbox' && item.from === from);
    expect(call(session, 'run_rule', { id }).result).toEqual({ messages: inbox.length });
    for (const { id: done } of inbox) {
      const item = some(session, known => known.id === done);
      expect(item.folder).toBe('archive');
      expect(item.labels).toContain('l2');
    }
  });

  it('refuse settings that are not offered', () => {
    const session = open();
    expect(call(session, 'change_setting', { setting: 'pageSize', value: '9' }).problem?.message).toBe(
      'Messages per page is one of: 8, 10, 12.',
    );
    expect(call(session, 'set_vacation_reply', { on: true, message: ' ' }).applied).toBe(false);
    press(session, 'link', 'Settings');
    choose(session, 'Messages per page', '12');
    press(session, 'link', 'Inbox');
    expect(session.observe().text.match(/ row "/g)).toHaveLength(12);
  });
});
