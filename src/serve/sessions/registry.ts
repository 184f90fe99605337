import type { Client, ServedSession } from './served-session.ts';
import { noSession, SessionError } from './session-error.ts';

export interface RegistryOptions {
  /** Sessions open at once, in all and of one client. */
  readonly most: number;
  readonly mostOfClient: number;
}

/** Which sessions there are, and whose they are. */
export interface Registry {
  /** Sessions that go on. */
  size(): number;
  /** Sessions that have finished and can still be read. They take no place. */
  finished(): number;
  all(): Iterable<ServedSession>;
  find(id: string): ServedSession;
  has(session: ServedSession): boolean;
  add(session: ServedSession, client: Client | null): void;
  /** It has finished: its place is free. When too many have, the one that finished first is dropped. */
  finish(session: ServedSession): void;
  /** Takes a place again, if it has finished. Throws when there is none. */
  resume(session: ServedSession): void;
  remove(session: ServedSession): void;
  /** Says why a session is not there any more, when somebody looks for it. */
  markLost(id: string, cause: Error): void;
  /** From now on it belongs to this client. */
  give(session: ServedSession, client: Client): void;
  /** Takes the sessions of a client that is gone away from it. */
  release(client: Client): ServedSession[];
  /** Does the work when there is room for so many more sessions of this client. */
  withRoom<T>(client: Client | null, count: number, work: () => Promise<T>): Promise<T>;
}

export function createRegistry({ most, mostOfClient }: RegistryOptions): Registry {
  const sessions = new Map<string, ServedSession>();
  const finished = new Set<ServedSession>();
  const owners = createOwners();
  const lost = new Map<string, Error>();
  const room = createRoom();

  const requireRoom = (client: Client | null, count: number): void => {
    const own = client === null ? 0 : owners.open(client) + room.takenBy(client);
    const all = sessions.size - finished.size + room.taken();
    const limit = client?.isShared === true ? Math.min(mostOfClient, Math.ceil(most / 2)) : mostOfClient;
    if (own + count > limit) throw full(count, own, limit);
    if (all + count > most) throw full(count, all, most);
  };
  const has = (session: ServedSession): boolean => sessions.get(session.id) === session;
  const remove = (session: ServedSession): void => {
    if (!has(session)) return;
    sessions.delete(session.id);
    finished.delete(session);
    owners.remove(session);
  };
  const finish = (session: ServedSession): void => {
    if (!has(session) || finished.has(session)) return;
    finished.add(session);
    const own = owners.finish(session);
    if (own !== null && own.size > mostOfClient) remove(first(own));
    if (finished.size > most) remove(first(finished));
  };
  const find = (id: string): ServedSession => {
    const found = sessions.get(id);
    if (found === undefined) throw lost.get(id) ?? noSession(id);
    return found;
  };
  return {
    has,
    find,
    finish,
    remove,
    give: (session, client) => owners.give(session, client, finished.has(session)),
    release: owners.release,
    markLost: (id, cause) => void lost.set(id, cause),
    size: () => sessions.size - finished.size,
    finished: () => finished.size,
    all: () => sessions.values(),
    add(session, client) {
      sessions.set(session.id, session);
      if (client !== null) owners.give(session, client, false);
    },
    resume(session) {
      if (!finished.has(session)) return;
      requireRoom(session.client, 1);
      finished.delete(session);
      if (session.client !== null) owners.give(session, session.client, false);
    },
    async withRoom(client, count, work) {
      requireRoom(client, count);
      return room.during(client, count, work);
    },
  };
}

function first(sessions: ReadonlySet<ServedSession>): ServedSession {
  return sessions.values().next().value as ServedSession;
}

/** Who has which sessions. */
interface Owners {
  /** Sessions of a client that go on. */
  open(client: Client): number;
  give(session: ServedSession, client: Client, isFinished: boolean): void;
  /** It has finished. Gives the finished ones of its client, the oldest first; null when it has no client. */
  finish(session: ServedSession): ReadonlySet<ServedSession> | null;
  remove(session: ServedSession): void;
  release(client: Client): ServedSession[];
}

function createOwners(): Owners {
  const owned = new Map<Client, { open: Set<ServedSession>; finished: Set<ServedSession> }>();
  const remove = (session: ServedSession): void => {
    const own = session.client === null ? undefined : owned.get(session.client);
    own?.open.delete(session);
    own?.finished.delete(session);
    if (own?.open.size === 0 && own.finished.size === 0) owned.delete(session.client as Client);
  };
  const give: Owners['give'] = (session, client, isFinished) => {
    remove(session);
    session.client = client;
    const own = owned.get(client) ?? { open: new Set(), finished: new Set() };
    owned.set(client, own);
    (isFinished ? own.finished : own.open).add(session);
  };
  return {
    give,
    remove,
    open: client => owned.get(client)?.open.size ?? 0,
    finish(session) {
      if (session.client === null) return null;
      give(session, session.client, true);
      return owned.get(session.client)?.finished ?? null;
    },
    release(client) {
      const own = owned.get(client);
      owned.delete(client);
      const mine = [...(own?.open ?? []), ...(own?.finished ?? [])];
      for (const session of mine) session.client = null;
      return mine;
    },
  };
}

/** Places of sessions that are being opened, in all and by client. */
interface Room {
  taken(): number;
  takenBy(client: Client): number;
  /** Takes places until the work is done. */
  during<T>(client: Client | null, count: number, work: () => Promise<T>): Promise<T>;
}

function createRoom(): Room {
  let all = 0;
  const byClient = new Map<Client, number>();
  const take = (client: Client | null, count: number): void => {
    all += count;
    if (client === null) return;
    const left = (byClient.get(client) ?? 0) + count;
    if (left === 0) byClient.delete(client);
    else byClient.set(client, left);
  };
  return {
    taken: () => all,
    takenBy: client => byClient.get(client) ?? 0,
    async during(client, count, work) {
      take(client, count);
      try {
        return await work();
      } finally {
        take(client, -count);
      }
    },
  };
}

function full(count: number, active: number, limit: number): SessionError {
  return new SessionError(
    'capacity',
    `There is no room for ${count} more: ${active} of at most ${limit} sessions are open. Close some, or try again later.`,
    { active_sessions: active, max_sessions: limit },
  );
}
