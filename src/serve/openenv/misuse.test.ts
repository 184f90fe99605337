import { describe, expect, it } from 'vitest';
import { app } from '../../../examples/library/library.ts';
import { stoppedAfterEach } from '../../../test/fixtures/serve/start-server.ts';
import type { Action } from '../../core/action.ts';
import { createWorld } from '../../worlds/world.ts';

const wanted = { task: 'lend-to-reader', seed: 3 };

const serve = stoppedAfterEach();

describe('requests that are wrong', () => {
  it('[SRV-35] refuses names and ids of more than 255 characters', async () => {
    const client = await (await serve()).connect();
    await client.ask('reset', wanted);
    const long = 'x'.repeat(256);
    for (const [type, data, more] of [
      ['reset', { task: long }, {}],
      ['reset', { environment: long }, {}],
      ['reset', { episode_id: long }, {}],
      ['attach', { session: long }, {}],
      ['state', {}, { session: long }],
      ['restore', { snapshot: `1@${long.repeat(4)}` }, {}],
    ] as const) {
      const { data: refusal } = await client.ask(type, data, more);
      expect([type, refusal]).toMatchObject([type, { code: 'VALIDATION_ERROR' }]);
      expect(JSON.stringify(refusal).length).toBeLessThan(400);
    }
    const rpc = { jsonrpc: '2.0', method: 'tools/call', id: 1, params: { name: long, arguments: {} } };
    expect(await client.ask('mcp', rpc)).toMatchObject({ data: { id: 1, error: { code: -32602 } } });
    expect(await client.ask('state')).toMatchObject({ data: { step_count: 0, outcome: null } });
  });

  it('[SRV-22] repeats the id of every frame that has one, also of one that is no request', async () => {
    const client = await (await serve()).connect();
    const deep = `${'['.repeat(250)}${']'.repeat(250)}`;
    for (const [frame, code] of [
      [`{"type":"state","id":7,"data":{"x":${deep}}}`, 'INVALID_JSON'],
      ['{"type":"state","id":7,"data":{"x":1e999}}', 'INVALID_JSON'],
      ['{"type":"state","id":7,"data":[]}', 'VALIDATION_ERROR'],
      ['{"type":5,"id":7}', 'VALIDATION_ERROR'],
    ] as const) {
      client.send(frame);
      expect([frame, await client.next()]).toMatchObject([frame, { type: 'error', id: 7, data: { code } }]);
    }
    for (const frame of ['[]', '7', 'null', '{"id":', '{"type":"state","id":{}}', '{"type":"state","id":1e999}']) {
      client.send(frame);
      const answer = await client.next();
      expect([frame, answer.type, 'id' in answer]).toEqual([frame, 'error', false]);
    }
  });
});

describe('a client that sends rubbish', () => {
  it('[SRV-36] is cut off after 100 frames, with a few lines in the log, and others do not wait for it', async () => {
    const server = await serve();
    const [flood, other] = [await server.connect(), await server.connect()];
    await other.ask('reset', wanted);
    const sent = 30_000;
    for (let index = 0; index < sent; index++) flood.send('x');
    expect(await other.ask('state')).toMatchObject({ type: 'state' });
    expect(await flood.closed).toBe(1008);
    await expect
      .poll(async () => (await fetch(`${server.url}/metrics`)).text())
      .toContain('espalier_incidents_total{kind="malformed-message"} 100\n');
    const incidents = server.log.filter(({ event }) => event === 'incident');
    expect(incidents.length).toBeLessThan(20);
    expect(incidents.filter(({ kind }) => kind === 'malformed-flood')).toHaveLength(1);
    expect(await other.ask('step', { kind: 'finish' })).toMatchObject({ data: { done: true } });
  });

  it('[SRV-36] has its frames taken one at a time, so that others have their turn between them', async () => {
    const server = await serve();
    const [busy, other] = [await server.connect(), await server.connect()];
    await other.ask('reset', wanted);
    const sent = 20_000;
    let answered = 0;
    busy.socket.on('message', () => answered++);
    for (let index = 0; index < sent; index++) busy.send('{"type":"state"}');
    await other.ask('state');
    expect(answered).toBeLessThan(sent / 2);
    await expect.poll(() => answered, { timeout: 20_000 }).toBe(sent);
  });
});

