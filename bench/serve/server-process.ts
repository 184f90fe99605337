import { randomUUID } from 'node:crypto';
import { environments } from '../../src/catalog.ts';
import { createServedParts } from '../../src/serve/assembly/served-parts.ts';
import { createOffer } from '../../src/serve/mcp/offer.ts';
import { createSystemClock, createSystemTimers } from '../../src/system/clock.ts';
import { readArgument, tellParent } from '../models/child.ts';
import { heapInUse } from '../measure.ts';

/** What the parent says to begin with. */
export interface ServerArgument {
  readonly out: string;
  /** Seconds without a request after which a session is abandoned. */
  readonly idle?: number;
}

/** What it is told: where the server is, then its memory each time that it asks. */
export type ServerNews =
  | { readonly kind: 'ready'; readonly url: string; readonly resumed: number; readonly seconds: number }
  | {
      readonly kind: 'memory';
      readonly mebibytes: number;
      readonly heapMebibytes: number;
      /** Buffers and what else lies outside of the heap. */
      readonly externalMebibytes: number;
      /** Sockets, timers and other resources that are open. */
      readonly handles: number;
    };

const { out, idle = 600 } = readArgument<ServerArgument>();
const [mail] = environments;
if (mail === undefined) throw new Error('There is no environment to serve.');
const environment = await mail.load();
const begun = performance.now();
const parts = createServedParts({
  environments: [{ environment, offer: createOffer(environment.id, environment.tools, true) }],
  idle,
  sessions: 20_000,
  clientSessions: 20_000,
  out,
  version: '0.0.0',
  clock: createSystemClock(),
  timers: createSystemTimers(),
  drawSeed: () => 1,
  createId: () => `s-${randomUUID()}`,
  log: { write: () => undefined },
});
const resumed = await parts.resume();
const server = await parts.listen({ host: '127.0.0.1', port: 0, keys: { student: null, teacher: null } });
const seconds = (performance.now() - begun) / 1000;
tellParent({ kind: 'ready', url: server.url, resumed: resumed?.sessions ?? 0, seconds });
process.on('message', () => {
  const heapMebibytes = heapInUse();
  const { rss, external } = process.memoryUsage();
  const sizes = { mebibytes: rss / 2 ** 20, heapMebibytes, externalMebibytes: external / 2 ** 20 };
  tellParent({ kind: 'memory', ...sizes, handles: process.getActiveResourcesInfo().length });
});
