import type { IncomingHttpHeaders } from 'node:http';
import type { Dialect } from '../../models/dialects/dialect.ts';
import { HttpError } from '../http.ts';
import { sessionPattern } from './sessions.ts';

/** What a harness asks for. */
export type Route =
  | { readonly to: 'call'; readonly dialect: Dialect['name']; readonly session: string }
  | { readonly to: 'models'; readonly dialect: Dialect['name'] }
  | { readonly to: 'count-tokens' };

/** The session of clients that name none: it belongs to nobody. */
export const defaultSession = 'default';
const sessionHeader = 'x-espalier-session';
/** A key that begins so is the name of a session, and no secret, unless one follows after a colon. */
const sessionKey = 's-';

function isSessionName(key: string): boolean {
  return key.startsWith(sessionKey) && !key.includes(':');
}

const calls: Readonly<Record<string, Dialect['name']>> = {
  '/v1/chat/completions': 'openai',
  '/v1/responses': 'responses',
  '/v1/messages': 'anthropic',
};

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

export function readRoute({ method, path, headers }: Asked): Route {
  const [, named, behind] = /^\/s\/([^/]*)(\/.*)$/.exec(path) ?? [];
  const place = behind ?? path;
  const dialect = calls[place];
  if (dialect !== undefined) {
    requireMethod(method, 'POST', place);
    return { to: 'call', dialect, session: sessionOf(named, headers) };
  }
  if (place === '/v1/models') {
    requireMethod(method, 'GET', place);
    // Both families list models at the same place; only one of them names a version of its interface.
    return { to: 'models', dialect: headers['anthropic-version'] === undefined ? 'openai' : 'anthropic' };
  }
  if (place === '/v1/messages/count_tokens') {
    requireMethod(method, 'POST', place);
    return { to: 'count-tokens' };
  }
  const known = [...Object.keys(calls), '/v1/models', '/s/<session>/v1/…', '/espalier/sessions'];
  throw new HttpError(404, `There is nothing at ${path}. Expected one of: ${known.join(', ')}.`);
}

export function requireMethod(method: string, expected: 'GET' | 'POST', path: string): void {
  if (method !== expected) throw new HttpError(405, `${path} takes ${expected}, not ${method}.`);
}

function sessionOf(named: string | undefined, headers: IncomingHttpHeaders): string {
  const header = headers[sessionHeader];
  const key = keyOf(headers);
  const said = named ?? (typeof header === 'string' ? header : undefined);
  if (said !== undefined || key?.startsWith(sessionKey) !== true) return readSession(said ?? defaultSession);
  const [inKey = ''] = key.slice(sessionKey.length).split(':');
  if (sessionPattern.test(inKey)) return inKey;
  // It may be a key, so it is not repeated.
  throw new HttpError(400, `The key begins with "${sessionKey}", but no name of a session follows. ${sessionNames}`);
}

const sessionNames = 'Expected letters, digits, dots, dashes and underscores, at most 100 of them.';

export function readSession(name: string): string {
  if (sessionPattern.test(name)) return name;
  throw new HttpError(400, `"${name.slice(0, 120)}" is no name of a session. ${sessionNames}`);
}

/** Headers that carry keys: of OpenAI and most others, Anthropic, Azure, Google, and what gateways use. */
const keyHeaders = [
  'authorization',
  'proxy-authorization',
  'proxy-authenticate',
  'x-api-key',
  'api-key',
  'x-goog-api-key',
  'x-auth-token',
  'x-access-token',
];

/** Every key that a request carries, in its headers and in its address; names of sessions are none. */
export function secretsOf({ headers, url = '' }: { headers: IncomingHttpHeaders; url?: string | undefined }): string[] {
  const inHeaders = keyHeaders.flatMap(name => headers[name] ?? []).map(value => value.replace(/^\w+\s+/, ''));
  const query = new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?')) : '');
  const inAddress = [...query].filter(([name]) => /key|token|secret/i.test(name)).map(([, value]) => value);
  return [...new Set([...inHeaders, ...inAddress])].filter(key => key !== '' && !isSessionName(key));
}

/** The key that the harness sends; null when there is none. */
function keyOf({ authorization, 'x-api-key': plain }: IncomingHttpHeaders): string | null {
  if (typeof plain === 'string') return plain;
  return /^Bearer\s+(.+)$/i.exec(authorization ?? '')?.[1] ?? null;
}

/** What proves whose a session is: a key, or what stands behind the name of the session in it. */
export function ownerKeyOf(headers: IncomingHttpHeaders): string | null {
  const key = keyOf(headers);
  return key === null || isSessionName(key) ? null : key;
}

/** The key that the harness sends, unless it is the name of a session. */
export function secretOf(headers: IncomingHttpHeaders): string | null {
  const key = keyOf(headers);
  return key === null || key.startsWith(sessionKey) ? null : key;
}
