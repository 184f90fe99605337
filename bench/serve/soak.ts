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
const warmParts = 3;
const connections = 16;
/** Seeds of tasks: the server keeps a little for every task that was ever opened. */
const seeds = 200;
const idleSeconds = 2;
/** Growth in 100,000 steps that is taken for noise. */
const noise = { heap: 1, external: 1, handles: 2 } as const;

/** An hour's worth of traffic: sessions that are forked, finished, closed, left to the sweep, or left by their client. */
export const serveSoakBench: Bench = {
  group: 'serve.soak',
  onDemand: true,
  figures: [
    'serve.soak-steps',
    'serve.soak-rate',
    'serve.soak-heap',
    'serve.soak-heap-slope',
    'serve.soak-external-slope',
    'serve.soak-handles-slope',
    'serve.soak-left',
  ],
  async *run(_options, news) {
    for await (const report of soakServer(hourOfSteps)) {
      if (report.kind === 'figure') yield report.figure;
      else news.line(report.text);
    }
  },
};

type SoakReport =
  | { readonly kind: 'figure'; readonly figure: Figure }
  | { readonly kind: 'line'; readonly text: string };

/** What the server uses after so many steps, with all sessions swept. */
interface SoakSample extends Omit<Extract<ServerNews, { kind: 'memory' }>, 'kind'> {
  readonly steps: number;
}

async function* soakServer(steps: number): AsyncGenerator<SoakReport> {
  const folder = mkdtempSync(join(tmpdir(), 'espalier-bench-soak-'));
  const child = startChild<ServerNews>('server-process', { out: join(folder, 'run'), idle: idleSeconds });
  try {
    const ready = await child.heard();
    if (ready.kind !== 'ready') throw new Error('The server did not start.');
    const samples: SoakSample[] = [];
    let [taken, left, seconds] = [0, 0, 0];
    for (let part = 0; part < parts; part++) {
      const begun = performance.now();
      taken += await playPart(ready.url, { steps: steps / parts, part });
      seconds += (performance.now() - begun) / 1000;
      left = await sessionsLeft(ready.url);
      child.say({});
      const news = await child.heard();
      if (news.kind !== 'memory') throw new Error('The server did not say its memory.');
      samples.push({ ...news, steps: taken });
      yield { kind: 'line', text: sampleText(taken, news) };
    }
    yield* figuresOf(samples, { left, seconds });
  } finally {
    await child.kill();
    rmSync(folder, { recursive: true });
  }
}

function sampleText(steps: number, { heapMebibytes, externalMebibytes, mebibytes, handles }: Memory): string {
  const inside = `heap ${heapMebibytes.toFixed(1)} MiB, outside of it ${externalMebibytes.toFixed(1)} MiB`;
  return `${steps} steps: ${inside}, memory ${mebibytes.toFixed(0)} MiB, ${handles} handles`;
}

type Memory = Omit<SoakSample, 'steps'>;

function* figuresOf(
  samples: readonly SoakSample[],
  { left, seconds }: { readonly left: number; readonly seconds: number },
): Generator<SoakReport> {
  const last = samples.at(-1) as SoakSample;
  const warm = samples.slice(warmParts);
  const slope = (value: (sample: SoakSample) => number): number => slopeOf(warm, value) * 100_000;
  const heap = slope(sample => sample.heapMebibytes);
  const external = slope(sample => sample.externalMebibytes);
  const handles = slope(sample => sample.handles);
  const isFlat = heap < noise.heap && external < noise.external && handles < noise.handles && left === 0;
  yield { kind: 'figure', figure: figure('serve.soak-steps', 'count', [last.steps]) };
  yield { kind: 'figure', figure: figure('serve.soak-rate', '1/s', [last.steps / seconds]) };
  yield { kind: 'figure', figure: figure('serve.soak-heap', 'MiB', [last.heapMebibytes]) };
  yield { kind: 'figure', figure: figure('serve.soak-heap-slope', 'MiB', [heap]) };
  yield { kind: 'figure', figure: figure('serve.soak-external-slope', 'MiB', [external]) };
  yield { kind: 'figure', figure: figure('serve.soak-handles-slope', 'count', [handles]) };
  yield { kind: 'figure', figure: figure('serve.soak-left', 'count', [left]) };
  const growth = `heap ${heap.toFixed(2)} MiB, outside of it ${external.toFixed(2)} MiB, ${handles.toFixed(1)} handles`;
  const verdict = isFlat ? 'no growth' : 'it grows';
  yield { kind: 'line', text: `${verdict}: in 100,000 steps ${growth}; ${left} sessions left` };
}

/** The slope of the line that fits the samples best. */
function slopeOf(samples: readonly SoakSample[], value: (sample: SoakSample) => number): number {
  const mean = (of: (sample: SoakSample) => number): number =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;
  const [middle, level] = [mean(({ steps }) => steps), mean(value)];
  const spread = mean(({ steps }) => (steps - middle) ** 2);
  return spread === 0 ? 0 : mean(sample => (sample.steps - middle) * (value(sample) - level)) / spread;
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
      while (taken < steps) {
        const own = await playSession(client, random);
        // Added after the wait: `taken +=` before it would forget what others took meanwhile.
        taken += own;
      }
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
  const count = random.between(2, 8);
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
