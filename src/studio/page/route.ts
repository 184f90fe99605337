/** Where the studio is: everything that is shown stands in the address, so that every view is a link. */
export interface Route {
  readonly parts: readonly string[];
  readonly query: Readonly<Record<string, string>>;
}

export function readRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  return {
    parts: path
      .split('/')
      .filter(part => part !== '')
      .map(decoded),
    query: Object.fromEntries(new URLSearchParams(query)),
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** A link; members of the query without a value are left out. */
export function linkTo(
  parts: readonly (string | number)[],
  query: Readonly<Record<string, string | number | null | undefined>> = {},
): string {
  const path = parts.map(part => encodeURIComponent(part)).join('/');
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return `#/${path}${text === '' ? '' : `?${text}`}`;
}

/** Goes to a link without a step in the history of the browser: for what changes with every key. */
export function replaceRoute(link: string): void {
  history.replaceState(null, '', link);
  dispatchEvent(new HashChangeEvent('hashchange'));
}
