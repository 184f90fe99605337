import type { Timers } from '../../core/clock.ts';
import { causeText, EspalierError, invalidOption } from '../../core/errors.ts';
import { isLoopback } from '../http.ts';
import { createIncidentLimit, type IncidentLimit } from '../sessions/incident-limit.ts';
import { SessionError } from '../sessions/session-error.ts';
import type { RunAnswer } from './episode-record.ts';
import { MalformedRequest, pack, readRequest, type RunRequest } from './messages.ts';

export interface VerifiersServerOptions {
  readonly host: string;
  /** 0 for any. */
  readonly port: number;
  /** Runs one rollout. Throws the reason of the signal when it is raised. */
  run(request: RunRequest, signal: AbortSignal): Promise<RunAnswer>;
  readonly timers: Timers;
  /** How long clients may be gone before their runs are stopped. */
  readonly absenceMilliseconds?: number | undefined;
  onIncident(kind: 'malformed-message' | 'vanished-clients', detail: string, count?: number): void;
  onFault(cause: unknown): void;
}

export interface VerifiersServer {
  /** `tcp://127.0.0.1:5000`. */
  readonly address: string;
  close(): Promise<void>;
}

/** Rollouts at once, in all and of one client; more are refused. */
const mostRuns = 1024;
const mostOfClient = mostRuns / 2;
/** A run that takes longer is stopped: its client may be gone, which ZeroMQ does not say. */
const longestRunMilliseconds = 3_600_000;
const usualAbsence = 30_000;
/** A connection that answers no ping for so long is closed. */
const heartbeat = { heartbeatInterval: 5000, heartbeatTimeout: 20_000 };
const longestMessage = 2 ** 22;

/** An environment server of verifiers: a ROUTER socket of ZeroMQ, with msgpack in its messages. */
export async function createVerifiersServer(options: VerifiersServerOptions): Promise<VerifiersServer> {
  const { host, port, onFault } = options;
  if (!isLoopback(host)) throw notPrivate(host);
  const { Router } = await loadZeroMq();
  const socket = new Router({
    ipv6: host.includes(':'),
    maxMessageSize: longestMessage,
    // Sending to a client that is gone fails; to one that does not read, too.
    mandatory: true,
    // A client that comes back before its old connection is seen to end takes its name over. Else it is never answered again.
    handover: true,
    sendTimeout: 0,
    linger: 0,
    ...heartbeat,
  });
  await socket.bind(`tcp://${hostForZeroMq(host)}:${port === 0 ? '*' : port}`);
  const running = new Map<string, AbortController>();
  const inFlight = new Set<Promise<void>>();
  /** One message at a time may be on its way out. */
  let sending: Promise<void> = Promise.resolve();
  const send = (frames: readonly (string | Uint8Array)[]): Promise<void> => {
    const sent = sending.then(() =>
      socket.closed ? undefined : socket.send(frames.map(frame => Buffer.from(frame as Uint8Array))),
    );
    sending = sent.catch(() => undefined);
    return sent;
  };
  const stopWatching = watchClients({ ...options, running, send });
  const malformed = limitMalformed(options);
  const receive = async (): Promise<void> => {
    for await (const frames of socket) {
      if (frames.length !== 4) {
        malformed.add(`a message of ${frames.length} frames`);
        continue;
      }
      const [client, id, method, payload] = frames as [Buffer, Buffer, Buffer, Buffer];
      const request: WireRequest = { client, id, method: method.toString('utf8'), payload };
      const answered = answer(request, { ...options, running, send, malformed })
        .catch(cause => (isReachable(cause) ? onFault(cause) : undefined))
        .finally(() => inFlight.delete(answered));
      inFlight.add(answered);
    }
  };
  const receiving = receive().catch(cause => {
    if (!socket.closed) onFault(cause);
  });
  return {
    address: socket.lastEndpoint ?? '',
    async close() {
      stopWatching();
      malformed.end();
      for (const run of running.values()) run.abort(new Error('The server stops.'));
      await Promise.allSettled(inFlight);
      await sending;
      socket.close();
      await receiving;
    },
  };
}

/** Of all clients together: whoever sends rubbish may come under a new name each time. */
function limitMalformed({ timers, onIncident }: VerifiersServerOptions): IncidentLimit {
  return createIncidentLimit({ timers, report: (detail, count) => onIncident('malformed-message', detail, count) });
}

