/** Values in one frame. An action has some tens. */
const mostValues = 4096;

/** A frame that is too much to parse. */
export interface Excess {
  readonly message: string;
  /** The id of the request, as JSON; null when it has none at its top. */
  readonly id: string | null;
}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const opening: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const closing: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/**
 * Says whether a frame has more values than any request. Its text is only looked through: objects of many keys take far longer
 * to parse and to check than their bytes take to send.
 */
export function excessOf(bytes: Buffer): Excess | null {
  let [values, depth] = [1, 0];
  let id: string | null = null;
  /** The last text at the top, and where the value of a member "id" begins. */
  let [text, idFrom] = ['', -1];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === quote) {
      const end = endOfText(bytes, at);
      if (depth === 1 && end - at < 8) text = bytes.toString('latin1', at, end + 1);
      at = end;
    } else if (depth === 1 && byte === colon && text === '"id"') idFrom = at + 1;
    else if (opening.has(byte)) {
      values++;
      depth++;
    } else if (byte === comma || closing.has(byte)) {
      if (idFrom >= 0 && depth === 1) id = bytes.toString('utf8', idFrom, Math.min(at, idFrom + longestId));
      if (depth === 1) [text, idFrom] = ['', -1];
      if (byte === comma) values++;
      else depth--;
    }
  }
  if (values <= mostValues) return null;
  return { message: `The message has more than ${mostValues} values. Send a smaller one.`, id };
}

/** An id of 255 characters, each written as an escape, with room for spaces. */
const longestId = 2000;

/** Where the text that begins here ends: at a quote without an odd number of backslashes before it. */
function endOfText(bytes: Buffer, start: number): number {
  for (let at = start + 1; ; at++) {
    at = bytes.indexOf(quote, at);
    if (at < 0) return bytes.length;
    let before = at - 1;
    while (bytes[before] === backslash) before--;
    if ((at - before) % 2 === 1) return at;
  }
}
