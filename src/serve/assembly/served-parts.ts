import { join } from 'node:path';
import type { Clock, Timers } from '../../core/clock.ts';
import type { Environment } from '../../core/contracts.ts';
import { causeText } from '../../core/errors.ts';
import { verifiedBranches } from '../../episode/driven/verified-branches.ts';
import { createEpisodes, type Episodes } from '../../episode/driven/episodes.ts';
import { createTrail } from '../../worlds/trail.ts';
import type { AboutServer } from '../openenv/about.ts';
import type { Desk } from '../openenv/desk.ts';
import { createEnvironmentServer, type EnvironmentServer } from '../openenv/environment-server.ts';
import { createGroupSave } from '../sessions/group-save.ts';
import { createMetrics, type Metrics } from '../sessions/metrics.ts';
import type { ServerPlace } from '../sessions/place.ts';
import { resumeSessions, type Resumed, type ResumeOptions } from '../sessions/resume-sessions.ts';
import type { ServedEnvironment } from '../sessions/served-session.ts';
import { createSessionFile, recordedEnd, type RecordedEnd, type SessionFile } from '../sessions/session-file.ts';
import { createSessions, type SessionsOptions } from '../sessions/sessions.ts';
import type { Tracer } from '../telemetry/traced-episodes.ts';
import type { Store } from '../../store/store.ts';
import { requireTemplate } from '../../runs/environments/open-environment.ts';
import { taskNamed } from '../../runs/environments/task-name.ts';
import { openRunForWriting, runNameOf } from '../../runs/folder/folder.ts';
import { createServedPlanner, type PlanInThread } from './served-planner.ts';
import type { Codec, OpenPort, Place } from './protocols.ts';
import { openRollouts, type ModelAccess } from './rollouts/open-rollouts.ts';

export interface ServedPartsOptions {
  readonly environments: readonly ServedEnvironment[];
  readonly task?: string | undefined;
  readonly idle: number;
  readonly sessions: number;
  readonly clientSessions: number;
  readonly out?: string | undefined;
  /** Whether students may open held-out templates. */
  readonly heldOut?: boolean | undefined;
  readonly version: string;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Among the servers behind one address; none for a server that stands alone. */
  readonly place?: ServerPlace | null;
  /** Ids of sessions: hard to guess, as who knows one may act in it. */
  createId(): string;
  /** A seed for training, drawn at random: for a session that is opened without one. */
  drawSeed(): number;
  readonly log: ServerLog;
  /** Plans elsewhere; in the thread of the server when left out, which holds up everybody. */
  readonly plan?: PlanInThread | undefined;
  /** Traces episodes; null for none. */
  readonly tracer?: Tracer | null;
  /** Which models rollouts may ask; none when left out. */
  readonly modelAccess?: ModelAccess | undefined;
}

/** What a server did, as lines of its log. */
export interface ServerLog {
  write(event: string, details: object): void;
}

/** A server of environments, put together. */
export interface ServedParts {
  /** Goes on with the sessions of an earlier server; null when nothing is kept. */
  resume(): Promise<Resumed | null>;
  listen(place: Place): Promise<EnvironmentServer>;
  /** The same sessions by another protocol. */
  open(codec: Codec, place: Place): Promise<OpenPort>;
  /** Ends the episodes but those that a later server resumes, and closes the store. */
  close(): Promise<void>;
}

/** A client may take its time between two steps, and a world that takes longer counts as broken. */
const limits = { steps: Infinity, forks: Infinity, leaves: Infinity, waitMilliseconds: 120_000 };
const messageBytes = 2 ** 20;
const stallMilliseconds = 30_000;
/** How often what was written is made to survive a power cut; the end of this process it survives before. */
const flushMilliseconds = 1000;
/** Requests over HTTP that stand alone, at once. */
const mostAlone = 256;

/** Sessions of one request: nothing is kept. */
const alone = {
  file: null,
  saved: async () => undefined,
  most: mostAlone,
  mostOfClient: mostAlone,
  idleMilliseconds: Infinity,
} as const;

export function createServedParts(options: ServedPartsOptions): ServedParts {
  const { environments, log, out, clock, timers, createId, tracer = null, place = null } = options;
  const store = out === undefined ? null : openRunForWriting(out);
  const metrics = createMetrics();
  const onFault = (cause: unknown): void => log.write('fault', { message: causeText(cause) });
  const file = out === undefined ? null : createSessionFile(join(out, 'sessions.jsonl'));
  const recorded = createServedEpisodes(store, { ...options, metrics, onFault });
  const episodes = tracer?.trace(recorded) ?? recorded;
  const unrecorded = createServedEpisodes(null, { ...options, metrics: null, onFault });
  const common = { environments, createId, clock, timers, onFault, opensHeldOut: options.heldOut };
  const save = (): void => saveBoth(store, file);
  const sessions = createSessions({
    ...common,
    saved: createGroupSave(save),
    task: taskChooser(options.task, options.drawSeed),
    episodes,
    file,
    most: options.sessions,
    mostOfClient: options.clientSessions,
    idleMilliseconds: options.idle * 1000,
    onOpen: () => metrics.count('espalier_sessions_opened_total'),
  });
  // A step over HTTP must be taken in the world that a reset showed, so nothing is drawn there.
  const stateless = createSessions({ ...common, ...alone, task: taskChooser(options.task), episodes: unrecorded });
  const stopFlushing = store === null ? async () => undefined : flushing({ store, file, save, timers, onFault });
  const plan = createServedPlanner(options);
  const desk: Desk = { sessions, metrics, plan, now: clock.now, onFault };
  const onIncident = createIncidentReport(metrics, log);
  const connections = options.sessions + mostAlone;
  const rollouts = openRollouts({ ...options, ...common, store, task: taskChooser(options.task, options.drawSeed) });
  return {
    open: (codec, where) => codec.listen({ ...desk, environments, connections, onIncident, timers, rollouts }, where),
    async resume() {
      if (file === null || store === null || out === undefined) return null;
      const run = runNameOf(out);
      const unfinished = store.unfinished(run);
      return resumeSessions({ episodes, sessions, file, unfinished, readEnds: endsReader(store, run), onFault });
    },
    listen: where => {
      const about = aboutOf(options);
      const parts = { about, desk, stateless, place, timers, stallMilliseconds, connections, onIncident };
      return createEnvironmentServer({ ...where, ...parts });
    },
    async close() {
      await rollouts.close();
      await stopFlushing();
      sessions.stop();
      await unrecorded.close();
      const kept = sessions.keptEpisodes();
      await recorded.close(key => kept.has(key));
      store?.close();
      file?.save();
      await tracer?.close();
    },
  };
}

