import { hash } from 'node:crypto';
import type { StoredEpisode } from '../../core/episode/journal.ts';
import { isJsonObject, type Json } from '../../core/json.ts';
import type { Message } from '../requests/wire.ts';
import { columns, type Row, type Table } from './columns.ts';

const endings: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
};

/** A picture of a row: the name of its file, and what is in it. */
export interface RowPicture {
  readonly name: string;
  readonly sha256: string;
  readonly data: Uint8Array;
}

/** How a record of an exchange begins to name a picture; in a text the quotes would be escaped. */
const pictureMark = Buffer.from('"type":"image"');

/** Whether any step was taken on a picture, or a model was shown one. */
export function hasPictures({ events }: StoredEpisode, attachment: (address: string) => Uint8Array | null): boolean {
  return (
    events.some(event => event.kind === 'step' && event.image !== undefined) ||
    events.some(event => {
      const record = event.kind === 'call' ? attachment(event.record) : null;
      return record !== null && Buffer.from(record.buffer, record.byteOffset, record.length).includes(pictureMark);
    })
  );
}

/** The table with the pictures of its rows: in an export that has any. */
export function withImages(table: Table): Table {
  return { ...table, columns: [...table.columns, ...columns({ images: 'strings' })] };
}

/**
 * The row as trainers of vision models take it: messages in parts, an image part where a picture is, and the files of the
 * pictures in the order of these parts. All messages of a table are in parts, as a column has one type.
 */
export function pictured(row: Row, table: Table, keep: (picture: RowPicture) => void): Row {
  const images: string[] = [];
  const show = (url: string): void => {
    const picture = pictureOf(url);
    keep(picture);
    images.push(picture.name);
  };
  const talks = table.columns.filter(({ type }) => type === 'messages');
  const parts = talks.map(({ name }) => {
    const messages = (row[name] as readonly Message[]).map(message => inParts(message, show));
    return [name, messages] as const;
  });
  return { ...row, ...Object.fromEntries(parts), images };
}

function inParts(message: Message, show: (url: string) => void): Json {
  const { content = '' } = message;
  const given = Array.isArray(content) ? content : [{ type: 'text', text: content }];
  const parts = given.map(part => {
    const url = urlOf(part);
    if (url === null) return part;
    show(url);
    return { type: 'image' };
  });
  return { ...message, content: parts };
}

/** The address of a picture in a message; null for a text. */
function urlOf(part: Json): string | null {
  const image: Json | undefined = isJsonObject(part) ? part['image_url'] : undefined;
  return isJsonObject(image) && typeof image['url'] === 'string' ? image['url'] : null;
}

const dataUrl = /^data:(image\/[a-z]+);base64,/;

function pictureOf(url: string): RowPicture {
  const [head, type] = dataUrl.exec(url.slice(0, 40)) ?? ['', 'image/png'];
  const data = Buffer.from(url.slice(head.length), 'base64');
  const sha256 = hash('sha256', data, 'hex');
  return { name: `images/${sha256}.${endings[type ?? ''] ?? 'png'}`, sha256, data };
}
