import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decode, encode } from '@msgpack/msgpack';
import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { Dealer } from 'zeromq';
import { app } from '../../../examples/library/library.ts';
import { planFor } from '../../../test/fixtures/episode-setup.ts';
import { startScriptedUpstream, type Script } from '../../../test/fixtures/models/scripted-upstream.ts';
import { startServer } from '../../../test/fixtures/serve/start-server.ts';
import { toolCallOf } from '../../core/episode/action-tools.ts';
import type { JsonObject } from '../../core/json.ts';
import { createWorld } from '../../worlds/world.ts';
import { createSystemTimers } from '../../system/clock.ts';
import { createVerifiersServer } from './environment-server.ts';

const world = createWorld(app);
const plan = planFor(world.open(world.task('lend-to-reader', 3))).map(toolCallOf);
const timers = createSystemTimers();
const folder = mkdtempSync(join(tmpdir(), 'espalier-verifiers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const expert: Script = ({ body }) => {
  const said = (body['messages'] as JsonObject[]).filter(({ role }) => role === 'assistant').length;
  const { name, input } = plan[said] ?? { name: 'finish', input: {} };
  return { calls: [{ name, input }] };
};

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close();
});

/** Any message: the tests say what they expect of it. */
// oxlint-disable-next-line typescript/no-explicit-any
type Told = any;

interface TestClient {
  send(...frames: (string | Uint8Array)[]): Promise<void>;
  next(): Promise<{ readonly id: string; readonly kind: string; readonly data: Told }>;
}

let folders = 0;
async function start(script: Script) {
  const model = await startScriptedUpstream(script);
  const server = await startServer({ out: join(folder, `run-${folders++}`), withVerifiers: true });
  opened.push(model.close, () => server.stop());
  return { server, model, connect: () => connectTo(server.verifiersAddress) };
}

function connectTo(address: string): TestClient {
  const socket = new Dealer({ linger: 0 });
  socket.connect(address);
  opened.push(async () => socket.close());
  return {
    send: (...frames) => socket.send(frames.map(frame => Buffer.from(frame as Uint8Array))),
    async next() {
      const [id, kind, data] = (await socket.receive()) as [Buffer, Buffer, Buffer];
      return { id: id.toString(), kind: kind.toString(), data: data.length === 0 ? null : decode(data) };
    },
  };
}

const runOf = (base_url: string, more: object = {}) =>
  encode({
    task_data: { idx: 0, environment: 'library', task: 'lend-to-reader', seed: 3 },
    client: { type: 'eval', base_url, api_key_var: 'NONE', headers: {} },
    model: 'one',
    sampling: { temperature: 1 },
    ...more,
  });

