import type { Page } from '../../browser/page.ts';

/** The cookies of a page, those that no script can read included. */
export interface Cookies {
  watch(page: Page): void;
  capture(): Promise<readonly Cookie[]>;
  restore(cookies: readonly Cookie[]): Promise<void>;
}

export interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly domain: string;
  readonly path: string;
  readonly expires: number;
  readonly session: boolean;
  readonly httpOnly: boolean;
  readonly secure: boolean;
  readonly sameSite?: string;
}

export function createCookies(): Cookies {
  let page: Page | null = null;
  const capture = async (): Promise<readonly Cookie[]> => {
    if (page === null) return [];
    const { cookies } = await page.send<{ cookies: readonly Cookie[] }>('Network.getAllCookies');
    return cookies.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  };
  return {
    watch(opened) {
      page = opened;
    },
    capture,
    async restore(wanted) {
      if (page === null || cookieText(wanted) === cookieText(await capture())) return;
      await page.send('Network.clearBrowserCookies');
      if (wanted.length > 0) await page.send('Network.setCookies', { cookies: wanted.map(asGiven) });
    },
  };
}

/** What two jars are compared by. */
export function cookieText(cookies: readonly Cookie[]): string {
  return cookies.length === 0 ? '' : JSON.stringify(cookies.map(asGiven));
}

function keyOf({ domain, path, name }: Cookie): string {
  return [domain, path, name].join(' ');
}

/** As the browser takes it. One for a host alone is given by an address: with a domain it would be for its names, too. */
function asGiven({ name, value, domain, path, expires, session, httpOnly, secure, sameSite }: Cookie): object {
  const place = domain.startsWith('.') ? { domain } : { url: `http${secure ? 's' : ''}://${domain}${path}` };
  const rest = { httpOnly, secure, ...(session ? {} : { expires }), ...(sameSite === undefined ? {} : { sameSite }) };
  return { name, value, path, ...place, ...rest };
}
