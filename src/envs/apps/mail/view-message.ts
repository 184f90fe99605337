import type { UiNode } from '../../../core/ui.ts';
import {
  button,
  form,
  heading,
  link,
  list,
  region,
  switchButton,
  text,
  textbox,
  toolbar,
} from '../../../worlds/app/elements.ts';
import { find } from '../../../worlds/app/table.ts';
import { forward, mark, move, reply, saveDraft, send, star } from './commands-messages.ts';
import { answer, ask, backToList, discard, openMessage, type } from './gestures.ts';
import { folderNames, type FieldName, type Mail, type Message } from './state.ts';
import { menuButtons, messageMenu, question } from './view-list.ts';

const shuffled = { shuffle: true } as const;
const back = link('Back to list', backToList.with({}));

export function reading(mail: Mail, opened: Message): UiNode {
  if (mail.ui.dialog !== null) return question(mail);
  const { id, body, cc, file, labels } = opened;
  const names = labels.map(known => find(mail.labels, known)?.name ?? known);
  return region('Message', [
    back,
    heading(opened.subject === '' ? '(no subject)' : opened.subject),
    text(`From: ${opened.sender} <${opened.from}>`),
    text(`To: ${opened.to}`),
    cc !== '' && text(`Cc: ${cc}`),
    text(`Date: ${opened.date}, in ${folderNames[opened.folder]}`),
    names.length > 0 && text(`Labels: ${names.join(', ')}`),
    file !== null && text(`Attachment: ${file}`),
    ...body.split('\n').map(text),
    actions(mail, opened),
    mail.ui.menu !== null && messageMenu(mail, [id]),
    conversation(mail.messages, opened),
  ]);
}

function actions({ ui, settings }: Mail, { id, folder, starred, unread }: Message): UiNode {
  const ids = [id];
  const replies = [
    button('Reply', answer.with({ id, mode: 'reply' })),
    button('Reply all', answer.with({ id, mode: 'reply-all' })),
  ];
  if (settings.defaultReply === 'Reply all') replies.reverse();
  return toolbar(
    'Message actions',
    [
      ...replies,
      button('Forward', answer.with({ id, mode: 'forward' })),
      switchButton('Star', starred, star.with({ id, starred: !starred })),
      folder !== 'archive' && button('Archive', move.with({ ids, folder: 'archive' })),
      folder === 'trash'
        ? button('Delete forever', ask.with({ dialog: 'delete', open: null }))
        : button('Delete', move.with({ ids, folder: 'trash' })),
      button(unread ? 'Mark as read' : 'Mark as unread', mark.with({ ids, unread: !unread })),
      ...menuButtons(ui.menu),
    ],
    shuffled,
  );
}

function conversation(messages: readonly Message[], opened: Message): UiNode | false {
  const others: UiNode[] = [];
  for (const { id, thread, sender, date, subject } of messages) {
    if (thread !== opened.thread || id === opened.id) continue;
    others.push(link(`${sender}, ${date}: ${subject}`, openMessage.with({ id })));
  }
  return others.length > 0 && list('Conversation', others);
}

const titles = { new: 'New message', reply: 'Reply', 'reply-all': 'Reply to all', forward: 'Forward' };
const typing = (field: FieldName) => ({ enter: type.entering({ field }) });
const entry = { to: typing('to'), cc: typing('cc'), subject: typing('subject'), body: typing('body') };
const stop = button('Discard', discard.with({}));

export function composing(mail: Mail): UiNode {
  const { mode, open, fields } = mail.ui;
  const { to, cc, subject, body } = fields;
  const source = open === null ? undefined : find(mail.messages, open);
  const { signature } = mail.settings;
  const signed = signature !== '' && text(`Signature: ${signature}`);
  if (mode === 'new' || source === undefined) {
    const draft = source?.folder === 'drafts' ? source.id : null;
    const written = { to, cc, subject, body, draft };
    const inputs = [
      textbox('To', to, entry.to),
      textbox('Cc', cc, entry.cc),
      textbox('Subject', subject, entry.subject),
      textbox('Text', body, entry.body),
    ];
    return region(draft === null ? titles.new : 'Draft', [
      form('Fields', inputs, shuffled),
      signed,
      toolbar(
        'Writing',
        [button('Send', send.with(written)), button('Save draft', saveDraft.with(written)), stop],
        shuffled,
      ),
    ]);
  }
  if (mode === 'forward') {
    return region(titles.forward, [
      text(`Subject: ${subject}`),
      form('Fields', [textbox('To', to, entry.to), textbox('Note', body, entry.body)], shuffled),
      text(`Forwarded from ${source.sender}, ${source.date}`),
      toolbar('Writing', [button('Send', forward.with({ id: source.id, to, note: body })), stop], shuffled),
    ]);
  }
  return region(titles[mode], [
    text(`Subject: ${subject}`),
    text(`To: ${to}`),
    cc !== '' && text(`Cc: ${cc}`),
    form('Fields', [textbox('Text', body, entry.body)]),
    signed,
    toolbar(
      'Writing',
      [button('Send', reply.with({ id: source.id, body, all: mode === 'reply-all' })), stop],
      shuffled,
    ),
  ]);
}
