import { veil, type Redactor } from '../../../models/secrets/redactor.ts';
import type { Place } from './event-strings.ts';

/** What texts stand in: an event, or a whole answer. */
export interface Holder {
  isChanged: boolean;
}

/** Takes secrets out of texts that go on from place to place. */
export interface Tails {
  /** Takes in the next text of a channel, clean by itself: what it completes is taken out of the holders that have it. */
  follow(holder: Holder, place: Place): void;
  /** Whether the rest of a secret may still come. */
  isWaiting(): boolean;
  /** Nothing is held back any longer for the rest of what may be a secret. */
  settle(): void;
}

/** Letters and digits. Nothing waits for fewer: they are common in any text, and tell nothing. */
const shortestBeginning = 3;
/** A part of a secret that is at least as long is taken out, although the rest never came. */
const shortestPart = 8;
/** Characters at the borders of two texts in which a secret may be spread. */
const longestBorder = 2 ** 12;
/** The longest end of a text that is held back. */
const longestWaiting = 2 ** 11;

/** The end of a text that may become a secret. */
interface Tail {
  readonly text: string;
  /** How many characters of the secret it tells. */
  readonly worth: number;
  /** The strings that it stands at the end of, in order. */
  readonly parts: readonly { readonly place: Place; readonly holder: Holder; readonly length: number }[];
  /** A text that leaves it as it is. */
  readonly again: string | null;
}

const noTail: Tail = { text: '', worth: 0, parts: [], again: null };

export function createTails(redactor: Redactor): Tails {
  const tails = new Map<string, Tail>();
  /** The only channel of each path; null where there are several. */
  const channels = new Map<string, string | null>();
  const end = (tail: Tail): void => {
    if (tail.worth < shortestPart) return;
    truncate(tail, 0);
    const last = tail.parts.at(-1);
    if (last !== undefined) change(last.holder, last.place, last.place.read() + veil);
  };
  /** What went on is remembered: the rest of a secret may still come. */
  const settle = (channel: string, tail: Tail): void => {
    end(tail);
    tails.set(channel, { text: essenceOf(tail.text), worth: tail.worth, parts: [], again: null });
  };
  const followIn = (channel: string, holder: Holder, place: Place): void => {
    const before = tails.get(channel) ?? noTail;
    const own = place.read();
    // Names of models and the like are the same in every event.
    if (before.again === own) {
      tails.set(channel, { ...before, parts: partsOf(before, { place, holder }, before.text.length) });
      return;
    }
    const text = before.text + own;
    const spread = before.text === '' ? undefined : firstSpread(text, before.text.length, redactor);
    if (spread !== undefined) {
      truncate(before, spread.start);
      change(holder, place, veil + text.slice(spread.end));
    }
    const rest = (spread === undefined ? text : text.slice(spread.end)).slice(-longestBorder);
    const { start, worth } = redactor.beginning(rest);
    const length = rest.length - start;
    const told = rest.slice(start);
    const parts = partsOf(spread === undefined ? before : noTail, { place, holder }, length);
    const tail = { text: told, worth, parts, again: spread === undefined && told === before.text ? own : null };
    if (length >= longestWaiting) settle(channel, tail);
    else tails.set(channel, tail);
  };
  return {
    follow(holder, place) {
      const { channel, path } = place;
      const only = channels.get(path);
      if (only === undefined) channels.set(path, channel);
      else if (only !== null && only !== channel) {
        channels.set(path, null);
        tails.set(path, tails.get(only) ?? noTail);
      }
      followIn(channel, holder, place);
      if (only !== undefined && only !== channel && path !== channel) followIn(path, holder, place);
    },
    isWaiting() {
      for (const { worth, parts } of tails.values()) if (worth >= shortestBeginning && parts.length > 0) return true;
      return false;
    },
    settle() {
      for (const [channel, tail] of tails) settle(channel, tail);
    },
  };
}

/** A long text without what only separates letters. */
function essenceOf(text: string): string {
  return text.length < longestWaiting ? text : text.replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

/** All secrets that begin before this place and end after it, as one. */
function firstSpread(
  text: string,
  border: number,
  redactor: Redactor,
): { readonly start: number; readonly end: number } | undefined {
  return redactor.find(text.slice(0, border + longestBorder)).find(({ start, end }) => start < border && end > border);
}

export function change(holder: Holder, place: Place, text: string): void {
  if (text === place.read()) return;
  place.write(text);
  holder.isChanged = true;
}

/** Cuts the strings that a tail stands in, from this place in it. What stands before them has gone on. */
function truncate({ text, parts }: Tail, from: number): void {
  let offset = text.length - parts.reduce((sum, { length }) => sum + length, 0);
  for (const { place, holder, length } of parts) {
    const kept = Math.max(0, Math.min(length, from - offset));
    const told = place.read();
    if (kept < length) change(holder, place, told.slice(0, Math.max(0, told.length - length + kept)));
    offset += length;
  }
}

/** Where the last characters stand, so many of them: in this string, and before it in those of the tail. */
function partsOf(
  before: Tail,
  next: { readonly place: Place; readonly holder: Holder },
  length: number,
): Tail['parts'] {
  if (length === 0) return [];
  const last = Math.min(length, next.place.read().length);
  return [...lastOf(before, length - last), { ...next, length: last }];
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
