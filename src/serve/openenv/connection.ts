import type { WebSocket } from 'ws';
import type { Timers } from '../../core/clock.ts';
import { createSemaphore } from '../../core/semaphore.ts';
import type { Client } from '../sessions/served-session.ts';
import type { Conversation, Desk } from './desk.ts';
import { createIncidentLimit } from '../sessions/incident-limit.ts';
import type { ServerPlace } from '../sessions/place.ts';
import { createLinks, noLinks, type Links } from './links.ts';
import { supersetVerbs } from './superset.ts';
import { openEnvVerbs, unknownType, type Call, type Verb } from './verbs.ts';
import {
  errorAnswer,
  MalformedRequest,
  readRequest,
  wireErrorOf,
  WireError,
  writeAnswer,
  type WireRequest,
} from './wire.ts';

export interface ConnectionOptions {
  readonly desk: Desk;
  readonly client: Client;
  /** Null for a server that stands alone. */
  readonly place: ServerPlace | null;
  readonly timers: Timers;
  /** A client that takes no answer for so long is cut off. */
  readonly stallMilliseconds: number;
  /** Something that a client should not do. */
  onIncident(kind: IncidentKind, detail: string, count?: number): void;
}

export type IncidentKind =
  | 'malformed-message'
  | 'malformed-flood'
  | 'stalled-client'
  | 'broken-connection'
  | 'refused-key';

/** Requests of one connection that may wait for their answers; then nothing more is read from it. */
const mostPending = 64;
/** A client that sends more frames that are no requests is cut off; one that is too large counts as many. */
const mostMalformed = 100;
const weightOfLarge = 10;
/** The code of a connection that is closed for breaking the rules. */
const policyViolation = 1008;
/** The code of a connection that a server closes because it stops. */
const goingAway = 1001;
/** How long a client that is cut off may take to hang up. */
const hangUpMilliseconds = 1000;

const verbs: Readonly<Record<string, Verb>> = { ...openEnvVerbs, ...supersetVerbs };
const verbNames = Object.keys(verbs);

/** A connection that is being served. */
export interface ServedConnection {
  /** Comes when it is closed and its sessions have ended. */
  readonly closed: Promise<void>;
  /** Takes no more requests, and hangs up once those that it took are answered. */
  drain(): Promise<void>;
}

/** Answers the requests of one connection until it is closed. */
export function serveConnection(socket: WebSocket, options: ConnectionOptions): ServedConnection {
  const { desk, client, place, onIncident } = options;
  const conversation: Conversation = { client, own: null };
  const links = place === null ? noLinks : createLinks(place, client.role);
  const inTurn = createSemaphore(1).run;
  const send = createSender(socket, options);
  const malformed = createIncidentLimit({
    timers: options.timers,
    report: (detail, count) => onIncident('malformed-message', detail, count),
  });
  let refused = 0;
  /** Requests that are not answered yet. */
  const running = new Set<Promise<void>>();
  const answer = async (request: WireRequest, earlier: readonly Promise<void>[]): Promise<void> => {
    const text = await answerTo(request, { conversation, desk, links });
    if (text === null) {
      await Promise.all(earlier);
      return socket.close(1000);
    }
    await send(text);
  };
  const refuse = async ({ error, id, isLarge }: MalformedRequest): Promise<void> => {
    if (refused >= mostMalformed) return;
    desk.metrics.count('espalier_errors_total', { code: error.code });
    malformed.add(error.message);
    refused += isLarge ? weightOfLarge : 1;
    const isLast = refused >= mostMalformed;
    await send(writeAnswer(errorAnswer(error), { id, session: null }));
    if (isLast) cutOff(socket, options);
  };
  const take = (data: Buffer, isBinary: boolean): Promise<void> => {
    const request = readFrame(data, isBinary);
    // Only those before it: two requests that close would wait for each other.
    const earlier = [...running];
    const work = () => (request instanceof MalformedRequest ? refuse(request) : answer(request, earlier));
    // With an id the client can tell answers apart, so they need not wait for each other.
    return request.id === null ? inTurn(work) : work();
  };
  const stopReading = readFrames(socket, (data, isBinary) => {
    const taken = take(data, isBinary)
      .catch(desk.onFault)
      .finally(() => running.delete(taken));
    running.add(taken);
    return taken;
  });
  socket.on('error', cause => onIncident('broken-connection', cause.message));
  const closed = new Promise(resolve => socket.once('close', resolve)).then(async () => {
    malformed.end();
    links.close();
    await desk.sessions.leave(client).catch(desk.onFault);
  });
  return {
    closed,
    async drain() {
      stopReading();
      await Promise.all(running);
      socket.close(goingAway, 'the server stops');
    },
  };
}

