import type { Role } from './keys.ts';

/** Where a server stands among those behind one address. */
export interface ServerPlace {
  /** From 1. */
  readonly number: number;
  /** Where clients reach all of them. */
  readonly front: string;
  /** The key that gives a role at the front; null where none is needed. */
  keyOf(role: Role): string | null;
}

const placed = /^s-([1-9]\d{0,3})-[\w-]{22}$/;

/** The id of a session names the place of its server: whoever gets a request knows whose it is. */
export function placeIn(session: string): number | null {
  const [, number] = placed.exec(session) ?? [];
  return number === undefined ? null : Number(number);
}

/** The id of a session: 22 characters drawn at random, and the place of the server where it has one. */
export function sessionId(place: number | null, random: string): string {
  return place === null ? `s-${random}` : `s-${place}-${random}`;
}
