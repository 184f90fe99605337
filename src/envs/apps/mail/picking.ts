import type { Random } from '../../../core/random.ts';
import type { Check } from '../../../worlds/app/template.ts';
import { added, find, paginate } from '../../../worlds/app/table.ts';
import { signed } from './commands-messages.ts';
import { listed, type Contact, type Folder, type Mail, type Message, type Place } from './state.ts';

/** Messages of a folder that a task can name by subject alone: no other one has it, and nobody answered them. */
export function distinct(mail: Mail, folder: Folder): Message[] {
  const threads = new Map<string, number>();
  const subjects = new Map<string, number>();
  for (const { thread, subject } of mail.messages) {
    threads.set(thread, (threads.get(thread) ?? 0) + 1);
    subjects.set(subject, (subjects.get(subject) ?? 0) + 1);
  }
  return mail.messages.filter(
    item => item.folder === folder && threads.get(item.thread) === 1 && subjects.get(item.subject) === 1,
  );
}

/** Such messages of the inbox that are not on the first page, so that they have to be looked for. */
export function distant(mail: Mail): Message[] {
  const first = new Set(inFolder(mail, 'inbox').slice(0, 12));
  return distinct(mail, 'inbox').filter(item => !first.has(item));
}

export function inFolder(mail: Mail, folder: Place, query = ''): Message[] {
  return listed(mail.messages, { folder, query, label: null, show: 'All', order: 'Newest first' });
}

/** Whether the list that is on the screen has such a message. */
export function isListed({ messages, settings, ui }: Mail, fits: (message: Message) => boolean): boolean {
  if (ui.screen !== 'mail' || ui.dialog !== null) return false;
  return paginate(listed(messages, ui), ui.page, Number(settings.pageSize)).items.some(fits);
}

/** One of the items, or null when there is none. */
export function pickOne<T>(items: readonly T[], random: Random): T | null {
  return items.length === 0 ? null : random.pick(items);
}

export function personOf(mail: Mail, message: Message): Contact | undefined {
  return mail.contacts.find(({ email }) => email === message.from);
}

export function messageIs(id: string, name: string, test: (message: Message) => boolean): Check<Mail> {
  return {
    name,
    test(final) {
      const found = find(final.messages, id);
      return found !== undefined && test(found);
    },
  };
}

/** One check for the whole of it: a message that is half right cannot be taken back, so it is no progress. */
export function oneSent(what: string, test: (sent: Message, initial: Mail) => boolean): Check<Mail> {
  return {
    name: `exactly one message was sent: ${what}`,
    test(final, initial) {
      const [sent, ...more] = added(initial.messages, final.messages);
      if (sent?.folder !== 'sent' || more.length > 0) return false;
      return !sent.unread && !sent.starred && sent.labels.length === 0 && test(sent, initial);
    },
  };
}

interface Letter {
  readonly to: string;
  readonly subject: string;
  readonly body: string;
}

function isLetter(sent: Message, { to, subject, body }: Letter): boolean {
  return sent.to === to && sent.cc === '' && sent.subject === subject && sent.body === body;
}

/** Whether it is that letter and begins a conversation. */
export function isFirst(sent: Message, letter: Letter): boolean {
  return sent.thread === sent.id && isLetter(sent, letter);
}

/** Whether a sent message answers the sender of another one with a text, and nobody else. */
export function isAnswer(sent: Message, { id, text, initial }: { id: string; text: string; initial: Mail }): boolean {
  const answered = find(initial.messages, id);
  if (answered === undefined || sent.thread !== answered.thread) return false;
  return isLetter(sent, { to: answered.from, subject: `Re: ${answered.subject}`, body: signed(initial, text) });
}
