import type { WebSocket } from 'ws';
import type { Timers } from '../../core/clock.ts';
import { createTurns } from '../../episode/turns.ts';
import type { Client } from '../sessions/served-session.ts';
import type { Conversation, Desk } from './desk.ts';
import { supersetVerbs } from './superset.ts';
import { openEnvVerbs, unknownType, type Call, type Verb } from './verbs.ts';
import { errorAnswer, readRequest, wireErrorOf, WireError, writeAnswer, type WireRequest } from './wire.ts';

export interface ConnectionOptions {
  readonly desk: Desk;
  readonly client: Client;
  readonly timers: Timers;
  /** A client that takes no answer for so long is cut off. */
  readonly stallMilliseconds: number;
  /** Something that a client should not do. */
  onIncident(kind: IncidentKind, detail: string): void;
}

export type IncidentKind = 'malformed-message' | 'stalled-client' | 'broken-connection' | 'refused-key';

/** Requests of one connection that may wait for their answers; then nothing more is read from it. */
const mostPending = 64;

const verbs: Readonly<Record<string, Verb>> = { ...openEnvVerbs, ...supersetVerbs };
const verbNames = Object.keys(verbs);

/** Answers the requests of one connection until it is closed. The promise comes when its sessions have ended, too. */
export function serveConnection(socket: WebSocket, options: ConnectionOptions): Promise<void> {
  const { desk, client, onIncident } = options;
  const conversation: Conversation = { client, own: null };
  const inTurn = createTurns();
  let pending = 0;
  const send = createSender(socket, options);

  const answer = async (request: WireRequest): Promise<void> => {
    const text = await answerTo(request, conversation, desk);
    if (text === null) return socket.close(1000);
    await send(text);
  };
  const refuse = async (error: WireError): Promise<void> => {
    desk.metrics.count('espalier_errors_total', { code: error.code });
    onIncident('malformed-message', error.message);
    await send(writeAnswer(errorAnswer(error), null));
  };
  const take = (data: Buffer, isBinary: boolean): Promise<void> => {
    const request = readFrame(data, isBinary);
    if (request instanceof WireError) return inTurn(() => refuse(request));
    // With an id the client can tell answers apart, so they need not wait for each other.
    return request.id === null ? inTurn(() => answer(request)) : answer(request);
  };
  /** What came in one piece with other messages after the socket was paused. */
  const waiting: [Buffer, boolean][] = [];
  const next = (): void => {
    for (let frame = waiting.shift(); frame !== undefined; frame = waiting.shift()) {
      pending++;
      void take(...frame)
        .catch(desk.onFault)
        .finally(() => {
          pending--;
          next();
        });
      if (pending >= mostPending) return socket.pause();
    }
    if (socket.isPaused) socket.resume();
  };
  socket.on('message', (data: Buffer, isBinary) => {
    waiting.push([data, isBinary]);
    if (pending < mostPending) next();
  });
  socket.on('error', cause => onIncident('broken-connection', cause.message));
  return new Promise(resolve => {
    socket.once('close', () => {
      desk.sessions.leave(client).catch(desk.onFault).finally(resolve);
    });
  });
}

function readFrame(data: Buffer, isBinary: boolean): WireRequest | WireError {
  try {
    if (isBinary) throw new WireError('INVALID_JSON', 'The message is binary. Send text frames with a JSON object.');
    return readRequest(data.toString('utf8'));
  } catch (cause) {
    return cause as WireError;
  }
}

/** The text of the answer; null when the connection is to be closed. */
async function answerTo(request: WireRequest, conversation: Conversation, desk: Desk): Promise<string | null> {
  const verb = Object.hasOwn(verbs, request.type) ? verbs[request.type] : undefined;
  desk.metrics.count('espalier_messages_total', { type: verb === undefined ? 'unknown' : request.type });
  const call: Call = { request, conversation, desk, mustSave: false };
  try {
    if (verb === undefined) throw unknownType(request.type, verbNames);
    const answer = await verb(call);
    if (call.mustSave) await desk.saved();
    return answer === null ? null : writeAnswer(answer, request);
  } catch (cause) {
    const error = wireErrorOf(cause, desk.onFault);
    desk.metrics.count('espalier_errors_total', { code: error.code });
    return writeAnswer(errorAnswer(error), request);
  }
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
