import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFleet } from '../src/fleet/controller/fleet.ts';
import { collectRun, type Collected } from '../src/runs/collect.ts';
import { readConfig } from '../src/runs/config/config.ts';
import { createSystemHost } from '../src/system/workers/host.ts';
import { installed } from './fixtures/app/services.ts';
import { startDatabase, startWorker, version, type TestDatabase, type TestWorker } from './fixtures/fleet/fleet.ts';
import { startScriptedUpstream, type ScriptedUpstream } from './fixtures/models/scripted-upstream.ts';
import { episodesIn } from './fixtures/program.ts';

let parent = '';
let database: TestDatabase;
let model: ScriptedUpstream;
let workers: readonly TestWorker[] = [];
let [asked, most] = [0, 0];

const [episodes, atOnce] = [24, 3];

interface Asking {
  readonly name: string;
  readonly fleet: boolean;
  readonly tokens?: number;
  readonly instances?: number;
  readonly signal?: AbortSignal;
  onProgress?(): void;
}

function collect({ name, fleet, tokens, instances = episodes, signal, onProgress }: Asking): Promise<Collected> {
  const machine = createSystemHost({ workers: 0 });
  const draft = {
    run: 'asked',
    environments: ['mail'],
    templates: ['star-message'],
    instances,
    student: { kind: 'model', model: 'openai:one', url: model.url },
    strategy: { kind: 'linear' },
    concurrency: atOnce,
    spending: { tokens: tokens ?? null },
  };
  return collectRun({
    config: readConfig(draft, 'The test'),
    folder: join(parent, name, 'asked'),
    signal,
    onProgress: () => onProgress?.(),
    host: fleet ? { ...machine, fleet: createFleet({ address: database.address, version, machine }) } : machine,
  });
}

/** Answers of the server have numbers of their own: what the model did is compared. */
function outcomesIn(name: string): unknown {
  return episodesIn(join(parent, name, 'asked'))
    .map(({ head, end, events }) => [head.key, end.outcome, end.counts, events.length] as const)
    .toSorted(([left], [right]) => (left < right ? -1 : 1));
}

describe.skipIf(!installed.postgres)('models on a fleet', () => {
  beforeAll(async () => {
    parent = mkdtempSync(join(tmpdir(), 'espalier-fleet-'));
    database = await startDatabase();
    model = await startScriptedUpstream(async () => {
      most = Math.max(most, ++asked);
      await wait(30);
      asked--;
      return { calls: [{ name: 'finish', input: { infeasible: true } }] };
    });
    workers = await Promise.all([1, 2].map(() => startWorker({ address: database.address })));
  });
  afterAll(async () => {
    await Promise.all(workers.map(worker => worker.kill()));
    await model.close();
    await database.stop();
    rmSync(parent, { recursive: true });
  });

  it('[FLEET-14] keeps the budget and the episodes at once over all workers, and goes on with a larger budget', async () => {
    const whole = await collect({ name: 'alone', fleet: false });
    const answer = whole.spent.tokens / whole.spent.calls;
    const before = model.asked.length;
    most = 0;
    const tokens = Math.floor(9.5 * answer);
    const part = await collect({ name: 'shared', fleet: true, tokens });
    expect(part).toMatchObject({
      stopped: true,
      exhausted: expect.stringContaining('does not cover another question'),
    });
    expect(part.spent.calls).toBe(model.asked.length - before);
    expect(part.spent.tokens).toBeLessThanOrEqual(tokens);
    expect(part.ended).toBeGreaterThan(4);
    const rest = await collect({ name: 'shared', fleet: true, tokens: 2 * whole.spent.tokens });
    expect([rest.exhausted, rest.ended + rest.skipped]).toEqual([null, episodes]);
    expect(rest.spent.calls).toBe(model.asked.length - before);
    expect(most).toBeLessThanOrEqual(atOnce);
    expect(outcomesIn('shared')).toEqual(outcomesIn('alone'));
  });

  it('[FLEET-14] heeds a budget that a run gets when it goes on, on workers that had it open without one', async () => {
    const stop = new AbortController();
    const some = { name: 'later', fleet: true, instances: episodes - 4 };
    const first = await collect({ ...some, signal: stop.signal, onProgress: () => stop.abort() });
    const { tokens, calls } = first.spent;
    const second = await collect({ ...some, tokens: Math.floor((tokens / calls) * (calls + 7)) });
    expect(second).toMatchObject({ stopped: true, exhausted: expect.stringContaining('does not cover') });
    expect(second.spent.tokens).toBeLessThanOrEqual((tokens / calls) * (calls + 8));
  });
});