describe('a frame with very many values', () => {
  const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]));

  it('[SRV-80] is refused with its id before it is parsed', async () => {
    const client = await (await serve()).connect();
    await client.ask('reset', wanted);
    const data = JSON.stringify(keys(60_000));
    for (const [frame, id] of [
      [`{"type":"step","data":${data},"id":7}`, 7],
      [`{ "id" : "a\\"b,}" , "type":"step","data":${data}}`, 'a"b,}'],
      // Only the id of the frame counts.
      [`{"type":"step","data":{"id":3,"x":${data}},"id":8}`, 8],
    ] as const) {
      client.send(frame);
      const answer = await client.next();
      expect(answer).toMatchObject({ type: 'error', id, data: { code: 'VALIDATION_ERROR' } });
      expect(answer.data.message).toBe('The message has more than 4096 values. Send a smaller one.');
    }
    for (const frame of [
      `{"type":"step","data":{"id":3,"x":${data}}}`,
      `{"type":"step","id":{},"data":${data}}`,
      data,
    ]) {
      client.send(frame);
      const answer = await client.next();
      expect([answer.type, answer.data.code, 'id' in answer]).toEqual(['error', 'VALIDATION_ERROR', false]);
    }
    // Not even JSON: nobody parsed it.
    client.send(`{"id":9,"data":[${'1,'.repeat(5000)}`);
    expect(await client.next()).toMatchObject({ id: 9, data: { code: 'VALIDATION_ERROR' } });
  });

  it('[SRV-80] is told from a long text, whatever is in it', async () => {
    const client = await (await serve()).connect();
    await client.ask('reset', wanted);
    for (const text of [',"{[:'.repeat(10_000), '\\'.repeat(20_000), `${'\\'.repeat(9)}",`.repeat(5000)])
      expect(await client.ask('step', { kind: 'fill', ref: 'e1', text })).toMatchObject({ type: 'observation' });
  });

  it('[SRV-80] counts as ten, and is refused over HTTP, too', async () => {
    const server = await serve();
    const client = await server.connect();
    const frame = JSON.stringify({ type: 'step', data: keys(60_000) });
    for (let index = 0; index < 10; index++) client.send(frame);
    expect(await client.closed).toBe(1008);
    const body = JSON.stringify({ action: keys(60_000) });
    const response = await fetch(`${server.url}/step`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect([response.status, await response.text()]).toEqual([422, expect.stringContaining('4096 values')]);
  });
});

describe('requests that come one after another', () => {
  it('[SRV-22] a reset that is refused leaves the open episode as it is', async () => {
    const client = await (await serve()).connect();
    await client.ask('reset', wanted);
    await client.ask('step', { kind: 'fill', ref: 'e1', text: 'x' });
    const { data: before } = await client.ask('state');
    for (const data of [{ task: 'no-such-task' }, { seed: 1_000_000 }, { environment: 'nowhere' }])
      for (const keep of [false, true])
        expect(await client.ask('reset', { ...data, keep })).toMatchObject({ data: { code: 'VALIDATION_ERROR' } });
    expect((await client.ask('state')).data).toEqual(before);
    expect(before).toMatchObject({ step_count: 1, outcome: null });
  });

  it('[SRV-82] a state and a close wait for the step before them', async () => {
    const world = createWorld(app);
    const slow = {
      ...world,
      open(task: ReturnType<typeof world.task>) {
        const session = world.open(task);
        return {
          ...session,
          async step(action: Action) {
            await new Promise(resolve => setTimeout(resolve, 50));
            return session.step(action);
          },
        };
      },
    };
    const server = await serve({ environments: [slow] });
    const outcomes = () => server.log.filter(({ event }) => event === 'episode').map(({ outcome }) => outcome);
    const client = await server.connect();
    const { data } = await client.ask('open', wanted);
    const place = { session: data.session as string };
    const finish = { type: 'step', data: { kind: 'finish' } };
    for (const request of [finish, { type: 'state' }, { type: 'close' }])
      client.send(JSON.stringify({ ...request, ...place, id: request.type }));
    const answers = [await client.next(), await client.next(), await client.next()];
    expect(answers.find(({ id }) => id === 'state')).toMatchObject({ data: { step_count: 1, outcome: 'failed' } });
    expect(outcomes()).toEqual(['failed']);
    await client.ask('reset', wanted);
    client.send(JSON.stringify({ ...finish, id: 1 }));
    client.send('{"type":"close"}');
    client.send('{"type":"close"}');
    expect(await client.closed).toBe(1000);
    await expect.poll(outcomes).toEqual(['failed', 'failed']);
  });

  it('[SRV-38] a reset without a seed draws one for training; a seed that is named stays', async () => {
    const seeds = [41, 42, 43];
    const client = await (await serve({ drawSeed: () => seeds.shift() as number })).connect();
    const taskOf = async (data: object): Promise<string> => {
      await client.ask('reset', data);
      return (await client.ask('state')).data.task;
    };
    expect(await taskOf({ task: 'lend-to-reader' })).toBe('library/lend-to-reader/41');
    expect(await taskOf({ task: 'library/lend-to-reader' })).toBe('library/lend-to-reader/42');
    expect(await taskOf({})).toMatch(/^library\/[^/]+\/43$/);
    expect(await taskOf(wanted)).toBe('library/lend-to-reader/3');
    expect(await taskOf({ task: 'lend-to-reader/5' })).toBe('library/lend-to-reader/5');
  });
});
