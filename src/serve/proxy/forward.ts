import type { ChatReply } from '../../core/chat/chat.ts';
import { causeText } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Dialect } from '../../models/dialects/dialect.ts';
import {
  eachChunk,
  endEarly,
  isEventStream,
  parseJson,
  readWhole,
  refuseUnreadable,
  type Exchange,
} from './exchange.ts';
import { headersForHarness, headersForServer } from './headers.ts';
import { createStreamCopy } from './stream-copy.ts';
import { createStreamRedactor } from './redact/stream-redactor.ts';
import type { UpstreamAnswer } from './upstream.ts';

/** Forwards a call in the dialect it came in. Bytes are not changed; a copy of them is parsed. */
export async function forwardCall(exchange: Exchange): Promise<void> {
  const { upstream, line, headers, key, passesKey, signal, log } = exchange;
  const answering = line.ask({
    method: 'POST',
    path: upstream.dialect.path,
    headers: {
      ...headersForServer(headers, passesKey),
      ...upstream.dialect.headers(key),
      'accept-encoding': 'identity',
    },
    body: bodyFor(exchange),
    signal,
  });
  // Send the request first, then record it.
  setImmediate(() => writeAsk(exchange));
  const answer = await answering;
  log.ask();
  if ((answer.message.statusCode ?? 500) >= 400) await forwardRefusal(exchange, answer);
  else if (isEventStream(answer)) await forwardStream(exchange, answer);
  else await forwardWhole(exchange, answer);
}

function writeAsk({ log }: Exchange): void {
  try {
    log.ask();
  } catch {
    // Retried before the answer is sent: a call that cannot be recorded is not answered.
  }
}

/** The bytes as they came, unless something else is asked for. */
function bodyFor({ asked, body, upstream, wantsTokens }: Exchange): Buffer {
  const model = upstream.model ?? asked['model'];
  if (model === asked['model'] && !wantsTokens) return body;
  const wanted: JsonObject = wantsTokens ? { logprobs: true, return_token_ids: true } : {};
  return Buffer.from(JSON.stringify({ ...asked, ...(model === undefined ? {} : { model }), ...wanted }));
}

async function forwardRefusal(exchange: Exchange, answer: UpstreamAnswer): Promise<void> {
  const { upstream, outlet: responseWriter, log, redactor, response, isDamaged } = exchange;
  const status = answer.message.statusCode ?? 500;
  const body = await readWhole(answer, response, redactor);
  if (!Buffer.isBuffer(body)) return endEarly(exchange, body);
  const { message } = upstream.dialect.readError(status, parseJson(body) ?? body.toString('utf8'));
  log.answer({ status, problem: message, cut: isDamaged });
  responseWriter.head(status, {
    ...headersForHarness(answer.message.headers, redactor),
    'content-length': body.length,
  });
  responseWriter.write(body);
  responseWriter.end();
}

async function forwardWhole(exchange: Exchange, answer: UpstreamAnswer): Promise<void> {
  const { upstream, outlet: responseWriter, log, response, isDamaged, redactor } = exchange;
  const status = answer.message.statusCode ?? 200;
  const body = await readWhole(answer, response, redactor);
  if (!Buffer.isBuffer(body)) return endEarly(exchange, body);
  log.answer(isDamaged ? damaged(status) : { status, ...readReply(upstream.dialect, body) });
  responseWriter.head(status, {
    ...headersForHarness(answer.message.headers, redactor),
    'content-length': body.length,
  });
  responseWriter.write(body);
  responseWriter.end();
}

function readReply(dialect: Dialect, body: Buffer): { reply: ChatReply | null; problem: string | null } {
  try {
    return { reply: dialect.readReply(JSON.parse(body.toString('utf8'))), problem: null };
  } catch (cause) {
    return { reply: null, problem: `The answer cannot be read: ${causeText(cause)}` };
  }
}

/** What the last event of a stream has in it, in each dialect. */
const lastWords: Readonly<Record<Dialect['name'], readonly string[]>> = {
  openai: ['[DONE]'],
  anthropic: ['message_stop'],
  responses: ['response.completed', 'response.incomplete', 'response.failed'],
};

/** Bytes of the longest of those words, less one: what of it may have come with the piece before. */
const longestWord = Math.max(...Object.values(lastWords).flatMap(words => words.map(({ length }) => length))) - 1;

async function forwardStream(exchange: Exchange, answer: UpstreamAnswer): Promise<void> {
  const { upstream, outlet: responseWriter, log, response, isDamaged, redactor } = exchange;
  const { statusCode: status = 200, headers } = answer.message;
  const unreadable = refuseUnreadable(answer, redactor);
  if (unreadable !== null) return endEarly(exchange, unreadable);
  const copy = createStreamCopy(upstream.dialect);
  const reading = createDeferredReading(exchange, copy.feed);
  const cleaner = redactor.isIdle ? null : createStreamRedactor(redactor);
  const isLast = createWordFinder(lastWords[upstream.dialect.name]);
  const conclude = (): void => {
    reading.finish();
    if (copy.isDone()) log.answer(isDamaged ? damaged(status) : { status, ...copy.result() });
  };
  const pass = (chunk: Buffer): void => {
    if (chunk.length === 0) return;
    reading.add(chunk);
    // The end is held back until the call is recorded; everything before it is forwarded at once.
    if (isLast(chunk)) conclude();
    responseWriter.write(chunk);
  };
  responseWriter.head(status, headersForHarness(headers, redactor));
  const end = await eachChunk(answer, response, chunk => pass(cleaner === null ? chunk : cleaner.push(chunk)));
  if (cleaner !== null) pass(cleaner.end());
  conclude();
  const { partial, problem } = copy.result();
  if (end !== 'whole') return endEarly(exchange, end, { partial, problem });
  // One that ended in good order, but without its last event, has told the harness all that it will.
  if (!copy.isDone()) log.answer({ status, partial, problem, cut: true });
  responseWriter.end();
}

/** Parsing the copy takes longer than forwarding, so it is done when no piece is waiting. */
function createDeferredReading({ leisure: idleQueue }: Exchange, read: (chunk: Buffer) => unknown) {
  let unread: Buffer[] = [];
  let next = 0;
  const readNext = (): void => {
    const chunk = unread[next];
    if (chunk === undefined) return;
    next++;
    read(chunk);
    if (next === unread.length) [unread, next] = [[], 0];
  };
  return {
    add(chunk: Buffer): void {
      unread.push(chunk);
      idleQueue.later(readNext);
    },
    finish(): void {
      while (unread.length > 0) readNext();
    },
  };
}

/** Whether one of these words ends in a piece of a text, also when it began in the one before. */
function createWordFinder(words: readonly string[]): (chunk: Buffer) => boolean {
  let before = Buffer.alloc(0);
  return chunk => {
    const border = Buffer.concat([before, chunk.subarray(0, longestWord)]);
    before = Buffer.from(Buffer.concat([before, chunk.subarray(-longestWord)]).subarray(-longestWord));
    return words.some(word => border.indexOf(word) >= 0 || chunk.indexOf(word) >= 0);
  };
}

/** The harness will receive only a part. */
export function damaged(status: number): Parameters<Exchange['log']['answer']>[0] {
  return { status, cut: true, problem: 'The answer was damaged on purpose.' };
}
