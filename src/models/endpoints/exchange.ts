import type { ChatDelta, ChatReply } from '../../core/chat/chat.ts';
import type { Clock } from '../../core/clock.ts';
import {
  MalformedError,
  StreamError,
  type ClientDialect,
  type StreamReader,
  type WireError,
} from '../dialects/dialect.ts';
import { collectReply } from '../dialects/dialects.ts';
import { createEventParser } from '../dialects/events.ts';
import type { AnswerBudget, IncomingAnswer } from './answer-budget.ts';
import type { Endpoint } from './endpoint.ts';
import { breakdownOf, FailedTry, lossOf, malformed, refusalOf } from './failure.ts';
import { veil, type Redactor } from '../secrets/redactor.ts';
import { send, TransportError, type Head, type OutgoingRequest, type Listener } from './transport.ts';

export interface Answer {
  readonly reply: ChatReply;
  /** Until its first token. */
  readonly milliseconds: number;
}

export interface ExchangeOptions {
  readonly endpoint: Endpoint;
  readonly dialect: ClientDialect;
  /** Takes the key out of what comes back. */
  readonly redactor: Redactor;
  readonly letter: OutgoingRequest;
  readonly clock: Clock;
  /** Shared by all answers that are read at once. */
  readonly answers: AnswerBudget;
}

/** One try: an answer to its very end, or a FailedTry that says why there is none. */
export async function exchange(options: ExchangeOptions): Promise<Answer> {
  const { letter, clock, endpoint, redactor } = options;
  const asked = clock.now();
  let first: number | null = null;
  const incoming = options.answers.begin();
  const ear = createEar(options, incoming, () => (first ??= clock.now() - asked));
  try {
    await send(letter, ear);
    return { reply: withoutKey(ear.reply(), redactor), milliseconds: first ?? clock.now() - asked };
  } catch (cause) {
    if (cause instanceof TransportError) throw new FailedTry(lossOf(cause));
    if (cause instanceof StreamError) throw new FailedTry(breakdownOf(cause.error, endpoint));
    if (cause instanceof MalformedError) throw new FailedTry(malformed(cause.message));
    throw cause;
  } finally {
    incoming.end();
  }
}

/** The reply as it is read, after every escape of the wire was undone. */
function withoutKey({ tokens, ...said }: ChatReply, redactor: Redactor): ChatReply {
  const reply = redactor.json(said);
  if (reply === null) throw new MalformedError('it spells the key in a way that cannot be taken out.');
  // Token ids would spell what was taken out of the text.
  return { ...reply, tokens: reply === said ? tokens : null };
}

interface Ear extends Omit<Listener, 'pause'> {
  /** Characters that it holds. */
  held(): number;
  /** When all has come. */
  reply(): ChatReply;
}

type AnswerEar = Listener & Pick<Ear, 'reply'>;

function createEar(options: ExchangeOptions, incoming: IncomingAnswer, onToken: () => void): AnswerEar {
  const { dialect } = options;
  let ear: Ear | null = null;
  return {
    head(head) {
      const type = head.headers['content-type'] ?? '';
      const isStream = head.status === 200 && type.includes('text/event-stream');
      const reader = isStream ? dialect.createReader?.() : undefined;
      ear = reader === undefined ? createBodyEar(options, head) : createStreamEar(reader, options.redactor, onToken);
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
function createBodyEar(options: ExchangeOptions, head: Head): Ear {
  const { dialect, endpoint, redactor } = options;
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
      const text = texts.join('');
      if (head.status === 200) return dialect.readReply(parse(text, redactor));
      throw new FailedTry(refusalOf(readRefusal(options, head, text), head, endpoint));
    },
  };
}

function createStreamEar(reader: StreamReader, redactor: Redactor, onToken: () => void): Ear {
  const parser = createEventParser();
  const deltas: ChatDelta[] = [];
  let hasToken = false;
  let kept = 0;
  return {
    head() {},
    held: () => kept + parser.waiting(),
    text(text) {
      for (const { event, data } of parser.read(text)) {
        // Errors are cut short when they are read, so that only a part of a key would be left to find.
        const pieces = reader.read({ event, data: redactor.text(data) });
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
      deltas.push(...(reader.close?.() ?? []));
      if (!reader.isDone()) throw new TransportError('cut', 'the stream ended before the answer did');
      return collectReply(deltas);
    },
  };
}

/** Characters of a piece, as JSON where it is no text. */
function sizeOf(piece: ChatDelta): number {
  return 'text' in piece ? piece.text.length : JSON.stringify(piece).length;
}

/** Characters of a broken answer that an error looks at. */
const longestRead = 10_000;

function parse(text: string, redactor: Redactor): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new MalformedError(
      text.trim() === '' ? 'nothing at all.' : `not JSON: ${redactor.text(text.slice(0, longestRead)).slice(0, 200)}`,
    );
  }
}

function readRefusal({ dialect, redactor }: ExchangeOptions, head: Head, text: string): WireError {
  const { status, headers } = head;
  if (status >= 300 && status < 400)
    return { kind: 'bad-request', message: `it is at ${headers.location ?? 'another address'}; give that one` };
  let body: unknown;
  try {
    body = redactor.json(JSON.parse(text) as unknown) ?? veil;
  } catch {
    // A page of some server in between, mostly: its words are enough.
    body = redactor
      .text(text)
      .replaceAll(/<(style|script)[\s\S]*?<\/\1>|<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ');
  }
  return dialect.readError(status, body);
}
