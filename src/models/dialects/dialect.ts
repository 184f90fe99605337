import type { ChatDelta, ChatReply, ChatRequest } from '../../core/chat/chat.ts';
import type { JsonObject } from '../../core/json.ts';

/** Why a model server refused a request. */
export type Refusal =
  | 'bad-key'
  | 'unknown-model'
  | 'context-overflow'
  | 'no-images'
  | 'bad-request'
  | 'rate-limited'
  | 'no-credit'
  | 'overloaded'
  | 'broken';

export interface WireError {
  readonly kind: Refusal;
  readonly message: string;
}

/** A text that a server sends as an event. */
export interface ServerEvent {
  readonly event: string | null;
  readonly data: string;
}

/** Reads a reply from the events of a stream. */
export interface StreamReader {
  /** What an event adds; throws a MalformedError when it is none of this dialect, a StreamError when the server gives up. */
  read(event: ServerEvent): readonly ChatDelta[];
  /** Whether the last event was the last. A stream that stops before it was cut. */
  isDone(): boolean;
  /** What is left to say when the server closed the stream in good order without such an event; nothing if more was due. */
  close?(): readonly ChatDelta[];
}

/** Writes a reply as the events of a stream. */
export interface StreamWriter {
  /** The events of a piece, as they go over the wire. */
  write(delta: ChatDelta): string;
  /** What follows the last piece. */
  close(): string;
  /** Tells the client that the stream ends early, and why. */
  fail(error: WireError): string;
}

/** How a client speaks to a server of models, as pure functions: all that a module of the user's has to know. */
export interface ClientDialect {
  readonly name: string;
  /** Behind the base address: `/chat/completions`. */
  readonly path: string;
  /** What a client sends beside the body; a key of null sends none. */
  headers(key: string | null): Readonly<Record<string, string>>;

  /** Writes the members of `extra` as they are: who translates between two dialects leaves them out. */
  writeRequest(request: ChatRequest): JsonObject;
  /** Throws a MalformedError when it is no reply, a StreamError when it says that the server gave up. */
  readReply(body: unknown): ChatReply;
  /** For servers that stream; left out, a reply comes whole. */
  createReader?(): StreamReader;
  readError(status: number, body: unknown): WireError;
}

/** A wire format of ours: reading and writing of both sides. */
export interface Dialect extends ClientDialect {
  readonly name: 'openai' | 'responses' | 'anthropic';
  createReader(): StreamReader;

  /** Throws a MalformedError that says what is wrong, for the client. */
  readRequest(body: unknown): ChatRequest;
  /** Tokens are told to a client that asked for them, here and in streams. */
  writeReply(reply: ChatReply, request: ChatRequest): JsonObject;
  createWriter(request: ChatRequest): StreamWriter;
  /** The status and the body that say so to a client. */
  writeError(error: WireError): { readonly status: number; readonly body: JsonObject };
}

/** The input does not fit the dialect. */
export class MalformedError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'MalformedError';
  }
}

/** The server says in a reply, mostly in the middle of a stream, that it cannot go on. */
export class StreamError extends Error {
  readonly error: WireError;

  constructor(error: WireError) {
    super(error.message);
    this.name = 'StreamError';
    this.error = error;
  }
}
