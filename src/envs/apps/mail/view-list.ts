import type { UiNode } from '../../../core/ui.ts';
import {
  button,
  checkbox,
  combobox,
  dialog,
  link,
  list,
  menu,
  menuItem,
  navigation,
  region,
  row,
  searchBox,
  switchButton,
  text,
  textbox,
  toolbar,
  type Child,
} from '../../../worlds/app/elements.ts';
import { find, paginate, type Page } from '../../../worlds/app/table.ts';
import { empty, erase, label, mark, move, star } from './commands-messages.ts';
import { arrange, ask, narrow, openMenu, openMessage, search, select, turnPage } from './gestures.ts';
import { folderNames, listed, orders, shows, type Folder, type Mail, type Message } from './state.ts';

export function mailbox(mail: Mail): UiNode {
  const { ui, settings } = mail;
  if (ui.dialog !== null) return question(mail);
  const shown = paginate(listed(mail.messages, ui), ui.page, Number(settings.pageSize));
  const rows = shown.items.map(item => messageRow(mail, item));
  const emptied = ui.folder === 'trash' || ui.folder === 'spam';
  const labelled = ui.label === null ? undefined : find(mail.labels, ui.label);
  return region(labelled === undefined ? folderNames[ui.folder] : `Label ${labelled.name}`, [
    filters(mail),
    ui.selected.length > 0 && selectionBar(mail, ui.selected),
    ui.menu !== null && ui.selected.length > 0 && messageMenu(mail, ui.selected),
    shown.total > 0 && selectPage(shown.items, ui.selected),
    emptied && shown.total > 0 && button(`Empty ${folderNames[ui.folder]}`, ask.with({ dialog: 'empty', open: null })),
    shown.total === 0 ? text(`No messages here in ${folderNames[ui.folder]}`) : list(counted(shown.total), rows),
    pager(shown),
  ]);
}

function counted(total: number): string {
  return total === 1 ? '1 message' : `${total} messages`;
}

function filters({ ui }: Mail): UiNode {
  return searchBox(
    'Find messages',
    [
      textbox('Search mail', ui.query, searchEntry),
      combobox('Show', ui.show, showEntry),
      combobox('Sort by', ui.order, orderEntry),
    ],
    shuffled,
  );
}

const shuffled = { shuffle: true } as const;
const searchEntry = { enter: search.entering({}) };
const showEntry = { enter: narrow.entering({}), options: shows };
const orderEntry = { enter: arrange.entering({}), options: orders };

function messageRow({ ui, settings, labels }: Mail, item: Message): UiNode {
  const { id, subject, starred } = item;
  const ticked = ui.selected.includes(id);
  const own = item.folder === 'sent' || item.folder === 'drafts';
  const name = own ? `To ${item.to}, ${item.date}: ${subject}` : `${item.sender}, ${item.date}: ${subject}`;
  const plain =
    settings.density === 'Compact' || (settings.density === 'Cosy' && item.labels.length === 0 && item.file === null);
  const details = plain ? '' : remarks(item, { labels, density: settings.density });
  return row(
    name,
    [
      checkbox('Select', ticked, select.with({ ids: [id], on: !ticked })),
      switchButton('Star', starred, star.with({ id, starred: !starred })),
      link(subject === '' ? '(no subject)' : subject, openMessage.with({ id })),
      details !== '' && text(details),
    ],
    item.unread ? unread : undefined,
  );
}

const unread = { states: ['unread'] } as const;

function remarks(item: Message, { labels, density }: { labels: Mail['labels']; density: string }): string {
  const parts = item.labels.map(id => find(labels, id)?.name ?? id);
  if (item.file !== null) parts.push(`attachment ${item.file}`);
  if (density === 'Comfortable') parts.push(item.body.slice(0, 60).replaceAll('\n', ' '));
  return parts.join(', ');
}

function selectPage(items: readonly Message[], selected: readonly string[]): UiNode {
  const all = items.every(({ id }) => selected.includes(id));
  return checkbox('Select all', all, select.with({ ids: items.map(({ id }) => id), on: !all }));
}

function selectionBar({ ui }: Mail, selected: readonly string[]): UiNode {
  const ids = [...selected];
  const forever = ui.folder === 'trash';
  return toolbar(
    `${selected.length} selected`,
    [
      button('Archive', move.with({ ids, folder: 'archive' })),
      forever
        ? button('Delete forever', ask.with({ dialog: 'delete', open: null }))
        : button('Delete', move.with({ ids, folder: 'trash' })),
      button('Mark as read', mark.with({ ids, unread: false })),
      button('Mark as unread', mark.with({ ids, unread: true })),
      ...menuButtons(ui.menu),
      button('Clear selection', select.with({ ids, on: false })),
    ],
    shuffled,
  );
}

export function menuButtons(open: Mail['ui']['menu']): UiNode[] {
  return [
    button('Move to', openMenu.with({ menu: open === 'move' ? null : 'move' }), open === 'move' ? expanded : undefined),
    button(
      'Label as',
      openMenu.with({ menu: open === 'label' ? null : 'label' }),
      open === 'label' ? expanded : undefined,
    ),
  ];
}

const expanded = ['expanded'] as const;
const targets = ['inbox', 'archive', 'spam', 'trash'] as const satisfies readonly Folder[];

/** The open menu, for the given messages. */
export function messageMenu(mail: Mail, messages: readonly string[]): UiNode {
  const ids = [...messages];
  if (mail.ui.menu === 'move') {
    const items = targets.map(folder => menuItem(folderNames[folder], move.with({ ids, folder })));
    return menu('Move to folder', items, shuffled);
  }
  const items = mail.labels.map(({ id, name }) => {
    const on = ids.every(wanted => find(mail.messages, wanted)?.labels.includes(id) === true);
    return menuItem(name, label.with({ ids, label: id, on: !on }), on ? checked : undefined);
  });
  return menu('Labels', items, shuffled);
}

const checked = ['checked'] as const;

export function pager({ page, pages }: Page<unknown>): UiNode | false {
  if (pages === 1) return false;
  return navigation(`Page ${page} of ${pages}`, [
    page > 1 && button('Previous page', turnPage.with({ page: page - 1 })),
    page < pages && button('Next page', turnPage.with({ page: page + 1 })),
  ]);
}

/** Deleting for good has to be confirmed. */
export function question({ ui }: Mail): UiNode {
  const cancel = button('Cancel', ask.with({ dialog: null, open: null }));
  if (ui.dialog === 'empty') {
    const folder = ui.folder === 'spam' ? 'spam' : 'trash';
    return confirmation(`Delete everything in ${folderNames[folder]} for good?`, [
      button('Empty folder', empty.with({ folder })),
      cancel,
    ]);
  }
  const ids = ui.open === null ? [...ui.selected] : [ui.open];
  return confirmation(`Delete ${counted(ids.length)} for good?`, [
    button('Delete forever', erase.with({ ids })),
    cancel,
  ]);
}

export function confirmation(name: string, answers: readonly Child[]): UiNode {
  return dialog(name, answers, shuffled);
}
