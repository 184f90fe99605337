import type { Timers } from '../../core/clock.ts';
import { HttpError } from '../http.ts';

/** One client between its requests. */
export interface Client {
  answer(request: Request): Promise<Response>;
  /** The client has left, or was closed. */
  leave(reason: string): Promise<void>;
}

export interface ClientRegistryOptions {
  readonly timers: Timers;
  /** A client without requests and open streams for so long has left. */
  readonly idleMilliseconds: number;
  /** Clients at once. */
  readonly most: number;
  /** Called with errors that no request is waiting for. */
  onFault(cause: unknown): void;
}

/** The connected clients, by name. */
export interface ClientRegistry {
  has(name: string): boolean;
  add(name: string, client: Client): void;
  /** Runs a request of a client, and resets its idle timer. */
  serve(name: string, work: (client: Client) => Promise<void>): Promise<void>;
  remove(name: string, reason: string): Promise<void>;
  close(): Promise<void>;
}

interface RegisteredClient {
  readonly guest: Client;
  /** Requests that are being answered. */
  busy: number;
  cancel: () => void;
}

export function createClientRegistry({
  timers,
  idleMilliseconds,
  most,
  onFault,
}: ClientRegistryOptions): ClientRegistry {
  const entries = new Map<string, RegisteredClient>();
  const remove = async (name: string, reason: string): Promise<void> => {
    const entry = entries.get(name);
    if (entry === undefined) return;
    entries.delete(name);
    entry.cancel();
    await entry.guest.leave(reason);
  };
  const watch = (name: string, entry: RegisteredClient): void => {
    entry.cancel();
    if (entry.busy > 0 || entries.get(name) !== entry) return;
    entry.cancel = timers.after(idleMilliseconds, () => void remove(name, 'the client left').catch(onFault));
  };
  return {
    has: name => entries.has(name),
    add(name, client) {
      if (entries.size >= most)
        throw new HttpError(503, `${most} clients are here already. Try again when one of them has left.`);
      const entry = { guest: client, busy: 0, cancel: () => undefined };
      entries.set(name, entry);
      watch(name, entry);
    },
    async serve(name, work) {
      const entry = entries.get(name);
      if (entry === undefined) throw new HttpError(404, 'There is no such session: it has ended. Begin another one.');
      entry.busy++;
      entry.cancel();
      try {
        await work(entry.guest);
      } finally {
        entry.busy--;
        watch(name, entry);
      }
    },
    remove,
    async close() {
      await Promise.all([...entries.keys()].map(name => remove(name, 'the server closed')));
    },
  };
}
