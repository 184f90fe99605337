import { z } from 'zod';
import { refuse } from '../../../core/errors.ts';
import type { AppCommand } from '../../../worlds/app/command.ts';
import { find, need, nextId, remove } from '../../../worlds/app/table.ts';
import {
  choiceNames,
  choices,
  colours,
  command,
  isAddress,
  longest,
  noFields,
  type Choice,
  type Mail,
} from './state.ts';

const name = z.string().trim().min(1, 'write a name').max(longest.name, `a name of at most ${longest.name} characters`);
const person = {
  name,
  email: z.string().trim().toLowerCase().max(longest.address).describe('An address such as name@example.org.'),
  phone: z.string().trim().max(longest.phone, `a phone number of at most ${longest.phone} characters`),
  company: z.string().trim().max(longest.name, `a company of at most ${longest.name} characters`),
};
const byId = z.object({ id: z.string() });
const most = { contacts: 200, labels: 12, rules: 12 };

export const addContact = command('add_contact', {
  about: 'Add a person to the contacts.',
  input: z.object({ ...person, phone: person.phone.default(''), company: person.company.default('') }),
  run(draft, input) {
    requireNewAddress(draft, { email: input.email, id: null });
    if (draft.contacts.length >= most.contacts) refuse('The address book is full.');
    const id = nextId(draft.contacts, 'c');
    draft.contacts.push({ id, ...input, favourite: false });
    show(draft, { screen: 'contact', open: id, notice: `${input.name} was added.` });
    return { id };
  },
});

export const editContact = command('edit_contact', {
  about: 'Change the name, address, phone number and company of a contact. Phone and company stay when left out.',
  input: z.object({ id: z.string(), ...person, phone: person.phone.optional(), company: person.company.optional() }),
  run(draft, { id, ...input }) {
    const known = need(draft.contacts, id, 'contact');
    requireNewAddress(draft, { email: input.email, id });
    Object.assign(known, input);
    show(draft, { screen: 'contact', open: id, notice: `${input.name} was saved.` });
  },
});

export const favour = command('favour_contact', {
  about: 'Make a contact a favourite, or not any more.',
  input: z.object({ id: z.string(), favourite: z.boolean() }),
  run(draft, { id, favourite }) {
    need(draft.contacts, id, 'contact').favourite = favourite;
  },
});

export const deleteContact = command('delete_contact', {
  about: 'Delete a contact. Messages of that person stay.',
  input: byId,
  run(draft, { id }) {
    const gone = need(draft.contacts, id, 'contact').name;
    remove(draft.contacts, id);
    show(draft, { screen: 'contacts', open: null, notice: `${gone} was deleted.` });
  },
});

const labelBody = { name, colour: z.enum(colours) };

export const createLabel = command('create_label', {
  about: 'Make a new label.',
  input: z.object(labelBody),
  run(draft, input) {
    requireNewLabel(draft, { name: input.name, id: null });
    if (draft.labels.length >= most.labels) refuse(`There can be at most ${most.labels} labels.`);
    const id = nextId(draft.labels, 'l');
    draft.labels.push({ id, ...input });
    show(draft, { screen: 'labels', open: null, notice: `Label ${input.name} was made.` });
    return { id };
  },
});

export const editLabel = command('edit_label', {
  about: 'Change the name and the colour of a label.',
  input: z.object({ id: z.string(), ...labelBody }),
  run(draft, { id, ...input }) {
    const known = need(draft.labels, id, 'label');
    requireNewLabel(draft, { name: input.name, id });
    Object.assign(known, input);
    show(draft, { screen: 'labels', open: null, notice: `Label ${input.name} was saved.` });
  },
});

export const deleteLabel = command('delete_label', {
  about: 'Delete a label: it comes off all messages, and rules that use it are deleted.',
  input: byId,
  run(draft, { id }) {
    const gone = need(draft.labels, id, 'label').name;
    remove(draft.labels, id);
    for (const item of draft.messages) {
      if (item.labels.includes(id)) item.labels = item.labels.filter(known => known !== id);
    }
    draft.rules = draft.rules.filter(item => item.label !== id);
    if (draft.ui.label === id) draft.ui.label = null;
    show(draft, { screen: 'labels', open: null, notice: `Label ${gone} was deleted.` });
  },
});

