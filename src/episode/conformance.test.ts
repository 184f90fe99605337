import { describe, expect, it } from 'vitest';
import { app } from '../../examples/library/library.ts';
import { protocol } from '../../examples/plugins/rest.ts';
import { headsOf, impatientTimers, noTimers, planFor } from '../../test/fixtures/episode-setup.ts';
import { createMemoryJournal } from '../../test/fixtures/memory-journal.ts';
import { connectTo } from '../../test/fixtures/serve/start-server.ts';
import type { Action } from '../core/action.ts';
import { createManualClock } from '../core/clock.ts';
import type { Environment, Session } from '../core/contracts.ts';
import { toolCallOf } from '../core/episode/action-tools.ts';
import type { StoredEpisode } from '../core/episode/journal.ts';
import type { Task } from '../core/records.ts';
import { createTrail } from '../worlds/trail.ts';
import { createWorld } from '../worlds/world.ts';
import { createScripted } from '../agents/scripted.ts';
import { runEpisodes } from './engine.ts';
import { createLinear } from './strategies/linear.ts';
import { createClientSession } from '../serve/mcp/client-session.ts';
import { createOffer } from '../serve/mcp/offer.ts';
import { createEnvironmentServer } from '../serve/openenv/environment-server.ts';
import { createListener } from '../serve/protocol.ts';
import { createMetrics } from '../serve/sessions/metrics.ts';
import { createSessions } from '../serve/sessions/sessions.ts';
import { createEpisodes, type Episodes } from './driven/episodes.ts';

const world = createWorld(app);
const task = world.task('lend-to-reader', 3);
const plan = planFor(world.open(task));
const idle: Action = { kind: 'fill', ref: 'e1', text: 'x' };
const refused: Action = { kind: 'click', ref: 'e99' };

/** What is played, and where. */
interface Game {
  readonly environment: Environment;
  readonly task: Task;
  readonly actions: readonly Action[];
}

/** Plays an episode as its users do, and gives all that was stored. */
type Driver = (game: Game) => Promise<readonly StoredEpisode[]>;

interface Setting {
  readonly episodes: Episodes;
  stored(): readonly StoredEpisode[];
}

function settingOf(environment: Environment): Setting {
  const journal = createMemoryJournal();
  const episodes = createEpisodes({
    environment,
    journal: () => journal,
    run: 'run',
    driver: 'test strategy',
    clock: createManualClock(),
    timers: impatientTimers,
    createTrail,
  });
  return { episodes, stored: () => [...journal.episodes()] };
}

const byStrategy: Driver = async ({ environment, task: given, actions }) => {
  const journal = createMemoryJournal();
  await runEpisodes({
    seed: 'seed',
    concurrency: 1,
    clock: createManualClock(),
    timers: impatientTimers,
    createTrail,
    plan: headsOf([given]),
    start: () => ({
      environment,
      student: { ...createScripted({ actions }), name: 'test student' },
      strategy: createLinear(),
    }),
    journal,
  });
  return [...journal.episodes()];
};

const byCalls: Driver = async ({ environment, task: given, actions }) => {
  const { episodes, stored } = settingOf(environment);
  try {
    const episode = await episodes.open({ task: given, client: 'test student' });
    for (const action of actions) if (episode.ended() === null) await episode.step(action);
    const [end, again] = [await episode.finish(), await episode.finish()];
    expect(again).toBe(end);
  } catch {
    // What broke is in the journal.
  }
  await episodes.close();
  return stored();
};

const byMcp: Driver = async ({ environment, task: given, actions }) => {
  const { episodes, stored } = settingOf(environment);
  const offer = createOffer(environment.id, environment.tools, true);
  const client = createClientSession({ task: given, offer, episodes });
  for (const action of actions) {
    const { name: tool, input } = toolCallOf(action);
    await client.call({ tool, input, client: 'test student' });
  }
  await client.leave('the client left');
  return stored();
};

