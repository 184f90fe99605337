import type { UiNode } from '../../../core/ui.ts';
import { defineApp } from '../../../worlds/app/app.ts';
import { alert, button, link, navigation, page } from '../../../worlds/app/elements.ts';
import { find } from '../../../worlds/app/table.ts';
import { mailMessageTemplates } from '../held-out-2/mail-messages.ts';
import { mailOrganisingTemplates } from '../held-out-2/mail-organising.ts';
import { mailThirdSet } from '../held-out-3/mail.ts';
import { messageCommands } from './commands-messages.ts';
import { organisingCommands } from './commands-organising.ts';
import { compose, gestures, goTo, goToFolder } from './gestures.ts';
import { queries } from './queries.ts';
import { seedMail } from './seed.ts';
import { folderNames, mailState, places, type Mail } from './state.ts';
import { testTemplates } from './templates-test.ts';
import { trainTemplates } from './templates-train.ts';
import { mailbox } from './view-list.ts';
import { composing, reading } from './view-message.ts';
import { addressBook, contactCard, contactForm, labelsPage, rulesPage, settingsPage } from './view-organising.ts';

const pages = { contacts: 'Contacts', labels: 'Labels', rules: 'Rules', settings: 'Settings' } as const;
type PageName = keyof typeof pages;
const pageNames = Object.keys(pages) as PageName[];

/** The navigation for each place one can be in: constant, so that screens share it. */
const sidebars: ReadonlyMap<string, UiNode> = new Map(
  [...places, ...pageNames].map(current => {
    const marked = (name: string) => (name === current ? (['current'] as const) : undefined);
    const links = [
      button('Compose', compose.with({ to: '' })),
      ...places.map(folder => link(folderNames[folder], goToFolder.with({ folder }), marked(folder))),
      ...pageNames.map(screen => link(pages[screen], goTo.with({ screen }), marked(screen))),
    ];
    return [current, navigation('Mail', links, { shuffle: true })];
  }),
);

function view(mail: Mail): UiNode {
  const { screen, folder, notice } = mail.ui;
  const place = screen === 'contact' || screen === 'person' ? 'contacts' : screen;
  const sidebar = sidebars.get(place) ?? sidebars.get(folder) ?? null;
  return page('Mail', [sidebar, notice !== '' && alert(notice), content(mail)]);
}

/** A record that is gone leads back to the list it was in. */
function content(mail: Mail): UiNode {
  const { screen, open } = mail.ui;
  switch (screen) {
    case 'message': {
      const opened = find(mail.messages, open ?? '');
      return opened === undefined ? mailbox(mail) : reading(mail, opened);
    }
    case 'contact': {
      const opened = find(mail.contacts, open ?? '');
      return opened === undefined ? addressBook(mail) : contactCard(mail, opened);
    }
    case 'compose':
      return composing(mail);
    case 'contacts':
      return addressBook(mail);
    case 'person':
      return contactForm(mail, find(mail.contacts, open ?? ''));
    case 'labels':
      return labelsPage(mail);
    case 'rules':
      return rulesPage(mail);
    case 'settings':
      return settingsPage(mail);
    default:
      return mailbox(mail);
  }
}

export const mail = defineApp({
  id: 'mail',
  title: 'Mail',
  about: 'A mailbox: folders, labels, conversations, contacts, rules and settings.',
  state: mailState,
  init: seedMail,
  view,
  commands: [...messageCommands, ...organisingCommands, ...queries, ...gestures],
  heldOutCommands: {
    never: [
      'create_label',
      'create_rule',
      'delete_rule',
      'edit_contact',
      'edit_label',
      'forward_message',
      'set_signature',
      'set_vacation_reply',
      'switch_rule',
    ],
    notAlone: [],
  },
  templates: [
    ...trainTemplates,
    ...testTemplates,
    ...mailMessageTemplates,
    ...mailOrganisingTemplates,
    ...mailThirdSet,
  ],
  phrases: {
    empty_folder: ['Empty the folder {folder}', 'Erase everything in the folder {folder} for good'],
    create_rule: ['Make a rule that puts {label} on mail from {from}', 'Set up a rule: mail from {from} gets {label}'],
    run_rule: ['Run {id} on the inbox now', 'Apply {id} to the messages that are in the inbox'],
    set_signature: ['Set the signature to {signature}', 'Change the signature line to {signature}'],
  },
  incidental: ['/messages/*/unread'],
  undoable: ['/contacts', '/labels', '/rules'],
  synonyms: {
    Compose: ['Write', 'New mail'],
    Archive: ['Move to archive', 'File away'],
    Delete: ['Remove', 'Throw out'],
    'Delete forever': ['Erase', 'Delete permanently'],
    Star: ['Flag', 'Mark as important'],
    Reply: ['Answer', 'Respond'],
    'Reply all': ['Answer all', 'Respond to everyone'],
    Forward: ['Pass on', 'Send on'],
    'Mark as unread': ['Set unread', 'Keep as new'],
    'Mark as read': ['Set read', 'Mark as seen'],
    'Move to': ['Move', 'Put into'],
    'Label as': ['Tag as', 'Put label'],
    'Select all': ['Tick all', 'Choose all on this page'],
    'Search mail': ['Find in mail', 'Look for messages'],
    Send: ['Send now', 'Submit'],
    'Save draft': ['Keep as draft', 'Save for later'],
    Discard: ['Throw away', 'Do not send'],
    'Add contact': ['New contact', 'Create contact'],
    'Edit contact': ['Change contact', 'Update contact'],
    'Save contact': ['Save changes', 'Keep contact'],
    'Create label': ['Add label', 'Make label'],
    'Create rule': ['Add rule', 'Make rule'],
    'Back to list': ['Back', 'Return to messages'],
    'Next page': ['Next', 'Older'],
    'Previous page': ['Previous', 'Newer'],
    Trash: ['Bin', 'Deleted items'],
    Settings: ['Options', 'Configuration'],
    'Turn on vacation reply': ['Enable vacation reply', 'Start vacation reply'],
  },
  onRefusal(draft, message) {
    draft.ui.notice = message;
  },
});
