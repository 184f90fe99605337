import { isUtf8 } from 'node:buffer';
import type { Redactor } from '../../../models/secrets/redactor.ts';
import { stringsOf, withoutBytes } from './event-strings.ts';
import { change, createTails } from './tails.ts';

/** A whole body without secrets, byte for byte where none is in it; null where they cannot be found or taken out. */
export function cleanBody(body: Buffer, redactor: Redactor): Buffer | null {
  if (redactor.isIdle) return body;
  if (!isUtf8(body) || body.includes(0)) return null;
  const text = body.toString('utf8');
  const told = cleanText(text, redactor);
  if (told === text) return body;
  return told === null ? null : Buffer.from(told);
}

/** The text of an answer; its JSON stays JSON. Null where secrets cannot be taken out. */
function cleanText(text: string, redactor: Redactor): string | null {
  if (redactor.isIdle) return text;
  const value = parse(text);
  const isSuspect = redactor.find(text).length > 0;
  if (typeof value !== 'object' || value === null) return isSuspect ? cleanWords(text, redactor) : text;
  const holder = { isChanged: isSuspect };
  const tails = createTails(redactor);
  for (const place of stringsOf(value)) {
    if (isSuspect) change(holder, place, redactor.text(place.read()));
    tails.follow(holder, place);
  }
  tails.settle();
  if (!holder.isChanged) return text;
  const told = JSON.stringify(value, withoutBytes);
  return redactor.find(told).length === 0 ? told : null;
}

/** The text of a question, for the record: nobody spreads a key over several strings there. */
export function cleanQuestion(text: string, redactor: Redactor): string | null {
  const isSuspect = (told: string): boolean => redactor.isIn(parse(told) ?? told);
  if (!isSuspect(text)) return text;
  const told = cleanText(text, redactor);
  return told === null || isSuspect(told) ? null : told;
}

function cleanWords(text: string, redactor: Redactor): string | null {
  const told = redactor.text(text);
  return redactor.find(told).length === 0 ? told : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
