import type { UiNode } from '../../../core/ui.ts';
import {
  button,
  checkbox,
  combobox,
  form,
  heading,
  link,
  list,
  region,
  row,
  searchBox,
  switchButton,
  text,
  textbox,
  toolbar,
} from '../../../worlds/app/elements.ts';
import { find, paginate } from '../../../worlds/app/table.ts';
import {
  addContact,
  changeSetting,
  createLabel,
  createRule,
  deleteContact,
  deleteLabel,
  deleteRule,
  editContact,
  editLabel,
  favour,
  runRule,
  setSignature,
  setVacation,
  switchRule,
} from './commands-organising.ts';
import { ask, compose, goTo, openContact, openLabel, search, showLabel, skipInbox, type } from './gestures.ts';
import {
  choiceNames,
  choices,
  colours,
  contactsNamed,
  type Choice,
  type Contact,
  type FieldName,
  type Mail,
} from './state.ts';
import { confirmation, pager } from './view-list.ts';

const shuffled = { shuffle: true } as const;
const typing = (field: FieldName) => ({ enter: type.entering({ field }) });
const cancelDialog = button('Cancel', ask.with({ dialog: null, open: null }));

const searchEntry = { enter: search.entering({}) };
const newContact = button('Add contact', openContact.with({ id: null, form: true }));
const contactsPerPage = 10;

export function addressBook({ contacts, ui }: Mail): UiNode {
  const shown = paginate(contactsNamed(contacts, ui.query), ui.page, contactsPerPage);
  const rows = shown.items.map(({ id, name, company, favourite }) =>
    row(name, [
      switchButton('Favourite', favourite, favour.with({ id, favourite: !favourite })),
      link(name, openContact.with({ id, form: false })),
      company !== '' && text(company),
    ]),
  );
  return region('Contacts', [
    searchBox('Find contacts', [textbox('Search contacts', ui.query, searchEntry)]),
    newContact,
    list(shown.total === 1 ? '1 contact' : `${shown.total} contacts`, rows),
    pager(shown),
  ]);
}

const backToContacts = link('Back to contacts', goTo.with({ screen: 'contacts' }));

export function contactCard({ ui }: Mail, { id, name, email, phone, company, favourite }: Contact): UiNode {
  if (ui.dialog === 'contact') {
    return confirmation(`Delete ${name} from the contacts?`, [
      button('Delete contact', deleteContact.with({ id })),
      cancelDialog,
    ]);
  }
  return region('Contact', [
    backToContacts,
    heading(name),
    text(`Email: ${email}`),
    text(`Phone: ${phone === '' ? 'none' : phone}`),
    text(`Company: ${company === '' ? 'none' : company}`),
    toolbar(
      'Contact actions',
      [
        switchButton('Favourite', favourite, favour.with({ id, favourite: !favourite })),
        button('Write message', compose.with({ to: email })),
        button('Edit contact', openContact.with({ id, form: true })),
        button('Delete', ask.with({ dialog: 'contact', open: id })),
      ],
      shuffled,
    ),
  ]);
}

const contactEntry = {
  name: typing('name'),
  email: typing('email'),
  phone: typing('phone'),
  company: typing('company'),
};

export function contactForm({ ui }: Mail, known: Contact | undefined): UiNode {
  const { name, email, phone, company } = ui.fields;
  const written = { name, email, phone, company };
  const inputs = [
    textbox('Name', name, contactEntry.name),
    textbox('Email', email, contactEntry.email),
    textbox('Phone', phone, contactEntry.phone),
    textbox('Company', company, contactEntry.company),
  ];
  return region(known === undefined ? 'New contact' : `Edit ${known.name}`, [
    form('Fields', inputs, shuffled),
    known === undefined
      ? button('Save contact', addContact.with(written))
      : button('Save contact', editContact.with({ id: known.id, ...written })),
    backToContacts,
  ]);
}

