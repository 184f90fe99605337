import type { IncomingMessage } from 'node:http';
import type { ChatReply } from '../../core/chat/chat.ts';
import { causeText } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import {
  breakOff,
  eachChunk,
  isEventStream,
  parseJson,
  passedHeaders,
  readWhole,
  withoutKey,
  type Exchange,
} from './exchange.ts';
import { createStreamCopy } from './stream-copy.ts';

/** Passes a call on in the dialect that it came in: bytes go through as they are, and a copy is read beside. */
export async function passOn(exchange: Exchange): Promise<void> {
  const { upstream, line, headers, key, signal, log } = exchange;
  const answering = line.ask({
    method: 'POST',
    path: upstream.dialect.path,
    headers: { ...passedHeaders(headers), ...upstream.dialect.headers(key), 'accept-encoding': 'identity' },
    body: bodyFor(exchange),
    signal,
  });
  // The request goes out first, then it is written down.
  setImmediate(() => writeAsk(exchange));
  const answer = await answering;
  log.ask();
  if ((answer.statusCode ?? 500) >= 400) await passRefusal(exchange, answer);
  else if (isEventStream(answer)) await passStream(exchange, answer);
  else await passWhole(exchange, answer);
}

function writeAsk({ log }: Exchange): void {
  try {
    log.ask();
  } catch {
    // Tried again before the answer is heard: what cannot be written down is not answered.
  }
}

/** The bytes as they came, unless something else is asked for. */
function bodyFor({ asked, body, upstream, wantsTokens }: Exchange): Buffer {
  const model = upstream.model ?? asked['model'];
  if (model === asked['model'] && !wantsTokens) return body;
  const wanted: JsonObject = wantsTokens ? { logprobs: true, return_token_ids: true } : {};
  return Buffer.from(JSON.stringify({ ...asked, ...(model === undefined ? {} : { model }), ...wanted }));
}

async function passRefusal(exchange: Exchange, answer: IncomingMessage): Promise<void> {
  const { upstream, outlet, log, key, response, isDamaged } = exchange;
  const status = answer.statusCode ?? 500;
  const whole = await readWhole(answer, response);
  if (whole === null) return breakOff(exchange, {});
  const body = withoutKey(whole, key);
  const { message } = upstream.dialect.readError(status, parseJson(body) ?? body.toString('utf8'));
  log.answer({ status, problem: message, cut: isDamaged });
  outlet.head(status, { ...passedHeaders(answer.headers), 'content-length': body.length });
  outlet.write(body);
  outlet.end();
}

async function passWhole(exchange: Exchange, answer: IncomingMessage): Promise<void> {
  const { upstream, outlet, log, response, isDamaged, key } = exchange;
  const status = answer.statusCode ?? 200;
  const whole = await readWhole(answer, response);
  if (whole === null) return breakOff(exchange, {});
  const body = withoutKey(whole, key);
  log.answer(isDamaged ? damaged(status) : { status, ...readReply(upstream.dialect, body) });
  outlet.head(status, { ...passedHeaders(answer.headers), 'content-length': body.length });
  outlet.write(body);
  outlet.end();
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

async function passStream(exchange: Exchange, answer: IncomingMessage): Promise<void> {
  const { upstream, outlet, log, response, isDamaged, leisure } = exchange;
  const { dialect } = upstream;
  const status = answer.statusCode ?? 200;
  const copy = createStreamCopy(dialect);
  const marks = lastWords[dialect.name];
  // Reading the copy takes longer than passing it on: with many streams, that is done when no piece waits.
  const unread: Buffer[] = [];
  const readNext = (): void => {
    const next = unread.shift();
    if (next !== undefined) copy.feed(next);
  };
  const conclude = (): void => {
    while (unread.length > 0) readNext();
    if (copy.isDone()) log.answer(isDamaged ? damaged(status) : { status, ...copy.result() });
  };
  outlet.head(status, passedHeaders(answer.headers));
  const isWhole = await eachChunk(answer, response, chunk => {
    // The end is held back until it is written down; all before it goes on at once.
    const isLast = marks.some(mark => chunk.includes(mark));
    unread.push(chunk);
    if (isLast) conclude();
    else leisure.later(readNext);
    outlet.write(chunk);
  });
  conclude();
  const { partial, problem } = copy.result();
  if (!isWhole) return breakOff(exchange, { partial, problem });
  // One that ended in good order, but without its last event, has told the harness all that it will.
  if (!copy.isDone()) log.answer({ status, partial, problem, cut: true });
  outlet.end();
}

/** The harness is about to hear only a part. */
export function damaged(status: number): Parameters<Exchange['log']['answer']>[0] {
  return { status, cut: true, problem: 'The answer was damaged on purpose.' };
}
