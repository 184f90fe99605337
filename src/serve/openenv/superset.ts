import { z } from 'zod';
import type { Verdict } from '../../core/records.ts';
import type { BranchEnd } from '../../episode/driven/branches.ts';
import type { DrivenEpisode } from '../../episode/driven/contract.ts';
import type { Role } from '../sessions/keys.ts';
import type { ServedSession } from '../sessions/served-session.ts';
import { SessionError } from '../sessions/session-error.ts';
import { isEndedByAgent } from '../sessions/session-file.ts';
import { look, rewardOf } from '../sessions/observation.ts';
import { readReset } from './reset-request.ts';
import { inSession, type Call, type Verb } from './verbs.ts';
import { checked, mostCharacters, WireError, type WireAnswer } from './wire.ts';

/** Forks of one request. */
export const mostForks = 64;
/** A snapshot is named by its node and the key of its episode, which has the names of environment and task. */
const mostOfSnapshot = 1000;

const node = z.int().nonnegative();
const attachSchema = z.object({ session: z.string().max(mostCharacters) });
const forkSchema = z.object({
  n: z.int().positive().max(mostForks, `at most ${mostForks} forks at once`).default(1),
  node: node.optional(),
});
const rollbackSchema = z.object({ node });
const restoreSchema = z.object({ snapshot: z.string().max(mostOfSnapshot) });
const verifySchema = z.object({ stop: z.boolean().default(false) });

async function open({ request, conversation, desk }: Call): Promise<WireAnswer> {
  const session = await desk.sessions.open(conversation.client, readReset(request.data));
  return { type: 'open', data: await introduction(session) };
}

async function attach({ request, conversation, desk }: Call): Promise<WireAnswer> {
  const { session: id } = checked(attachSchema, request.data);
  const session = desk.sessions.attach(conversation.client, id);
  return desk.sessions.use(session, async () => ({ type: 'attach', data: await introduction(session) }));
}

async function introduction(session: ServedSession): Promise<object> {
  const { id, episode, served } = session;
  const { task, tree } = episode;
  return {
    session: id,
    environment: served.environment.id,
    task: task.id,
    episode: episode.key,
    node: episode.at(),
    digest: tree.digest(episode.at()),
    ...(await look(session, { instruction: task.instruction })),
  };
}

function observe(call: Call): Promise<WireAnswer> {
  return inSession(call, async session => ({ type: 'observe', data: await look(session) }));
}

function digest(call: Call): Promise<WireAnswer> {
  return inSession(call, async ({ episode }) => {
    const reached = await episode.digest();
    const recorded = episode.tree.digest(episode.at());
    return {
      type: 'digest',
      data: { node: episode.at(), digest: reached, recorded, equal: reached === recorded },
    };
  });
}

function snapshot(call: Call): Promise<WireAnswer> {
  return inSession(call, async ({ episode }) => {
    const at = episode.at();
    return { type: 'snapshot', data: { snapshot: `${at}@${episode.key}`, node: at, digest: episode.tree.digest(at) } };
  });
}

function restore(call: Call): Promise<WireAnswer> {
  const { snapshot: name } = checked(restoreSchema, call.request.data);
  return inSession(call, async session => {
    const [, found = '', key = ''] = /^(\d{1,9})@(.+)$/.exec(name) ?? [];
    if (key !== session.episode.key)
      throw new WireError('VALIDATION_ERROR', `"${name.slice(0, 120)}" is not a snapshot of this episode.`);
    return { type: 'restore', data: await goBack(call, session, Number(found)) };
  });
}

function rollback(call: Call): Promise<WireAnswer> {
  const { node: to } = checked(rollbackSchema, call.request.data);
  return inSession(call, async session => ({ type: 'rollback', data: await goBack(call, session, to) }));
}

/** Certified: the digest that was reached is compared with the recorded one, and both are told. */
async function goBack({ desk }: Call, session: ServedSession, to: number): Promise<object> {
  const { episode } = session;
  requireOpenNode(episode, to);
  const { method } = await episode.rollback(to);
  desk.metrics.count('espalier_rollbacks_total', { method });
  const [recorded, reached] = [episode.tree.digest(to), await episode.digest()];
  const { observation } = await look(session);
  return { node: to, method, recorded, reached, observation };
}

