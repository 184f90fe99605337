import { redact } from '../../core/chat/secrets.ts';
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { JsonObject } from '../../core/json.ts';
import type { Dialect, WireError } from '../../dialects/dialect.ts';
import type { Leisure } from './leisure.ts';
import type { CallLog } from './record/call-log.ts';
import type { Outlet } from './outlet.ts';
import type { Upstream, UpstreamLine } from './upstream.ts';

/** One call on its way through. */
export interface Exchange {
  /** How the harness speaks. */
  readonly dialect: Dialect;
  readonly upstream: Upstream;
  readonly line: UpstreamLine;
  /** What the harness sent. */
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly asked: JsonObject;
  /** The key to ask with. */
  readonly key: string | null;
  readonly wantsTokens: boolean;
  /** Aborts when the harness hangs up. */
  readonly signal: AbortSignal;
  readonly response: ServerResponse;
  readonly outlet: Outlet;
  readonly log: CallLog;
  readonly leisure: Leisure;
  /** Whether the answer is damaged on purpose before it is heard. */
  readonly isDamaged: boolean;
}

export function isEventStream({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.startsWith('text/event-stream') === true;
}

/** Hands on what comes of a body as it comes, no faster than it is taken. Whether it came to its end. */
export function eachChunk(
  source: IncomingMessage,
  response: ServerResponse,
  take: (chunk: Buffer) => void,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    source.on('data', (chunk: Buffer) => {
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
    source.once('end', () => resolve(true));
    source.once('error', () => resolve(false));
    source.once('close', () => resolve(source.complete));
  });
}

/** A whole body; null when it broke off. */
export async function readWhole(source: IncomingMessage, response: ServerResponse): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  const isWhole = await eachChunk(source, response, chunk => void chunks.push(chunk));
  return isWhole ? Buffer.concat(chunks) : null;
}

export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}

/** Says no in the dialect of the harness. */
export function refuse({ dialect, outlet, log }: Exchange, error: WireError, status?: number): void {
  const written = dialect.writeError(error);
  const said = status ?? written.status;
  const body = Buffer.from(JSON.stringify(written.body));
  log.answer({ status: said, problem: error.message });
  outlet.head(said, { 'content-type': 'application/json', 'content-length': body.length });
  outlet.write(body);
  outlet.end();
}

/** The harness heard a part, or nothing; whoever hung up, nobody waits any more. */
export function breakOff({ outlet, log, signal, response }: Exchange, ending: Parameters<CallLog['answer']>[0]): void {
  const problem = signal.aborted ? 'The harness hung up.' : (ending.problem ?? 'The model server hung up.');
  log.answer({ ...ending, status: response.headersSent ? response.statusCode : null, cut: true, problem });
  outlet.cut();
}

/** Belong to one connection, or are none of the other side's business. */
const ownHeaders: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
  'content-length',
  'accept-encoding',
  'expect',
  'authorization',
  'x-api-key',
  'cookie',
  'set-cookie',
  'x-espalier-session',
]);

export function passedHeaders(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const passed: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !ownHeaders.has(name)) passed[name] = value;
  }
  return passed;
}

/** What a harness goes by when it tries again, whatever dialect it speaks. */
export function retryHeaders({ 'retry-after': after }: IncomingHttpHeaders): OutgoingHttpHeaders {
  return after === undefined ? {} : { 'retry-after': after };
}

/** A key must not be told, even by the server that was given it. */
export function withoutKey(body: Buffer, key: string | null): Buffer {
  if (key === null) return body;
  const text = body.toString('utf8');
  const clean = redact(text, [key]);
  return clean === text ? body : Buffer.from(clean);
}
