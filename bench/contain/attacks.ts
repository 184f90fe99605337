import type { Attack } from './attack.ts';
import { addressAttacks } from './pages/addresses.ts';
import { frameAttacks } from './pages/frames.ts';
import { pageAttacks } from './pages/hostile-site.ts';
import { localAttacks } from './pages/local-files.ts';
import { reportAttacks } from './pages/reports.ts';
import { elementAttacks, hintAttacks, requestAttacks } from './pages/requests.ts';
import { socketAttacks } from './pages/sockets.ts';
import { windowAttacks } from './pages/windows.ts';
import { workerAttacks } from './pages/workers.ts';

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
];
