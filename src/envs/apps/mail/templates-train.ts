import { added, need, nextId } from '../../../worlds/app/table.ts';
import { signed } from './commands-messages.ts';
import { distant, inFolder, isAnswer, isFirst, isListed, messageIs, oneSent, personOf, pickOne } from './picking.ts';
import { choiceNames, choices, folderNames, listed, template, type Choice, type Mail, type Message } from './state.ts';
import { mailHosts, newPeople, newSubjects, newTexts } from './words.ts';

const starMessage = template('star-message', {
  about: 'Star a message of the inbox.',
  split: 'train',
  sample(mail, random) {
    const found = pickOne(
      distant(mail).filter(item => !item.starred),
      random,
    );
    return found && { id: found.id, subject: found.subject, sender: found.sender };
  },
  instruction: ({ subject, sender }, random) =>
    random.pick([
      `Star the message "${subject}" from ${sender}.`,
      `${sender} wrote to you about "${subject}". Put a star on that message.`,
    ]),
  checks: ({ id, subject }) => [messageIs(id, `"${subject}" is starred`, item => item.starred)],
  allow: ({ id }) => [`/messages/${id}/starred`],
});

const twoSettings = template('two-settings', {
  about: 'Change two settings.',
  split: 'train',
  sample(mail, random) {
    const [first, second] = random.sample(Object.keys(choices) as Choice[], 2).map(setting => {
      const values: readonly string[] = choices[setting];
      return { setting, value: random.pick(values.filter(value => value !== mail.settings[setting])) };
    });
    return first === undefined || second === undefined ? null : { first, second };
  },
  instruction({ first, second }, random) {
    const [one, two] = [first, second].map(({ setting, value }) => `"${choiceNames[setting]}" to "${value}"`);
    return random.pick([`In the settings, set ${one} and ${two}.`, `Change ${one} and ${two} in your mail settings.`]);
  },
  checks: ({ first, second }) =>
    [first, second].map(({ setting, value }) => ({
      id: 'setting',
      name: `${choiceNames[setting]} is ${value}`,
      test: final => final.settings[setting] === value,
    })),
  allow: ({ first, second }) => [`/settings/${first.setting}`, `/settings/${second.setting}`],
});

const oldestSender = template('oldest-sender', {
  about: 'Tell who sent the oldest message of a kind.',
  split: 'train',
  sample(mail, random) {
    for (const show of random.shuffle(['Unread', 'Starred', 'With attachment'] as const)) {
      const [oldest, next] = listed(mail.messages, oldestOf(show));
      // Two messages of the same minute are equally old.
      if (oldest === undefined || oldest.date === next?.date) continue;
      if (personOf(mail, oldest) !== undefined) return { id: oldest.id, show, order: 'Oldest first' };
    }
    return null;
  },
  instruction({ show }, random) {
    const kind = {
      Unread: 'unread message',
      Starred: 'starred message',
      'With attachment': 'message with an attachment',
    };
    return random.pick([
      `Who sent the oldest ${kind[show]} in your inbox? Answer with the full name.`,
      `Find the oldest ${kind[show]} in the inbox and answer with the full name of its sender.`,
    ]);
  },
  checks: () => [],
  allow: () => [],
  answer: ({ id }, initial) => need(initial.messages, id, 'message').sender,
  shown({ ui }, { show }) {
    const wanted = oldestOf(show);
    const narrowed = ui.folder === wanted.folder && ui.show === show && ui.order === wanted.order;
    return (
      ui.screen === 'mail' && ui.dialog === null && narrowed && ui.query === '' && ui.label === null && ui.page <= 1
    );
  },
});

const oldestOf = (show: Mail['ui']['show']) =>
  ({ folder: 'inbox', show, order: 'Oldest first', label: null, query: '' }) as const;

const contactPhone = template('contact-phone', {
  about: 'Tell the phone number of a contact.',
  split: 'train',
  sample(mail, random) {
    const { id, name } = random.pick(mail.contacts);
    return { id, name };
  },
  instruction: ({ name }, random) =>
    random.pick([
      `What is the phone number of ${name}? Answer with the number as it is in your contacts.`,
      `Look up ${name} in your contacts and answer with the phone number as it is written there.`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ id }, initial) => need(initial.contacts, id, 'contact').phone,
});

