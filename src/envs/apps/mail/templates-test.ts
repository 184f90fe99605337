import { added, find, need, nextId } from '../../../worlds/app/table.ts';
import { passedOn, signed } from './commands-messages.ts';
import { distant, distinct, isFirst, messageIs, oneSent, personOf, pickOne } from './picking.ts';
import { choiceNames, choices, colours, template, type Choice, type Mail } from './state.ts';
import { newLabels, newTexts, vacationTexts } from './words.ts';

const forwardMessage = template('forward-message', {
  about: 'Pass a message on with a note.',
  split: 'test',
  sample(mail, random) {
    const found = pickOne(distant(mail), random);
    const to = random.pick(mail.contacts).email;
    const made = nextId(mail.messages, 'm');
    return (
      found && { id: found.id, made, subject: found.subject, sender: found.sender, to, note: random.pick(newTexts) }
    );
  },
  instruction: ({ subject, sender, to, note }, random) =>
    random.pick([
      `Forward the message "${subject}" from ${sender} to ${to} with the note "${note}"`,
      `Pass "${subject}", which ${sender} sent you, on to ${to}. Add the note "${note}"`,
    ]),
  checks: ({ id, to, note }) => [
    oneSent(`that message to ${to} with the note "${note}"`, (sent, initial) => {
      const { subject, body, file } = need(initial.messages, id, 'message');
      return sent.file === file && isFirst(sent, { to, subject: `Fwd: ${subject}`, body: passedOn(note, body) });
    }),
  ],
  allow: ({ made }) => [`/messages/${made}`],
});

const leaveOnVacation = template('leave-on-vacation', {
  about: 'Turn on the vacation reply and change a setting.',
  split: 'test',
  sample(mail, random) {
    const setting = random.pick(Object.keys(choices) as Choice[]);
    const values: readonly string[] = choices[setting];
    const value = random.pick(values.filter(known => known !== mail.settings[setting]));
    return { setting, value, message: random.pick(vacationTexts) };
  },
  instruction: ({ setting, value, message }, random) =>
    random.pick([
      `Turn on the vacation reply with the message "${message}" and set "${choiceNames[setting]}" to "${value}".`,
      `You are leaving. Set "${choiceNames[setting]}" to "${value}" and switch on a vacation reply that says "${message}"`,
    ]),
  checks: ({ setting, value, message }) => [
    { name: 'the vacation reply is on', test: final => final.settings.vacation.on },
    {
      id: 'vacation-message',
      name: `it says "${message}"`,
      test: final => final.settings.vacation.message === message,
    },
    { id: 'setting', name: `${choiceNames[setting]} is ${value}`, test: final => final.settings[setting] === value },
  ],
  allow: ({ setting }) => ['/settings/vacation', `/settings/${setting}`],
});

const labelBySender = template('label-by-sender', {
  about: 'Make a label and a rule that uses it.',
  split: 'test',
  sample(mail, random) {
    const made = { label: nextId(mail.labels, 'l'), rule: nextId(mail.rules, 'r') };
    const sender = random.pick(mail.contacts).email;
    return {
      made,
      sender,
      name: random.pick(newLabels),
      colour: random.pick(colours.filter(known => known !== 'Grey')),
    };
  },
  instruction: ({ sender, name, colour }, random) =>
    random.pick([
      `Create ${colour === 'Orange' ? 'an' : 'a'} ${colour.toLowerCase()} label called "${name}", and a rule that puts it on mail from ${sender}.`,
      `Mail from ${sender} should get its own label by a rule: make the label "${name}" in ${colour.toLowerCase()} and the rule.`,
    ]),
  checks: ({ sender, name, colour }) => [
    {
      name: `exactly one label was added: ${name}, ${colour}`,
      test: (final, initial) => newLabel(final, initial, { name, colour }) !== undefined,
    },
    {
      name: `exactly one rule was added: it puts ${name} on mail from ${sender}`,
      test(final, initial) {
        const [rule, ...more] = added(initial.rules, final.rules);
        const right = rule?.from === sender && rule.on && !rule.archive && more.length === 0;
        return right && rule.label === newLabel(final, initial, { name, colour })?.id;
      },
    },
  ],
  allow: ({ made }) => [`/labels/${made.label}`, `/rules/${made.rule}`],
});

