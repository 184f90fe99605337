import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../core/clock.ts';
import { segmentsOf } from '../../core/chat/segments.ts';
import type { Awaitable } from '../../core/contracts.ts';
import { describeIssues } from '../../core/records.ts';
import { HttpError, readBody, sendJson } from '../http.ts';
import { submittedVerdictSchema, type RecordedAttempt } from './record/call-record.ts';
import { readCalls } from './record/read-calls.ts';
import type { KeyGuard } from '../key-guard.ts';
import { ownerKeyOf, readSession, requireMethod } from './route.ts';
import type { SessionFiles } from './sessions.ts';

export interface VerdictRequestOptions {
  readonly sessions: SessionFiles;
  readonly clock: Clock;
  /** The key that a verdict needs, so that no agent submits its own; null accepts verdicts without a key. */
  readonly verdictKey?: string | null;
  /** Takes an attempt that has its verdict. */
  keep(attempt: RecordedAttempt): Awaitable<void>;
}

const prefix = '/espalier/sessions';
const largestSubmittedVerdict = 2 ** 20;

export function isAboutSessions(path: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}

/** Answers requests about sessions: which exist, and how they ended. */
export async function answerAboutSessions(
  options: VerdictRequestOptions & { readonly guard: KeyGuard },
  {
    path,
    request,
    response,
  }: { readonly path: string; readonly request: IncomingMessage; readonly response: ServerResponse },
): Promise<void> {
  const { sessions, guard, verdictKey = null } = options;
  const asked = { request, key: verdictKey, guard };
  const [, , , name, what, ...rest] = path.split('/');
  const method = request.method ?? '';
  if (name === undefined) {
    requireMethod(method, 'GET', path);
    requireKey(asked);
    return sendJson(response, 200, { sessions: sessions.names().map(session => summaryOf(sessions, session)) });
  }
  const session = readSession(name);
  const isOwner = what === undefined && sessions.isOwner(session, ownerKeyOf(request.headers));
  if (!isOwner) requireKey(asked);
  if (sessions.standing(session) === null) throw new HttpError(404, `There is no session "${session}".`);
  if (what === undefined) {
    requireMethod(method, 'GET', path);
    const latest = sessions.attempts(session).at(-1);
    return sendJson(response, 200, { ...summaryOf(sessions, session), ...(latest && shapeOf(latest)) });
  }
  if (what !== 'verdict' || rest.length > 0)
    throw new HttpError(404, `There is nothing at ${path}. Expected ${prefix}/${session}/verdict.`);
  requireMethod(method, 'POST', path);
  const submitted = readSubmittedVerdict(await readBody(request, largestSubmittedVerdict));
  sendJson(response, 200, await rule(options, session, submitted));
}

interface KeyedRequest {
  readonly request: IncomingMessage;
  readonly key: string | null;
  readonly guard: KeyGuard;
}

function requireKey({ request, key, guard }: KeyedRequest): void {
  if (key === null) return;
  const said = request.headers.authorization;
  if (said !== undefined) guard.admit(request);
  const given = hash('sha256', (said ?? '').replace(/^Bearer /, ''), 'buffer');
  if (timingSafeEqual(given, hash('sha256', key, 'buffer'))) return;
  if (said !== undefined) guard.wrong(request);
  throw new HttpError(
    401,
    'Sessions and their verdicts need the verdict key. Expected "Authorization: Bearer <key>" with the key that the proxy was started with.',
  );
}

function summaryOf(sessions: SessionFiles, session: string): object {
  return { session, ...sessions.standing(session) };
}

/** The segments of an attempt, and their sizes. */
function shapeOf({ calls }: RecordedAttempt): object {
  const exchanges = readCalls(calls).map(({ exchange }) => exchange);
  const segments = segmentsOf(exchanges);
  return {
    answered: exchanges.length,
    segments: segments.map(({ calls: places, by }) => ({ calls: places.length, by })),
  };
}

function readSubmittedVerdict(body: Buffer): RecordedAttempt['ruling'] & object {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    throw new HttpError(400, 'The verdict is not JSON. Expected {"pass": true}, with "checks" if there are any.');
  }
  const parsed = submittedVerdictSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new HttpError(
    400,
    `The verdict is not valid: ${describeIssues(parsed.error)}. Expected {"pass": true, "checks": [{"name": "…", "pass": true}]}.`,
  );
}

/** Ends the latest attempt of a session with a verdict; the next call starts another attempt. */
async function rule(
  { sessions, clock, keep }: VerdictRequestOptions,
  session: string,
  submitted: RecordedAttempt['ruling'] & object,
): Promise<{ readonly session: string; readonly attempt: number; readonly calls: number }> {
  const standing = sessions.standing(session);
  if (standing === null) throw new HttpError(404, `There is no session "${session}".`);
  const { attempt, calls, underWay, isRuled } = standing;
  if (isRuled) throw new HttpError(409, `Attempt ${attempt} of session "${session}" has its verdict already.`);
  if (underWay > 0)
    throw new HttpError(409, `Session "${session}" has calls under way. Give the verdict when they have ended.`);
  sessions.write({ kind: 'verdict', session, attempt, time: clock.now(), ...submitted });
  const recorded = sessions.attempts(session).find(known => known.attempt === attempt);
  if (recorded !== undefined) await keep(recorded);
  return { session, attempt, calls };
}
