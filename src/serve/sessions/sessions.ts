import type { Clock, Timers } from '../../core/clock.ts';
import type { Environment } from '../../core/contracts.ts';
import { EspalierError } from '../../core/errors.ts';
import type { Task } from '../../core/records.ts';
import type { DrivenEpisode } from '../../episode/driven/contract.ts';
import type { Episodes } from '../../episode/driven/episodes.ts';
import type { Role } from './keys.ts';
import { createRegistry, type Registry, type RegistryOptions } from './registry.ts';
import {
  createSession,
  type Client,
  type ServedEnvironment,
  type ServedSession,
  type SessionParts,
} from './served-session.ts';
import { notSaved, SessionError } from './session-error.ts';
import { longestLastAnswer, recordedEnd, type LastAnswer, type RecordedEnd, type SessionFile } from './session-file.ts';

/** What a client asks for. */
export interface OpenSession {
  readonly environment?: string | undefined;
  readonly task?: string | undefined;
  readonly seed?: number | undefined;
  /** What the client calls the episode. */
  readonly name?: string | undefined;
  /** Whether the session outlives its connection. */
  readonly keep?: boolean | undefined;
  /** Who takes the steps, as the episode records it; the name of the protocol when left out. */
  readonly student?: string | undefined;
}

export interface SessionsOptions extends RegistryOptions {
  readonly episodes: Episodes;
  /** The first one is the usual one. */
  readonly environments: readonly ServedEnvironment[];
  task(environment: Environment, choice: Pick<OpenSession, 'task' | 'seed'>): Promise<Task>;
  /** Whether students may open held-out templates by name. */
  readonly opensHeldOut?: boolean | undefined;
  createId(): string;
  readonly clock: Clock;
  readonly timers: Timers;
  /** A session without a request for so long is abandoned. */
  readonly idleMilliseconds: number;
  /** Where sessions that outlive their connection are written down; null when none can. */
  readonly file: SessionFile | null;
  /** Comes when everything that was done so far survives the end of this process. */
  saved(): Promise<void>;
  /** Told of every session that was opened, also by a fork. */
  onOpen?(session: ServedSession): void;
  onFault(cause: unknown): void;
}

/** How a session of an earlier server ended, and what the request that ended it is answered with. */
export interface PastEnd {
  readonly end: RecordedEnd;
  readonly answer: LastAnswer | null;
}

interface UseOptions {
  /** Whether the request is a retry of the one that took the last step: then it has the session verified by itself. */
  tookLastStep?(): boolean;
}

/** The open sessions of a server. */
export interface Sessions {
  /** Sessions that go on. */
  active(): number;
  /** Sessions that have finished, and were neither closed nor reset. */
  finished(): number;
  /** The environment of this id, or the usual one. */
  environment(id: string | undefined): ServedEnvironment;
  serves(environment: string): boolean;
  /** Throws when no episode can be opened for the request: its environment or its task is none. */
  requireTask(request: OpenSession, role: Role): Promise<void>;
  /** A session with `keep` is saved when this returns. */
  open(client: Client, request: OpenSession): Promise<ServedSession>;
  /** Opens another episode in the same session, with the rights of who asks; what was open is abandoned, unless the request is refused. */
  reset(session: ServedSession, request: OpenSession, asker: Client): Promise<void>;
  find(id: string): ServedSession;
  /** From now on it belongs to this client. */
  attach(client: Client, id: string): ServedSession;
  /** So many sessions at this node: all of them, or none. */
  fork(session: ServedSession, request: { readonly count: number; readonly node: number }): Promise<ServedSession[]>;
  isOpen(session: ServedSession): boolean;
  /**
   * Runs a request after those that came before: the session is not idle meanwhile. What was done in a session with `keep`
   * is saved when this returns, so that no codec can answer before.
   */
  use<T>(session: ServedSession, work: () => Promise<T>, options?: UseOptions): Promise<T>;
  /** Comes when everything that was done so far survives the end of this process. */
  saved(): Promise<void>;
  /** Ends a session; one that has not finished is abandoned. Call it in `use`, which saves it. */
  close(session: ServedSession, why: string): Promise<void>;
  /** A connection is gone: its sessions end, but those that outlive it. */
  leave(client: Client): Promise<void>;
  /** Adds a session of an earlier server. */
  restore(parts: SessionParts): void;
  /** Saves the answer to the request that is about to end the session, before the end can be saved. Call it in `use`. */
  keepAnswer(session: ServedSession, answer: LastAnswer): Promise<void>;
  /** How a session of an earlier server ended; null when that is not known. */
  pastEnd(id: string): PastEnd | null;
  restoreEnd(id: string, end: PastEnd): void;
  /** Says why a session of an earlier server cannot go on, when somebody looks for it. */
  markLost(id: string, cause: Error): void;
  /** The keys of the episodes whose sessions outlive this server. */
  keptEpisodes(): ReadonlySet<string>;
  /** Ends the sweep for idle sessions. The episodes are left to whoever has them. */
  stop(): void;
}