/** ZeroMQ takes addresses, and those of IPv6 in brackets. */
function hostForZeroMq(host: string): string {
  if (host === 'localhost') return '127.0.0.1';
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

/** A client is taken for gone when it could not be reached so many times in a row. */
const mostMisses = 4;
/** verifiers ignores a change to a trace that it does not wait for. */
const probe = [Buffer.from('probe'), Buffer.from('delta'), Buffer.alloc(0)];

interface ClientWatch extends VerifiersServerOptions {
  readonly running: ReadonlyMap<string, AbortController>;
  send(frames: readonly Uint8Array[]): Promise<void>;
}

/** Stops the runs of clients that are gone. ZeroMQ does not tell who left, but it refuses to send to them. */
function watchClients({
  running,
  send,
  timers,
  onIncident,
  absenceMilliseconds = usualAbsence,
}: ClientWatch): () => void {
  const misses = new Map<string, number>();
  let isStopped = false;
  let cancel = (): void => undefined;
  const stopRuns = (client: string): void => {
    const own = [...running].filter(([key]) => key.startsWith(`${client} `));
    onIncident('vanished-clients', `${own.length} runs stopped, as their client is gone`);
    for (const [, run] of own) run.abort(new Error('Cancelled: the client is gone'));
  };
  const look = async (client: string): Promise<void> => {
    const isThere = await send([Buffer.from(client, 'hex'), ...probe]).then(() => true, isReachable);
    const missed = isThere ? 0 : (misses.get(client) ?? 0) + 1;
    misses.set(client, missed);
    if (missed >= mostMisses) stopRuns(client);
  };
  const sweep = async (): Promise<void> => {
    const clients = new Set(running.keys().map(key => key.slice(0, key.indexOf(' '))));
    for (const client of misses.keys()) if (!clients.has(client)) misses.delete(client);
    for (const client of clients) await look(client);
  };
  const sweepLater = (): void => {
    if (isStopped) return;
    cancel = timers.after(absenceMilliseconds / mostMisses, () => void sweep().finally(sweepLater));
  };
  sweepLater();
  return () => {
    isStopped = true;
    cancel();
  };
}

/** Whether a message that could not be sent failed for another reason than that nobody is there. */
function isReachable(cause: unknown): boolean {
  return (cause as { readonly code?: unknown } | null)?.code !== 'EHOSTUNREACH';
}

/** An optional dependency: it has 40 MB, and only this server needs it. */
async function loadZeroMq(): Promise<typeof import('zeromq')> {
  try {
    return await import('zeromq');
  } catch (cause) {
    throw new EspalierError({
      boundary: 'input',
      code: 'unavailable',
      message: `The package zeromq cannot be loaded: ${causeText(cause)}.`,
      expected: 'Serving verifiers needs it: npm install zeromq@6',
      cause,
    });
  }
}

interface WireRequest {
  readonly client: Buffer;
  readonly id: Buffer;
  readonly method: string;
  readonly payload: Buffer;
}

interface Answering extends VerifiersServerOptions {
  readonly running: Map<string, AbortController>;
  readonly malformed: Pick<IncidentLimit, 'add'>;
  send(frames: readonly (string | Uint8Array)[]): Promise<void>;
}

async function answer(request: WireRequest, answering: Answering): Promise<void> {
  const { client, id } = request;
  const { send } = answering;
  let reply: object;
  try {
    reply = await replyTo(request, answering, delta => send([client, id, Buffer.from('delta'), pack(delta)]));
  } catch (cause) {
    reply = { success: false, error: errorText(cause, answering) };
  }
  await send([client, id, Buffer.from('reply'), pack(reply)]);
}

async function replyTo(
  { client, id, method, payload }: WireRequest,
  { running, run, timers }: Answering,
  sendDelta: (delta: object) => Promise<void>,
): Promise<object> {
  const read = readRequest(method, payload);
  // A client may stop its own runs, and nobody else's.
  const prefix = `${client.toString('hex')} `;
  const keyOf = (request: string): string => prefix + request;
  if (read.method === 'health') return { success: true, error: null };
  if (read.method === 'cancel') {
    const found = running.get(keyOf(read.target));
    found?.abort(new Error('Cancelled: rollout aborted'));
    return { success: true, error: null, cancelled: found !== undefined };
  }
  if (running.size >= mostRuns)
    throw new SessionError('capacity', `${mostRuns} rollouts are under way. Try again when one has ended.`);
  requirePlaceOf(prefix, running);
  const controller = new AbortController();
  const key = keyOf(id.toString('utf8'));
  if (running.has(key))
    throw new SessionError('invalid', 'A run with this request id is under way. Choose another id.');
  running.set(key, controller);
  const cancel = timers.after(longestRunMilliseconds, () =>
    controller.abort(new Error(`Cancelled: it took more than ${longestRunMilliseconds / 1000} s`)),
  );
  try {
    const { delta, reply } = await run(read.run, controller.signal);
    await sendDelta(delta);
    return reply;
  } finally {
    cancel();
    running.delete(key);
  }
}

/** One client leaves room for others. */
function requirePlaceOf(prefix: string, running: ReadonlyMap<string, AbortController>): void {
  const own = running.keys().reduce((count, key) => count + Number(key.startsWith(prefix)), 0);
  if (own < mostOfClient) return;
  throw new SessionError('capacity', `${own} of your rollouts are under way. Try again when one has ended.`);
}

/** What is wrong with a request is told; what broke here is not. */
function errorText(cause: unknown, { onFault, malformed }: Answering): string {
  if (cause instanceof MalformedRequest) {
    malformed.add(cause.message);
    return cause.message;
  }
  const isMistake = cause instanceof SessionError || (cause instanceof EspalierError && cause.boundary === 'input');
  if (isMistake) return (cause as Error).message;
  if (cause instanceof Error && /^(Cancelled|The server stops)/.test(cause.message)) return cause.message;
  onFault(cause);
  return 'The rollout broke. The log of the server says why.';
}

function notPrivate(host: string): EspalierError {
  return invalidOption(
    `verifiers has no keys, and at ${host} other machines could reach the server.`,
    'Serve it on this machine alone, and reach it through a tunnel.',
  );
}
