import { hash } from 'node:crypto';
import { z } from 'zod';

const count = z.int().nonnegative();

/**
 * A text by what is new in it. Pieces of an attempt are numbered in the order in which they came: a string is a new
 * piece, a pair names the first of some earlier ones and how many there are.
 */
export const piecesSchema = z.strictObject({
  /** The number of the first new piece. */
  first: count,
  parts: z.array(z.union([z.string(), z.tuple([count, z.int().positive()])])),
});
export type Pieces = z.infer<typeof piecesSchema>;

/** Texts that share most of what they say, such as prompts that only grow, take no more than what each adds. */
export interface PieceWriter {
  write(text: string): Pieces;
  /** Takes in what another writer wrote of the same attempt. */
  learn(pieces: Pieces): void;
  /** The number of the next new piece. */
  next(): number;
}

export function createPieceWriter(from = 0): PieceWriter {
  const numbers = new Map<string, number>();
  let next = from;
  return {
    next: () => next,
    write(text) {
      const first = next;
      const parts: (string | [number, number])[] = [];
      for (const piece of cut(text)) {
        const address = addressOf(piece);
        const known = numbers.get(address);
        const last = parts.at(-1);
        if (known === undefined) {
          parts.push(piece);
          numbers.set(address, next++);
        } else if (Array.isArray(last) && last[0] + last[1] === known) last[1]++;
        else parts.push([known, 1]);
      }
      return { first, parts };
    },
    learn({ first, parts }) {
      next = Math.max(next, first);
      for (const part of parts) if (typeof part === 'string') numbers.set(addressOf(part), next++);
    },
  };
}

/** Puts texts together again, in the order in which they were written; null when pieces of one are missing. */
export function createPieceReader(): (pieces: Pieces) => string | null {
  const texts = new Map<number, string>();
  return ({ first, parts }) => {
    const found: string[] = [];
    let number = first;
    for (const part of parts) {
      if (typeof part === 'string') {
        texts.set(number++, part);
        found.push(part);
        continue;
      }
      for (let at = part[0]; at < part[0] + part[1]; at++) {
        const text = texts.get(at);
        if (text === undefined) return null;
        found.push(text);
      }
    }
    return found.join('');
  };
}

function addressOf(piece: string): string {
  return hash('sha256', piece, 'base64');
}

/** A piece has a thousand characters on average. */
const mask = 0x3ff;
const shortest = 128;
const longest = 8192;

/**
 * Cuts where a hash of the last 32 characters says so, not at fixed places: equal stretches of two texts give equal
 * pieces wherever they stand.
 */
function* cut(text: string): Generator<string> {
  let [start, rolling] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    rolling = (Math.imul(rolling, 2) + Math.imul(code + 1, 0x9e3779b1)) | 0;
    const length = at - start + 1;
    if (length < shortest || (((rolling >>> 16) & mask) !== 0 && length < longest)) continue;
    // Never inside a pair: half of one has no UTF-8.
    if (code >= 0xd800 && code <= 0xdbff) continue;
    yield text.slice(start, at + 1);
    start = at + 1;
  }
  if (start < text.length) yield text.slice(start);
}