const labelEntry = { name: typing('name'), colour: { ...typing('choice'), options: colours } };
const keepLabel = button('Cancel', openLabel.with({ id: null }));

export function labelsPage({ ui, labels }: Mail): UiNode {
  const opened = ui.open === null ? undefined : find(labels, ui.open);
  if (ui.dialog === 'label' && opened !== undefined) {
    return confirmation(`Delete the label ${opened.name} and take it off all messages?`, [
      button('Delete label', deleteLabel.with({ id: opened.id })),
      keepLabel,
    ]);
  }
  const rows = labels.map(({ id, name, colour }) =>
    row(`${name}, ${colour}`, [
      link(`Messages labelled ${name}`, showLabel.with({ id })),
      button('Edit', openLabel.with({ id })),
      button('Delete', ask.with({ dialog: 'label', open: id })),
    ]),
  );
  const { name } = ui.fields;
  const colour = colours.find(known => known === ui.fields.choice) ?? 'Grey';
  const inputs = [textbox('Label name', name, labelEntry.name), combobox('Colour', colour, labelEntry.colour)];
  const title = opened === undefined ? 'New label' : `Edit label ${opened.name}`;
  return region('Labels', [
    list(labels.length === 1 ? '1 label' : `${labels.length} labels`, rows),
    form(title, [
      ...inputs,
      opened === undefined
        ? button('Create label', createLabel.with({ name, colour }))
        : button('Save label', editLabel.with({ id: opened.id, name, colour })),
      opened !== undefined && keepLabel,
    ]),
  ]);
}

const noLabel = 'Choose a label';
const ruleEntry = { from: typing('to'), label: typing('choice') };

export function rulesPage({ ui, labels, rules }: Mail): UiNode {
  const nameOf = (id: string): string => find(labels, id)?.name ?? id;
  const rows = rules.map(({ id, from, label, archive, on }) =>
    row(`${from} gets ${nameOf(label)}${archive ? ' and skips the inbox' : ''}`, [
      switchButton('On', on, switchRule.with({ id, on: !on })),
      button('Run now', runRule.with({ id })),
      button('Delete rule', deleteRule.with({ id })),
    ]),
  );
  const { to: from, choice } = ui.fields;
  const chosen = labels.find(({ name }) => name === choice);
  const archive = ui.skipInbox;
  return region('Rules', [
    list(rules.length === 1 ? '1 rule' : `${rules.length} rules`, rows),
    form('New rule', [
      textbox('Sender address', from, ruleEntry.from),
      combobox('Label', chosen?.name ?? noLabel, { ...ruleEntry.label, options: labels.map(({ name }) => name) }),
      checkbox('Skip the inbox', archive, skipInbox.with({ on: !archive })),
      button('Create rule', createRule.with({ from, label: chosen?.id ?? '', archive })),
    ]),
  ]);
}

const choiceEntries = (Object.keys(choices) as Choice[]).map(setting => ({
  setting,
  name: choiceNames[setting],
  entry: { enter: changeSetting.entering({ setting }), options: choices[setting] },
}));
const signatureEntry = typing('subject');
const vacationEntry = typing('body');

export function settingsPage({ ui, settings }: Mail): UiNode {
  const { subject: signature, body: message } = ui.fields;
  const { on } = settings.vacation;
  return region(
    'Settings',
    [
      form(
        'Preferences',
        choiceEntries.map(({ setting, name, entry }) => combobox(name, settings[setting], entry)),
        shuffled,
      ),
      form('Signature', [
        textbox('Signature line', signature, signatureEntry),
        button('Save signature', setSignature.with({ signature })),
      ]),
      form(on ? 'Vacation reply is on' : 'Vacation reply is off', [
        textbox('Vacation message', message, vacationEntry),
        button(on ? 'Save vacation message' : 'Turn on vacation reply', setVacation.with({ on: true, message })),
        on && button('Turn off vacation reply', setVacation.with({ on: false, message })),
      ]),
    ],
    shuffled,
  );
}
