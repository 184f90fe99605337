import type { ChatDelta, ChatReply } from '../../core/chat/chat.ts';
import type { Clock } from '../../core/clock.ts';
import { MalformedError, StreamError, type ClientDialect, type StreamReader } from '../dialects/dialect.ts';
import { collectReply } from '../dialects/dialects.ts';
import { createEventParser } from '../dialects/events.ts';
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

interface Ear extends Omit<Listener, 'pause'> {
  /** Characters that it holds. */
  held(): number;
  /** When all has come. */
  reply(): ChatReply;
}

type AnswerEar = Listener & Pick<Ear, 'reply'>;

function createEar(options: ExchangeOptions, incoming: IncomingAnswer, onToken: () => void): AnswerEar {
  const { dialect, key } = options;
  let ear: Ear | null = null;
  return {
    head(head) {
      const type = head.headers['content-type'] ?? '';
      const isStream = head.status === 200 && type.includes('text/event-stream');
      const reader = isStream ? dialect.createReader?.() : undefined;
      ear = reader === undefined ? createBodyEar(options, head) : createStreamEar(reader, key, onToken);
    },
    text(text) {
      incoming.take(text.length);
      const progress = ear?.text(text) ?? 'more';
      incoming.hold(ear?.held() ?? 0);
      return progress;
    },
    pause: () => incoming.pause(),
    reply() {
      if (ear === null) throw new TransportError('cut', 'there was no answer');
      return ear.reply();
    },
  };
}

/** An answer in one piece. Its first token comes with its last. */
function createBodyEar({ dialect, endpoint, key }: ExchangeOptions, head: Head): Ear {
  const texts: string[] = [];
  let held = 0;
  return {
    head() {},
    held: () => held,
    text(text) {
      texts.push(text);
      held += text.length;
      return 'more';
    },
    reply() {
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
  let kept = 0;
  return {
    head() {},
    held: () => kept + parser.waiting(),
    text(text) {
      for (const { event, data } of parser.read(text)) {
        const pieces = reader.read({ event, data: redact(data, [key]) });
        for (const piece of pieces) {
          deltas.push(piece);
          kept += sizeOf(piece);
        }
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

/** Characters of a piece, as JSON where it is no text. */
function sizeOf(piece: ChatDelta): number {
  return 'text' in piece ? piece.text.length : JSON.stringify(piece).length;
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
