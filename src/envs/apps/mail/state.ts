import { z } from 'zod';
import { appKit } from '../../../worlds/app/app.ts';

const folders = ['inbox', 'drafts', 'sent', 'archive', 'spam', 'trash'] as const;
export const places = [...folders, 'all'] as const;
export const folderNames: Readonly<Record<Place, string>> = {
  inbox: 'Inbox',
  drafts: 'Drafts',
  sent: 'Sent',
  archive: 'Archive',
  spam: 'Spam',
  trash: 'Trash',
  all: 'All mail',
};
export const shows = ['All', 'Unread', 'Starred', 'With attachment'] as const;
export const orders = ['Newest first', 'Oldest first', 'Sender'] as const;
export const colours = ['Grey', 'Red', 'Orange', 'Green', 'Blue', 'Purple'] as const;
const screens = ['mail', 'message', 'compose', 'contacts', 'contact', 'person', 'labels', 'rules', 'settings'] as const;

/** The settings that are a choice, with what they offer. */
export const choices = {
  theme: ['Light', 'Dark', 'System'],
  density: ['Comfortable', 'Cosy', 'Compact'],
  pageSize: ['8', '10', '12'],
  defaultReply: ['Reply', 'Reply all'],
  images: ['Always show', 'Ask first', 'Never show'],
  notifications: ['All mail', 'Important only', 'Off'],
  undoSend: ['5 seconds', '10 seconds', '20 seconds', '30 seconds'],
} as const;
export type Choice = keyof typeof choices;
export const choiceNames: Readonly<Record<Choice, string>> = {
  theme: 'Theme',
  density: 'Density',
  pageSize: 'Messages per page',
  defaultReply: 'Default reply',
  images: 'Remote images',
  notifications: 'Notifications',
  undoSend: 'Undo send',
};

export const longest = { subject: 120, text: 2000, name: 60, address: 200, search: 80, phone: 30 };

const message = z.object({
  id: z.string(),
  /** The id of the first message of the conversation. */
  thread: z.string(),
  folder: z.enum(folders),
  sender: z.string().max(longest.name),
  from: z.string().max(longest.address),
  to: z.string().max(longest.address),
  cc: z.string().max(2 * longest.address + 2),
  subject: z.string().max(longest.subject),
  body: z.string().max(2 * longest.text),
  date: z.string(),
  unread: z.boolean(),
  starred: z.boolean(),
  labels: z.array(z.string()),
  file: z.string().nullable(),
});

const contact = z.object({
  id: z.string(),
  name: z.string().max(longest.name),
  email: z.string().max(longest.address),
  phone: z.string().max(longest.phone),
  company: z.string().max(longest.name),
  favourite: z.boolean(),
});

const labelRecord = z.object({ id: z.string(), name: z.string().max(longest.name), colour: z.enum(colours) });

const rule = z.object({
  id: z.string(),
  from: z.string().max(longest.address),
  label: z.string(),
  archive: z.boolean(),
  on: z.boolean(),
});

const settings = z.object({
  theme: z.enum(choices.theme),
  density: z.enum(choices.density),
  pageSize: z.enum(choices.pageSize),
  defaultReply: z.enum(choices.defaultReply),
  images: z.enum(choices.images),
  notifications: z.enum(choices.notifications),
  undoSend: z.enum(choices.undoSend),
  signature: z.string().max(longest.subject),
  vacation: z.object({ on: z.boolean(), message: z.string().max(longest.text) }),
});

/** What stands in the text fields of the open form. */
const fields = z.object({
  to: z.string().max(longest.text),
  cc: z.string().max(longest.text),
  subject: z.string().max(longest.text),
  body: z.string().max(longest.text),
  name: z.string().max(longest.text),
  email: z.string().max(longest.text),
  phone: z.string().max(longest.text),
  company: z.string().max(longest.text),
  choice: z.string().max(longest.text),
});
export type FieldName = keyof z.infer<typeof fields>;
export const fieldNames = Object.keys(fields.shape) as [FieldName, ...FieldName[]];