describe('an environment server of verifiers', () => {
  it('[VF-1] [VF-11] runs a rollout, sends its trace as a change, and replies with the sizes of it', async () => {
    const { model, connect } = await start(expert);
    const client = connect();
    await client.send('r1', 'health', encode({}));
    expect(await client.next()).toEqual({ id: 'r1', kind: 'reply', data: { success: true, error: null } });
    await client.send('r2', 'run', runOf(model.url));
    const { kind, data: delta } = await client.next();
    const { data: reply } = await client.next();
    expect([kind, reply.success, reply.head.ok]).toEqual(['delta', true, true]);
    expect(reply.traces).toEqual([{ id: delta.trace, nodes: delta.nodes.length, calls: plan.length }]);
    expect(delta.set).toMatchObject({
      rewards: { verdict: { score: 1, weight: 1 } },
      metrics: { progress: 1, clean: 1, steps: plan.length },
      is_completed: true,
      ok: true,
    });
    // Joined along the path, the tokens are what the model was given and drew at the last call.
    const path: Told[] = [];
    for (let at: number | null = delta.calls.at(-1).node; at !== null; at = delta.nodes[at].parent)
      path.unshift(delta.nodes[at]);
    const tokens = path.flatMap(node => node.token_ids);
    expect(tokens).toHaveLength(path.flatMap(node => node.mask).length);
    expect(path.filter(({ sampled }) => sampled)).toHaveLength(plan.length);
    const { usage } = delta.calls.at(-1);
    expect(tokens).toHaveLength(usage.prompt_tokens + usage.completion_tokens);
    for (const { mask, logprobs } of path) expect(logprobs).toHaveLength(mask.filter((drawn: boolean) => drawn).length);
  });

  it('[VF-2] cancels the runs of the client that asks, and of nobody else', async () => {
    const { model, connect } = await start(() => new Promise(() => undefined));
    const [client, other] = [connect(), connect()];
    await client.send('run-1', 'run', runOf(model.url));
    while (model.asked.length === 0) await new Promise(resolve => setTimeout(resolve, 5));
    await client.send('run-1', 'run', runOf(model.url));
    expect((await client.next()).data).toMatchObject({ success: false, error: expect.stringContaining('another id') });
    await other.send('c0', 'cancel', encode({ request_id: 'run-1' }));
    expect((await other.next()).data).toEqual({ success: true, error: null, cancelled: false });
    await client.send('c1', 'cancel', encode({ request_id: 'run-1' }));
    const answers = [await client.next(), await client.next()].toSorted((left, right) =>
      left.id.localeCompare(right.id),
    );
    expect(answers.map(({ id, data }) => [id, data.success, data.cancelled ?? data.error])).toEqual([
      ['c1', true, true],
      ['run-1', false, 'Cancelled: rollout aborted'],
    ]);
  });

  it('[VF-3] answers what it cannot do, and lists a rollout that broke without a reward', async () => {
    const { model, connect } = await start(() => ({ status: 400, error: 'no such thing' }));
    const client = connect();
    const ask = async (method: string, payload: Uint8Array): Promise<Told> => {
      await client.send('x', method, payload);
      return (await client.next()).data;
    };
    expect(await ask('dance', encode({}))).toEqual({ success: false, error: "unknown method 'dance'" });
    expect((await ask('run', encode({}))).error).toContain('"task_data"');
    expect((await ask('run', Buffer.from([0xc1]))).error).toContain('not msgpack');
    expect((await ask('run', runOf(model.url, { task_data: { environment: 'nowhere' } }))).error).toContain('nowhere');
    expect((await ask('run', runOf('http://192.0.2.1/v1'))).error).toContain('--rollout-models');
    await client.send('y', 'run', runOf(model.url));
    const { data: delta } = await client.next();
    const { data: reply } = await client.next();
    expect([delta.set.rewards, delta.set.ok, reply.head.ok]).toEqual([{ verdict: null }, false, false]);
    // What the model server said stays here: a client must not read through this server.
    expect(reply.head.errors[0].message).toMatch(/gave no usable answer/);
    expect(JSON.stringify([delta, reply])).not.toContain('no such thing');
  });

  it('[VF-3] listens on this machine only, as it knows no keys', async () => {
    const options = {
      host: '0.0.0.0',
      port: 0,
      run: () => Promise.reject(new Error()),
      onIncident() {},
      onFault() {},
      timers,
    };
    await expect(createVerifiersServer(options)).rejects.toThrow('verifiers has no keys');
  });

  it('[VF-7] reports malformed messages at a bounded rate, with the count of the rest', async () => {
    const reported: [string, number][] = [];
    const server = await createVerifiersServer({
      host: '127.0.0.1',
      port: 0,
      run: () => Promise.reject(new Error('Nothing is run.')),
      timers,
      onIncident: (kind, _detail, count = 1) => void reported.push([kind, count]),
      onFault: cause => expect.fail(String(cause)),
    });
    const [client, other] = [connectTo(server.address), connectTo(server.address)];
    for (let index = 0; index < 200; index++) {
      const sender = index % 2 === 0 ? client : other;
      await sender.send('too', 'few');
      await sender.send(`q${index}`, 'no such method', encode({}));
      expect((await sender.next()).data).toMatchObject({ success: false });
    }
    await server.close();
    expect(reported.reduce((sum, [, count]) => sum + count, 0)).toBe(400);
    expect(new Set(reported.map(([kind]) => kind))).toEqual(new Set(['malformed-message']));
    // Five one by one, and one for the others, in every second that it takes.
    expect(reported.length).toBeLessThan(100);
  });

  it('[VF-4] answers any message of four frames once, and leaves out others', async () => {
    const faults: unknown[] = [];
    const server = await createVerifiersServer({
      host: '127.0.0.1',
      port: 0,
      run: () => Promise.resolve({ delta: { trace: 't' }, reply: { success: true } }),
      timers,
      onIncident: () => undefined,
      onFault: cause => void faults.push(cause),
    });
    opened.push(server.close);
    const client = connectTo(server.address);
    const payload = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc.jsonValue().map(value => encode(value)),
      fc.constant(runOf('http://127.0.0.1:1/v1')),
    );
    const method = fc.oneof(fc.constantFrom('run', 'cancel', 'health'), fc.string());
    let number = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ maxLength: 9 }), { maxLength: 5 }),
        method,
        payload,
        async (odd, name, bytes) => {
          if (odd.length !== 3) await client.send(...odd, '');
          const id = `q${number++}`;
          await client.send(id, name, bytes);
          let answer = await client.next();
          while (answer.id !== id || answer.kind === 'delta') answer = await client.next();
          expect(typeof answer.data.success).toBe('boolean');
        },
      ),
      { numRuns: 100 },
    );
    expect(faults).toEqual([]);
  });

  it('[VF-5] stops the runs of clients that are gone, and keeps those of one that comes back in time', async () => {
    const incidents: string[] = [];
    const stopped: unknown[] = [];
    let runs = 0;
    const server = await createVerifiersServer({
      host: '127.0.0.1',
      port: 0,
      timers,
      absenceMilliseconds: 3000,
      run: (_request, signal) =>
        new Promise((_resolve, reject) => {
          runs++;
          signal.addEventListener('abort', () => {
            stopped.push(signal.reason);
            reject(signal.reason as Error);
          });
        }),
      onIncident: (_kind, detail) => void incidents.push(detail),
      onFault: () => undefined,
    });
    opened.push(server.close);
    const socket = new Dealer({ linger: 0, routingId: 'trainer' });
    socket.connect(server.address);
    await socket.send([Buffer.from('r1'), Buffer.from('run'), Buffer.from(runOf('http://127.0.0.1:1/v1'))]);
    await expect.poll(() => runs).toBe(1);
    socket.disconnect(server.address);
    socket.connect(server.address);
    await new Promise(resolve => setTimeout(resolve, 3500));
    expect(stopped).toEqual([]);
    socket.close();
    for (let tries = 0; tries < 600 && stopped.length === 0; tries++)
      await new Promise(resolve => setTimeout(resolve, 10));
    expect(stopped).toEqual([expect.objectContaining({ message: 'Cancelled: the client is gone' })]);
    expect(incidents).toEqual([expect.stringContaining('1 runs stopped')]);
  });

  it('[VF-6] stops the runs of a client that is gone while another one stays', async () => {
    const stopped: string[] = [];
    let runs = 0;
    const server = await createVerifiersServer({
      host: '127.0.0.1',
      port: 0,
      timers,
      absenceMilliseconds: 200,
      run: ({ model }, signal) =>
        new Promise((_resolve, reject) => {
          runs++;
          signal.addEventListener('abort', () => {
            stopped.push(model);
            reject(signal.reason as Error);
          });
        }),
      onIncident: () => undefined,
      onFault: () => undefined,
    });
    opened.push(server.close);
    const stays = connectTo(server.address);
    const leaves = new Dealer({ linger: 0 });
    leaves.connect(server.address);
    await stays.send('s1', 'run', runOf('http://127.0.0.1:1/v1', { model: 'stays' }));
    for (const id of ['l1', 'l2'])
      await leaves.send([id, 'run', Buffer.from(runOf('http://127.0.0.1:1/v1', { model: 'leaves' }))]);
    await expect.poll(() => runs).toBe(3);
    leaves.close();
    await expect.poll(() => stopped, { timeout: 5000 }).toEqual(['leaves', 'leaves']);
    // The one that stays is asked whether it is there: it gets messages that no client waits for.
    const probed = await stays.next().catch(() => null);
    expect(probed).toMatchObject({ id: 'probe', kind: 'delta' });
    expect(stopped).toEqual(['leaves', 'leaves']);
  });

  it('[VF-5] leaves room for others when one client has many runs under way', async () => {
    const { model, connect } = await start(() => new Promise(() => undefined));
    const [client, other] = [connect(), connect()];
    for (let run = 0; run < 513; run++) await client.send(`r${run}`, 'run', runOf(model.url));
    expect((await client.next()).data).toMatchObject({
      success: false,
      error: expect.stringContaining('512 of your rollouts'),
    });
    await other.send('h', 'run', runOf('http://192.0.2.1/v1'));
    expect((await other.next()).data.error).toContain('--rollout-models');
  });
});