const byRest: Driver = async ({ environment, task: given, actions }) => {
  const { episodes, stored } = settingOf(environment);
  const stop = new AbortController();
  const address = Promise.withResolvers<string>();
  const listening: { close(hurry?: AbortSignal): Promise<void> }[] = [];
  const served = protocol({ verdicts: true }).serve({
    episodes,
    task: async () => given,
    async listen(handler) {
      const opened = await createListener({})(handler);
      listening.push(opened);
      return opened;
    },
    host: '127.0.0.1',
    port: 0,
    signal: stop.signal,
    announce: address.resolve,
  });
  const url = await address.promise;
  const post = async (path: string, body: unknown): Promise<{ readonly id?: string; readonly ended?: unknown }> => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${url}${path}`, { method: 'POST', body: JSON.stringify(body), headers });
    return (await answer.json()) as object;
  };
  const { id } = await post('', { client: 'test student' });
  for (const action of actions) if ((await post(`/${id}/steps`, action)).ended !== null) break;
  for (let times = 0; times < 2; times++) await post(`/${id}/finish`, {});
  stop.abort();
  await served;
  for (const opened of listening) await opened.close(AbortSignal.abort());
  await episodes.close();
  return stored();
};

const byOpenEnv: Driver = async ({ environment, task: given, actions }) => {
  const { episodes, stored } = settingOf(environment);
  const environments = [{ environment, offer: createOffer(environment.id, environment.tools, true) }];
  const parts = { clock: createManualClock(), timers: noTimers, onFault: () => undefined };
  const room = { most: 4, mostOfClient: 4, idleMilliseconds: Infinity, file: null, saved: async () => undefined };
  const choose = async () => given;
  const sessions = createSessions({ ...parts, ...room, episodes, environments, task: choose, createId: () => 's-1' });
  const server = await createEnvironmentServer({
    about: {
      version: '0.0.0',
      environments,
      limits: { sessions: 4, clientSessions: 4, messageBytes: 2 ** 20, idleSeconds: 1 },
      place: null,
    },
    place: null,
    desk: { ...parts, sessions, metrics: createMetrics(), plan: null, now: () => 0 },
    keys: { student: null, teacher: null },
    stateless: sessions,
    timers: noTimers,
    stallMilliseconds: Infinity,
    connections: 4,
    onIncident: () => undefined,
  });
  const client = await connectTo(server.url);
  const first = await client.ask('reset', { student: 'test student' });
  let isDone = first.type === 'error';
  for (const action of actions) {
    if (isDone) break;
    const answer = await client.ask('step', action);
    isDone = answer.type === 'error' || answer.data.done;
  }
  await client.close();
  await server.close(AbortSignal.timeout(1000));
  await episodes.close();
  return stored();
};

const drivers: [string, Driver][] = [
  ['a strategy', byStrategy],
  ['calls of the runtime', byCalls],
  ['an MCP client', byMcp],
  ['the example protocol', byRest],
  ['an OpenEnv client', byOpenEnv],
];

/** The same world with other powers; counts the sessions that are open. */
function worldWith(change: (session: Session) => Partial<Session>): { environment: Environment; open(): number } {
  let open = 0;
  const environment: Environment = {
    ...world,
    open(given) {
      const session = world.open(given);
      open++;
      const close = (): void => void (open--, session.close());
      return { ...session, ...change(session), close };
    },
  };
  return { environment, open: () => open };
}

const never = (): Promise<never> => new Promise(() => undefined);
const fails = (): never => expect.fail('torn');

describe.each(drivers)('an episode driven by %s', (_name, drive) => {
  it('[EPI-1] [EPI-3] has the events and the end that a strategy gives it, once', async () => {
    const { environment, open } = worldWith(() => ({}));
    const [stored, ...more] = await drive({ environment, task, actions: [refused, ...plan] });
    const [reference] = await byStrategy({ environment: world, task, actions: [refused, ...plan] });
    expect(more).toEqual([]);
    expect(stored?.events).toEqual(reference?.events);
    // Whoever drives an episode from outside is asked nothing.
    const queries = stored?.end.counts.queries;
    expect(stored?.end).toEqual({ ...reference?.end, counts: { ...reference?.end.counts, queries } });
    expect(stored?.end).toMatchObject({ outcome: 'passed', counts: { steps: plan.length + 1 } });
    expect(open()).toBe(0);
  });

  it.each<[string, () => Partial<Session>, [string, string]]>([
    ['throws in a step', () => ({ step: fails }), ['environment', 'threw']],
    ['hangs in a step', () => ({ step: never }), ['environment', 'deadline']],
    ['hangs when it is looked at', () => ({ observe: never }), ['environment', 'deadline']],
    ['throws in its verifier', () => ({ verify: fails }), ['verifier', 'threw']],
    ['hangs in its verifier', () => ({ verify: never }), ['verifier', 'deadline']],
    ['gives no verdict', () => ({ verify: () => null as never }), ['verifier', 'out of range']],
  ])('[EPI-2] ends as errored in a world that %s', async (_what, change, [boundary, reason]) => {
    const { environment, open } = worldWith(change);
    const [stored, ...more] = await drive({ environment, task, actions: plan });
    expect(more).toEqual([]);
    expect(stored?.end).toMatchObject({ outcome: 'errored', boundary, reason, verdict: null });
    expect(stored?.events.some(({ kind }) => kind === 'leaf')).toBe(false);
    expect(open()).toBe(0);
  });

  it('[EPI-2] ends as errored in a world that does not open', async () => {
    const [stored] = await drive({ environment: { ...world, open: never }, task, actions: plan });
    expect(stored?.end).toMatchObject({ outcome: 'errored', boundary: 'environment', reason: 'deadline', leaf: 0 });
    expect(stored?.events).toEqual([]);
  });

  it('[EPI-5] fails when it is out of steps', async () => {
    const actions = Array.from({ length: 40 }, () => idle);
    const [stored] = await drive({ environment: world, task, actions });
    expect(stored?.end).toMatchObject({
      outcome: 'failed',
      reason: 'out of steps',
      counts: { steps: task.budget.steps },
    });
    expect(stored?.end.verdict?.pass).toBe(false);
  });
});
