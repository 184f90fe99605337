import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { jsonObjectSchema } from '../../core/json.ts';
import { HttpError, pathOf, readBody, sendJson, type Handler } from '../http.ts';
import { roleOf, type Keys } from '../sessions/keys.ts';
import type { Client, ServedSession } from '../sessions/served-session.ts';
import type { OpenSession, Sessions } from '../sessions/sessions.ts';
import { environmentsOf, metadataOf, openApiOf, schemasOf, type AboutServer } from './about.ts';
import type { Desk } from './desk.ts';
import { excessOf } from './frame-bounds.ts';
import { answerRpc, parseError } from './mcp-rpc.ts';
import { look, type StepResult } from '../sessions/observation.ts';
import { readReset } from './reset-request.ts';
import { isListTools, listTools, takeStep } from './step.ts';
import { checked, wireErrorOf, WireError } from './wire.ts';

export interface RoutesOptions {
  readonly about: AboutServer;
  readonly desk: Desk;
  readonly keys: Keys;
  /** Sessions that nothing is kept of, for requests that stand alone. */
  readonly stateless: Sessions;
  /** Gauges for `/metrics`. */
  gauges(): Readonly<Record<string, number>>;
}

type Route = (request: IncomingMessage, client: Client) => Promise<unknown>;

/** The addresses of OpenEnv over HTTP. Requests stand alone: each one has a world of its own. */
export function createRoutes(options: RoutesOptions): Handler {
  const { about, desk, keys, gauges } = options;
  const routes = new Map<string, Route>([
    ['GET /health', async () => ({ status: 'healthy' })],
    ['GET /metadata', async () => metadataOf(about)],
    ['GET /environments', async () => environmentsOf(about.environments)],
    ['GET /schema', async () => schemasOf()],
    ['GET /openapi.json', async () => openApiOf(about.version)],
    ['GET /state', async () => ({ episode_id: null, step_count: 0 })],
    ['POST /reset', (request, client) => resetAlone(request, client, options)],
    ['POST /step', (request, client) => stepAlone(request, client, options)],
    ['POST /mcp', (request, client) => rpc(request, client, options)],
  ]);
  return async (request, response) => {
    const path = pathOf(request);
    // Whoever watches over servers has no key.
    const role = path === '/health' ? 'student' : roleOf(request, keys);
    if (request.method === 'GET' && path === '/metrics') return sendText(response, desk.metrics.text(gauges()));
    const route = routes.get(`${request.method} ${path}`);
    if (route === undefined) throw notThere(request.method ?? '', path, [...routes.keys()]);
    try {
      sendJson(response, 200, await route(request, { name: 'openenv http', role }));
    } catch (cause) {
      if (cause instanceof HttpError) throw cause;
      const { code, message, details } = wireErrorOf(cause, desk.onFault);
      sendJson(response, statusOf(code), {
        detail: details['errors'] ?? [{ loc: ['body'], msg: message }],
        code,
        message,
      });
    }
  };
}

function statusOf(code: WireError['code']): number {
  if (code === 'CAPACITY_REACHED') return 503;
  if (code === 'EXECUTION_ERROR' || code === 'FACTORY_ERROR') return 500;
  return code === 'FORBIDDEN' ? 403 : 422;
}

function notThere(method: string, path: string, known: readonly string[]): HttpError {
  const isKnown = known.some(name => name.endsWith(` ${path}`));
  if (isKnown) return new HttpError(405, `${path} does not take ${method}.`);
  return new HttpError(404, `There is nothing at ${path}. Sessions are at the WebSocket /ws; see /openapi.json.`);
}

function sendText(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
  response.end(text);
}

async function bodyOf(request: IncomingMessage, { about }: RoutesOptions): Promise<unknown> {
  const bytes = await readBody(request, about.limits.messageBytes);
  const excess = excessOf(bytes);
  if (excess !== null) throw new WireError('VALIDATION_ERROR', excess.message);
  const text = bytes.toString('utf8');
  return text.trim() === '' ? {} : JSON.parse(text);
}

async function jsonBody(request: IncomingMessage, options: RoutesOptions): Promise<unknown> {
  try {
    return await bodyOf(request, options);
  } catch (cause) {
    if (cause instanceof SyntaxError) throw new WireError('INVALID_JSON', `The body is not JSON: ${cause.message}.`);
    throw cause;
  }
}

async function rpc(request: IncomingMessage, client: Client, options: RoutesOptions): Promise<object> {
  try {
    return await answerRpc(await bodyOf(request, options), { desk: options.desk, client, own: null });
  } catch (cause) {
    if (cause instanceof SyntaxError) return parseError();
    throw cause;
  }
}

async function resetAlone(request: IncomingMessage, client: Client, options: RoutesOptions): Promise<StepResult> {
  const wanted = readReset(await jsonBody(request, options));
  return alone(options.stateless, client, wanted, session =>
    look(session, { instruction: session.episode.task.instruction }),
  );
}

const stepSchema = z.object({ action: jsonObjectSchema });

async function stepAlone(request: IncomingMessage, client: Client, options: RoutesOptions): Promise<StepResult> {
  const { stateless } = options;
  const body = await jsonBody(request, options);
  const { action } = checked(stepSchema, body);
  const wanted = readReset(body);
  if (isListTools(action)) return listTools(stateless.environment(wanted.environment));
  return alone(stateless, client, wanted, async session => {
    const result = await takeStep(session, action);
    return isHiddenFrom(client, session) ? { ...result, reward: null } : result;
  });
}

/** Nothing is recorded here: a student that is evaluated could try answers until one is right, and nobody would know. */
function isHiddenFrom({ role }: Client, { episode }: ServedSession): boolean {
  return role === 'student' && episode.task.split !== 'train';
}

type Work = (session: Awaited<ReturnType<Sessions['open']>>) => Promise<StepResult>;

async function alone(sessions: Sessions, client: Client, ...[wanted, work]: [OpenSession, Work]): Promise<StepResult> {
  const session = await sessions.open({ ...client }, { ...wanted, keep: false });
  try {
    return await work(session);
  } finally {
    await sessions.close(session, 'it was opened for one request');
  }
}
