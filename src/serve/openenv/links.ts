import { WebSocket } from 'ws';
import type { Role } from '../sessions/keys.ts';
import { placeIn, type ServerPlace } from '../sessions/place.ts';
import { WireError, type WireRequest } from './wire.ts';

/** The ways of one connection to sessions of other servers behind the same address. */
export interface Links {
  /** The place of the server that has the session of a request; null when it is this one. */
  placeOf(request: WireRequest): number | null;
  /** The text of the answer of the server at this place. */
  ask(place: number, request: WireRequest): Promise<string>;
  close(): void;
}

export const noLinks: Links = {
  placeOf: () => null,
  ask: () => Promise.reject(lost()),
  close: () => undefined,
};

/** A connection to each of the others, opened when it is needed first: what it owns ends with the connection of the client. */
export function createLinks(own: ServerPlace, role: Role): Links {
  const links = new Map<number, Link>();
  let isClosed = false;
  return {
    placeOf(request) {
      const session = sessionIn(request);
      const place = session === null ? null : placeIn(session);
      return place === own.number ? null : place;
    },
    ask(place, request) {
      if (isClosed) return Promise.reject(lost());
      const known = links.get(place);
      const link = known ?? openLink(own, place, role);
      if (known === undefined) {
        links.set(place, link);
        void link.closed.then(() => links.delete(place));
      }
      return link.ask(request);
    },
    close() {
      isClosed = true;
      for (const link of links.values()) link.close();
    },
  };
}

/** The session that a request means, if it names one. */
function sessionIn({ type, data, session }: WireRequest): string | null {
  if (session !== null) return session;
  const params = (type === 'mcp' ? data['params'] : null) as { readonly session_id?: unknown } | null | undefined;
  const named = type === 'attach' ? data['session'] : params?.session_id;
  return typeof named === 'string' ? named : null;
}

interface Link {
  readonly closed: Promise<void>;
  ask(request: WireRequest): Promise<string>;
  close(): void;
}

interface Waiting {
  readonly id: WireRequest['id'];
  resolve(text: string): void;
  reject(cause: WireError): void;
}

function openLink({ front, keyOf }: ServerPlace, place: number, role: Role): Link {
  const key = keyOf(role);
  const headers = key === null ? {} : { authorization: `Bearer ${key}` };
  const socket = new WebSocket(`${front.replace(/^http/, 'ws')}/ws?place=${place}`, {
    headers,
    perMessageDeflate: false,
  });
  const waiting = new Map<number, Waiting>();
  let asked = 0;
  const opened = new Promise<void>(resolve => void socket.once('open', resolve));
  const closed = new Promise<void>(resolve => void socket.once('close', () => resolve()));
  // The close that follows says enough.
  socket.on('error', () => undefined);
  socket.on('message', (data: Buffer) => {
    const answer = JSON.parse(data.toString('utf8')) as { id?: unknown };
    const found = waiting.get(Number(answer.id));
    waiting.delete(Number(answer.id));
    if (found === undefined) return;
    const { id: _own, ...rest } = answer;
    found.resolve(JSON.stringify(found.id === null ? rest : { ...rest, id: found.id }));
  });
  void closed.then(() => {
    for (const { reject } of waiting.values()) reject(lost());
  });
  return {
    closed,
    ask: ({ type, data, session, id, request }) =>
      new Promise((resolve, reject) => {
        const number = ++asked;
        waiting.set(number, { id, resolve, reject });
        const frame = { type, data, session: session ?? undefined, request: request ?? undefined, id: number };
        void opened.then(() => socket.send(JSON.stringify(frame), () => undefined));
      }),
    close: () => socket.close(),
  };
}

function lost(): WireError {
  return new WireError(
    'EXECUTION_ERROR',
    'The server that has this session cannot be reached now, so the request may have been done or not. Send it again: a step that has a "request" is taken once.',
  );
}