export function createSessions(options: SessionsOptions): Sessions {
  const registry = createRegistry(options);
  const { clock, file, onFault } = options;
  const pastEnds = new Map<string, PastEnd>();
  const saved = savedOrTold(options);
  const close = async (session: ServedSession, why: string): Promise<void> => {
    registry.remove(session);
    if (session.episode.end() === null) await session.episode.abandon(why);
    write(session, file);
  };
  return {
    close,
    saved,
    environment: id => environmentOf(options.environments, id),
    serves: id => options.environments.some(({ environment }) => environment.id === id),
    async requireTask(request, role) {
      await taskFor(environmentOf(options.environments, request.environment), { request, role }, options);
    },
    active: registry.size,
    finished: registry.finished,
    find: registry.find,
    isOpen: registry.has,
    stop: startSweep(options, registry.all, why => session => void close(session, why).catch(onFault)),
    ...openingVerbs({ ...options, saved }, registry, close),
    attach(client, id) {
      const found = registry.find(id);
      registry.give(found, client);
      return found;
    },
    async use(session, work, { tookLastStep } = {}) {
      session.busy++;
      try {
        return await session.inTurn(() => takeTurn(session, work, { registry, file, clock, tookLastStep }));
      } finally {
        if (session.keeps) await saved();
      }
    },
    async leave(client) {
      const lost = registry.release(client).filter(session => !session.keeps);
      await Promise.all(lost.map(session => close(session, 'the client left')));
    },
    async keepAnswer(session, answer) {
      if (!session.keeps || lengthOf(answer) > longestLastAnswer) return;
      session.answer = answer;
      write(session, file);
      await saved();
    },
    keptEpisodes: () => new Set([...registry.all()].filter(({ keeps }) => keeps).map(({ episode }) => episode.key)),
    pastEnd: id => pastEnds.get(id) ?? null,
    restoreEnd: (id, end) => void pastEnds.set(id, end),
    markLost: registry.markLost,
    restore(parts) {
      const session = createSession(parts, clock.now());
      session.isUnverified = parts.episode.ended() !== null;
      registry.add(session, null);
    },
  };
}

interface TurnOptions extends Pick<SessionsOptions, 'file' | 'clock'> {
  readonly registry: Registry;
  readonly tookLastStep: UseOptions['tookLastStep'];
}

async function takeTurn<T>(
  session: ServedSession,
  work: () => Promise<T>,
  { registry, file, clock, tookLastStep }: TurnOptions,
): Promise<T> {
  const isOpen = session.episode.end() === null;
  try {
    if (isOpen && session.isUnverified && tookLastStep?.() !== true) await verifyResumed(session);
    return await work();
  } finally {
    if (isOpen && session.episode.end() !== null) {
      write(session, file);
      registry.finish(session);
    }
    session.busy--;
    session.lastUsed = clock.now();
  }
}

/** A disk that fails is told to the client, and why in the log. */
function savedOrTold({ saved, onFault }: SessionsOptions): () => Promise<void> {
  return async () => {
    try {
      await saved();
    } catch (cause) {
      onFault(cause);
      throw notSaved();
    }
  };
}

function openingVerbs(
  options: SessionsOptions,
  registry: Registry,
  close: Sessions['close'],
): Pick<Sessions, 'open' | 'reset' | 'fork'> {
  const { clock, file, onOpen, createId, environments } = options;
  const openEpisode = createEpisodeOpener(options);
  const add = (parts: SessionParts, client: Client | null): ServedSession => {
    const session = createSession(parts, clock.now());
    registry.add(session, client);
    write(session, file);
    onOpen?.(session);
    return session;
  };
  const savedOrNone = (made: readonly ServedSession[]): Promise<void> => saveOrTakeBack(made, options, close);
  return {
    open: (client, request) =>
      registry.withRoom(client, 1, async () => {
        const served = environmentOf(environments, request.environment);
        const task = await taskFor(served, { request, role: client.role }, options);
        const episode = await openEpisode(served, task, request.student ?? client.name);
        const keeps = request.keep === true && file !== null;
        const session = add({ id: createId(), keeps, episode, served, name: request.name ?? null }, client);
        await savedOrNone([session]);
        return session;
      }),
    async reset(session, request, asker) {
      const served = environmentOf(environments, request.environment ?? session.served.environment.id);
      const task = await taskFor(served, { request, role: asker.role }, options);
      registry.resume(session);
      try {
        if (session.episode.end() === null) await session.episode.abandon('it was reset');
        const episode = await openEpisode(served, task, request.student ?? asker.name);
        Object.assign(session, { episode, served, name: request.name ?? null, told: null, answer: null });
        write(session, file);
      } finally {
        // The world did not open: what is there has ended.
        if (session.episode.end() !== null) registry.finish(session);
      }
    },
    fork: (session, { count, node }) =>
      registry.withRoom(session.client, count, async () => {
        const { keeps, served, name } = session;
        const forks = await forkAll(session.episode, count, node);
        const made = forks.map(episode => add({ id: createId(), keeps, episode, served, name }, session.client));
        await savedOrNone(made);
        return made;
      }),
  };
}

