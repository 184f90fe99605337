import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { SiteFile } from '../../../../src/envs/web/sessions/site.ts';
import type { Attack, AttackTools } from '../attack.ts';
import { openCanary, openCanaryBeside, type Canary } from '../canary.ts';

/** Addresses that an attack can name. */
export interface Places {
  /** The site's own origin. */
  readonly own: string;
  readonly ownPort: number;
  /** Origins of the canary. */
  readonly out: string;
  readonly port: number;
  /** A name that this machine has for itself, beside localhost. */
  readonly machine: string;
}

/** A file of a hostile site: its text, or more about it. */
type HostileFile =
  | string
  | { readonly text?: string; readonly headers?: Readonly<Record<string, string>>; readonly status?: number };

/** A page that tries to get out by itself as soon as it is open; then its first button is clicked, if it has one. */
export interface PageAttack {
  readonly name: string;
  readonly how: string;
  readonly needs?: string;
  /** Files by path; `/` is where the session starts. A path that ends with `.js` is a script. */
  files(places: Places): Readonly<Record<string, HostileFile>>;
}

/** Where an attack sends what it read of this machine, though it may not: to its own server. */
export const lootPath = '/loot';
/** Milliseconds after which nothing is on its way any more. */
const afterClosing = 200;

/** Page attacks as rows of the table. */
export function pageAttacks(area: string, attacks: readonly PageAttack[]): readonly Attack[] {
  return attacks.map(attack => ({
    area,
    name: attack.name,
    how: attack.how,
    needs: attack.needs,
    run: tools => inHostileSite(attack, tools),
  }));
}

async function inHostileSite(attack: PageAttack, { visit }: AttackTools): Promise<string | null> {
  const canary = await openCanary();
  const site = await serveHostile(attack, canary.port);
  const beside = await openCanaryBeside(site.places.ownPort);
  try {
    await visit(site.places.own);
    await wait(afterClosing);
    const loot = site.loot() > 0 ? ['a file of this machine was sent'] : [];
    return escapeOf([...sightings(canary, beside), ...loot]);
  } finally {
    await Promise.all([canary.close(), beside?.close(), site.close()]);
  }
}

function sightings(...canaries: readonly (Canary | null)[]): readonly string[] {
  return canaries.flatMap(canary => canary?.seen() ?? []);
}

function escapeOf(seen: readonly string[]): string | null {
  return seen.length === 0 ? null : [...new Set(seen)].join(', ');
}

/** Page attacks again, from a site that no server stands behind: the browser has all its files from us. */
export function filesAttacks(area: string, attacks: readonly PageAttack[]): readonly Attack[] {
  return attacks.map(({ name, how, files }) => ({
    area,
    name,
    how,
    needs: 'a server; a bare browser has none for these pages',
    async run({ visit }) {
      const canary = await openCanary();
      const own = 'http://hostile.test';
      const served = files({
        own,
        ownPort: 80,
        out: `http://127.0.0.1:${canary.port}`,
        port: canary.port,
        machine: hostname(),
      });
      try {
        await visit(own, async path => contentOf(path, served[path]));
        await wait(afterClosing);
        return escapeOf(sightings(canary));
      } finally {
        await canary.close();
      }
    },
  }));
}

function contentOf(path: string, file: HostileFile | undefined): SiteFile | null {
  if (typeof file !== 'string') return null;
  return { body: Buffer.from(file), type: path.endsWith('.js') ? 'text/javascript' : 'text/html; charset=utf-8' };
}

export interface HostileSite {
  readonly places: Places;
  /** How often something was sent that the page must not know. */
  loot(): number;
  /** Paths that were asked for. */
  asked(): readonly string[];
  close(): Promise<void>;
}

export async function serveHostile(attack: PageAttack, port: number): Promise<HostileSite> {
  let loot = 0;
  const asked: string[] = [];
  let files: Readonly<Record<string, HostileFile>> = {};
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
    asked.push(pathname);
    if (pathname === lootPath) loot++;
    request.resume();
    reply({ request, response, pathname }, files[pathname]);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port: ownPort } = server.address() as AddressInfo;
  const places: Places = {
    own: `http://127.0.0.1:${ownPort}`,
    ownPort,
    out: `http://127.0.0.1:${port}`,
    port,
    machine: hostname(),
  };
  files = attack.files(places);
  return { places, loot: () => loot, asked: () => asked, close: () => stop(server) };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly pathname: string;
}

function reply({ response, pathname }: Exchange, file: HostileFile | undefined): void {
  if (file === undefined) return void response.writeHead(pathname === lootPath ? 204 : 404).end();
  const { text = '', headers = {}, status = 200 } = typeof file === 'string' ? { text: file } : file;
  const isScript = pathname.endsWith('.js');
  response.writeHead(status, { 'content-type': isScript ? 'text/javascript' : 'text/html; charset=utf-8', ...headers });
  response.end(isScript || pathname !== '/' ? text : `<!doctype html><title>A site</title><h1>A site</h1>${text}`);
}

async function stop(server: Server): Promise<void> {
  await new Promise<void>(resolve => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
