import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { invalidApp } from '../../core/errors.ts';
import { isJson, isJsonObject, jsonObjectSchema, type JsonObject } from '../../core/json.ts';
import { HttpError, listen, pathOf, readJson, sendJson, type Listening, type ListenOptions } from '../http.ts';
import { roleOf, type Keys, type Role } from '../sessions/keys.ts';
import type { Metrics } from '../sessions/metrics.ts';
import type { Client, ServedEnvironment, ServedSession } from '../sessions/served-session.ts';
import { errorAnswerOf } from '../sessions/error-answer.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { aggregateMetrics } from './aggregate-metrics.ts';
import { createLastAnswers, type LastAnswers } from './last-answers.ts';
import { gymnasiumStep, lastStep, pastVerdict, readStep, resetAnswer, verify } from './rollout-verbs.ts';
import { readRow } from './row.ts';
import { sessionIdIn, setSessionCookie } from './session-cookie.ts';
import { stepRequest } from './step-request.ts';
import { callByName, ownPaths } from './tool-route.ts';

export interface ResourcesServerOptions extends Pick<ListenOptions, 'host' | 'port' | 'connections'> {
  readonly sessions: Sessions;
  readonly environments: readonly ServedEnvironment[];
  readonly keys: Keys;
  readonly metrics: Metrics;
  onIncident(kind: 'refused-key' | 'malformed-message', detail: string): void;
  onFault(cause: unknown): void;
}

/** Conversations come back with every step, and whole at the end; other requests are short. */
const longestBodies: Readonly<Record<string, number>> = {
  verify: 2 ** 25,
  step: 2 ** 23,
  aggregate_metrics: 2 ** 23,
};
const longestBody = 2 ** 20;

/** Environments as a resources server of NeMo Gym: a session for each rollout, known by its cookie. */
export function createResourcesServer(options: ResourcesServerOptions): Promise<Listening> {
  requireFreeNames(options.environments);
  const { keys, onFault, onIncident, host, port, connections } = options;
  const answers = createLastAnswers();
  return listen(
    async (request, response) => {
      try {
        const role = roleOf(request, keys);
        const path = pathOf(request).slice(1);
        if (request.method === 'GET') return answerGet(path, response);
        if (request.method !== 'POST') throw new HttpError(405, `/${path} does not take ${request.method}.`);
        const call: Call = {
          ...options,
          path,
          request,
          response,
          answers,
          role,
          body: await readObject(request, path),
        };
        await answerPost(call);
      } catch (cause) {
        const { status, message, detail } = errorAnswerOf(cause, onFault);
        if (status === 401) onIncident('refused-key', message);
        options.metrics.count('espalier_errors_total', { code: `NEMO_GYM_${status}` });
        // An agent that loses its cookie with an answer cannot go on.
        const id = sessionIdIn(request);
        if (id !== null) setSessionCookie(response, id);
        sendJson(response, status, { detail: detail ?? message });
      }
    },
    {
      onFault,
      ...(host === undefined ? {} : { host }),
      ...(port === undefined ? {} : { port }),
      ...(connections === undefined ? {} : { connections }),
    },
  );
}

interface Call extends ResourcesServerOptions {
  readonly path: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly answers: LastAnswers;
  readonly role: ReturnType<typeof roleOf>;
  readonly body: JsonObject;
}

function answerGet(path: string, response: ServerResponse): void {
  if (path === '') return sendJson(response, 200, { status: 'ok' });
  // A verdict needs the world that the rollout was in.
  if (path === 'reverify_mode') return sendJson(response, 200, 'unsupported');
  throw new HttpError(404, 'Not Found');
}

async function answerPost(call: Call): Promise<void> {
  const { path, body, response } = call;
  call.metrics.count('espalier_messages_total', { type: ownPaths.includes(path) ? path : 'tool' });
  if (path === 'aggregate_metrics') {
    const { verify_responses } = z.looseObject({ verify_responses: z.array(jsonObjectSchema) }).parse(body);
    return sendJson(response, 200, await aggregateMetrics(verify_responses));
  }
  if (path === 'seed_session' || path === 'reset') return openSession(call);
  if (path === 'close') return closeSession(call);
  if (path === 'verify') return endingVerb(call, { key: 'verify', verb: session => verify(session, body) });
  if (path === 'step') return step(call);
  return toolRoute(call);
}

/** Rollouts have cookies and no connection: together they are one client. */
const gymClients: Readonly<Record<Role, Client>> = {
  student: { name: 'nemo-gym', role: 'student', isShared: true },
  teacher: { name: 'nemo-gym', role: 'teacher', isShared: true },
};

async function openSession({ sessions, body, role, path, response }: Call): Promise<void> {
  const session = await sessions.open(gymClients[role], readRow(body));
  const answer = path === 'reset' ? await sessions.use(session, () => resetAnswer(session)) : {};
  setSessionCookie(response, session.id);
  sendJson(response, 200, answer);
}