/** The one label that was added, if it is the wanted one. */
function newLabel(
  final: Mail,
  initial: Mail,
  wanted: { name: string; colour: string },
): Mail['labels'][number] | undefined {
  const [label, ...more] = added(initial.labels, final.labels);
  return more.length === 0 && label?.name === wanted.name && label.colour === wanted.colour ? label : undefined;
}

const finishDraft = template('finish-draft', {
  about: 'Finish a draft and send it.',
  split: 'test',
  sample(mail, random) {
    const found = pickOne(distinct(mail, 'drafts'), random);
    return found && { id: found.id, subject: found.subject, text: random.pick(newTexts) };
  },
  instruction: ({ subject, text }, random) =>
    random.pick([
      `There is a draft called "${subject}". Replace its text with "${text}" and send it.`,
      `Finish the draft "${subject}": the text should be "${text}" Then send it.`,
    ]),
  checks: ({ id, text }) => [
    {
      name: `the draft is sent with the text "${text}"`,
      test(final, initial) {
        const sent = find(final.messages, id);
        return sent?.folder === 'sent' && sent.body === signed(initial, text);
      },
    },
  ],
  allow: ({ id }) => [`/messages/${id}/folder`, `/messages/${id}/body`],
});

const amountMark = 'Amount due: ';

const amountDue = template('amount-due', {
  about: 'Tell the amount that a bill asks for.',
  split: 'test',
  sample(mail, random) {
    const bills = [...distinct(mail, 'inbox'), ...distinct(mail, 'archive')].filter(item =>
      item.body.includes(amountMark),
    );
    const found = pickOne(bills, random);
    return found && { id: found.id, subject: found.subject, sender: found.sender };
  },
  instruction: ({ subject, sender }, random) =>
    random.pick([
      `How much does ${sender} ask for in "${subject}"? Answer with the amount.`,
      `${sender} sent you "${subject}". What is the amount due? Answer with the amount.`,
    ]),
  checks: () => [],
  allow: () => [],
  answer({ id }, initial) {
    const line = need(initial.messages, id, 'message')
      .body.split('\n')
      .find(part => part.startsWith(amountMark));
    return line?.slice(amountMark.length) ?? '';
  },
});

const noteNumber = template('note-number', {
  about: 'Note a new phone number, and mark the message that told it.',
  split: 'test',
  sample(mail, random) {
    const plain = distant(mail).filter(item => item.labels.length === 0 && !item.starred);
    const found = pickOne(
      plain.filter(item => personOf(mail, item) !== undefined),
      random,
    );
    const person = found && personOf(mail, found);
    if (found === null || person === undefined || person === null) return null;
    const { id: label, name: labelName } = random.pick(mail.labels);
    const phone = `+${random.between(50, 79)} ${random.between(100, 999)} ${random.between(1000, 9999)}`;
    return { id: found.id, subject: found.subject, contact: person.id, name: person.name, phone, label, labelName };
  },
  instruction: ({ subject, name, phone, labelName }, random) =>
    random.pick([
      `${name} has a new phone number: edit the contact and save ${phone}. Then star the message "${subject}" from ${name} and label it as ${labelName}.`,
      `Star the message "${subject}", label it as ${labelName}, and change the phone number of the contact ${name} to ${phone}.`,
    ]),
  checks: ({ id, contact, name, label, labelName, phone, subject }) => [
    { name: `the phone number of ${name} is ${phone}`, test: final => find(final.contacts, contact)?.phone === phone },
    messageIs(id, `"${subject}" is starred`, item => item.starred),
    messageIs(id, `its only label is ${labelName}`, ({ labels }) => labels.length === 1 && labels[0] === label),
  ],
  allow: ({ id, contact }) => [`/messages/${id}/starred`, `/messages/${id}/labels`, `/contacts/${contact}/phone`],
});

export const testTemplates = [forwardMessage, leaveOnVacation, labelBySender, finishDraft, amountDue, noteNumber];
