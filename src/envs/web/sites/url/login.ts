import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { causeText, EspalierError } from '../../../../core/errors.ts';
import type { Page } from '../../browser/page.ts';
import type { Http } from '../../servers/http-pair.ts';
import { describeIssues } from '../../../../core/records.ts';

const cookieSchema = z.object({
  name: z.string(),
  value: z.string(),
  domain: z.string().optional(),
  path: z.string().default('/'),
  expires: z.number().default(-1),
  httpOnly: z.boolean().default(false),
  secure: z.boolean().default(false),
  sameSite: z.enum(['Strict', 'Lax', 'None']).optional(),
});
const namedSchema = z.array(z.object({ name: z.string(), value: z.string() }));

/** Who is signed in: cookies and local storage, as Playwright writes them. */
const storageStateSchema = z.object({
  cookies: z.array(cookieSchema).default([]),
  origins: z.array(z.object({ origin: z.string(), localStorage: namedSchema.default([]) })).default([]),
});
export type StorageState = z.input<typeof storageStateSchema>;
type Storage = z.infer<typeof storageStateSchema>;

/** A file, the state itself, or a function that signs in: it gives the state, or an answer that sets cookies. */
export type StorageSource = string | StorageState | ((server: { http: Http }) => Promise<StorageState | Response>);

interface Login {
  readonly source: StorageSource;
  /** Where the module lies. */
  readonly root: string;
  readonly http: Http;
  readonly origin: string;
}

/** Signs a page in before it loads anything. What comes back is done once it has loaded. */
export async function signIn(page: Page, { source, root, http, origin }: Login): Promise<() => Promise<void>> {
  const { cookies, origins } = await readStorage(source, root, http);
  const url = new URL(origin);
  const given = cookies.map(({ domain, expires, ...cookie }) => ({
    ...cookie,
    ...(expires < 0 ? {} : { expires }),
    ...(domain === undefined || isHere(domain) || domain === url.hostname ? { url: origin } : { domain }),
  }));
  if (given.length > 0) await page.send('Network.setCookies', { cookies: given });
  const kept = await page.send<{ cookies: readonly { readonly name: string }[] }>('Network.getAllCookies');
  const gone = given.find(({ name }) => !kept.cookies.some(cookie => cookie.name === name));
  // A browser drops a cookie whose time is over.
  if (gone !== undefined) throw signedOut(`the cookie "${gone.name}" of the login has expired`);
  const items = origins.filter(({ origin: place }) => place === origin || isHere(new URL(place).hostname));
  const { identifier } = await page.send<{ identifier: string }>('Page.addScriptToEvaluateOnNewDocument', {
    source: storing(
      origin,
      items.flatMap(({ localStorage }) => localStorage),
    ),
  });
  // Once: what the page does with it later is its own business.
  return async () => void (await page.send('Page.removeScriptToEvaluateOnNewDocument', { identifier }));
}

/** Addresses of this machine: a login that was recorded at one port is good at another. */
function isHere(host: string): boolean {
  return host === 'localhost' || host === '127.0.0.1';
}

function storing(origin: string, items: z.infer<typeof namedSchema>): string {
  return `if (globalThis === globalThis.top && location.origin === ${JSON.stringify(origin)})
    for (const { name, value } of ${JSON.stringify(items)}) localStorage.setItem(name, value);`;
}

async function readStorage(source: StorageSource, root: string, http: Http): Promise<Storage> {
  const given = typeof source === 'function' ? await source({ http }) : source;
  if (given instanceof Response) {
    if (given.status >= 400) throw signedOut(`the login was answered with ${given.status}`);
    return { cookies: given.headers.getSetCookie().map(setCookie), origins: [] };
  }
  const parsed = storageStateSchema.safeParse(typeof given === 'string' ? fileAt(resolve(root, given)) : given);
  if (parsed.success) return parsed.data;
  throw notRead('The storage state', describeIssues(parsed.error));
}

function fileAt(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw notRead(`The storage state ${path}`, causeText(cause));
  }
}

/** Name and value of a `Set-Cookie`; it is for the whole server, as long as the session lasts. */
function setCookie(text: string): Storage['cookies'][number] {
  const [pair = ''] = text.split(';', 1);
  const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
  return { name, value, path: '/', expires: -1, httpOnly: /;\s*httponly/i.test(text), secure: false };
}

function notRead(what: string, why: string): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'invalid-option',
    message: `${what} cannot be read: ${why}.`,
    expected: 'Expected { cookies, origins }, as storageState() of Playwright writes it.',
  });
}

export function signedOut(why: string): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'unavailable',
    message: `Nobody is signed in: ${why}.`,
    expected: 'Sign in again, and write the storage state anew.',
  });
}
