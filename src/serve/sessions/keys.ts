import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { HttpError } from '../http.ts';
import type { KeyGuard } from '../key-guard.ts';

/** What a client may do: a teacher may see what the agent must not. */
export type Role = 'student' | 'teacher';

export interface Keys {
  /** Null lets everybody in who reaches the server. */
  readonly student: string | null;
  /** Null gives nobody the rights of a teacher. */
  readonly teacher: string | null;
  /** Slows down whoever guesses them. */
  readonly guard?: KeyGuard;
}

/** The role that the key of a request gives. A request with a wrong key, or without one where it is needed, is refused with 401; too many wrong ones with 429. */
export function roleOf(request: Pick<IncomingMessage, 'headers' | 'socket'>, { student, teacher, guard }: Keys): Role {
  const key = keyIn(request.headers.authorization);
  if (key !== null) guard?.admit(request);
  if (key === null && student === null) return 'student';
  if (key !== null && teacher !== null && isSame(key, teacher)) return 'teacher';
  if (key !== null && student !== null && isSame(key, student)) return 'student';
  if (key !== null) guard?.wrong(request);
  throw new HttpError(
    401,
    key === null
      ? 'This server needs a key. Send it as "Authorization: Bearer <key>", or as the password in the address.'
      : 'The key is not one of this server. Ask whoever started it.',
  );
}

/** From `Bearer <key>`, or the password of `Basic`, which clients send for an address with one. */
function keyIn(authorization: string | undefined): string | null {
  if (authorization === undefined) return null;
  const [, scheme = '', value = ''] = /^(bearer|basic) +(.+)$/i.exec(authorization) ?? [];
  // What cannot be read is a wrong key, not a missing one.
  if (scheme.toLowerCase() !== 'basic') return value;
  const pair = Buffer.from(value, 'base64').toString('utf8');
  return pair.slice(pair.indexOf(':') + 1);
}

/** Compares digests, which have one length: the time it takes says nothing of the key. */
function isSame(given: string, wanted: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', wanted, 'buffer'));
}
