import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock, Timers } from '../../core/clock.ts';
import { causeText } from '../../core/errors.ts';
import { isJson, isJsonObject, type JsonObject } from '../../core/json.ts';
import type { Dialect } from '../../models/dialects/dialect.ts';
import { dialectOf } from '../../models/dialects/dialects.ts';
import { createRedactor, type Redactor } from '../../models/secrets/redactor.ts';
import { createKeyGuard } from '../key-guard.ts';
import { HttpError, pathOf, readBody, sendJson, type Handler } from '../http.ts';
import { createCallLog } from './record/call-log.ts';
import { breakOff, endEarly, parseJson, readWhole, refuse, type Exchange } from './exchange.ts';
import { drawFault, type Fault, type FaultPlan } from './faults.ts';
import { headersForHarness, headersForServer } from './headers.ts';
import { createIdleQueue, type IdleQueue } from './idle-queue.ts';
import { sendModels } from './models-list.ts';
import { createFaultyResponseWriter, createResponseWriter } from './response-writer.ts';
import { forwardCall } from './forward.ts';
import { defaultSession, ownerKeyOf, readRoute, secretOf, secretsOf, type Route } from './route.ts';
import { answerAboutSessions, isAboutSessions, type VerdictRequestOptions } from './verdict-requests.ts';
import { translate } from './translate.ts';
import {
  openLine,
  UpstreamError,
  usualLimits,
  type Upstream,
  type UpstreamLimits,
  type UpstreamLine,
} from './upstream.ts';

export interface ProxyOptions extends VerdictRequestOptions {
  readonly upstream: Upstream;
  /** In milliseconds since 1970. */
  readonly clock: Clock;
  readonly timers: Timers;
  readonly faults?: FaultPlan;
  /** Of every answer; the usual ones unless given. */
  readonly limits?: UpstreamLimits;
  /** Asks the server for the tokens of every answer. */
  readonly wantsTokens?: boolean;
  /** Asks with the key of the harness instead of ours. */
  readonly passesKey?: boolean;
}

/** A proxy between a harness and a model server that records every call. */
export interface Proxy {
  readonly handle: Handler;
  /** Waits until every call is recorded, then closes the connections to the server. */
  close(): Promise<void>;
}

const largestBody = 64 * 2 ** 20;
const mostRedactors = 64;

export function createProxy(options: ProxyOptions): Proxy {
  const { upstream, timers, limits = usualLimits } = options;
  const line = openLine({ base: upstream.base, limits, timers });
  const idleQueue = createIdleQueue();
  const redactorFor = createRedactors(upstream.key);
  const ourRedactor = createRedactor([upstream.key]);
  const guard = createKeyGuard(options.clock);
  const underWay = new Set<Promise<void>>();
  const handle: Handler = async (request, response) => {
    const path = pathOf(request);
    refuseKey(path, ourRedactor);
    if (isAboutSessions(path)) return answerAboutSessions({ ...options, guard }, { path, request, response });
    const route = readRoute({ method: request.method ?? '', path, headers: request.headers });
    if (route.to === 'call') refuseKey(route.session, ourRedactor);
    const hangUp = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) hangUp.abort();
    });
    try {
      await answer({
        ...options,
        line,
        leisure: idleQueue,
        redactorFor,
        route,
        request,
        response,
        signal: hangUp.signal,
      });
    } catch (cause) {
      hangUp.abort();
      throw cause;
    }
  };
  return {
    async handle(request, response) {
      const handling = Promise.resolve(handle(request, response));
      underWay.add(handling);
      try {
        await handling;
      } finally {
        underWay.delete(handling);
      }
    },
    async close() {
      await Promise.allSettled(underWay);
      line.close();
    },
  };
}

/** Names of sessions become names of files, and errors repeat the address. */
function refuseKey(name: string, redactor: Redactor): void {
  if (redactor.find(name).length > 0)
    throw new HttpError(
      400,
      'There is a model key in the address or the name of the session. Expected none: it is written down.',
    );
}