/** Sessions that cannot be saved are taken back: nobody was told of them. */
async function saveOrTakeBack(
  made: readonly ServedSession[],
  { saved, file, onFault }: SessionsOptions,
  close: Sessions['close'],
): Promise<void> {
  if (made[0]?.keeps !== true) return;
  try {
    await saved();
  } catch (cause) {
    for (const session of made) {
      await close(session, 'it could not be saved').catch(onFault);
      // Its record must not be written with the next save: the session would come back after a restart.
      file?.forget(session.id);
    }
    throw cause;
  }
}

/** The server was killed after the last step of the session, and before its verdict. */
async function verifyResumed(session: ServedSession): Promise<void> {
  session.isUnverified = false;
  await session.episode.finish();
}

function lengthOf({ outputs }: LastAnswer): number {
  return outputs.reduce((sum, { call_id: id, output }) => sum + id.length + output.length, 0);
}

interface TaskRequest {
  readonly request: Pick<OpenSession, 'task' | 'seed'>;
  readonly role: Role;
}

/** The task of a request. A policy that trains on held-out templates cannot be measured on them any more. */
export async function taskFor(
  { environment }: ServedEnvironment,
  { request, role }: TaskRequest,
  { task: choose, opensHeldOut = false }: Pick<SessionsOptions, 'task' | 'opensHeldOut'>,
): Promise<Task> {
  const task = await choose(environment, request);
  const isHeldOut = task.split !== 'train' && environment.templates.some(({ split }) => split === 'train');
  if (!isHeldOut || role === 'teacher' || opensHeldOut || request.task === undefined) return task;
  throw new SessionError(
    'forbidden',
    `The template "${task.template}" is held out for evaluation. Use a training template or a teacher's key, or start the server with --held-out.`,
  );
}

export function environmentOf(environments: readonly ServedEnvironment[], id: string | undefined): ServedEnvironment {
  const found = id === undefined ? environments[0] : environments.find(served => served.environment.id === id);
  if (found !== undefined) return found;
  const known = environments.map(served => served.environment.id).join(', ');
  throw new SessionError('invalid', `There is no environment "${String(id)}" here. Expected one of: ${known}.`);
}

type EpisodeOpener = (served: ServedEnvironment, task: Task, client: string) => Promise<DrivenEpisode>;

function createEpisodeOpener({ episodes, onFault }: SessionsOptions): EpisodeOpener {
  return async ({ environment }, task, client) => {
    try {
      return await episodes.open({ task, client, environment, showsScreen: environment.hasScreen !== false });
    } catch (cause) {
      if (!(cause instanceof EspalierError) || cause.boundary === 'input' || cause.boundary === 'store') throw cause;
      onFault(cause);
      const { id } = environment;
      const message = `The world of "${id}" did not open. Try another task, or try again.`;
      throw new SessionError('factory', message, { factory_name: id });
    }
  };
}

async function forkAll(episode: DrivenEpisode, count: number, node: number): Promise<DrivenEpisode[]> {
  const forks: DrivenEpisode[] = [];
  try {
    for (let index = 0; index < count; index++) {
      const forked = await episode.fork();
      forks.push(forked);
      if (node !== forked.at()) await forked.rollback(node);
    }
    return forks;
  } catch (cause) {
    for (const forked of forks) if (forked.end() === null) await forked.abandon('its group could not be forked');
    throw cause;
  }
}

function write({ id, keeps, episode, served, name, answer }: ServedSession, file: SessionFile | null): void {
  if (!keeps || file === null) return;
  const end = episode.end();
  const { key, branch } = episode;
  const place = { session: id, episode: key, branch, environment: served.environment.id };
  const answered = answer === null ? {} : { answer };
  file.add({ ...place, name, end: end === null ? null : recordedEnd(end), ...answered });
}

/** Looks for idle sessions four times in the time that makes one idle. */
function startSweep(
  { timers, clock, idleMilliseconds }: SessionsOptions,
  sessions: () => Iterable<ServedSession>,
  ending: (why: string) => (session: ServedSession) => void,
): () => void {
  const end = ending(`no request for ${idleMilliseconds / 1000} s`);
  let cancel = (): void => undefined;
  const sweep = (): void => {
    const since = clock.now() - idleMilliseconds;
    for (const session of sessions()) if (session.busy === 0 && session.lastUsed <= since) end(session);
    cancel = timers.after(idleMilliseconds / 4, sweep);
  };
  if (idleMilliseconds !== Infinity) cancel = timers.after(idleMilliseconds / 4, sweep);
  return () => cancel();
}