const ui = z.object({
  screen: z.enum(screens),
  folder: z.enum(places),
  label: z.string().nullable(),
  show: z.enum(shows),
  order: z.enum(orders),
  query: z.string().max(longest.search),
  page: z.int(),
  /** The open message, contact or label. */
  open: z.string().nullable(),
  selected: z.array(z.string()),
  menu: z.enum(['move', 'label']).nullable(),
  dialog: z.enum(['delete', 'empty', 'contact', 'label']).nullable(),
  mode: z.enum(['new', 'reply', 'reply-all', 'forward']),
  skipInbox: z.boolean(),
  fields,
  notice: z.string(),
});

export const mailState = z.object({
  account: z.object({ name: z.string(), email: z.string() }),
  now: z.string(),
  messages: z.array(message),
  contacts: z.array(contact),
  labels: z.array(labelRecord),
  rules: z.array(rule),
  settings,
  ui,
});

export type Mail = z.infer<typeof mailState>;
export type Message = Mail['messages'][number];
export type Contact = Mail['contacts'][number];
export type Folder = (typeof folders)[number];
export type Place = (typeof places)[number];

export const { command, gesture, query, template } = appKit(mailState);

export const noFields: Mail['ui']['fields'] = {
  to: '',
  cc: '',
  subject: '',
  body: '',
  name: '',
  email: '',
  phone: '',
  company: '',
  choice: '',
};

/** What a list of messages is narrowed down to. */
export interface Narrowing {
  readonly folder: Place;
  readonly label: string | null;
  readonly show: (typeof shows)[number];
  readonly order: (typeof orders)[number];
  readonly query: string;
}

/** Messages are stored oldest first, so the two orders by date cost no sorting. */
export function listed(messages: readonly Message[], narrowing: Narrowing): Message[] {
  const wanted = narrowing.query.trim().toLowerCase();
  const found: Message[] = [];
  const last = messages.length - 1;
  const forward = narrowing.order === 'Oldest first';
  for (let step = 0; step <= last; step++) {
    const item = messages[forward ? step : last - step] as Message;
    if (belongs(item, narrowing) && (wanted === '' || mentions(item, wanted))) found.push(item);
  }
  return narrowing.order === 'Sender' ? found.toSorted(bySender) : found;
}

function belongs(item: Message, { folder, label, show }: Narrowing): boolean {
  if (folder === 'all' ? item.folder === 'spam' || item.folder === 'trash' : item.folder !== folder) return false;
  if (label !== null && !item.labels.includes(label)) return false;
  if (show === 'All') return true;
  if (show === 'Unread') return item.unread;
  return show === 'Starred' ? item.starred : item.file !== null;
}

function mentions(item: Message, wanted: string): boolean {
  return (
    item.subject.toLowerCase().includes(wanted) ||
    item.sender.toLowerCase().includes(wanted) ||
    item.from.includes(wanted) ||
    item.to.includes(wanted) ||
    item.body.toLowerCase().includes(wanted)
  );
}

function bySender(left: Message, right: Message): number {
  if (left.sender === right.sender) return 0;
  return left.sender < right.sender ? -1 : 1;
}

export function contactsNamed(contacts: readonly Contact[], text: string): readonly Contact[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return contacts;
  return contacts.filter(
    ({ name, email, company }) =>
      name.toLowerCase().includes(wanted) || email.includes(wanted) || company.toLowerCase().includes(wanted),
  );
}

export function isAddress(text: string): boolean {
  const at = text.indexOf('@');
  return at > 0 && text.indexOf('.', at) > at + 1 && !text.endsWith('.') && !text.includes(' ');
}

/** A screen with nothing open, and a list that is not narrowed. */
export const clean = {
  open: null,
  selected: [],
  menu: null,
  dialog: null,
  mode: 'new',
  skipInbox: false,
  fields: noFields,
  notice: '',
} as const;
export const everything = { label: null, show: 'All', order: 'Newest first', query: '', page: 1 } as const;
