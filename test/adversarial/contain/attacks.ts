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
import { proxyAttacks } from './proxy.ts';
import { stateAttacks } from './state.ts';
import { verifierAttacks } from './verifiers.ts';

/** Those that reach the network in other ways than others do. */
const fewer = new Set(['fetch', 'WebSocket', 'WebTransport', 'WebRTC STUN', 'worker WebSocket', 'shared worker']);
const some = [...requestAttacks, ...socketAttacks, ...workerAttacks].filter(({ name }) => fewer.has(name));

/** What pages try. */
export const browserAttacks: readonly Attack[] = [
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

/** Attacks that run so many at once; the groups run beside each other. */
export interface AttackGroup {
  readonly attacks: readonly Attack[];
  readonly atOnce: number;
}

/** Pages that are attacked at once: most of their time they wait. */
export const pagesAtOnce = 6;

/** Every attack on record, in the order of the table. A new one is an entry in one of these lists. */
export const attackGroups: readonly AttackGroup[] = [
  { attacks: browserAttacks, atOnce: pagesAtOnce },
  { attacks: stateAttacks, atOnce: 1 },
  { attacks: verifierAttacks, atOnce: 1 },
  { attacks: proxyAttacks, atOnce: 1 },
];
