import type { Random } from '../../../core/random.ts';
import { choices, clean, colours, everything, type Contact, type Folder, type Mail, type Message } from './state.ts';
import {
  cities,
  companies,
  draftLetters,
  firstNames,
  labelNames,
  lastNames,
  mailHosts,
  personalLetters,
  serviceLettersPool,
  shortReplies,
  signatures,
  spamLettersPool,
  weekdays,
  type Letter,
} from './words.ts';

const counts = { contacts: 20, received: 42, sent: 6, conversations: 8, services: 22, spam: 7, drafts: 4, labels: 6 };
const now = '2026-03-14 09:30';
const dates = datesBefore();
const serviceAddresses = [...new Set(serviceLettersPool.map(({ from }) => from))];

/** A message on its way into the table: its place in time is a number from 0 to 1. */
interface Entry {
  readonly rank: number;
  readonly first: Entry | null;
  readonly message: Omit<Message, 'id' | 'thread' | 'date'>;
}

export function seedMail(random: Random): Mail {
  const contacts = seedContacts(random.fork('contacts'));
  const labels = random.sample(labelNames, counts.labels).map((name, index) => ({
    id: `l${index + 1}`,
    name,
    colour: random.pick(colours),
  }));
  const account = seedAccount(random);
  const labelSets = labels.map(({ id }) => [id]);
  const messages = seedMessages(random.fork('messages'), { contacts, account, labelSets });
  const rules = random.sample(serviceAddresses, 3).map((from, index) => ({
    id: `r${index + 1}`,
    from,
    label: random.pick(labels).id,
    archive: random.chance(0.4),
    on: random.chance(0.7),
  }));
  return { account, now, messages, contacts, labels, rules, settings: seedSettings(random), ui: seedScreen() };
}

function seedAccount(random: Random): Mail['account'] {
  const name = random.pick(['Robin Ashdown', 'Kim Castellan', 'Alex Thornbury', 'Sam Okoro', 'Jamie Lindqvist']);
  return { name, email: `${name.toLowerCase().replace(' ', '.')}@postbox.example` };
}

function seedContacts(random: Random): Contact[] {
  const surnames = random.sample(lastNames, counts.contacts);
  return random
    .sample(firstNames, counts.contacts)
    .toSorted()
    .map((first, index) => {
      const last = surnames[index] as string;
      return {
        id: `c${index + 1}`,
        name: `${first} ${last}`,
        email: `${first}.${last}@${random.pick(mailHosts)}`.toLowerCase(),
        phone: `+${random.between(30, 49)} ${random.between(100, 999)} ${random.between(1000, 9999)}`,
        company: random.pick(companies),
        favourite: random.chance(0.2),
      };
    });
}

interface People {
  readonly contacts: readonly Contact[];
  readonly account: Mail['account'];
  readonly labelSets: readonly string[][];
}

function seedMessages(random: Random, people: People): Message[] {
  const { contacts, account } = people;
  const received = random.sample(personalLetters, counts.received + counts.sent);
  const own = received.splice(0, counts.sent).map(letter => {
    const to = random.pick(contacts).email;
    return entry(random, { ...base, ...written(letter, random), ...mine(account), to, folder: 'sent' });
  });
  const letters = received.map(letter => {
    const { name: sender, email: from } = random.pick(contacts);
    const arrived = arrival(random, people);
    return entry(random, { ...base, ...arrived, ...written(letter, random), sender, from, to: account.email });
  });
  const answers = letters.slice(0, counts.conversations).flatMap(first => conversation(first, { random, account }));
  const services = random.sample(serviceLettersPool, counts.services).map(letter => {
    const { sender, from } = letter;
    const arrived = arrival(random, people);
    return entry(random, { ...base, ...arrived, ...written(letter, random), sender, from, to: account.email });
  });
  const spam = random.sample(spamLettersPool, counts.spam).map(letter => {
    const { sender, from } = letter;
    const arrived = { folder: 'spam', unread: random.chance(0.6), to: account.email } as const;
    return entry(random, { ...base, ...arrived, ...written(letter, random), sender, from });
  });
  const drafts = random.sample(draftLetters, counts.drafts).map(letter => {
    const to = random.pick(contacts).email;
    const message = { ...base, ...letter, ...mine(account), to, folder: 'drafts' } as const;
    return { rank: 1, first: null, message };
  });
  return numbered([...own, ...letters, ...answers, ...services, ...spam, ...drafts]);
}

