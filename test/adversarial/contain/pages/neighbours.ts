import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { Attack } from '../attack.ts';
import { serveHostile } from './hostile-site.ts';
import { script } from './requests.ts';
import { siteAt } from './visit.ts';

const viewport = { width: 600, height: 400 };

/** What runs in the same browser, and the browser itself. */
export const neighbourAttacks: readonly Attack[] = [
  {
    area: 'other sessions',
    name: 'server of another session',
    how: 'a page asks the server of a session that is open in the same browser',
    async run({ visit, pool }) {
      const other = await serveHostile({ name: '', how: '', files: () => ({ '/': '' }) }, 0);
      const environment = siteAt(pool, other.places.own);
      const session = await environment.open(await environment.task('look', 1));
      const { own, ownPort } = other.places;
      const page = script(`fetch('${own}/stolen', { mode: 'no-cors' }).catch(() => 0);
        new WebSocket('ws://127.0.0.1:${ownPort}/stolen'); new SharedWorker('/shared.js')`);
      const files = { '/': page, '/shared.js': `fetch('${own}/stolen', { mode: 'no-cors' })` };
      const hostile = await serveHostile({ name: '', how: '', files: () => files }, 0);
      try {
        await visit(hostile.places.own);
        return other.asked().includes('/stolen') ? 'the other server was asked' : null;
      } finally {
        await session.close();
        await Promise.all([other.close(), hostile.close()]);
      }
    },
  },
  {
    area: 'other sessions',
    name: 'port of the browser',
    how: 'the browser listens for debuggers, or for anything else',
    needs: 'a browser that is started with a debugging port',
    async run({ pool }) {
      const page = await pool.open(viewport);
      try {
        const ports = listeningPorts(pool.figures().processes);
        return ports > 0 ? `${ports} ports listen` : null;
      } finally {
        await page.close();
      }
    },
  },
];

/** Ports on which these browsers, or processes that they started, listen. Only Linux tells. */
function listeningPorts(browsers: readonly number[]): number {
  const listening = new Set(['tcp', 'tcp6'].flatMap(listeningSockets));
  const processes = readdirSync('/proc').filter(name => /^\d+$/.test(name) && browsers.includes(groupOf(name)));
  return processes.flatMap(socketsOf).filter(socket => listening.has(socket)).length;
}

function listeningSockets(protocol: string): string[] {
  const lines = readFileSync(`/proc/net/${protocol}`, 'utf8').split('\n').slice(1);
  return lines
    .map(line => line.trim().split(/\s+/))
    .flatMap(([, , , state, , , , , , inode]) => (state === '0A' && inode !== undefined ? [`socket:[${inode}]`] : []));
}

/** The process group; a process that is gone has none. */
function groupOf(process: string): number {
  try {
    return Number(/^.*\) \S \d+ (\d+) /.exec(readFileSync(`/proc/${process}/stat`, 'utf8'))?.[1]);
  } catch {
    return -1;
  }
}

function socketsOf(process: string): string[] {
  try {
    return readdirSync(`/proc/${process}/fd`).map(name => readlinkSync(`/proc/${process}/fd/${name}`));
  } catch {
    return [];
  }
}
