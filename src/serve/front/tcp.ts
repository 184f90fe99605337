import { createServer } from 'node:net';
import type { Timers } from '../../core/clock.ts';
import { createBackends, type Backend } from './backends.ts';
import { connected, join } from './forward.ts';

export interface TcpFrontOptions {
  readonly host: string;
  readonly port: number;
  readonly backends: readonly Backend[];
  readonly timers: Timers;
}

/** One port for servers of a protocol whose requests stand alone: each connection goes to the server that has the fewest. */
export async function createTcpFront({ host, port, backends: all, timers }: TcpFrontOptions) {
  const backends = createBackends({ all, timers });
  const server = createServer({ noDelay: true, keepAlive: true }, client => {
    client.on('error', () => undefined);
    backends
      .reach(null, async address => join(client, await connected(address), backends.occupy(address)))
      .catch(() => client.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { port: found } = server.address() as { port: number };
  return {
    address: `tcp://${host}:${found}`,
    close: () => new Promise<void>(resolve => void server.close(() => resolve())),
  };
}
