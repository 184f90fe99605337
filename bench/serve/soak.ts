import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createRandom, type Random } from '../../src/core/random.ts';
import { figure, type Bench, type Figure } from '../measure.ts';
import { startChild } from './child-process.ts';
import type { ServerNews } from './server-process.ts';
import { connectWire, type WireClient } from './wire-client.ts';

/** What an hour at some 55 steps a second comes to. */
const hourOfSteps = 200_000;
const parts = 10;
/** Growth is counted from here: by then everything is warm. */
const warmParts = 2;
const connections = 16;
/** Seeds of tasks: the server keeps a little for every task that was ever opened. */
const seeds = 200;
const idleSeconds = 5;

/** An hour's worth of traffic: sessions that are forked, finished, closed, left to the sweep, or left by their client. */
export const serveSoakBench: Bench = {
  group: 'serve.soak',
  onDemand: true,
  figures: ['serve.soak-steps', 'serve.soak-heap', 'serve.soak-growth', 'serve.soak-left'],
  async *run(_options, news) {
    for await (const report of soakServer(hourOfSteps)) {
      if (report.kind === 'figure') yield report.figure;
      else
        news.line(`${report.steps} steps: heap ${report.heap.toFixed(1)} MiB, memory ${report.memory.toFixed(0)} MiB`);
    }
  },
};

type SoakReport =
  | { readonly kind: 'figure'; readonly figure: Figure }
  | { readonly kind: 'part'; readonly steps: number; readonly heap: number; readonly memory: number };

export async function* soakServer(steps: number): AsyncGenerator<SoakReport> {
  const folder = mkdtempSync(join(tmpdir(), 'espalier-bench-soak-'));
  const child = startChild<ServerNews>('server-process', { out: join(folder, 'run'), idle: idleSeconds });
  try {
    const ready = await child.heard();
    if (ready.kind !== 'ready') throw new Error('The server did not start.');
    const heaps: number[] = [];
    let [taken, left] = [0, 0];
    for (let part = 0; part < parts; part++) {
      taken += await playPart(ready.url, { steps: steps / parts, part });
      left = await sessionsLeft(ready.url);
      child.say({});
      const news = await child.heard();
      if (news.kind !== 'memory') throw new Error('The server did not say its memory.');
      heaps.push(news.heapMebibytes);
      yield { kind: 'part', steps: taken, heap: news.heapMebibytes, memory: news.mebibytes };
    }
    const last = heaps.at(-1) as number;
    yield { kind: 'figure', figure: figure('serve.soak-steps', 'count', [taken]) };
    yield { kind: 'figure', figure: figure('serve.soak-heap', 'MiB', [last]) };
    yield { kind: 'figure', figure: figure('serve.soak-growth', 'MiB', [last - (heaps[warmParts - 1] as number)]) };
    yield { kind: 'figure', figure: figure('serve.soak-left', 'count', [left]) };
  } finally {
    await child.kill();
    rmSync(folder, { recursive: true });
  }
}

/** Plays on fresh connections until so many steps were taken, and hangs up. */
async function playPart(
  url: string,
  { steps, part }: { readonly steps: number; readonly part: number },
): Promise<number> {
  const clients = await Promise.all(Array.from({ length: connections }, () => connectWire(url)));
  let taken = 0;
  await Promise.all(
    clients.map(async (client, index) => {
      const random = createRandom(`soak ${part} ${index}`);
      while (taken < steps) taken += await playSession(client, random);
      client.close();
    }),
  );
  return taken;
}

/** One session from its opening to one of its ends. Gives the steps that were taken. */
async function playSession(client: WireClient, random: Random): Promise<number> {
  let taken = 0;
  try {
    for await (const steps of playing(client, random)) taken += steps;
  } catch (cause) {
    // On a busy machine a session may wait so long for its forks that it is swept.
    if (!/There is no session/.test((cause as Error).message)) throw cause;
  }
  return taken;
}

async function* playing(client: WireClient, random: Random): AsyncGenerator<number> {
  const wanted = { task: 'star-message', seed: random.between(1, seeds), keep: random.chance(0.1) };
  const { session } = await client.request<{ session: string }>('open', wanted);
  yield takeSteps(client, session, random);
  if (random.chance(0.3)) {
    const group = await client.request<{ sessions: { session: string }[] }>('fork', { n: 4 }, session);
    for (const fork of group.sessions) {
      yield takeSteps(client, fork.session, random);
      await end(client, fork.session, random);
    }
  }
  await end(client, session, random);
}

async function takeSteps(client: WireClient, session: string, random: Random): Promise<number> {
  const count = random.between(1, 4);
  for (let step = 0; step < count; step++)
    await client.request('step', { kind: 'click', ref: `e${random.between(2, 6)}` }, session);
  if (random.chance(0.2)) await client.request('rollback', { node: 0 }, session);
  return count;
}

/** Finished and closed, only finished, only closed, or left to the sweep. */
async function end(client: WireClient, session: string, random: Random): Promise<void> {
  if (random.chance(0.7)) await client.request('step', { kind: 'finish' }, session);
  if (random.chance(0.5)) await client.request('close', {}, session);
}

/** Sessions that are still there when all should have been swept. */
async function sessionsLeft(url: string): Promise<number> {
  const count = async (): Promise<number> => {
    const text = await (await fetch(`${url}/metrics`)).text();
    return [...text.matchAll(/^espalier_sessions(?:_finished)? (\d+)$/gm)].reduce((sum, [, n]) => sum + Number(n), 0);
  };
  for (let wait = 0; wait < 100 && (await count()) > 0; wait++) await pause(200);
  return count();
}
