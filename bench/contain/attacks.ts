import type { Attack } from './attack.ts';
import { addressAttacks } from './pages/addresses.ts';
import { frameAttacks } from './pages/frames.ts';
import { filesAttacks, pageAttacks } from './pages/hostile-site.ts';
import { localAttacks } from './pages/local-files.ts';
import { neighbourAttacks } from './pages/neighbours.ts';
import { reportAttacks } from './pages/reports.ts';
import { elementAttacks, hintAttacks, requestAttacks } from './pages/requests.ts';
import { socketAttacks } from './pages/sockets.ts';
import { windowAttacks } from './pages/windows.ts';
import { workerAttacks } from './pages/workers.ts';

/** Those that reach the network in other ways than others do. */
const fewer = new Set(['fetch', 'WebSocket', 'WebTransport', 'WebRTC STUN', 'worker WebSocket', 'shared worker']);
const some = [...requestAttacks, ...socketAttacks, ...workerAttacks].filter(({ name }) => fewer.has(name));

/** Every attack on record. A new one is a line here, or an entry in one of these lists. */
export const attacks: readonly Attack[] = [
  ...pageAttacks('requests of scripts', requestAttacks),
  ...pageAttacks('requests of elements', elementAttacks),
  ...pageAttacks('hints', hintAttacks),
  ...pageAttacks('sockets', socketAttacks),
  ...pageAttacks('workers', workerAttacks),
  ...pageAttacks('frames', frameAttacks),
  ...pageAttacks('windows and navigation', windowAttacks),
  ...pageAttacks('reports and services', reportAttacks),
  ...pageAttacks('addresses', addressAttacks),
  ...pageAttacks('this machine', localAttacks),
  ...filesAttacks('pages without a server', some),
  ...neighbourAttacks,
];