/** Reads how the branches of episodes ended. */
function endsReader(store: Store, run: string): ResumeOptions['readEnds'] {
  return keys => {
    const found = new Map<string, ReadonlyMap<number, RecordedEnd>>();
    for (const { head, events, end } of store.episodes({ run, wants: ({ head: { key } }) => keys.has(key) })) {
      // Only where nothing was forked the end of the episode is that of its branch.
      const isForked = events.some(({ kind }) => kind === 'fork');
      const ends = isForked ? verifiedBranches(events, head.task.budget.steps) : new Map([[0, recordedEnd(end)]]);
      found.set(head.key, ends);
    }
    return found;
  };
}

function createIncidentReport(metrics: Metrics, log: ServerLog) {
  return (kind: string, detail: string, count = 1): void => {
    metrics.count('espalier_incidents_total', { kind }, count);
    log.write('incident', { kind, detail: detail.slice(0, 200), ...(count === 1 ? {} : { count }) });
  };
}

interface ServedEpisodesOptions extends ServedPartsOptions {
  readonly metrics: Metrics | null;
  onFault(cause: unknown): void;
}

function createServedEpisodes(store: Store | null, options: ServedEpisodesOptions): Episodes {
  const { environments, out, log, metrics, onFault, clock, timers, tracer } = options;
  // Each end is saved at once and flushed a little later: a flush for each would hold up everybody.
  const journal = store === null ? null : { ...store, flush: store.save };
  return createEpisodes({
    environment: (environments[0] as ServedEnvironment).environment,
    journal: journal === null ? null : () => journal,
    run: out === undefined ? 'openenv' : runNameOf(out),
    driver: 'openenv',
    limits,
    clock,
    timers,
    createTrail,
    onFault,
    onEnd(key, end) {
      if (metrics === null) return;
      const { outcome, reason, counts } = end;
      tracer?.end(key, end);
      metrics.count('espalier_episodes_total', { outcome });
      log.write('episode', { key, outcome, reason, steps: counts.steps, forks: counts.forks });
    },
  });
}

/** The journal first: a session must not be known before its events. */
function saveBoth(store: Store | null, file: SessionFile | null): void {
  store?.save();
  file?.save();
}

interface FlushingOptions extends Pick<ServedPartsOptions, 'timers'> {
  readonly store: Store;
  readonly file: SessionFile | null;
  save(): void;
  onFault(cause: unknown): void;
}

/** A sync may take longer than the pause between two: then the next one waits for it. */
function flushing({ store, file, save, timers, onFault }: FlushingOptions): () => Promise<void> {
  const disk = store.syncInThread(file === null ? [] : [file.path]);
  let cancel = (): void => undefined;
  let isStopped = false;
  const flush = async (): Promise<void> => {
    try {
      save();
      await disk.sync();
    } catch (cause) {
      onFault(cause);
    }
    if (!isStopped) cancel = timers.after(flushMilliseconds, () => void flush());
  };
  cancel = timers.after(flushMilliseconds, () => void flush());
  return () => {
    isStopped = true;
    cancel();
    return disk.close();
  };
}

function aboutOf({ version, environments, sessions, clientSessions, idle, place }: ServedPartsOptions): AboutServer {
  return {
    version,
    environments,
    place: place?.number ?? null,
    limits: { sessions, clientSessions, messageBytes, idleSeconds: idle },
  };
}

/** Without a task the seed chooses among the training templates, too. A seed that is left out is drawn, or else 1. */
function taskChooser(usual: string | undefined, drawSeed?: () => number): SessionsOptions['task'] {
  return async (environment, { task, seed }) => {
    const templates = environment.templates.filter(({ split }) => split === 'train');
    const own = templates.length > 0 ? templates : environment.templates;
    const drawn = seed === undefined ? drawSeed?.() : undefined;
    const name = task ?? usual ?? own[(seed ?? drawn ?? 0) % own.length]?.id ?? '';
    if (seed !== undefined) return taskNamed(environment, `${templateOf(environment, name)}/${seed}`);
    if (drawn === undefined || seedInName.test(name)) return taskNamed(environment, name);
    // A folder of tasks has only some seeds, and gives one of its tasks for any other.
    return environment.task(requireTemplate(environment, templateOf(environment, name)), drawn);
  };
}

const seedInName = /\/\d{1,9}$/;

/** A seed that is given takes the place of one in the name. */
function templateOf({ id }: Environment, name: string): string {
  const own = name.startsWith(`${id}/`) ? name.slice(id.length + 1) : name;
  return own.replace(seedInName, '');
}
