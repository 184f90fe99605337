import type { IncomingMessage, ServerResponse } from 'node:http';

const cookieName = 'espalier_session';

/** The session that the cookie of a request names; null without one. */
export function sessionIdIn({ headers }: Pick<IncomingMessage, 'headers'>): string | null {
  for (const part of (headers.cookie ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at < 0 || part.slice(0, at).trim() !== cookieName) continue;
    // Python's cookie library quotes some values.
    const value = part
      .slice(at + 1)
      .trim()
      .replace(/^"(.*)"$/, '$1');
    return /^[\w-]{1,255}$/.test(value) ? value : null;
  }
  return null;
}

/** Goes with every answer of a session: agents of NeMo Gym keep only the cookies of the last one. */
export function setSessionCookie(response: ServerResponse, id: string): void {
  response.setHeader('set-cookie', `${cookieName}=${id}; Path=/; HttpOnly; SameSite=Strict`);
}
