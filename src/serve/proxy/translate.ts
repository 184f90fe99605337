import type { ChatDelta, ChatReply, ChatRequest } from '../../core/chat/chat.ts';
import { causeText } from '../../core/errors.ts';
import { StreamError } from '../../models/dialects/dialect.ts';
import {
  breakOff,
  eachChunk,
  endEarly,
  isEventStream,
  parseJson,
  readWhole,
  refuse,
  refuseUnreadable,
  type Exchange,
} from './exchange.ts';
import { damaged } from './forward.ts';
import { retryHeaders } from './headers.ts';
import { createStreamCopy } from './stream-copy.ts';
import { createStreamRedactor } from './redact/stream-redactor.ts';
import type { UpstreamAnswer } from './upstream.ts';

/** Lists members that the other dialect does not have. */
const leftOutHeader = 'x-espalier-left-out';

/** Forwards a call in a different dialect from the one it came in. */
export async function translate(exchange: Exchange): Promise<void> {
  const { dialect, upstream, line, asked, key, signal, log, wantsTokens } = exchange;
  let request: ChatRequest;
  let body: Buffer;
  try {
    request = dialect.readRequest(asked);
    body = Buffer.from(JSON.stringify(upstream.dialect.writeRequest(translated(request, upstream.model, wantsTokens))));
  } catch (cause) {
    return refuse(exchange, { kind: 'bad-request', message: causeText(cause) });
  }
  log.ask();
  const answer = await line.ask({
    method: 'POST',
    path: upstream.dialect.path,
    headers: { ...upstream.dialect.headers(key), 'accept-encoding': 'identity' },
    body,
    signal,
  });
  if ((answer.message.statusCode ?? 500) >= 400) await translateRefusal(exchange, answer);
  else if (isEventStream(answer)) await translateStream(exchange, request, answer);
  else await translateWhole(exchange, request, answer);
}

function translated(
  { extra: _extra, ...request }: ChatRequest,
  model: string | null,
  wantsTokens: boolean,
): ChatRequest {
  return { ...request, model: model ?? request.model, ...(wantsTokens && { wantsTokens }) };
}

/** These say how the answer is to be written, which is up to us. */
const ourOwn: ReadonlySet<string> = new Set(['stream_options', 'logprobs', 'return_token_ids']);

function leftOut({ extra = {} }: ChatRequest): Record<string, string> {
  const names = Object.keys(extra).filter(name => !ourOwn.has(name));
  return names.length === 0 ? {} : { [leftOutHeader]: names.map(encodeURIComponent).join(', ') };
}

async function translateRefusal(exchange: Exchange, answer: UpstreamAnswer): Promise<void> {
  const { dialect, upstream, outlet: responseWriter, log, redactor, response, isDamaged } = exchange;
  const status = answer.message.statusCode ?? 500;
  const said = await readWhole(answer, response, redactor);
  if (!Buffer.isBuffer(said)) return endEarly(exchange, said);
  const error = upstream.dialect.readError(status, parseJson(said) ?? said.toString('utf8'));
  const body = Buffer.from(JSON.stringify(dialect.writeError(error).body));
  log.answer({ status, problem: error.message, cut: isDamaged });
  responseWriter.head(status, {
    'content-type': 'application/json',
    'content-length': body.length,
    ...retryHeaders(answer.message.headers),
  });
  responseWriter.write(body);
  responseWriter.end();
}

async function translateWhole(exchange: Exchange, request: ChatRequest, answer: UpstreamAnswer): Promise<void> {
  const { dialect, upstream, outlet: responseWriter, log, response, isDamaged, redactor } = exchange;
  const whole = await readWhole(answer, response, redactor);
  if (!Buffer.isBuffer(whole)) return endEarly(exchange, whole);
  let reply: ChatReply;
  let body: Buffer;
  try {
    reply = upstream.dialect.readReply(parseJson(whole));
    body = Buffer.from(JSON.stringify(dialect.writeReply(reply, request)));
  } catch (cause) {
    return refuse(exchange, { kind: 'broken', message: `The answer cannot be read: ${causeText(cause)}` }, 502);
  }
  log.answer(isDamaged ? damaged(200) : { status: 200, reply });
  responseWriter.head(200, { 'content-type': 'application/json', 'content-length': body.length, ...leftOut(request) });
  responseWriter.write(body);
  responseWriter.end();
}

async function translateStream(exchange: Exchange, request: ChatRequest, answer: UpstreamAnswer): Promise<void> {
  const { dialect, upstream, outlet: responseWriter, log, response, isDamaged, redactor } = exchange;
  const unreadable = refuseUnreadable(answer, redactor);
  if (unreadable !== null) return endEarly(exchange, unreadable);
  const copy = createStreamCopy(upstream.dialect);
  const cleaner = createStreamRedactor(redactor);
  const writer = dialect.createWriter(request);
  const take = (chunk: Buffer): void => {
    const text = writeAll(copy.feed(chunk), writer.write);
    if (copy.isDone()) log.answer(isDamaged ? damaged(200) : { status: 200, ...copy.result() });
    if (text !== '') responseWriter.write(text);
  };
  responseWriter.head(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', ...leftOut(request) });
  const end = await eachChunk(answer, response, chunk => take(cleaner.push(chunk)));
  take(cleaner.end());
  if (copy.isDone()) {
    responseWriter.write(writer.close());
    return responseWriter.end();
  }
  const { partial, problem } = copy.result();
  const fault = copy.fault();
  if (end === 'cut' || (end === 'whole' && fault === null)) return breakOff(exchange, { partial, problem });
  // The server or the proxy gave up: tell the harness in its own dialect.
  const said = end === 'whole' ? (problem ?? '') : end.message;
  log.answer({ status: 200, partial, problem: said, cut: true });
  responseWriter.write(writer.fail(fault instanceof StreamError ? fault.error : { kind: 'broken', message: said }));
  responseWriter.end();
}

function writeAll(deltas: readonly ChatDelta[], write: (delta: ChatDelta) => string): string {
  let text = '';
  for (const delta of deltas) text += write(delta);
  return text;
}
