import { redact, secretForms } from '../../core/chat/secrets.ts';
import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { JsonObject } from '../../core/json.ts';
import type { Dialect, WireError } from '../../models/dialects/dialect.ts';
import type { IdleQueue } from './idle-queue.ts';
import type { CallLog } from './record/call-log.ts';
import { hungUp } from './record/call-record.ts';
import type { ResponseWriter } from './response-writer.ts';
import { isKeyHeader } from './route.ts';
import { UpstreamError, type Upstream, type UpstreamAnswer, type UpstreamLine } from './upstream.ts';

/** One call on its way through the proxy. */
export interface Exchange {
  /** The dialect of the harness. */
  readonly dialect: Dialect;
  readonly upstream: Upstream;
  readonly line: UpstreamLine;
  /** What the harness sent. */
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly asked: JsonObject;
  /** The key to ask with. */
  readonly key: string | null;
  /** Keys of ours and of the harness: never sent to others, never written. */
  readonly secrets: readonly string[];
  readonly wantsTokens: boolean;
  /** Aborts when the harness hangs up. */
  readonly signal: AbortSignal;
  readonly response: ServerResponse;
  readonly outlet: ResponseWriter;
  readonly log: CallLog;
  readonly leisure: IdleQueue;
  /** Whether a fault is injected into the answer. */
  readonly isDamaged: boolean;
}

export function isEventStream({ message: { headers } }: UpstreamAnswer): boolean {
  return headers['content-type']?.startsWith('text/event-stream') === true;
}

/** How a body ended: to its end, broken off by somebody, or by a limit of ours. */
export type BodyEnd = 'whole' | 'cut' | UpstreamError;

/** Forwards a body as it arrives, with backpressure. */
export function eachChunk(
  { message: source, count, overrun }: UpstreamAnswer,
  response: ServerResponse,
  take: (chunk: Buffer) => void,
): Promise<BodyEnd> {
  return new Promise((resolve, reject) => {
    source.on('data', (chunk: Buffer) => {
      count(chunk.length);
      if (overrun() !== null) return;
      try {
        take(chunk);
      } catch (cause) {
        reject(cause);
        source.destroy();
        return;
      }
      if (!response.writableNeedDrain) return;
      source.pause();
      response.once('drain', () => source.resume());
    });
    source.once('end', () => resolve(overrun() ?? 'whole'));
    source.once('error', () => resolve(overrun() ?? 'cut'));
    source.once('close', () => resolve(overrun() ?? (source.complete ? 'whole' : 'cut')));
  });
}

/** A whole body; otherwise why there is none. */
export async function readWhole(
  answer: UpstreamAnswer,
  response: ServerResponse,
): Promise<Buffer | Exclude<BodyEnd, 'whole'>> {
  const encoding = answer.message.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') return refuseEncoding(answer, encoding);
  const chunks: Buffer[] = [];
  const end = await eachChunk(answer, response, chunk => void chunks.push(chunk));
  return end === 'whole' ? Buffer.concat(chunks) : end;
}

/** Compressed bodies cannot be searched for keys or recorded. */
export function refuseEncoding({ message }: UpstreamAnswer, encoding: string): UpstreamError {
  message.destroy();
  return new UpstreamError(502, `The model server packed its answer as "${encoding}", although it was asked not to.`);
}

export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}

/** Refuses a call in the dialect of the harness. */
export function refuse({ dialect, outlet: responseWriter, log }: Exchange, error: WireError, status?: number): void {
  const written = dialect.writeError(error);
  const said = status ?? written.status;
  const body = Buffer.from(JSON.stringify(written.body));
  log.answer({ status: said, problem: error.message });
  responseWriter.head(said, { 'content-type': 'application/json', 'content-length': body.length });
  responseWriter.write(body);
  responseWriter.end();
}

/** Ends a call whose answer is incomplete: with an error in the harness's dialect, unless part of the answer was sent. */
export function endEarly(
  exchange: Exchange,
  end: Exclude<BodyEnd, 'whole'>,
  ending: Parameters<CallLog['answer']>[0] = {},
): void {
  if (end === 'cut') return breakOff(exchange, ending);
  if (exchange.response.headersSent) return breakOff(exchange, { ...ending, problem: end.message });
  refuse(exchange, { kind: 'broken', message: end.message }, end.status);
}

/** The harness received a part or nothing, and no longer waits. */
export function breakOff(
  { outlet: responseWriter, log, signal, response }: Exchange,
  ending: Parameters<CallLog['answer']>[0],
): void {
  const problem = signal.aborted ? hungUp : (ending.problem ?? 'The model server hung up.');
  log.answer({ ...ending, status: response.headersSent ? response.statusCode : null, cut: true, problem });
  responseWriter.cut();
}

/** Belong to one connection, or are none of the other side's business. */
const ownHeaders: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
  'content-length',
  'accept-encoding',
  'expect',
  'cookie',
  'set-cookie',
  'x-espalier-session',
]);

/** CORS headers: an upstream server must not set them. */
const crossOrigin = /^access-control-/;

/** Headers that may be sent to the other side: none with a key in its name or value. */
export function forwardedHeaders(
  headers: IncomingHttpHeaders,
  secrets: readonly string[] = [],
): Record<string, string | string[]> {
  const passed: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || ownHeaders.has(name) || isKeyHeader(name) || crossOrigin.test(name)) continue;
    if (redact(name, secrets) !== name) continue;
    passed[name] = Array.isArray(value) ? value.map(one => redact(one, secrets)) : redact(value, secrets);
  }
  return passed;
}

/** Headers that harnesses of every dialect use for retries. */
export function retryHeaders({ 'retry-after': after }: IncomingHttpHeaders): OutgoingHttpHeaders {
  return after === undefined ? {} : { 'retry-after': after };
}

/** Keys must not be told, even by the server that was given them; JSON may spell them in escapes. */
export function withoutKeys(body: Buffer, secrets: readonly string[]): Buffer {
  if (secretForms(secrets).length === 0) return body;
  const text = body.toString('utf8');
  const clean = redact(text, secrets);
  const value = parseJson(Buffer.from(clean));
  const written = value === null ? '' : JSON.stringify(value);
  const spelled = redact(written, secrets);
  if (spelled !== written) return Buffer.from(spelled);
  return clean === text ? body : Buffer.from(clean);
}
