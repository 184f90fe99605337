import { secretForms, veil } from '../../../core/chat/secrets.ts';
import { createBlockSplitter } from './event-blocks.ts';
import { readBlock, stringsOf, withoutForms, writeBlock, type Block, type Place } from './event-strings.ts';

/**
 * Takes secrets out of a stream of server-sent events, also where they are spread over many events. An event is held back
 * only while its text ends like the beginning of a secret; all other events go on as they came, byte for byte.
 */
export interface StreamRedactor {
  /** What may go on now. */
  push(chunk: Buffer): Buffer;
  /** The rest. */
  end(): Buffer;
}

/** Nothing waits for shorter beginnings: they are common in any text, and tell nothing. */
const shortestBeginning = 4;
/** A part of a secret that is at least as long is taken out, although the rest never came. */
const shortestPart = 8;
/** Events and bytes held back at most. */
const mostHeld = 256;
const mostHeldBytes = 2 ** 20;

/** The end of a text that may become a secret. */
interface Tail {
  readonly text: string;
  /** The strings that it stands at the end of, in order. */
  readonly parts: readonly { readonly place: Place; readonly block: Block; readonly length: number }[];
}

const noTail: Tail = { text: '', parts: [] };

export function createStreamRedactor(secrets: readonly (string | null)[]): StreamRedactor {
  const forms = secretForms(secrets);
  const splitter = createBlockSplitter();
  const tails = createTails(forms);
  let held: Block[] = [];
  let heldBytes = 0;
  const release = (): Buffer => {
    const bytes = Buffer.concat(held.map(writeBlock));
    held = [];
    heldBytes = 0;
    return bytes;
  };
  const take = (bytes: Buffer): void => {
    const block = readBlock(bytes, forms);
    held.push(block);
    heldBytes += bytes.length;
    for (const place of stringsOf(block.value)) tails.follow(block, place);
    if (held.length > mostHeld || heldBytes > mostHeldBytes) tails.settle();
  };
  return {
    push(chunk) {
      const out: Buffer[] = [];
      for (const bytes of splitter.read(chunk)) {
        take(bytes);
        if (!tails.isWaiting()) out.push(release());
      }
      return Buffer.concat(out);
    },
    end() {
      const rest = splitter.rest();
      if (rest.length > 0) take(rest);
      tails.settle();
      return release();
    },
  };
}

/** The ends of all texts of a stream that may become secrets, by channel. */
function createTails(forms: readonly string[]) {
  const tails = new Map<string, Tail>();
  const longest = Math.max(0, ...forms.map(({ length }) => length));
  return {
    /** Takes in the next string of a channel: what it completes is taken out of the events that hold it. */
    follow(block: Block, place: Place): void {
      // The bytes were looked at already; JSON can also spell a secret in escapes.
      change(block, place, withoutForms(place.read(), forms));
      const before = tails.get(place.channel) ?? noTail;
      const text = before.text + place.read();
      const found = firstSpread(text.slice(0, before.text.length + longest - 1), before.text.length, forms);
      const start = found === undefined ? 0 : found.start + found.length;
      if (found !== undefined) {
        truncate(before, found.start);
        change(block, place, veil + text.slice(start));
      }
      const end = beginningAt(text.slice(start).slice(1 - longest), forms);
      if (end === 0) return void tails.delete(place.channel);
      const own = Math.min(end, place.read().length);
      const parts = [...(found === undefined ? lastOf(before, end - own) : []), { place, block, length: own }];
      tails.set(place.channel, { text: text.slice(text.length - end), parts });
    },
    isWaiting(): boolean {
      for (const { text } of tails.values()) if (text.length >= shortestBeginning) return true;
      return false;
    },
    /** Nobody waits any longer for the rest of what may be a secret. */
    settle(): void {
      for (const tail of tails.values()) {
        if (tail.text.length < shortestPart) continue;
        truncate(tail, 0);
        const last = tail.parts.at(-1);
        if (last !== undefined) change(last.block, last.place, last.place.read() + veil);
      }
      tails.clear();
    },
  };
}

/** The first secret that begins before this place and ends after it. */
function firstSpread(
  text: string,
  border: number,
  forms: readonly string[],
): { readonly start: number; readonly length: number } | undefined {
  return forms
    .map(form => ({ start: text.indexOf(form), length: form.length }))
    .filter(({ start }) => start >= 0 && start < border)
    .toSorted((left, right) => left.start - right.start)[0];
}

function change(block: Block, place: Place, text: string): void {
  if (text === place.read()) return;
  place.write(text);
  block.isChanged = true;
}

/** Cuts the strings that a tail stands in, from this place in it. */
function truncate({ parts }: Tail, from: number): void {
  let offset = 0;
  for (const { place, block, length } of parts) {
    const kept = Math.max(0, Math.min(length, from - offset));
    if (kept < length) change(block, place, place.read().slice(0, place.read().length - length + kept));
    offset += length;
  }
}

/** The places of the last characters of a tail. */
function lastOf({ parts }: Tail, count: number): Tail['parts'] {
  const found: Tail['parts'][number][] = [];
  let missing = count;
  for (const part of parts.toReversed()) {
    if (missing <= 0) break;
    const length = Math.min(part.length, missing);
    found.unshift({ ...part, length });
    missing -= length;
  }
  return found;
}

/** How many characters at the end of a text are the beginning of a secret. */
function beginningAt(text: string, forms: readonly string[]): number {
  let most = 0;
  for (const form of forms) {
    for (let length = Math.min(form.length - 1, text.length); length > most; length--) {
      if (text.endsWith(form.slice(0, length))) most = length;
    }
  }
  return most;
}
