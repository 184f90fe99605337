import type { Client, ServedSession } from './served-session.ts';
import { noSession, SessionError } from './session-error.ts';

export interface RegistryOptions {
  /** Sessions open at once, in all and of one client. */
  readonly most: number;
  readonly mostOfClient: number;
}

/** Which sessions there are, and whose they are. */
export interface Registry {
  size(): number;
  all(): Iterable<ServedSession>;
  find(id: string): ServedSession;
  has(session: ServedSession): boolean;
  add(session: ServedSession, client: Client | null): void;
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
  const owned = new Map<Client, Set<ServedSession>>();
  const lost = new Map<string, Error>();
  const room = createRoom();

  const disown = (session: ServedSession): void => {
    if (session.client === null) return;
    const mine = owned.get(session.client);
    mine?.delete(session);
    if (mine?.size === 0) owned.delete(session.client);
  };
  const give = (session: ServedSession, client: Client): void => {
    disown(session);
    session.client = client;
    owned.set(client, (owned.get(client) ?? new Set()).add(session));
  };
  const requireRoom = (client: Client | null, count: number): void => {
    const own = client === null ? 0 : (owned.get(client)?.size ?? 0) + room.takenBy(client);
    const all = sessions.size + room.taken();
    if (own + count > mostOfClient) throw full(count, own, mostOfClient);
    if (all + count > most) throw full(count, all, most);
  };
  return {
    give,
    markLost: (id, cause) => void lost.set(id, cause),
    size: () => sessions.size,
    all: () => sessions.values(),
    find(id) {
      const found = sessions.get(id);
      if (found === undefined) throw lost.get(id) ?? noSession(id);
      return found;
    },
    has: session => sessions.get(session.id) === session,
    add(session, client) {
      sessions.set(session.id, session);
      if (client !== null) give(session, client);
    },
    remove(session) {
      if (sessions.get(session.id) !== session) return;
      sessions.delete(session.id);
      disown(session);
    },
    release(client) {
      const mine = [...(owned.get(client) ?? [])];
      owned.delete(client);
      for (const session of mine) session.client = null;
      return mine;
    },
    async withRoom(client, count, work) {
      requireRoom(client, count);
      room.take(client, count);
      try {
        return await work();
      } finally {
        room.take(client, -count);
      }
    },
  };
}

/** Places of sessions that are being opened, in all and by client. */
interface Room {
  taken(): number;
  takenBy(client: Client): number;
  take(client: Client | null, count: number): void;
}

function createRoom(): Room {
  let all = 0;
  const byClient = new Map<Client, number>();
  return {
    taken: () => all,
    takenBy: client => byClient.get(client) ?? 0,
    take(client, count) {
      all += count;
      if (client === null) return;
      const left = (byClient.get(client) ?? 0) + count;
      if (left === 0) byClient.delete(client);
      else byClient.set(client, left);
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
