import type { StoredEpisode } from '../../core/episode/journal.ts';
import type { Shot } from '../../core/episode/record.ts';
import type { Json } from '../../core/json.ts';
import type { Message } from './chat.ts';
import { columns, type Row, type Table } from './columns.ts';

const endings: Readonly<Record<Shot['type'], string>> = { 'image/png': 'png', 'image/jpeg': 'jpg' };

/** Whether any step was taken on a picture. */
export function hasPictures({ events }: StoredEpisode): boolean {
  return events.some(event => event.kind === 'step' && event.image !== undefined);
}

/** The table with the pictures of its rows: in an export that has any. */
export function withImages(table: Table): Table {
  return { ...table, columns: [...table.columns, ...columns({ images: 'strings' })] };
}

/** The row as trainers of vision models take it: messages in parts, and the file of the picture that its actor saw. */
export function pictured(row: Row, table: Table, shot: Shot | null): Row {
  const told = (message: Message): Json => inParts(message, shot !== null && message.role === 'user');
  const talks = table.columns.filter(({ type }) => type === 'messages');
  const parts = talks.map(({ name }) => [name, (row[name] as readonly Message[]).map(told)] as const);
  return { ...row, ...Object.fromEntries(parts), images: shot === null ? [] : [imageName(shot)] };
}

/** All messages of a table are in parts, as a column has one type; the picture is the first of them. */
function inParts({ role, content, ...rest }: Message, hasPicture: boolean): Json {
  const text = { type: 'text', text: content };
  return { role, content: hasPicture ? [{ type: 'image' }, text] : [text], ...rest };
}

/** Where a picture lies in the folder of the export. */
export function imageName({ hash, type }: Pick<Shot, 'hash' | 'type'>): string {
  return `images/${hash}.${endings[type]}`;
}
