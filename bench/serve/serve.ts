import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { figure, quantile, type Bench, type Figure } from '../measure.ts';
import { startChild, type Child } from './child-process.ts';
import { openEnvSteps } from './openenv-server.ts';
import type { ServerNews } from './server-process.ts';
import { connectWire, type WireClient } from './wire-client.ts';

const connections = 64;
const sessions = 10_000;
const restarted = 1000;
const runs = 5;
const secondsPerRun = 2;
/** Steps a second that the latency is measured at. */
const pace = 2000;

/** Environments behind OpenEnv, with the client in this process and the server in another one. */
export const serveBench: Bench = {
  group: 'serve',
  onDemand: true,
  figures: [
    'serve.steps',
    'serve.step-median',
    'serve.step-p99',
    'serve.fork8',
    'serve.openenv-steps',
    'serve.sessions',
    'serve.memory',
    'serve.restart',
  ],
  async *run(_options, news) {
    const folder = mkdtempSync(join(tmpdir(), 'espalier-bench-serve-'));
    try {
      news.progress('steps over /ws');
      yield* measureSteps(folder);
      news.progress('OpenEnv’s own server');
      const theirs = await openEnvSteps({ connections, seconds: secondsPerRun, runs });
      if (theirs === null)
        news.line('serve.openenv-steps: left out, as openenv-core is not installed (see docs/serving.md)');
      else yield figure('serve.openenv-steps', '1/s', theirs);
      news.progress(`${sessions} sessions`);
      yield* measureSessions(folder);
      news.progress(`a restart with ${restarted} sessions`);
      yield await measureRestart(folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

interface Server {
  readonly child: Child<ServerNews>;
  readonly url: string;
  readonly resumed: number;
  readonly seconds: number;
}

async function startServer(out: string): Promise<Server> {
  const child = startChild<ServerNews>('server-process', { out });
  const news = await child.heard();
  if (news.kind !== 'ready') throw new Error('The server did not start.');
  return { child, ...news };
}

const reset = (seed: number): object => ({ task: 'star-message', seed });
/** Folders of the mail app: a click on one leaves the others where they are. */
const steps = ['e2', 'e3', 'e4', 'e5', 'e6'].map(ref => JSON.stringify({ type: 'step', data: { kind: 'click', ref } }));
/** Before the budget of the task is used up. */
const stepsPerEpisode = 20;
const back = JSON.stringify({ type: 'rollback', data: { node: 0 } });

async function* measureSteps(folder: string): AsyncGenerator<Figure> {
  const { child, url } = await startServer(join(folder, 'steps'));
  const clients = await Promise.all(Array.from({ length: connections }, () => connectWire(url)));
  await Promise.all(clients.map((client, index) => client.request('reset', reset(index + 1))));
  const rates: number[] = [];
  for (let run = -1; run < runs; run++) {
    const rate = await stepsIn(clients, secondsPerRun);
    if (run >= 0) rates.push(rate);
  }
  yield figure('serve.steps', '1/s', rates);
  const paced: number[][] = [];
  for (let run = 0; run < runs; run++) paced.push(await latenciesAt(clients, pace, secondsPerRun));
  const sorted = paced.map(values => values.toSorted((one, other) => one - other));
  yield figure(
    'serve.step-median',
    'ms',
    sorted.map(values => quantile(values, 0.5)),
  );
  yield figure(
    'serve.step-p99',
    'ms',
    sorted.map(values => quantile(values, 0.99)),
  );
  yield figure('serve.fork8', 'ms', await forkTimes(clients[0] as WireClient));
  for (const client of clients) client.close();
  await child.close();
}

/** Steps a second, with one request of each client under way. Rollbacks in between are not counted. */
async function stepsIn(clients: readonly WireClient[], seconds: number): Promise<number> {
  const begun = performance.now();
  const end = begun + seconds * 1000;
  let count = 0;
  await Promise.all(
    clients.map(async client => {
      for (let taken = 1; performance.now() < end; taken++, count++) {
        await client.ask(steps[taken % steps.length] as string);
        if (taken % stepsPerEpisode === 0) await client.ask(back);
      }
      await client.ask(back);
    }),
  );
  return count / ((performance.now() - begun) / 1000);
}

/** Milliseconds from when a step was due to its answer, so that a server that stalls is not spared. */
async function latenciesAt(clients: readonly WireClient[], perSecond: number, seconds: number): Promise<number[]> {
  const times: number[] = [];
  const gap = (1000 * clients.length) / perSecond;
  const begun = performance.now();
  await Promise.all(
    clients.map(async (client, index) => {
      const turns = Math.floor((seconds * 1000) / gap);
      for (let turn = 0; turn < turns; turn++) {
        const due = begun + turn * gap + (index * gap) / clients.length;
        const early = due - performance.now();
        if (early > 0) await pause(early);
        const sent = Math.max(due, early > 0 ? performance.now() : due);
        await client.ask(steps[turn % steps.length] as string);
        times.push(performance.now() - sent);
        if (turn % stepsPerEpisode === stepsPerEpisode - 1) await client.ask(back);
      }
      await client.ask(back);
    }),
  );
  return times;
}

async function forkTimes(client: WireClient): Promise<number[]> {
  await client.request('reset', reset(1));
  for (const step of steps) await client.ask(step);
  const times: number[] = [];
  for (let run = -20; run < 100; run++) {
    const begun = performance.now();
    const group = await client.request<{ sessions: { session: string }[] }>('fork', { n: 8 });
    if (run >= 0) times.push(performance.now() - begun);
    for (const { session } of group.sessions) await client.request('close', {}, session);
  }
  return times;
}

async function* measureSessions(folder: string): AsyncGenerator<Figure> {
  const { child, url } = await startServer(join(folder, 'sessions'));
  const clients = await Promise.all(Array.from({ length: connections }, () => connectWire(url)));
  let opened = 0;
  await Promise.all(
    clients.map(async client => {
      while (opened < sessions) {
        const seed = ++opened;
        const { session } = await client.request<{ session: string }>('open', reset(seed));
        await client.request('step', { kind: 'click', ref: 'e3' }, session);
      }
    }),
  );
  const text = await (await fetch(`${url}/metrics`)).text();
  const active = Number(/^espalier_sessions (\d+)$/m.exec(text)?.[1]);
  child.say({});
  const news = await child.heard();
  yield figure('serve.sessions', 'count', [active]);
  if (news.kind === 'memory') yield figure('serve.memory', 'MiB', [news.mebibytes]);
  for (const client of clients) client.close();
  await child.close();
}

async function measureRestart(folder: string): Promise<Figure> {
  const out = join(folder, 'restart');
  const before = await startServer(out);
  const client = await connectWire(before.url);
  const digests = new Map<string, string>();
  for (let index = 0; index < restarted; index++) {
    const { session } = await client.request<{ session: string }>('open', { ...reset(index + 1), keep: true });
    for (const ref of ['e3', 'e4', 'e2'].slice(0, 1 + (index % 3)))
      await client.request('step', { kind: 'click', ref }, session);
    digests.set(session, (await client.request<{ digest: string }>('state', {}, session)).digest);
  }
  await before.child.kill();
  const times: number[] = [];
  for (let run = 0; run < 3; run++) {
    const after = await startServer(out);
    if (after.resumed !== restarted) throw new Error(`${after.resumed} of ${restarted} sessions were resumed.`);
    times.push(after.seconds);
    const again = await connectWire(after.url);
    for (const [session, digest] of digests) {
      const found = await again.request<{ digest: string; recorded: string }>('digest', {}, session);
      if (found.digest !== digest) throw new Error(`A session came back in another state: ${found.digest}.`);
    }
    await after.child.kill();
  }
  return figure('serve.restart', 's', times);
}
