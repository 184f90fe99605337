import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { JsonObject } from '../../core/json.ts';
import type { Dialect, WireError } from '../../models/dialects/dialect.ts';
import type { Redactor } from '../../models/secrets/redactor.ts';
import { foreignCharset } from './headers.ts';
import type { IdleQueue } from './idle-queue.ts';
import type { CallLog } from './record/call-log.ts';
import { hungUp } from './record/call-record.ts';
import type { ResponseWriter } from './response-writer.ts';
import { cleanBody } from './redact/body.ts';
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
  readonly redactor: Redactor;
  readonly passesKey: boolean;
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

/** A whole body without keys; otherwise why there is none. */
export async function readWhole(
  answer: UpstreamAnswer,
  response: ServerResponse,
  redactor: Redactor,
): Promise<Buffer | Exclude<BodyEnd, 'whole'>> {
  const unreadable = refuseUnreadable(answer, redactor);
  if (unreadable !== null) return unreadable;
  const chunks: Buffer[] = [];
  const end = await eachChunk(answer, response, chunk => void chunks.push(chunk));
  if (end !== 'whole') return end;
  return cleanBody(Buffer.concat(chunks), redactor) ?? new UpstreamError(502, unclean);
}

const unclean =
  'The answer of the model server is withheld: it is no UTF-8, or it spells a key in a way that cannot be taken out.';

/** Bodies that are compressed or in another charset cannot be searched for keys or recorded. */
export function refuseUnreadable(answer: UpstreamAnswer, redactor: Redactor): UpstreamError | null {
  const { headers } = answer.message;
  const encoding = headers['content-encoding'] ?? 'identity';
  const charset = redactor.isIdle ? null : foreignCharset(headers);
  if (encoding === 'identity' && charset === null) return null;
  answer.message.destroy();
  const how = charset === null ? `packed its answer as "${encoding}"` : `wrote its answer in "${charset}"`;
  return new UpstreamError(502, redactor.text(`The model server ${how}, although it was asked not to.`));
}

export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}

/** Refuses a call in the dialect of the harness. */
export function refuse(exchange: Exchange, { kind, message }: WireError, status?: number): void {
  const { dialect, outlet: responseWriter, log, redactor } = exchange;
  const error = { kind, message: redactor.text(message) };
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