/**
 * Takes frames one at a time. Between two of them others have their turn, however many a client sends at once. What it returns
 * stops it: frames that wait are dropped, and nothing of them was done.
 */
function readFrames(socket: WebSocket, take: (data: Buffer, isBinary: boolean) => Promise<void>): () => void {
  /** Frames that came in one piece with others, after the socket was paused too. */
  const waiting: [Buffer, boolean][] = [];
  let pending = 0;
  let isScheduled = false;
  let isStopped = false;
  const schedule = (): void => {
    if (isScheduled || pending >= mostPending) return;
    if (waiting.length === 0) {
      if (socket.isPaused) socket.resume();
      return;
    }
    isScheduled = true;
    setImmediate(takeNext);
  };
  const takeNext = (): void => {
    isScheduled = false;
    const frame = waiting.shift();
    if (frame === undefined) return;
    pending++;
    void take(...frame).finally(() => {
      pending--;
      schedule();
    });
    schedule();
  };
  socket.on('message', (data: Buffer, isBinary) => {
    // Who is being cut off is not heard any more.
    if (isStopped || socket.readyState !== socket.OPEN) return void waiting.splice(0);
    waiting.push([data, isBinary]);
    if (waiting.length + pending >= mostPending && !socket.isPaused) socket.pause();
    schedule();
  });
  return () => {
    isStopped = true;
    waiting.splice(0);
    // A close of the other side must be heard.
    if (socket.isPaused) socket.resume();
  };
}

function cutOff(socket: WebSocket, { timers, onIncident }: ConnectionOptions): void {
  onIncident('malformed-flood', `cut off for too many frames that were no requests`);
  const cancel = timers.after(hangUpMilliseconds, () => socket.terminate());
  socket.once('close', cancel);
  socket.close(policyViolation, 'too many malformed messages');
  if (socket.isPaused) socket.resume();
}

function readFrame(data: Buffer, isBinary: boolean): WireRequest | MalformedRequest {
  if (isBinary)
    return new MalformedRequest(
      new WireError('INVALID_JSON', 'The message is binary. Send text frames with a JSON object.'),
    );
  try {
    return readRequest(data);
  } catch (cause) {
    return cause as MalformedRequest;
  }
}

interface Answering extends Omit<Call, 'request'> {
  readonly links: Links;
}

/** The text of the answer; null when the connection is to be closed. */
async function answerTo(request: WireRequest, { conversation, desk, links }: Answering): Promise<string | null> {
  const place = links.placeOf(request);
  if (place !== null) return links.ask(place, request).catch(cause => failed(cause, request, desk));
  const verb = Object.hasOwn(verbs, request.type) ? verbs[request.type] : undefined;
  desk.metrics.count('espalier_messages_total', { type: verb === undefined ? 'unknown' : request.type });
  const call: Call = { request, conversation, desk };
  try {
    if (verb === undefined) throw unknownType(request.type, verbNames);
    const answer = await verb(call);
    return answer === null ? null : writeAnswer(answer, request);
  } catch (cause) {
    return failed(cause, request, desk);
  }
}

function failed(cause: unknown, request: WireRequest, desk: Desk): string {
  const error = wireErrorOf(cause, desk.onFault);
  desk.metrics.count('espalier_errors_total', { code: error.code });
  return writeAnswer(errorAnswer(error), request);
}

/** Comes when the client has taken the text, or is gone. */
function createSender(socket: WebSocket, { timers, stallMilliseconds, onIncident }: ConnectionOptions) {
  return (text: string): Promise<void> =>
    new Promise(resolve => {
      if (socket.readyState !== socket.OPEN) return resolve();
      let cancel = (): void => undefined;
      socket.send(text, () => {
        cancel();
        resolve();
      });
      if (socket.bufferedAmount === 0) return;
      cancel = timers.after(stallMilliseconds, () => {
        onIncident('stalled-client', `no answer was taken for ${stallMilliseconds / 1000} s`);
        socket.terminate();
      });
    });
}
