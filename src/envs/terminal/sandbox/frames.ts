/** Fields with their lengths in front, as the helper process reads and writes them. */
export type Field = string | number | Uint8Array;

const lengthBytes = 4;

export function packFields(fields: readonly Field[]): Buffer {
  return Buffer.concat(
    fields.flatMap(field => {
      const bytes = typeof field === 'object' ? field : Buffer.from(String(field));
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
