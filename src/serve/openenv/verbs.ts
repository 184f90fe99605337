import type { ServedSession } from '../sessions/served-session.ts';
import { noSession } from '../sessions/session-error.ts';
import type { OpenSession, PastEnd, Sessions } from '../sessions/sessions.ts';
import type { Conversation, Desk } from './desk.ts';
import { answerRpc } from './mcp-rpc.ts';
import { look, rewardOf, type StepResult } from '../sessions/observation.ts';
import { readReset } from './reset-request.ts';
import { isListTools, listTools, stepName, takeStep } from './step.ts';
import { WireError, type WireAnswer, type WireRequest } from './wire.ts';

/** A request that is being answered. */
export interface Call {
  readonly request: WireRequest;
  readonly conversation: Conversation;
  readonly desk: Desk;
}

/** Null leaves the request without an answer. */
export type Verb = (call: Call) => Promise<WireAnswer | null>;

/** The session that a request means. */
function sessionOf({ request, conversation, desk }: Call): ServedSession {
  const found = request.session === null ? conversation.own : desk.sessions.find(request.session);
  if (found === null) throw noSession(null);
  return found;
}

/** Does something in the session that the request means. */
export function inSession<T>(call: Call, work: (session: ServedSession) => Promise<T>): Promise<T> {
  const session = sessionOf(call);
  return call.desk.sessions.use(session, () => work(session));
}

async function reset(call: Call): Promise<WireAnswer> {
  const wanted = readReset(call.request.data);
  const session = await resetSession(call, wanted);
  const { instruction } = session.episode.task;
  return { type: 'observation', data: await look(session, { instruction }) };
}

async function resetSession({ request, conversation, desk }: Call, wanted: OpenSession): Promise<ServedSession> {
  const { sessions } = desk;
  const known = request.session === null ? conversation.own : sessions.find(request.session);
  if (known !== null && request.session !== null) requireSameKeep(known, wanted);
  if (known !== null && sessions.isOpen(known) && known.keeps === (wanted.keep ?? known.keeps)) {
    await sessions.use(known, () => sessions.reset(known, wanted, conversation.client));
    return known;
  }
  if (known !== null) {
    await sessions.requireTask(wanted, conversation.client.role);
    await sessions.use(known, () => sessions.close(known, 'it was reset'));
  }
  conversation.own = null;
  conversation.own = await sessions.open(conversation.client, wanted);
  return conversation.own;
}

/** A session with another `keep` would be another session, and the id of this one would be gone. */
function requireSameKeep({ id, keeps }: ServedSession, { keep = keeps }: OpenSession): void {
  if (keep === keeps) return;
  throw new WireError(
    'VALIDATION_ERROR',
    `Session "${id}" was opened ${keeps ? 'with' : 'without'} "keep", and a reset cannot change that. Leave "keep" out, or send open for another session.`,
  );
}

async function step(call: Call): Promise<WireAnswer> {
  const { request, conversation, desk } = call;
  const begun = desk.now();
  if (isListTools(request.data)) {
    const session = request.session === null ? conversation.own : desk.sessions.find(request.session);
    return { type: 'observation', data: listTools(session?.served ?? desk.sessions.environment(undefined)) };
  }
  const name = stepName(request.request, request.data);
  const past = request.session === null || name === null ? null : desk.sessions.pastEnd(request.session);
  if (past !== null && past.answer?.request === name) return { type: 'observation', data: pastStep(past) };
  const data = await inSession(call, session =>
    takeStep(session, request.data, {
      request: name,
      keep: (ended, observation) => keepStep(desk.sessions, session, { request: name ?? '', ended, observation }),
    }),
  );
  desk.metrics.count('espalier_steps_total');
  desk.metrics.time(desk.now() - begun);
  return { type: 'observation', data };
}

interface LastStep {
  readonly request: string;
  readonly ended: 'terminated' | 'truncated';
  readonly observation: object;
}

/** Kept before the session ends: a server that is killed after that has the answer. */
function keepStep(
  sessions: Sessions,
  session: ServedSession,
  { request, ended, observation }: LastStep,
): Promise<void> {
  const outputs = [{ call_id: 'observation', output: JSON.stringify(observation) }];
  return sessions.keepAnswer(session, { request, ended, outputs });
}

/** The answer to the step that ended a session before the server was started again. */
function pastStep({ end, answer }: PastEnd): StepResult {
  const observation = JSON.parse(answer?.outputs[0]?.output ?? '{}') as object;
  return { observation: { ...observation, ended: answer?.ended }, reward: rewardOf(end), done: true };
}

async function state({ request, conversation, desk }: Call): Promise<WireAnswer> {
  const session = request.session === null ? conversation.own : desk.sessions.find(request.session);
  if (session === null) return { type: 'state', data: { episode_id: null, step_count: 0 } };
  return desk.sessions.use(session, async () => ({ type: 'state', data: stateOf(session) }));
}

/** What OpenEnv calls the state: where the episode stands, and nothing of the world behind it. */
function stateOf({ id, name, episode, served }: ServedSession): object {
  const node = episode.at();
  return {
    episode_id: name ?? episode.key,
    step_count: episode.tree.path(node).length,
    environment: served.environment.id,
    task: episode.task.id,
    session: id,
    node,
    digest: episode.tree.digest(node),
    ended: episode.ended(),
    outcome: episode.end()?.outcome ?? null,
  };
}

async function mcp({ request, conversation, desk }: Call): Promise<WireAnswer> {
  const own = request.session === null ? conversation.own : desk.sessions.find(request.session);
  const data = await answerRpc(request.data, { desk, client: conversation.client, own });
  return { type: 'mcp', data };
}

async function close({ request, desk }: Call): Promise<WireAnswer | null> {
  if (request.session === null) return null;
  const session = desk.sessions.find(request.session);
  await desk.sessions.use(session, () => desk.sessions.close(session, 'the client closed it'));
  return { type: 'close', data: { session: session.id, closed: true } };
}

/** The verbs of OpenEnv. */
export const openEnvVerbs: Readonly<Record<string, Verb>> = { reset, step, state, mcp, close };

export function unknownType(type: string, known: readonly string[]): WireError {
  return new WireError(
    'UNKNOWN_TYPE',
    `Unknown message type: "${type.slice(0, 80)}". Expected one of: ${known.join(', ')}.`,
  );
}
