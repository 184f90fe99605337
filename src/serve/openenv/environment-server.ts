import { WebSocketServer } from 'ws';
import type { Timers } from '../../core/clock.ts';
import { HttpError, listen, pathOf, refuseUpgrade, type ListenOptions, type Listening } from '../http.ts';
import { roleOf, type Role } from '../sessions/keys.ts';
import type { ServerPlace } from '../sessions/place.ts';
import { serveConnection, type IncidentKind, type ServedConnection } from './connection.ts';
import { createRoutes, type RoutesOptions } from './routes.ts';

export interface EnvironmentServerOptions extends Omit<RoutesOptions, 'gauges'>, Pick<ListenOptions, 'host' | 'port'> {
  /** Null for a server that stands alone. */
  readonly place: ServerPlace | null;
  readonly timers: Timers;
  readonly stallMilliseconds: number;
  /** WebSockets open at once. */
  readonly connections: number;
  onIncident(kind: IncidentKind, detail: string, count?: number): void;
}

/** Environments behind OpenEnv: sessions at the WebSocket /ws, the rest over HTTP. */
export interface EnvironmentServer extends Pick<Listening, 'url' | 'port'> {
  connections(): number;
  /** Takes no more connections, tells the open ones that it goes away, and waits for their sessions until `hurry`. */
  close(hurry: AbortSignal): Promise<void>;
}

export async function createEnvironmentServer(options: EnvironmentServerOptions): Promise<EnvironmentServer> {
  const { desk, about, keys, place, timers, stallMilliseconds, onIncident } = options;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: about.limits.messageBytes,
    perMessageDeflate: false,
  });
  const open = new Set<ServedConnection>();
  const gauges = (): Record<string, number> => ({
    espalier_sessions: desk.sessions.active(),
    espalier_sessions_finished: desk.sessions.finished(),
    espalier_sessions_limit: about.limits.sessions,
    espalier_connections: open.size,
  });
  const connect = (role: Role): Parameters<WebSocketServer['handleUpgrade']>[3] => {
    return socket => {
      const client = { name: 'openenv', role };
      const served = serveConnection(socket, { desk, client, place, timers, stallMilliseconds, onIncident });
      open.add(served);
      void served.closed.finally(() => open.delete(served));
    };
  };
  const handler = createRoutes({ ...options, gauges });
  const listening = await listen(handler, {
    ...(options.host === undefined ? {} : { host: options.host }),
    ...(options.port === undefined ? {} : { port: options.port }),
    onFault: desk.onFault,
    connections: options.connections,
    onUpgrade(request, socket, head) {
      try {
        if (pathOf(request) !== '/ws') throw new HttpError(404, 'WebSockets are at /ws.');
        sockets.handleUpgrade(request, socket, head, connect(roleOf(request, keys)));
      } catch (cause) {
        const refusal = cause instanceof HttpError ? cause : new HttpError(500, 'Something broke.');
        if (refusal.status === 401) onIncident('refused-key', refusal.message);
        refuseUpgrade(socket, refusal);
      }
    },
  });
  return {
    url: listening.url,
    port: listening.port,
    connections: () => open.size,
    async close(hurry) {
      const closed = listening.close(hurry);
      await drainAll(open, sockets, hurry);
      await closed;
    },
  };
}

/** Every request that was taken is answered first. A world that hangs is not waited for: whoever has the episodes abandons them. */
async function drainAll(
  open: ReadonlySet<ServedConnection>,
  sockets: WebSocketServer,
  hurry: AbortSignal,
): Promise<void> {
  const late = new Promise<void>(resolve => {
    const cut = (): void => {
      for (const socket of sockets.clients) socket.terminate();
      resolve();
    };
    if (hurry.aborted) cut();
    else hurry.addEventListener('abort', cut, { once: true });
  });
  const drained = [...open].map(async connection => {
    await connection.drain();
    await connection.closed;
  });
  await Promise.race([Promise.all(drained), late]);
}
