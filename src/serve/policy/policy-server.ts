import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ChatRequest } from '../../core/chat/chat.ts';
import { servedMember, servedQuestionSchema, type ServedQuestion } from '../../core/chat/served.ts';
import type { JsonObject } from '../../core/json.ts';
import { createRandom, type Random } from '../../core/random.ts';
import { describeIssues } from '../../core/records.ts';
import { createSemaphore } from '../../core/semaphore.ts';
import { MalformedError, type WireError } from '../../models/dialects/dialect.ts';
import { openai } from '../../models/dialects/openai/openai.ts';
import {
  hangUpSignal,
  HttpError,
  listen,
  pathOf,
  readJson,
  sendJson,
  type Handler,
  type Listening,
  type ListenOptions,
} from '../http.ts';
import { writeCompletion, writeCompletionStream } from './completion.ts';
import { RefusedError, type ServedPolicy } from './served-policy.ts';

export interface PolicyServerOptions extends ListenOptions {
  readonly policies: readonly ServedPolicy[];
  /** For requests that bring no seed. */
  readonly random: Random;
  /** Bytes of a request. */
  readonly largestBody?: number;
}

type Method = 'GET' | 'POST';
type Route = { readonly [K in Method]?: Handler };

const defaultLargestBody = 32 * 1024 * 1024;

/** Serves policies as an OpenAI-compatible endpoint. */
export function createPolicyServer({ policies, ...options }: PolicyServerOptions): Promise<Listening> {
  const complete = createCompleter({ policies, ...options });
  const models = policies.map(modelOf);
  const routes = new Map<string, Route>([
    ['/health', { GET: sending({ status: 'ok' }) }],
    ['/v1/models', { GET: sending({ object: 'list', data: models }) }],
    ['/v1/chat/completions', { POST: complete }],
  ]);
  for (const model of models) routes.set(`/v1/models/${encodeURIComponent(model.id)}`, { GET: sending(model) });

  return listen(async (request, response) => {
    try {
      await routed(routes, request, response)(request, response);
    } catch (cause) {
      const error = wireErrorOf(cause);
      if (error === null || response.headersSent) throw cause;
      const { status, body } = openai.writeError(error);
      sendJson(response, status, body);
    }
  }, options);
}

function routed(routes: ReadonlyMap<string, Route>, request: IncomingMessage, response: ServerResponse): Handler {
  const path = pathOf(request);
  const route = routes.get(path);
  if (route === undefined)
    throw new HttpError(404, `There is no ${path}. Expected one of: ${[...routes.keys()].join(', ')}.`);
  const handler = route[request.method as Method];
  if (handler !== undefined) return handler;
  const allowed = Object.keys(route).join(', ');
  response.setHeader('allow', allowed);
  throw new HttpError(405, `${request.method} is not for ${path}. Expected ${allowed}.`);
}

function sending(value: JsonObject): Handler {
  return (_request, response) => sendJson(response, 200, value);
}

function modelOf({ id, version }: ServedPolicy): JsonObject & { readonly id: string } {
  return { id, object: 'model', created: 0, owned_by: 'espalier', version };
}

function createCompleter({ policies, random, largestBody = defaultLargestBody }: PolicyServerOptions): Handler {
  const inTurn = createSemaphore(1).run;
  let asked = 0;
  return async (request, response) => {
    const signal = hangUpSignal(response);
    const chat = openai.readRequest(await readJson(request, { longest: largestBody }));
    const policy = policies.find(({ id }) => id === chat.model) ?? unknownModel(chat.model, policies);
    const question = readQuestion(chat);
    const id = `chatcmpl-${++asked}`;
    const chance = randomFor(question, chat) ?? random.fork(id);
    const answer = await inTurn(async () => {
      // Sockets are read between two answers: one whose client hung up while it waited is never computed.
      await new Promise(resolve => setImmediate(resolve));
      return signal.aborted ? null : policy.answer({ chat, question, random: chance });
    });
    // The client has gone.
    if (answer === null) return;
    const exchange = { id, version: policy.version, chat, answer };
    if (chat.stream !== true) return sendJson(response, 200, writeCompletion(exchange));
    const events = writeCompletionStream(exchange);
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
    response.end(events);
  };
}

function unknownModel(model: string, policies: readonly ServedPolicy[]): never {
  const known = policies.map(({ id }) => id).join(', ');
  throw new RefusedError(`There is no model "${model}" here. Expected one of: ${known}.`, 'unknown-model');
}

function readQuestion({ extra }: ChatRequest): ServedQuestion | null {
  const value = extra?.[servedMember];
  if (value === undefined) return null;
  const parsed = servedQuestionSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new RefusedError(`The member "${servedMember}" cannot be read: ${describeIssues(parsed.error)}.`);
}

/** The random stream that the client names; null when it names none. */
function randomFor(question: ServedQuestion | null, { sampling: { seed } }: ChatRequest): Random | null {
  if (question !== null) return createRandom(question.random);
  return seed === undefined ? null : createRandom(seed);
}

function wireErrorOf(cause: unknown): WireError | null {
  if (cause instanceof RefusedError) return cause.error;
  const isBad = cause instanceof MalformedError || (cause instanceof HttpError && cause.status === 400);
  return isBad ? { kind: 'bad-request', message: cause.message } : null;
}