export const createRule = command('create_rule', {
  about: 'Make a rule that labels mail from an address when it arrives.',
  input: z.object({
    from: z.string().trim().toLowerCase().max(longest.address).describe('The address the mail comes from.'),
    label: z.string().describe('Id of the label, such as "l2".'),
    archive: z.boolean().default(false).describe('Whether that mail skips the inbox.'),
  }),
  run(draft, { from, label, archive }) {
    if (from === '') refuse('Write the address that the mail comes from.');
    if (!isAddress(from)) refuse(`"${from}" is not an address such as name@example.org.`);
    if (find(draft.labels, label) === undefined) refuse('Choose a label for the rule.');
    if (draft.rules.length >= most.rules) refuse(`There can be at most ${most.rules} rules.`);
    const same = draft.rules.some(known => known.from === from && known.label === label);
    if (same) refuse('There is such a rule already.');
    const id = nextId(draft.rules, 'r');
    draft.rules.push({ id, from, label, archive, on: true });
    show(draft, { screen: 'rules', open: null, notice: 'The rule was made.' });
    return { id };
  },
});

export const switchRule = command('switch_rule', {
  about: 'Turn a rule on or off.',
  input: z.object({ id: z.string(), on: z.boolean() }),
  run(draft, { id, on }) {
    need(draft.rules, id, 'rule').on = on;
  },
});

export const deleteRule = command('delete_rule', {
  about: 'Delete a rule. Messages keep their labels.',
  input: byId,
  run(draft, { id }) {
    need(draft.rules, id, 'rule');
    remove(draft.rules, id);
    draft.ui.notice = 'The rule was deleted.';
  },
});

export const runRule = command('run_rule', {
  about: 'Apply a rule to the messages that are in the inbox now.',
  input: byId,
  run(draft, { id }) {
    const { from, label, archive, on } = need(draft.rules, id, 'rule');
    if (!on) refuse('Turn the rule on first.');
    const matching = draft.messages.filter(item => item.folder === 'inbox' && item.from === from);
    for (const item of matching) {
      if (!item.labels.includes(label)) item.labels = [...item.labels, label];
      if (archive) item.folder = 'archive';
    }
    draft.ui.notice = `The rule was applied to ${matching.length === 1 ? '1 message' : `${matching.length} messages`}.`;
    return { messages: matching.length };
  },
});

const choiceKeys = Object.keys(choices) as [Choice, ...Choice[]];

export const changeSetting = command('change_setting', {
  about: `Change one of the settings that are a choice. ${choiceKeys.map(key => `${key}: ${choices[key].join(', ')}`).join('. ')}.`,
  input: z.object({ setting: z.enum(choiceKeys), value: z.string() }),
  run(draft, { setting, value }) {
    const offered: readonly string[] = choices[setting];
    if (!offered.includes(value)) refuse(`${choiceNames[setting]} is one of: ${offered.join(', ')}.`);
    Object.assign(draft.settings, { [setting]: value });
  },
});

export const setSignature = command('set_signature', {
  about: 'Set the line that ends every message sent; empty for none.',
  input: z.object({ signature: z.string().trim().max(longest.subject, 'a signature of at most 120 characters') }),
  run(draft, { signature }) {
    draft.settings.signature = signature;
    draft.ui.notice = 'The signature was saved.';
  },
});

export const setVacation = command('set_vacation_reply', {
  about: 'Turn the vacation reply on with a message, or off.',
  input: z.object({ on: z.boolean(), message: z.string().trim().max(longest.text) }),
  run(draft, { on, message }) {
    if (on && message === '') refuse('Write a vacation message first.');
    draft.settings.vacation = { on, message };
    draft.ui.notice = on ? 'The vacation reply is on.' : 'The vacation reply is off.';
  },
});

interface Shown {
  readonly screen: Mail['ui']['screen'];
  readonly open: string | null;
  readonly notice: string;
}

function show(draft: Mail, shown: Shown): void {
  Object.assign(draft.ui, shown, { dialog: null, fields: noFields, skipInbox: false });
}

function requireNewAddress(draft: Mail, { email, id }: { email: string; id: string | null }): void {
  if (email === '') refuse('Write an email address.');
  if (!isAddress(email)) refuse(`"${email}" is not an address such as name@example.org.`);
  const other = draft.contacts.find(known => known.email === email && known.id !== id);
  if (other !== undefined) refuse(`${other.name} has that address already.`);
}

function requireNewLabel(draft: Mail, { name: wanted, id }: { name: string; id: string | null }): void {
  const lower = wanted.toLowerCase();
  const other = draft.labels.find(known => known.name.toLowerCase() === lower && known.id !== id);
  if (other !== undefined) refuse(`There is a label ${other.name} already.`);
}

export const organisingCommands: readonly AppCommand<Mail>[] = [
  addContact,
  editContact,
  favour,
  deleteContact,
  createLabel,
  editLabel,
  deleteLabel,
  createRule,
  switchRule,
  runRule,
  deleteRule,
  changeSetting,
  setSignature,
  setVacation,
];
