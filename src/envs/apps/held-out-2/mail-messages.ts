import { need, nextId } from '../../../worlds/app/table.ts';
import { distant, distinct, inFolder, isAnswer, messageIs, oneSent, personOf, pickOne } from '../mail/picking.ts';
import { folderNames, listed, template, type Message } from '../mail/state.ts';
import { newTexts } from '../mail/words.ts';

const isStarred = ({ starred }: Message): boolean => starred;
const isArchived = ({ folder }: Message): boolean => folder === 'archive';

const answerAndFile = template('answer-and-file', {
  about: 'Answer a message, then archive it.',
  split: 'test-2',
  sample(mail, random) {
    const found = pickOne(
      distant(mail).filter(item => personOf(mail, item) !== undefined && item.cc === ''),
      random,
    );
    if (found === null) return null;
    const { id, subject, sender } = found;
    return { id, made: nextId(mail.messages, 'm'), subject, sender, text: random.pick(newTexts) };
  },
  instruction: ({ subject, sender, text }, random) =>
    random.pick([
      `Please answer ${sender}'s mail "${subject}" with "${text}" and archive the mail afterwards.`,
      `"${subject}" from ${sender}: write back "${text}" Once that is sent, I want the original in the archive.`,
      `Get "${subject}" off my desk: tell ${sender} "${text}" in a reply, then archive the message.`,
    ]),
  checks: ({ id, text, subject }) => [
    oneSent(`the answer "${text}"`, (sent, initial) => isAnswer(sent, { id, text, initial })),
    messageIs(id, `"${subject}" is archived`, isArchived),
  ],
  allow: ({ id, made }) => [`/messages/${made}`, `/messages/${id}/folder`],
});

const kinds = { Unread: 'unread message', 'With attachment': 'message with an attachment' } as const;

const sortOutOldest = template('sort-out-oldest', {
  about: 'Star the oldest message of one kind and archive the oldest one of another kind.',
  split: 'test-2',
  sample(mail, random) {
    const [star, file] = random.shuffle(['Unread', 'With attachment'] as const).map(show => {
      const narrowing = { folder: 'inbox', show, order: 'Oldest first', label: null, query: '' } as const;
      const [oldest, next] = listed(mail.messages, narrowing);
      // Two messages of the same minute are equally old.
      return oldest === undefined || oldest.date === next?.date ? null : { message: oldest, show };
    });
    if (!star || !file || star.message === file.message || star.message.starred) return null;
    const starred = { id: star.message.id, show: star.show };
    return { starred, archived: { id: file.message.id, show: file.show }, order: 'Oldest first' };
  },
  instruction: ({ starred, archived }, random) =>
    random.pick([
      `In the inbox, star the oldest ${kinds[starred.show]} and archive the oldest ${kinds[archived.show]}.`,
      `Two things to do in my inbox. The oldest ${kinds[archived.show]} goes to the archive. The oldest ${kinds[starred.show]} gets a star.`,
      `Which ${kinds[starred.show]} has been in the inbox the longest? Give it a star. And the ${kinds[archived.show]} that has been there the longest can be archived.`,
    ]),
  checks: ({ starred, archived }) => [
    { id: 'is-starred', ...messageIs(starred.id, `the oldest ${kinds[starred.show]} is starred`, isStarred) },
    { id: 'is-archived', ...messageIs(archived.id, `the oldest ${kinds[archived.show]} is archived`, isArchived) },
  ],
  allow: ({ starred, archived }) => [`/messages/${starred.id}/starred`, `/messages/${archived.id}/folder`],
});