interface Asking extends ProxyOptions {
  readonly line: UpstreamLine;
  readonly leisure: IdleQueue;
  readonly redactorFor: (request: IncomingMessage) => Redactor;
  readonly route: Route;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly signal: AbortSignal;
}

async function answer(asking: Asking): Promise<void> {
  const { route, request, response, line, signal, upstream, redactorFor } = asking;
  const key = keyFor(asking);
  if (route.to === 'call') return answerCall(asking, route);
  if (route.to === 'models')
    return sendModels({
      dialect: route.dialect,
      upstream,
      line,
      key,
      redactor: redactorFor(request),
      signal,
      response,
    });
  if (upstream.dialect.name !== 'anthropic')
    throw new HttpError(404, `The model server behind this proxy (${upstream.endpoint}) cannot count tokens.`);
  await passUnrecorded(asking, await readBody(request, largestBody), key);
}

function keyFor({ passesKey = false, upstream, request }: Asking): string | null {
  return passesKey ? (secretOf(request.headers) ?? upstream.key) : upstream.key;
}

/** Looks for keys of ours and of the harness: never sent to others, never written. Making one takes a while. */
function createRedactors(own: string | null): (request: IncomingMessage) => Redactor {
  const known = new Map<string, Redactor>();
  return request => {
    const secrets = [own, ...secretsOf(request)];
    const name = JSON.stringify(secrets);
    const redactor = known.get(name) ?? createRedactor(secrets);
    // Last is what was used last.
    known.delete(name);
    const [oldest] = known.keys();
    if (known.size >= mostRedactors && oldest !== undefined) known.delete(oldest);
    known.set(name, redactor);
    return redactor;
  };
}

/** Requests that are not model calls are forwarded and not recorded. */
async function passUnrecorded(asking: Asking, body: Buffer, key: string | null): Promise<void> {
  const { upstream, line, request, response, signal, redactorFor, passesKey = false } = asking;
  const redactor = redactorFor(request);
  const headers = { ...headersForServer(request.headers, passesKey), ...upstream.dialect.headers(key) };
  const said = await line
    .ask({
      method: 'POST',
      path: `${upstream.dialect.path}/count_tokens`,
      headers: { ...headers, 'accept-encoding': 'identity' },
      body: forModel(body, upstream.model),
      signal,
    })
    .catch((cause: unknown) => {
      throw new HttpError(502, unreachable(upstream, cause));
    });
  const whole = await readWhole(said, response, redactor);
  if (whole === 'cut') throw new HttpError(502, `The model server ${upstream.endpoint} broke off.`);
  if (whole instanceof Error) throw new HttpError(whole.status, whole.message);
  const { statusCode = 502, headers: given } = said.message;
  response.writeHead(statusCode, { ...headersForHarness(given, redactor), 'content-length': whole.length });
  response.end(whole);
}

function forModel(body: Buffer, model: string | null): Buffer {
  const asked = readObject(body);
  return model === null || asked === null ? body : Buffer.from(JSON.stringify({ ...asked, model }));
}

