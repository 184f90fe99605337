import type { ChatDelta, ChatReply } from '../../core/chat/chat.ts';
import type { Clock } from '../../core/clock.ts';
import { MalformedError, StreamError, type ClientDialect, type StreamReader } from '../../dialects/dialect.ts';
import { collectReply } from '../../dialects/dialects.ts';
import { createEventParser } from '../../dialects/events.ts';
import type { AnswerBudget, IncomingAnswer } from './answer-budget.ts';
import type { Endpoint } from './endpoint.ts';
import { breakdownOf, FailedTry, lossOf, malformed, refusalOf } from './failure.ts';
import { redact, redactJson } from '../../core/chat/secrets.ts';
import { send, TransportError, type Head, type OutgoingRequest, type Listener } from './transport.ts';

export interface Answer {
  readonly reply: ChatReply;
  /** Until its first token. */
  readonly milliseconds: number;
}

export interface ExchangeOptions {
  readonly endpoint: Endpoint;
  readonly dialect: ClientDialect;
  readonly key: string | null;
  readonly letter: OutgoingRequest;
  readonly clock: Clock;
  /** Shared by all answers that are read at once. */
  readonly answers: AnswerBudget;
}

/** One try: an answer to its very end, or a FailedTry that says why there is none. */
export async function exchange(options: ExchangeOptions): Promise<Answer> {
  const { letter, clock, endpoint, key } = options;
  const asked = clock.now();
  let first: number | null = null;
  const incoming = options.answers.begin();
  const ear = createEar(options, incoming, () => (first ??= clock.now() - asked));
  try {
    await send(letter, ear);
    const { tokens, ...reply } = ear.reply();
    return { reply: { ...redactJson(reply, [key]), tokens }, milliseconds: first ?? clock.now() - asked };
  } catch (cause) {
    if (cause instanceof TransportError) throw new FailedTry(lossOf(cause));
    if (cause instanceof StreamError) throw new FailedTry(breakdownOf(cause.error, endpoint));
    if (cause instanceof MalformedError) throw new FailedTry(malformed(cause.message));
    throw cause;
  } finally {
    incoming.end();
  }
}

interface Ear extends Listener {
  /** When all has come. */
  reply(): ChatReply;
}

function createEar({ dialect, endpoint, key }: ExchangeOptions, incoming: IncomingAnswer, onToken: () => void): Ear {
  let head: Head = { status: 0, headers: {} };
  let stream: Ear | null = null;
  const texts: string[] = [];
  return {
    head(begun) {
      head = begun;
      const type = head.headers['content-type'] ?? '';
      const isStream = head.status === 200 && type.includes('text/event-stream');
      const reader = isStream ? dialect.createReader?.() : undefined;
      if (reader !== undefined) stream = createStreamEar(reader, key, onToken);
    },
    text(text) {
      incoming.take(text.length);
      if (stream !== null) return stream.text(text);
      texts.push(text);
      // Without a stream the first token comes with the last.
      return 'more';
    },
    reply() {
      if (stream !== null) return stream.reply();
      const text = redact(texts.join(''), [key]);
      if (head.status === 200) return dialect.readReply(parse(text));
      throw new FailedTry(refusalOf(readRefusal(dialect, head, text), head, endpoint));
    },
  };
}

function createStreamEar(reader: StreamReader, key: string | null, onToken: () => void): Ear {
  const parser = createEventParser();
  const deltas: ChatDelta[] = [];
  let hasToken = false;
  return {
    head() {},
    text(text) {
      for (const { event, data } of parser.read(text)) {
        const pieces = reader.read({ event, data: redact(data, [key]) });
        for (const piece of pieces) deltas.push(piece);
        if (!hasToken && pieces.some(({ kind }) => kind !== 'start' && kind !== 'tokens')) {
          hasToken = true;
          onToken();
        }
        if (reader.isDone()) return 'done';
      }
      return hasToken ? 'token' : 'more';
    },
    reply() {
      if (!reader.isDone()) throw new TransportError('cut', 'the stream ended before the answer did');
      return collectReply(deltas);
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new MalformedError(text.trim() === '' ? 'nothing at all.' : `not JSON: ${text.slice(0, 200)}`);
  }
}

function readRefusal(dialect: ClientDialect, head: Head, text: string): ReturnType<ClientDialect['readError']> {
  const { status, headers } = head;
  if (status >= 300 && status < 400)
    return { kind: 'bad-request', message: `it is at ${headers.location ?? 'another address'}; give that one` };
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // A page of some server in between, mostly: its words are enough.
    body = text.replaceAll(/<(style|script)[\s\S]*?<\/\1>|<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  }
  return dialect.readError(status, body);
}