const alreadyMarked = template('already-marked', {
  about: 'Make sure of a star and a label; in half of the tasks one of them is missing.',
  split: 'train',
  kind: 'already-done',
  sample(mail, random) {
    const found = pickOne(distant(mail), random);
    const { id: label, name } = random.pick(mail.labels);
    const missing = random.chance(0.5) ? random.pick(['star', 'label']) : null;
    const marks = { starred: missing !== 'star', labelled: missing !== 'label' };
    return found && { id: found.id, subject: found.subject, label, name, ...marks };
  },
  isTwin: ({ starred, labelled }) => starred === false || labelled === false,
  setup(draft, { id, label, starred, labelled }) {
    Object.assign(need(draft.messages, id, 'message'), { starred, labels: labelled ? [label] : [] });
  },
  instruction: ({ subject, name }, random) =>
    random.pick([
      `Make sure that the message "${subject}" is starred and has the label ${name}.`,
      `The message "${subject}" should have a star and the label ${name}. See to it.`,
    ]),
  checks: ({ id, label, subject, name }) => [
    messageIs(id, `"${subject}" is starred`, item => item.starred),
    messageIs(id, `its only label is ${name}`, ({ labels }) => labels.length === 1 && labels[0] === label),
  ],
  allow: ({ id, starred }) => [starred ? `/messages/${id}/labels` : `/messages/${id}/starred`],
  shown(mail, { id }) {
    const { ui, settings } = mail;
    if (ui.screen === 'message') return ui.open === id;
    // Rows of the compact list have no labels.
    return settings.density !== 'Compact' && isListed(mail, item => item.id === id);
  },
});

const missingMessage = template('missing-message', {
  about: 'Archive a message that in half of the tasks does not exist.',
  split: 'train',
  kind: 'infeasible',
  sample(mail, random) {
    const found = pickOne(
      distant(mail).filter(item => personOf(mail, item) !== undefined),
      random,
    );
    if (found === null) return null;
    const id = random.chance(0.5) ? found.id : null;
    return { id, subject: random.pick(newSubjects), name: found.sender, email: found.from };
  },
  isTwin: ({ id }) => typeof id === 'string',
  setup(draft, { id, subject }) {
    if (id !== null) need(draft.messages, id, 'message').subject = subject;
  },
  instruction: ({ subject, name }, random) =>
    random.pick([
      `Archive the message "${subject}" from ${name}.`,
      `${name} sent you a message called "${subject}". Move it to the archive.`,
    ]),
  checks: ({ subject, email }) => [
    {
      name: `"${subject}" is archived`,
      test: final =>
        final.messages.some(item => item.subject === subject && item.from === email && item.folder === 'archive'),
    },
  ],
  allow: ({ id }) => [`/messages/${id ?? 'none'}/folder`],
  shown: ({ messages, ui, settings }, { subject, name, email }) => {
    const query = ui.query.trim().toLowerCase();
    const wide = ui.label === null && ui.show === 'All' && (ui.folder === 'inbox' || ui.folder === 'all');
    const finds = query !== '' && [subject, name, email].some(text => text.toLowerCase().includes(query));
    // Everything that the search finds stands on one page.
    const whole = listed(messages, ui).length <= Number(settings.pageSize);
    return ui.screen === 'mail' && ui.dialog === null && wide && finds && whole;
  },
});

const labelMessage = template('label-message', {
  about: 'Put a label on a message.',
  split: 'train',
  sample(mail, random) {
    const found = pickOne(
      distant(mail).filter(item => item.labels.length === 0),
      random,
    );
    const { id: label, name } = random.pick(mail.labels);
    return found && { id: found.id, subject: found.subject, sender: found.sender, label, name };
  },
  instruction: ({ subject, sender, name }, random) =>
    random.pick([
      `Label the message "${subject}" from ${sender} as ${name}.`,
      `Put the label ${name} on the message "${subject}" that ${sender} sent.`,
    ]),
  checks: ({ id, label, name }) => [
    messageIs(id, `its only label is ${name}`, ({ labels }) => labels.length === 1 && labels[0] === label),
  ],
  allow: ({ id }) => [`/messages/${id}/labels`],
});

const sendMessage = template('send-message', {
  about: 'Write and send a message.',
  split: 'train',
  sample(mail, random) {
    const made = nextId(mail.messages, 'm');
    return {
      made,
      to: random.pick(mail.contacts).email,
      subject: random.pick(newSubjects),
      text: random.pick(newTexts),
    };
  },
  instruction: ({ to, subject, text }, random) =>
    random.pick([
      `Send a message to ${to} with the subject "${subject}" and the text "${text}"`,
      `Write to ${to}. Subject: "${subject}". Text: "${text}"`,
    ]),
  checks: ({ to, subject, text }) => [
    oneSent(`to ${to}, "${subject}", "${text}"`, (sent, initial) =>
      isFirst(sent, { to, subject, body: signed(initial, text) }),
    ),
  ],
  allow: ({ made }) => [`/messages/${made}`],
});