const base = { cc: '', unread: false, starred: false, labels: [] as string[], file: null };

const mine = ({ name, email }: Mail['account']) => ({ sender: name, from: email });

const entry = (random: Random, message: Entry['message']): Entry => ({ rank: random.next(), first: null, message });

function arrival(random: Random, { contacts, labelSets }: People) {
  const luck = random.next();
  const folder: Folder = luck < 0.64 ? 'inbox' : luck < 0.87 ? 'archive' : 'trash';
  return {
    folder,
    unread: folder === 'inbox' && random.chance(0.35),
    starred: folder !== 'trash' && random.chance(0.12),
    labels: random.chance(0.3) ? random.pick(labelSets) : base.labels,
    cc: random.chance(0.15) ? random.pick(contacts).email : '',
  };
}

/** My answer to a message, and sometimes the answer to that. */
function conversation(first: Entry, { random, account }: { random: Random; account: Mail['account'] }): Entry[] {
  const { sender, from, subject } = first.message;
  const later = (rank: number): number => rank + (0.999 - rank) * random.next() * 0.5;
  const common = { ...base, subject: `Re: ${subject}`, cc: '' };
  const answer: Entry = {
    rank: later(first.rank),
    first,
    message: { ...common, ...mine(account), to: from, body: random.pick(shortReplies), folder: 'sent' },
  };
  if (random.chance(0.4)) return [answer];
  const unread = random.chance(0.5);
  const body = random.pick(shortReplies);
  const back = { ...common, sender, from, to: account.email, body, folder: 'inbox', unread } as const;
  return [answer, { rank: later(answer.rank), first, message: back }];
}

function numbered(entries: readonly Entry[]): Message[] {
  const sorted = entries.toSorted((left, right) => left.rank - right.rank);
  const ids = new Map(sorted.map((item, index) => [item, `m${index + 1}`]));
  return sorted.map(item => {
    const { folder, sender, from, to, cc, subject, body, unread, starred, labels, file } = item.message;
    const id = ids.get(item) as string;
    const thread = ids.get(item.first ?? item) as string;
    const date = item.rank === 1 ? now : (dates[Math.floor(item.rank * dates.length)] as string);
    return { id, thread, folder, sender, from, to, cc, subject, body, date, unread, starred, labels, file };
  });
}

const slots = /\{(?:n|day|city|amount|p)\}/g;

function written({ subject, body, file }: Letter, random: Random): Letter {
  const values: Readonly<Record<string, string>> = {
    '{n}': String(random.between(1000, 9999)),
    '{day}': random.pick(weekdays),
    '{city}': random.pick(cities),
    '{amount}': `$${random.between(18, 480)}.${random.between(10, 99)}`,
    '{p}': String(random.between(71, 98)),
  };
  const fill = (text: string): string =>
    text.includes('{') ? text.replace(slots, slot => values[slot] as string) : text;
  return { subject: fill(subject), body: fill(body), file };
}

function seedSettings(random: Random): Mail['settings'] {
  return {
    theme: random.pick(choices.theme),
    density: random.pick(['Cosy', 'Compact']),
    pageSize: '8',
    defaultReply: random.pick(choices.defaultReply),
    images: random.pick(choices.images),
    notifications: random.pick(choices.notifications),
    undoSend: random.pick(choices.undoSend),
    signature: random.pick(signatures),
    vacation: { on: false, message: '' },
  };
}

function seedScreen(): Mail['ui'] {
  return { ...clean, ...everything, selected: [], screen: 'mail', folder: 'inbox' };
}

/** Six moments on each of the sixty days before `now`, shared by all worlds. */
function datesBefore(): string[] {
  const days = [
    ...Array.from({ length: 18 }, (_, index) => `2026-01-${index + 14}`),
    ...Array.from({ length: 28 }, (_, index) => `2026-02-${String(index + 1).padStart(2, '0')}`),
    ...Array.from({ length: 13 }, (_, index) => `2026-03-${String(index + 1).padStart(2, '0')}`),
  ];
  return days.flatMap(day => ['07:52', '09:15', '11:40', '14:05', '16:30', '19:20'].map(time => `${day} ${time}`));
}