function fork(call: Call): Promise<WireAnswer> {
  const { n, node: wanted } = checked(forkSchema, call.request.data);
  return inSession(call, async session => {
    const { episode } = session;
    const at = wanted ?? episode.at();
    requireOpenNode(episode, at);
    const forks = await call.desk.sessions.fork(session, { count: n, node: at });
    call.desk.metrics.count('espalier_forks_total', {}, n);
    const own = episode.tree.digest(at);
    const sessions = forks.map(({ id }) => ({ session: id, node: at, digest: own }));
    return { type: 'fork', data: { node: at, digest: own, sessions } };
  });
}

/** A node at which the agent has not finished: whoever stood at another one's finish would get its reward. */
function requireOpenNode({ tree }: DrivenEpisode, at: number): void {
  try {
    tree.digest(at);
  } catch {
    throw new WireError('VALIDATION_ERROR', `There is no node ${at}. Expected a node of this episode.`);
  }
  if (at === 0 || tree.node(at).outcome.end !== 'terminated') return;
  throw new WireError(
    'VALIDATION_ERROR',
    `At node ${at} the agent has finished. Expected a node before that, such as ${tree.node(at).parent}.`,
  );
}

function candidates(call: Call): Promise<WireAnswer> {
  return inSession(call, async ({ episode }) => ({
    type: 'candidates',
    data: { candidates: await episode.candidates() },
  }));
}

async function verify(call: Call): Promise<WireAnswer> {
  const { stop } = checked(verifySchema, call.request.data);
  const { request, conversation, desk } = call;
  const { role } = conversation.client;
  const past = request.session === null ? null : desk.sessions.pastEnd(request.session);
  if (past !== null) return verifiedAnswer(past.end, role, isEndedByAgent(past.end));
  return inSession(call, async ({ episode }) => {
    const end = episode.end() ?? (stop ? await episode.finish('stopped by the client') : null);
    if (end !== null) return verifiedAnswer(end, role, episode.ended() !== null);
    requireTeacher(
      role,
      'A session that goes on is verified for teachers only. Finish it first, or send {"stop": true}.',
    );
    return { type: 'verify', data: { outcome: null, reward: null, verdict: await episode.verify() } };
  });
}

/** A student that could stop forks anywhere, and read what holds there, would have the verifier as a guide. */
function verifiedAnswer(end: Pick<BranchEnd, 'outcome' | 'verdict'>, role: Role, isByAgent: boolean): WireAnswer {
  const verdict = role === 'student' && !isByAgent ? null : shownVerdict(end.verdict, role);
  return { type: 'verify', data: { outcome: end.outcome, reward: rewardOf(end), verdict } };
}

/** The words of checks name values that an agent must not learn. */
function shownVerdict(verdict: Verdict | null, role: Role): object | null {
  if (verdict === null || role === 'teacher') return verdict;
  const { pass, progress, clean, checks } = verdict;
  return { pass, progress, clean, checks: checks.map(({ id, pass: holds }) => ({ id: id ?? null, pass: holds })) };
}

function plan(call: Call): Promise<WireAnswer> {
  const { desk, conversation } = call;
  requireTeacher(conversation.client.role, 'Only a teacher may ask for a plan. Connect with the key of a teacher.');
  return inSession(call, async ({ episode }) => {
    if (desk.plan === null) throw new WireError('UNSUPPORTED', 'This server has no planner.');
    return { type: 'plan', data: await desk.plan(episode) };
  });
}

function requireTeacher(role: Role, message: string): void {
  if (role !== 'teacher') throw new SessionError('forbidden', message);
}

/** The verbs that OpenEnv does not have, in the order of the specification. */
export const supersetVerbs: Readonly<Record<string, Verb>> = {
  open,
  attach,
  observe,
  digest,
  snapshot,
  restore,
  rollback,
  fork,
  candidates,
  verify,
  plan,
};
