import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFleet } from '../src/fleet/controller/fleet.ts';
import { collectRun, type Collected } from '../src/runs/collect.ts';
import { readConfig } from '../src/runs/config/config.ts';
import { evaluateStudents } from '../src/runs/evaluate-students.ts';
import { readFleetStatus } from '../src/fleet/status.ts';
import { createSystemHost } from '../src/system/workers/host.ts';
import { connectBlocking } from '../src/store/postgres/blocking.ts';
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
    workers = await Promise.all([1, 2].map(() => startWorker({ address: database.address, lease: 20 })));
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

  it('[FLEET-13] [FLEET-14] evaluates a model beside the baselines, within one budget, as without a fleet', async () => {
    const evaluate = (name: string, tokens: number | null) => {
      const machine = createSystemHost({ workers: 0 });
      const fleet = createFleet({ address: database.address, version, machine });
      return evaluateStudents({
        environments: ['mail'],
        folder: join(parent, name, 'judged'),
        student: `openai:one@${model.url}`,
        asking: {},
        spending: { dollars: null, tokens, prices: null },
        tasks: [
          'mail/star-message/1000001',
          'mail/star-message/1000002',
          'mail/star-message/1000003',
          'mail/star-message/1000004',
        ],
        instances: 1,
        trials: 2,
        levels: ['new-instances'],
        baselines: true,
        seed: 1,
        concurrency: atOnce,
        browser: null,
        host: name === 'eval-alone' ? machine : { ...machine, fleet },
      });
    };
    const episodesOf = (name: string): unknown =>
      episodesIn(join(parent, name, 'judged'))
        .map(({ head, end, events }) => [head.key, head.index, end.outcome, end.counts, events.length] as const)
        .toSorted(([left], [right]) => (left < right ? -1 : 1));
    const whole = await evaluate('eval-alone', null);
    expect(whole.subject?.trials).toHaveLength(8);
    const before = model.asked.length;
    most = 0;
    const part = await evaluate('eval-shared', Math.floor(whole.spent.tokens / 2));
    expect(part).toMatchObject({ stopped: true, exhausted: expect.stringContaining('does not cover') });
    const rest = await evaluate('eval-shared', 2 * whole.spent.tokens);
    expect(rest).toMatchObject({ stopped: false, exhausted: null });
    expect(rest.spent.calls).toBe(model.asked.length - before);
    expect(most).toBeLessThanOrEqual(atOnce);
    expect([rest.rows, rest.subject]).toEqual([whole.rows, whole.subject]);
    expect(episodesOf('eval-shared')).toEqual(episodesOf('eval-alone'));
    expect((await readFleetStatus(database.address)).runs.filter(({ name }) => name === 'judged').length).toBe(4);
  });

  it('[FLEET-14] [FLEET-17] frees lanes that workers hold for no job, also those that nobody knows any more', async () => {
    // Somebody who was taken for lost has ended the job that this one had got.
    const connection = connectBlocking(database.address);
    const held = connection.query(
      `UPDATE espalier_queue._private_job_queues SET locked_at = now() - interval '1 minute',
         locked_by = CASE id % 2 WHEN 0 THEN 'pool-gone' ELSE
           (SELECT id FROM espalier.fleet_workers WHERE lives_until > now() LIMIT 1) END RETURNING 1`,
    );
    connection.close();
    expect(held.length).toBeGreaterThanOrEqual(atOnce);
    expect((await collect({ name: 'lanes', fleet: true, instances: episodes - 6 })).ended).toBe(episodes - 6);
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
