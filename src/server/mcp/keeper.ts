import type { Timers } from '../../core/clock.ts';
import { HttpError } from '../http.ts';

/** One client between its requests. */
export interface Guest {
  answer(request: Request): Promise<Response>;
  /** The client has left, or was closed. */
  leave(reason: string): Promise<void>;
}

export interface KeeperOptions {
  readonly timers: Timers;
  /** A client without requests and open streams for so long has left. */
  readonly idleMilliseconds: number;
  /** Clients at once. */
  readonly most: number;
  /** Called with errors that no request is waiting for. */
  onFault(cause: unknown): void;
}

/** The connected clients, by name. */
export interface Keeper {
  has(name: string): boolean;
  add(name: string, guest: Guest): void;
  /** Runs a request of a client, and resets its idle timer. */
  serve(name: string, work: (guest: Guest) => Promise<void>): Promise<void>;
  remove(name: string, reason: string): Promise<void>;
  close(): Promise<void>;
}

interface Stay {
  readonly guest: Guest;
  /** Requests that are being answered. */
  busy: number;
  cancel: () => void;
}

export function createKeeper({ timers, idleMilliseconds, most, onFault }: KeeperOptions): Keeper {
  const stays = new Map<string, Stay>();
  const remove = async (name: string, reason: string): Promise<void> => {
    const stay = stays.get(name);
    if (stay === undefined) return;
    stays.delete(name);
    stay.cancel();
    await stay.guest.leave(reason);
  };
  const watch = (name: string, stay: Stay): void => {
    stay.cancel();
    if (stay.busy > 0 || stays.get(name) !== stay) return;
    stay.cancel = timers.after(idleMilliseconds, () => void remove(name, 'the client left').catch(onFault));
  };
  return {
    has: name => stays.has(name),
    add(name, guest) {
      if (stays.size >= most)
        throw new HttpError(503, `${most} clients are here already. Try again when one of them has left.`);
      const stay = { guest, busy: 0, cancel: () => undefined };
      stays.set(name, stay);
      watch(name, stay);
    },
    async serve(name, work) {
      const stay = stays.get(name);
      if (stay === undefined) throw new HttpError(404, 'There is no such session: it has ended. Begin another one.');
      stay.busy++;
      stay.cancel();
      try {
        await work(stay.guest);
      } finally {
        stay.busy--;
        watch(name, stay);
      }
    },
    remove,
    async close() {
      await Promise.all([...stays.keys()].map(name => remove(name, 'the server closed')));
    },
  };
}