async function answerCall(asking: Asking, route: Extract<Route, { to: 'call' }>): Promise<void> {
  const {
    sessions,
    clock,
    faults,
    upstream,
    line,
    leisure: idleQueue,
    redactorFor,
    request,
    response,
    signal,
    wantsTokens = false,
    passesKey = false,
  } = asking;
  const dialect = dialectOf(route.dialect);
  const body = await readBody(request, largestBody);
  const full = sessions.refusal(route.session, { length: body.length, time: clock.now() });
  if (full !== null) return refuseFull(response, dialect, full);
  const { isAllowed, owner } = sessions.claim(
    route.session,
    route.session === defaultSession ? null : ownerKeyOf(request.headers),
  );
  if (!isAllowed) return refuseStranger(response, dialect, route.session);
  const place = sessions.take(route.session);
  const fault = faults === undefined ? null : drawFault(faults, `${place.session}/${place.attempt}/${place.index}`);
  const about = { dialect: dialect.name, endpoint: upstream.endpoint, fault, ...(owner !== null && { owner }) };
  const asked = readObject(body);
  const isDamaged = fault?.kind === 'truncated' || fault?.kind === 'cut';
  const key = keyFor(asking);
  const redactor = redactorFor(request);
  const exchange: Exchange = {
    dialect,
    upstream,
    line,
    headers: request.headers,
    body,
    asked: asked ?? {},
    key,
    redactor,
    passesKey,
    wantsTokens,
    signal,
    response,
    outlet: isDamaged && fault !== null ? createFaultyResponseWriter(response, fault) : createResponseWriter(response),
    log: createCallLog({ sessions, clock, place, about, body, redactor }),
    isDamaged,
    leisure: idleQueue,
  };
  if (asked === null) return refuse(exchange, { kind: 'bad-request', message: 'The body is not a JSON object.' });
  if (fault !== null && !(await befall(asking, exchange, fault))) return;
  await exchangeWith(exchange);
}

/** A status that clients do not retry, because a retry cannot help. */
function refuseFull(response: ServerResponse, dialect: Dialect, problem: string): void {
  const message = `This call cannot be recorded: ${problem}. Give the session its verdict, use another session, or start the proxy with another --out.`;
  sendJson(response, 413, dialect.writeError({ kind: 'bad-request', message }).body);
}

function refuseStranger(response: ServerResponse, dialect: Dialect, session: string): void {
  const message = `Session "${session}" belongs to another key. Send the key of its first call, or name another session.`;
  sendJson(response, 403, dialect.writeError({ kind: 'bad-key', message }).body);
}

function readObject(body: Buffer): JsonObject | null {
  try {
    const value = parseJson(body);
    return isJson(value) && isJsonObject(value) ? value : null;
  } catch (cause) {
    // Deeper than can be walked: nothing that a model is asked.
    if (cause instanceof RangeError) return null;
    throw cause;
  }
}

/** Whether the call continues after its fault. */
async function befall({ timers }: Asking, exchange: Exchange, { kind, milliseconds = 0 }: Fault): Promise<boolean> {
  if (kind === '429') {
    exchange.response.setHeader('retry-after', '0');
    refuse(exchange, { kind: 'rate-limited', message: 'Too many requests. This fault was injected on purpose.' }, 429);
  } else if (kind === '500') {
    refuse(exchange, { kind: 'broken', message: 'The server broke. This fault was injected on purpose.' }, 500);
  } else if (kind === 'slow') {
    exchange.log.ask();
    await wait(timers, milliseconds, exchange.signal);
    if (exchange.signal.aborted) breakOff(exchange, {});
  }
  return kind !== '429' && kind !== '500' && !exchange.signal.aborted;
}

function wait(timers: Timers, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const cancel = timers.after(milliseconds, resolve);
    signal.addEventListener('abort', () => {
      cancel();
      resolve();
    });
  });
}

async function exchangeWith(exchange: Exchange): Promise<void> {
  const { dialect, upstream, signal, response } = exchange;
  try {
    await (dialect.name === upstream.dialect.name ? forwardCall(exchange) : translate(exchange));
  } catch (cause) {
    if (cause instanceof UpstreamError) return endEarly(exchange, cause);
    if (!isNetworkFault(cause)) {
      // The call has ended, whatever the error.
      breakOff(exchange, { problem: causeText(cause) });
      throw cause;
    }
    if (signal.aborted || response.headersSent) breakOff(exchange, {});
    else refuse(exchange, { kind: 'overloaded', message: unreachable(upstream, cause) }, 502);
  }
}

function isNetworkFault(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && !('boundary' in cause);
}

function unreachable({ endpoint }: Upstream, cause: unknown): string {
  return `The model server ${endpoint} cannot be reached: ${causeText(cause)}. Start it, or name another one.`;
}
