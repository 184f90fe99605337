import { z } from 'zod';
import { refuse } from '../../../core/errors.ts';
import { find, paginate } from '../../../worlds/app/table.ts';
import { contactsNamed, listed, longest, orders, places, query, shows } from './state.ts';

const text = z.string().max(longest.search).default('').describe('Only what mentions this text; empty for all.');
const perPage = 20;

const listMessages = query('list_messages', {
  about: 'List the messages of a folder that fit a filter, 20 a page.',
  input: z.object({
    folder: z.enum(places).default('inbox'),
    text,
    show: z.enum(shows).default('All'),
    order: z.enum(orders).default('Newest first'),
    label: z.string().nullable().default(null).describe('Id of a label, or null for any.'),
    page: z.int().default(1),
  }),
  run(mail, { text: wanted, page, ...narrowing }) {
    const shown = paginate(listed(mail.messages, { ...narrowing, query: wanted }), page, perPage);
    const messages = shown.items.map(({ id, sender, to, subject, date, unread, starred, labels }) => ({
      id,
      sender,
      to,
      subject,
      date,
      unread,
      starred,
      labels,
    }));
    return { messages, page: shown.page, pages: shown.pages, total: shown.total };
  },
});

const getMessage = query('get_message', {
  about: 'Read a message and the ids of its conversation. It stays unread.',
  input: z.object({ id: z.string() }),
  run(mail, { id }) {
    const found = find(mail.messages, id) ?? refuse(`There is no message "${id}".`);
    const conversation = mail.messages.filter(item => item.thread === found.thread).map(item => item.id);
    return { ...found, conversation };
  },
});

const listContacts = query('list_contacts', {
  about: 'List the contacts whose name, address or company contains a text.',
  input: z.object({ text }),
  run: (mail, { text: wanted }) => contactsNamed(mail.contacts, wanted),
});

const listLabels = query('list_labels', {
  about: 'List the labels, with how many messages have each.',
  input: z.object({}),
  run: ({ labels, messages }) =>
    labels.map(label => ({ ...label, messages: messages.filter(item => item.labels.includes(label.id)).length })),
});

const listRules = query('list_rules', {
  about: 'List the rules for arriving mail.',
  input: z.object({}),
  run: mail => mail.rules,
});

const getSettings = query('get_settings', {
  about: 'Read the account, the settings, the signature and the vacation reply.',
  input: z.object({}),
  run: ({ account, now, settings }) => ({ account, now, ...settings }),
});

export const queries = [listMessages, getMessage, listContacts, listLabels, listRules, getSettings];
