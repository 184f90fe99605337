import type { IncomingMessage } from 'node:http';
import type { Clock } from '../core/clock.ts';
import { HttpError } from './http.ts';

/** Slows down whoever guesses keys. */
export interface KeyGuard {
  /** Refuses a key unseen with 429 while too many wrong ones came from its address. */
  admit(request: Asking): void;
  /** Counts a key that was wrong. */
  wrong(request: Asking): void;
}

type Asking = Pick<IncomingMessage, 'socket'>;

/** Wrong keys of one address in a minute. */
const mostWrong = 20;
const windowMilliseconds = 60_000;
const mostAddresses = 10_000;

export function createKeyGuard(clock: Clock): KeyGuard {
  const counts = new Map<string, { readonly since: number; readonly count: number }>();
  const known = (address: string): { since: number; count: number } => {
    const found = counts.get(address);
    const now = clock.now();
    return found === undefined || now - found.since >= windowMilliseconds ? { since: now, count: 0 } : found;
  };
  return {
    admit({ socket }) {
      if (known(addressOf(socket)).count < mostWrong) return;
      throw new HttpError(429, 'Too many wrong keys came from this address. Wait a minute, then send the right one.');
    },
    wrong({ socket }) {
      const address = addressOf(socket);
      const { since, count } = known(address);
      if (counts.size >= mostAddresses && !counts.has(address)) counts.delete(counts.keys().next().value as string);
      counts.set(address, { since, count: count + 1 });
    },
  };
}

/** A client of IPv6 has all addresses of its network. */
function addressOf({ remoteAddress = '' }: Asking['socket']): string {
  return remoteAddress.includes('.') ? remoteAddress : remoteAddress.split(':').slice(0, 4).join(':');
}