const keepOneOfSender = template('keep-one-of-sender', {
  about: 'Star one message of a sender and delete the others.',
  split: 'test-2',
  sample(mail, random) {
    const named = new Set(distinct(mail, 'inbox').filter(item => !item.starred));
    const groups = mail.contacts.flatMap(({ name }) => {
      const found = inFolder(mail, 'inbox', name);
      const keep = pickOne(
        found.filter(item => named.has(item)),
        random,
      );
      return keep === null || found.length < 3 || found.length > 4 ? [] : [{ name, found, keep }];
    });
    const group = pickOne(groups, random);
    if (group === null) return null;
    const { name, found, keep } = group;
    const others = found.filter(item => item !== keep).map(({ id }) => id);
    return { id: keep.id, subject: keep.subject, name, others };
  },
  instruction: ({ subject, name }, random) =>
    random.pick([
      `Delete everything from ${name} that is in my inbox, except "${subject}". Give that one a star.`,
      `Of the inbox mail from ${name} I only need "${subject}". Star it and throw the rest away.`,
      `Clean up after ${name}: star "${subject}", and move all the other messages from ${name} in the inbox to the trash.`,
    ]),
  checks: ({ id, subject, others }) => [
    messageIs(id, `"${subject}" is starred`, item => item.starred && item.folder === 'inbox'),
    ...others.map(other => ({
      id: 'in-trash',
      ...messageIs(other, `${other} is in the trash`, item => item.folder === 'trash'),
    })),
  ],
  allow: ({ id, others }) => [`/messages/${id}/starred`, ...others.map(other => `/messages/${other}/folder`)],
});

const rescueMessage = template('rescue-message', {
  about: 'Move a message from spam or the trash back to the inbox.',
  split: 'test-2',
  sample(mail, random) {
    const folder = random.pick(['spam', 'trash'] as const);
    const found = pickOne(
      distinct(mail, folder).filter(({ from }) => from !== mail.account.email),
      random,
    );
    return found && { id: found.id, subject: found.subject, sender: found.sender, place: folderNames[folder] };
  },
  instruction: ({ subject, sender, place }, random) =>
    random.pick([
      `"${subject}" ended up in ${place} by mistake. Move it back to the inbox.`,
      `I cannot find the mail "${subject}" from ${sender} any more, it must be in ${place}. Put it into my inbox again, please.`,
      `Get ${sender}'s message "${subject}" out of ${place} and back into the inbox.`,
    ]),
  checks: ({ id, subject }) => [messageIs(id, `"${subject}" is in the inbox`, item => item.folder === 'inbox')],
  allow: ({ id }) => [`/messages/${id}/folder`],
});

const countLabelled = template('count-labelled', {
  about: 'Tell how many messages have a label.',
  split: 'test-2',
  sample(mail, random) {
    const used = mail.labels.filter(({ id }) => {
      const narrowing = { folder: 'all', label: id, show: 'All', order: 'Newest first', query: '' } as const;
      return listed(mail.messages, narrowing).length >= 2;
    });
    const found = pickOne(used, random);
    return found && { label: found.id, name: found.name };
  },
  setup(draft, { label }) {
    // All mail leaves spam and trash out: with no labels there, every way of counting agrees.
    for (const { id, folder } of draft.messages) {
      if (folder !== 'spam' && folder !== 'trash') continue;
      const item = need(draft.messages, id, 'message');
      if (item.labels.includes(label)) item.labels = item.labels.filter(known => known !== label);
    }
  },
  instruction: ({ name }, random) =>
    random.pick([
      `How many of my messages have the label ${name}? Answer with the number.`,
      `Count the mails that are labelled ${name}, whatever folder they are in. Just the number, please.`,
      `I would like to know how much I have filed under the label ${name}. How many messages is it? A number will do.`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ label }, { messages }) => String(messages.filter(({ labels }) => labels.includes(label)).length),
  shown({ ui }, { label }) {
    const whole = ui.folder === 'all' && ui.label === label && ui.show === 'All' && ui.query === '';
    return ui.screen === 'mail' && ui.dialog === null && whole;
  },
});

export const mailMessageTemplates = [answerAndFile, sortOutOldest, keepOneOfSender, rescueMessage, countLabelled];
