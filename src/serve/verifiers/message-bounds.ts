import { deepestJson } from '../../core/json.ts';

/** Values in one request, keys of maps included. A row of a taskset has some hundreds. */
export const mostValues = 2 ** 16;

/**
 * Why the bytes of msgpack are too much to decode; null when they are not. The decoder builds all of a message before anybody
 * can look at it. This reads only the headers, and stops where the decoder would refuse the bytes.
 */
export function excessOf(bytes: Uint8Array): string | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  /** Values that each open array or map still waits for. */
  const open: number[] = [];
  let [at, values] = [0, 1];
  while (at < bytes.length) {
    const header = headerAt(view, at);
    if (header === null) return null;
    const { length, inside } = header;
    at += length;
    values += inside;
    if (values > mostValues) return `It has more than ${mostValues} values.`;
    // An empty array has a level, too.
    if (header.isNested && open.length > deepestJson) return `It has more than ${deepestJson} levels.`;
    if (inside > 0) open.push(inside);
    else closeFull(open);
    if (open.length === 0) return null;
  }
  return null;
}

/** Counts a value that is complete, and every array or map that is complete with it. */
function closeFull(open: number[]): void {
  while (open.length > 0) {
    const left = (open.at(-1) as number) - 1;
    if (left > 0) {
      open[open.length - 1] = left;
      return;
    }
    open.pop();
  }
}

interface Header {
  /** Bytes up to the next header. */
  readonly length: number;
  /** Values inside. */
  readonly inside: number;
  readonly isNested: boolean;
}

/** The header of a value; null when it is cut off, or is none. */
function headerAt(view: DataView, at: number): Header | null {
  const first = view.getUint8(at);
  if (first < 0x80 || first >= 0xe0) return scalar(1);
  if (first < 0x90) return nested(1, 2 * (first - 0x80));
  if (first < 0xa0) return nested(1, first - 0x90);
  if (first < 0xc0) return scalar(1 + first - 0xa0);
  const fixed = fixedLengths[first];
  if (fixed !== undefined) return scalar(fixed);
  const sized = sizedHeaders[first];
  if (sized === undefined || at + 1 + sized.width > view.byteLength) return null;
  const { width, kind } = sized;
  const size = width === 1 ? view.getUint8(at + 1) : width === 2 ? view.getUint16(at + 1) : view.getUint32(at + 1);
  if (kind === 'bytes') return scalar(1 + width + size);
  // The type of an extension has a byte.
  if (kind === 'extension') return scalar(2 + width + size);
  return nested(1 + width, kind === 'map' ? 2 * size : size);
}

function scalar(length: number): Header {
  return { length, inside: 0, isNested: false };
}

function nested(length: number, inside: number): Header {
  return { length, inside, isNested: true };
}

/** Bytes of nil, booleans, numbers and extensions of a fixed size, by their first byte. */
const fixedLengths: Readonly<Record<number, number>> = {
  0xc0: 1,
  0xc2: 1,
  0xc3: 1,
  0xca: 5,
  0xcb: 9,
  0xcc: 2,
  0xcd: 3,
  0xce: 5,
  0xcf: 9,
  0xd0: 2,
  0xd1: 3,
  0xd2: 5,
  0xd3: 9,
  0xd4: 3,
  0xd5: 4,
  0xd6: 6,
  0xd7: 10,
  0xd8: 18,
};

interface SizedHeader {
  /** Bytes of the size. */
  readonly width: 1 | 2 | 4;
  readonly kind: 'bytes' | 'extension' | 'array' | 'map';
}

const sizedHeaders: Readonly<Record<number, SizedHeader>> = {
  0xc4: { width: 1, kind: 'bytes' },
  0xc5: { width: 2, kind: 'bytes' },
  0xc6: { width: 4, kind: 'bytes' },
  0xc7: { width: 1, kind: 'extension' },
  0xc8: { width: 2, kind: 'extension' },
  0xc9: { width: 4, kind: 'extension' },
  0xd9: { width: 1, kind: 'bytes' },
  0xda: { width: 2, kind: 'bytes' },
  0xdb: { width: 4, kind: 'bytes' },
  0xdc: { width: 2, kind: 'array' },
  0xdd: { width: 4, kind: 'array' },
  0xde: { width: 2, kind: 'map' },
  0xdf: { width: 4, kind: 'map' },
};
