import { isUtf8 } from 'node:buffer';

/** Fields with their lengths in front, as the helper process reads and writes them. */
export type Field = string | number | Uint8Array;

const lengthBytes = 4;

/** Where bytes that are no UTF-8 go in a text, as in Python: each is a code unit that no other text has. */
const strayBytes = 0xdc00;
const stray = /[\u{dc80}-\u{dcff}]/u;

/** Names of files are bytes: the text of each is another. */
export function textOf(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString();
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const size = characterAt(bytes, at);
    text +=
      size === 0 ? String.fromCharCode(strayBytes + (bytes[at] as number)) : bytes.toString('utf8', at, at + size);
    at += Math.max(1, size);
  }
  return text;
}

/** The length of the character that begins here; 0 where none does. */
function characterAt(bytes: Buffer, at: number): number {
  return [1, 2, 3, 4].find(size => at + size <= bytes.length && isUtf8(bytes.subarray(at, at + size))) ?? 0;
}

/** The bytes that a text stands for. */
function bytesOf(text: string): Buffer {
  if (!stray.test(text)) return Buffer.from(text);
  return Buffer.concat(
    Array.from(text, character =>
      stray.test(character) ? Buffer.of(character.charCodeAt(0) - strayBytes) : Buffer.from(character),
    ),
  );
}

export function packFields(fields: readonly Field[]): Buffer {
  return Buffer.concat(
    fields.flatMap(field => {
      const bytes = typeof field === 'object' ? field : bytesOf(String(field));
      const length = Buffer.alloc(lengthBytes);
      length.writeUInt32BE(bytes.length);
      return [length, bytes];
    }),
  );
}

export function unpackFields(bytes: Buffer): Buffer[] {
  const fields: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + lengthBytes + bytes.readUInt32BE(at);
    fields.push(bytes.subarray(at + lengthBytes, end));
    at = end;
  }
  return fields;
}

/** Takes pieces of a stream, and tells each whole message. */
export function createFrameReader(onMessage: (fields: Buffer[]) => void): (piece: Buffer) => void {
  let pieces: Buffer[] = [];
  let length = 0;
  const wanted = (): number => {
    const [first] = pieces;
    if (length < lengthBytes || first === undefined) return Infinity;
    if (first.length < lengthBytes) pieces = [Buffer.concat(pieces)];
    return lengthBytes + (pieces[0] as Buffer).readUInt32BE(0);
  };
  return piece => {
    pieces.push(piece);
    length += piece.length;
    for (let size = wanted(); length >= size; size = wanted()) {
      const all = pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
      pieces = all.length === size ? [] : [all.subarray(size)];
      length -= size;
      onMessage(unpackFields(all.subarray(lengthBytes, size)));
    }
  };
}
