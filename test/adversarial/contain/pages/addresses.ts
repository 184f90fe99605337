import type { PageAttack, Places } from './hostile-site.ts';
import { script } from './requests.ts';

/** Every way to ask a single address. */
const ask = (...urls: readonly string[]): string =>
  urls
    .map(
      url =>
        `<img src="${url}/i.png">${script(`fetch('${url}/x', { mode: 'no-cors' }).catch(() => 0);
        try { new WebSocket('${url.replace('http', 'ws')}/s') } catch {}`)}`,
    )
    .join('');

const at = (name: string, how: string, urls: (places: Places) => readonly string[]): PageAttack => ({
  name,
  how,
  files: places => ({ '/': ask(...urls(places)) }),
});

/** Other names for this machine. */
export const addressAttacks: readonly PageAttack[] = [
  at('localhost', 'another port by name', ({ port }) => [`http://localhost:${port}`]),
  at('own port of localhost', 'the port of the site by another name', ({ ownPort }) => [`http://localhost:${ownPort}`]),
  at('own port of 127.0.0.2', 'the port of the site on another address', ({ ownPort }) => [
    `http://127.0.0.2:${ownPort}`,
  ]),
  at('own port of ::1', 'the port of the site on IPv6', ({ ownPort }) => [`http://[::1]:${ownPort}`]),
  at('IPv6', 'another port on ::1, and as a mapped address', ({ port }) => [
    `http://[::1]:${port}`,
    `http://[::ffff:127.0.0.1]:${port}`,
  ]),
  at('address in disguise', '127.0.0.1 as a number, in octal, in short, and as 0.0.0.0', ({ port }) => [
    `http://2130706433:${port}`,
    `http://0177.0.0.1:${port}`,
    `http://127.1:${port}`,
    `http://0.0.0.0:${port}`,
  ]),
  at('user in the address', 'the own origin stands before an @', ({ port, ownPort }) => [
    `http://127.0.0.1:${ownPort}@127.0.0.1:${port}`,
    `http://127.0.0.1%3A${ownPort}@localhost:${port}`,
  ]),
  at('name of the machine', 'the name that /etc/hosts has for it', ({ port, machine }) => [
    `http://${machine}:${port}`,
    `http://${machine}.localhost:${port}`,
    `http://${machine}.:${port}`,
  ]),
  {
    name: 'other schemes',
    how: 'https, ftp, wss on another port, and https on the own one',
    files: ({ port, ownPort }) => ({
      '/': `${['https', 'ftp'].map(scheme => `<img src="${scheme}://127.0.0.1:${port}/x"><iframe src="${scheme}://127.0.0.1:${port}/y"></iframe>`).join('')}
        <img src="https://localhost:${ownPort}/x">${script(`new WebSocket('wss://127.0.0.1:${port}/x')`)}`,
    }),
  },
  {
    name: 'credentials dialog',
    how: 'the site asks for a password, then sends the answer elsewhere',
    files: ({ out }) => ({
      '/': `<img src="/secret"><iframe src="/secret"></iframe>`,
      '/secret': { status: 401, headers: { 'www-authenticate': 'Basic realm="x"' }, text: `<img src="${out}/x.png">` },
    }),
  },
];