async function closeSession({ sessions, request, response }: Call): Promise<void> {
  const id = requireId(request);
  // A rollout that ended by itself is closed already.
  const session = findOrNull(sessions, id);
  if (session !== null) await sessions.use(session, () => sessions.close(session, 'the client closed it'));
  setSessionCookie(response, id);
  sendJson(response, 200, {});
}

function findOrNull(sessions: Sessions, id: string): ServedSession | null {
  try {
    return sessions.find(id);
  } catch {
    return null;
  }
}

/** A retry of a step carries its id, and asks for the same. */
async function step(call: Call): Promise<void> {
  const { sessions, body } = call;
  const { _ng_step_request_id: id } = body;
  const response = readStep(body);
  const request = stepRequest(id, response);
  return endingVerb(call, {
    key: request,
    verb: session =>
      gymnasiumStep(session, {
        response,
        request,
        async keepAnswer(answer) {
          if (request !== null) await sessions.keepAnswer(session, { request, ...answer });
        },
      }),
    tookLastStep: ({ episode }) => request !== null && episode.takenFor(request).length > 0,
  });
}

interface EndingVerb {
  /** Tells the request from every other one; null when a retry of it cannot be known. */
  readonly key: string | null;
  verb(session: ServedSession): Promise<object>;
  /** Whether an earlier try of the request took the last step. */
  tookLastStep?(session: ServedSession): boolean;
}

/** Does something that may end the session. The same request again gets the same answer. */
async function endingVerb(call: Call, { key, verb, tookLastStep }: EndingVerb): Promise<void> {
  const { sessions, request, response, answers, body } = call;
  const id = requireId(request);
  const again = (): unknown => (key === null ? null : (answers.of(id, key) ?? earlierAnswer(sessions, id, key)));
  const inTurn = async (session: ServedSession): Promise<unknown> => {
    const known = again();
    if (known !== null) return known;
    const made = await verb(session);
    if (key !== null) answers.keep(id, key, made);
    if (session.episode.end() !== null) await sessions.close(session, 'its rollout has ended');
    return made;
  };
  const answer = again() ?? (await inSession(call, id, { work: inTurn, tookLastStep }));
  // Also for a request that came again: the answer is known before it is saved.
  await sessions.saved();
  setSessionCookie(response, id);
  // The conversation goes back as it came, and is not kept for a retry: it may have megabytes.
  sendJson(response, 200, key === 'verify' ? { ...body, ...(answer as object) } : answer);
}

/** The answer to the request that ended a rollout before the server was started again. */
function earlierAnswer(sessions: Sessions, id: string, key: string): object | null {
  const past = sessions.pastEnd(id);
  if (past === null) return null;
  const { end, answer } = past;
  if (key === 'verify') return pastVerdict(end);
  if (answer?.request === key) return lastStep(answer, end);
  throw new HttpError(409, 'The episode has ended, and no answer to this step is kept. /verify tells its reward.');
}

async function toolRoute(call: Call): Promise<void> {
  const { path, request, response, body, metrics } = call;
  const id = requireId(request);
  const { status, text } = await inSession(call, id, {
    work: session => callByName(session, { name: decoded(path), input: body }),
  });
  metrics.count('espalier_steps_total');
  setSessionCookie(response, id);
  const bytes = Buffer.from(text);
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'content-length': bytes.length });
  response.end(bytes);
}

interface SessionWork<T> {
  work(session: ServedSession): Promise<T>;
  readonly tookLastStep?: EndingVerb['tookLastStep'];
}

function inSession<T>({ sessions }: Call, id: string, { work, tookLastStep }: SessionWork<T>): Promise<T> {
  const session = sessions.find(id);
  return sessions.use(session, () => work(session), { tookLastStep: () => tookLastStep?.(session) === true });
}

function requireId(request: IncomingMessage): string {
  const id = sessionIdIn(request);
  if (id === null)
    throw new HttpError(400, 'There is no session cookie. Send /seed_session first, and send its cookie back.');
  return id;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

async function readObject(request: IncomingMessage, path: string): Promise<JsonObject> {
  const longest = (Object.hasOwn(longestBodies, path) ? longestBodies[path] : undefined) ?? longestBody;
  const value = await readJson(request, { longest, status: 422 });
  if (isJson(value) && isJsonObject(value)) return value;
  throw new HttpError(422, 'The body is not a JSON object, or it is nested too deeply.');
}

function requireFreeNames(environments: readonly ServedEnvironment[]): void {
  for (const { environment, offer } of environments) {
    const taken = offer.tools.find(({ name }) => ownPaths.includes(name));
    if (taken === undefined) continue;
    throw invalidApp(
      `"${environment.id}" has a tool "${taken.name}", which is an address of NeMo Gym.`,
      'Rename it in the app, or serve this environment without --nemo-gym.',
    );
  }
}