const replyToMessage = template('reply-to-message', {
  about: 'Answer a message.',
  split: 'train',
  sample(mail, random) {
    const found = pickOne(
      distant(mail).filter(item => personOf(mail, item) !== undefined && item.cc === ''),
      random,
    );
    const text = random.pick(newTexts);
    return (
      found && { id: found.id, made: nextId(mail.messages, 'm'), subject: found.subject, sender: found.sender, text }
    );
  },
  instruction: ({ subject, sender, text }, random) =>
    random.pick([
      `Reply to the message "${subject}" from ${sender} with the text "${text}"`,
      `${sender} sent you "${subject}". Write back: "${text}"`,
    ]),
  checks: ({ id, text }) => [oneSent(`the answer "${text}"`, (sent, initial) => isAnswer(sent, { id, text, initial }))],
  allow: ({ made }) => [`/messages/${made}`],
});

const clearSender = template('clear-sender', {
  about: 'Move everything from one sender out of the inbox.',
  split: 'train',
  sample(mail, random) {
    const groups = mail.contacts.map(({ name }) => ({ name, found: inFolder(mail, 'inbox', name) }));
    const group = pickOne(
      groups.filter(({ found }) => found.length >= 2 && found.length <= 4),
      random,
    );
    const folder = random.pick(['archive', 'spam', 'trash'] as const);
    return group && { ids: group.found.map(({ id }) => id), name: group.name, folder };
  },
  instruction: ({ name, folder }, random) =>
    random.pick([
      `Move all messages from ${name} that are in your inbox to ${folderNames[folder]}.`,
      `Clear the inbox of everything that ${name} sent: move it to ${folderNames[folder]}.`,
    ]),
  checks: ({ ids, folder }) =>
    ids.map(id => messageIs(id, `${id} is in ${folderNames[folder]}`, item => item.folder === folder)),
  allow: ({ ids }) => ids.map(id => `/messages/${id}/folder`),
});

const welcomeContact = template('welcome-contact', {
  about: 'Add a contact and write to it.',
  split: 'train',
  sample(mail, random) {
    const name = random.pick(newPeople);
    const email = `${name.replace(' ', '.')}@${random.pick(mailHosts)}`.toLowerCase();
    const made = { contact: nextId(mail.contacts, 'c'), message: nextId(mail.messages, 'm') };
    return { made, name, email, to: email, subject: random.pick(newSubjects), text: random.pick(newTexts) };
  },
  instruction: ({ name, email, subject, text }, random) =>
    random.pick([
      `Add ${name} with the address ${email} to your contacts, and send that address a message with the subject "${subject}" and the text "${text}"`,
      `Save ${name} (${email}) as a new contact. Then write to ${email}: subject "${subject}", text "${text}"`,
    ]),
  checks: ({ name, email, subject, text }) => [
    {
      name: `exactly one contact was added: ${name}, ${email}, and nothing else is known of it`,
      test(final, initial) {
        const [made, ...more] = added(initial.contacts, final.contacts);
        if (made === undefined || more.length > 0) return false;
        const bare = made.phone === '' && made.company === '' && !made.favourite;
        return made.name === name && made.email === email && bare;
      },
    },
    oneSent(`to ${email}, "${subject}", "${text}"`, (sent, initial) =>
      isFirst(sent, { to: email, subject, body: signed(initial, text) }),
    ),
  ],
  allow: ({ made }) => [`/contacts/${made.contact}`, `/messages/${made.message}`],
});

const named = ({ id, subject }: Message) => ({ id, subject });

const sortThree = template('sort-three', {
  about: 'Star one message, archive another and delete a third.',
  split: 'train',
  sample(mail, random) {
    const [starred, archived, deleted] = random.sample(
      distant(mail).filter(item => !item.starred),
      3,
    );
    if (starred === undefined || archived === undefined || deleted === undefined) return null;
    return { starred: named(starred), archived: named(archived), deleted: named(deleted) };
  },
  instruction: ({ starred, archived, deleted }, random) =>
    random.pick([
      `Star "${starred.subject}", archive "${archived.subject}" and delete "${deleted.subject}".`,
      `Three messages in the inbox need you: put a star on "${starred.subject}", move "${archived.subject}" to the archive, and throw "${deleted.subject}" into the trash.`,
    ]),
  checks: ({ starred, archived, deleted }) => [
    messageIs(starred.id, `"${starred.subject}" is starred`, item => item.starred),
    messageIs(archived.id, `"${archived.subject}" is archived`, item => item.folder === 'archive'),
    messageIs(deleted.id, `"${deleted.subject}" is in the trash`, item => item.folder === 'trash'),
  ],
  allow: ({ starred, archived, deleted }) => [
    `/messages/${starred.id}/starred`,
    `/messages/${archived.id}/folder`,
    `/messages/${deleted.id}/folder`,
  ],
});

export const trainTemplates = [
  starMessage,
  twoSettings,
  oldestSender,
  contactPhone,
  alreadyMarked,
  missingMessage,
  labelMessage,
  sendMessage,
  replyToMessage,
  clearSender,
  welcomeContact,
  sortThree,
];
