const past = /^\w{3}, 0?1[ -]Jan[ -](?:19)?70 00:00:0\d (?:GMT|UTC)$/i;

/**
 * Whether a restore can undo what a script writes to `document.cookie`. A page reads names and values only: it does
 * not see cookies of other paths, nor flags or the time of expiry. So only cookies for the path / without more are kept.
 */
export function isKeptCookie(written: unknown, pathname: string): boolean {
  if (typeof written !== 'string' || /\p{Cc}/u.test(written)) return false;
  const [, ...attributes] = written.split(';');
  let hasPath = false;
  for (const attribute of attributes) {
    const [name = '', ...rest] = attribute.split('=');
    const value = rest.join('=').trim();
    switch (name.trim().toLowerCase()) {
      case '':
        break;
      case 'path':
        if (value !== '/') return false;
        hasPath = true;
        break;
      // These take a cookie away at once.
      case 'max-age':
        if (!/^(?:0|-\d+)$/.test(value)) return false;
        break;
      case 'expires':
        if (!past.test(value)) return false;
        break;
      default:
        return false;
    }
  }
  return hasPath || pathname.lastIndexOf('/') <= 0;
}
