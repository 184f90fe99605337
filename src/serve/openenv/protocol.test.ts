import { describe, expect, it } from 'vitest';
import { app } from '../../../examples/library/library.ts';
import { planFor } from '../../../test/fixtures/episode-setup.ts';
import { stoppedAfterEach } from '../../../test/fixtures/serve/start-server.ts';
import { createWorld } from '../../worlds/world.ts';

const world = createWorld(app);
const task = 'lend-to-reader';
const plan = planFor(world.open(world.task(task, 3)));

const serve = stoppedAfterEach();

describe('OpenEnv at /ws', () => {
  it('[SRV-21] plays an episode: the reward comes with the end, and is that of the verifier', async () => {
    const client = await (await serve()).connect();
    expect(await client.ask('state')).toEqual({ type: 'state', data: { episode_id: null, step_count: 0 } });
    const first = await client.ask('reset', { task, seed: 3, episode_id: 'mine', render: true });
    const { instruction } = world.task(task, 3);
    expect(first).toEqual({
      type: 'observation',
      data: { observation: { instruction, text: expect.stringContaining('[e1]'), node: 0 }, reward: null, done: false },
    });
    for (const action of plan.slice(0, -1))
      expect(await client.ask('step', action)).toMatchObject({ data: { reward: null, done: false } });
    expect(await client.ask('state')).toMatchObject({
      type: 'state',
      data: { episode_id: 'mine', step_count: plan.length - 1, environment: 'library', ended: null, outcome: null },
    });
    expect(await client.ask('step', plan.at(-1))).toMatchObject({
      data: { observation: { ended: 'terminated' }, reward: 1, done: true },
    });
    expect(await client.ask('state')).toMatchObject({ data: { outcome: 'passed', ended: 'terminated' } });
    expect(await client.ask('reset', { task, seed: 3 })).toMatchObject({ data: { done: false } });
    expect(await client.ask('step', { kind: 'finish' })).toMatchObject({ data: { reward: 0, done: true } });
    client.send('{"type":"close"}');
    expect(await client.closed).toBe(1000);
  });

  it('[SRV-21] takes tool calls and lists tools as OpenEnv does, and ignores metadata', async () => {
    const client = await (await serve()).connect();
    const listed = await client.ask('step', { type: 'list_tools' });
    const names = (listed.data.observation.tools as { name: string; input_schema: object }[]).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['list_books', 'observe', 'click', 'finish']));
    await client.ask('reset', { task, seed: 3 });
    const call = (tool_name: string, input: object) =>
      client.ask('step', { type: 'call_tool', tool_name, arguments: input, metadata: {} });
    const looked = await call('observe', {});
    expect(looked.data.observation).toMatchObject({
      tool_name: 'observe',
      result: expect.stringContaining('[e1]'),
      node: 0,
    });
    expect((await call('list_books', { text: '' })).data.observation).toMatchObject({
      tool_name: 'list_books',
      error: null,
      node: 1,
    });
    expect((await call('lend_book', { book: 'none' })).data.observation).toMatchObject({
      result: null,
      error: { error_type: expect.any(String), message: expect.any(String) },
    });
    expect((await call('click', { ref: 7 })).data.observation.error.error_type).toBe('invalid_args');
    expect((await call('fly', {})).data.observation.error).toMatchObject({ error_type: 'tool_not_found' });
    expect(await client.ask('step', { ...plan[0], metadata: { a: 1 } })).toMatchObject({ type: 'observation' });
    expect(await call('finish', {})).toMatchObject({ data: { reward: 0, done: true } });
  });

  it('[SRV-21] speaks MCP in the session of the connection', async () => {
    const client = await (await serve()).connect();
    await client.ask('reset', { task, seed: 3 });
    const rpc = (method: string, params: object = {}) => client.ask('mcp', { jsonrpc: '2.0', id: 7, method, params });
    const { data: listed } = await rpc('tools/list');
    expect(listed).toMatchObject({ jsonrpc: '2.0', id: 7, result: { tools: expect.any(Array) } });
    expect((await rpc('tools/call', { name: 'list_books', arguments: { text: '' } })).data.result).toMatchObject({
      isError: false,
    });
    expect(await client.ask('state')).toMatchObject({ data: { step_count: 1 } });
    expect((await rpc('tools/fly')).data.error.code).toBe(-32601);
    expect((await client.ask('mcp', { method: 'tools/list' })).data.error.code).toBe(-32600);
    const { data: created } = await rpc('openenv/session/create');
    expect((await rpc('openenv/session/close', created.result)).data.error.code).toBe(-32600);
  });

  it('[SRV-22] answers mistakes with their code, and goes on', async () => {
    const server = await serve({ sessions: 2 });
    const client = await server.connect();
    const other = await server.connect();
    await other.ask('reset', { task, seed: 3 });
    const wrong: [string | Buffer, string][] = [
      ['no json', 'INVALID_JSON'],
      ['[1]', 'INVALID_JSON'],
      ['null', 'INVALID_JSON'],
      [Buffer.from('{"type":"state"}'), 'INVALID_JSON'],
      ['{"type":"fly"}', 'UNKNOWN_TYPE'],
      ['{}', 'UNKNOWN_TYPE'],
      ['{"type":"constructor"}', 'UNKNOWN_TYPE'],
      ['{"type":"reset","data":{"seed":-1}}', 'VALIDATION_ERROR'],
      ['{"type":"reset","data":{"seed":"x"}}', 'VALIDATION_ERROR'],
      ['{"type":"reset","data":[]}', 'VALIDATION_ERROR'],
      ['{"type":"reset","data":{"environment":"nowhere"}}', 'VALIDATION_ERROR'],
      ['{"type":"reset","data":{"task":"nothing"}}', 'VALIDATION_ERROR'],
      ['{"type":"step","data":{"kind":"finish"}}', 'SESSION_ERROR'],
      ['{"type":"step","session":"s-none","data":{"kind":"finish"}}', 'SESSION_ERROR'],
    ];
    for (const [frame, code] of wrong) {
      client.send(frame);
      expect([frame, await client.next()]).toMatchObject([frame, { type: 'error', data: { code } }]);
    }
    await client.ask('reset', { task, seed: 3 });
    expect(await client.ask('step', { kind: 'teleport' })).toMatchObject({ data: { code: 'VALIDATION_ERROR' } });
    expect(await client.ask('step', {})).toMatchObject({ data: { code: 'VALIDATION_ERROR' } });
    expect(await client.ask('open', {})).toMatchObject({
      data: { code: 'CAPACITY_REACHED', active_sessions: 2, max_sessions: 2 },
    });
    await client.ask('step', { kind: 'finish' });
    expect(await client.ask('step', { kind: 'finish' })).toMatchObject({ data: { code: 'EXECUTION_ERROR' } });
    expect(await other.ask('step', plan[0])).toMatchObject({ data: { reward: null, done: false } });
    expect(server.log.filter(({ event }) => event === 'incident')).toHaveLength(5);
  });

  it('[SRV-22] says FACTORY_ERROR for a world that does not open, and EXECUTION_ERROR for one that breaks', async () => {
    const secret = new Error('a secret of the server');
    const broken = {
      ...world,
      open: (given: ReturnType<typeof world.task>) => {
        if (given.seed === 1) throw secret;
        return {
          ...world.open(given),
          step: () => {
            throw secret;
          },
        };
      },
    };
    const server = await serve({ environments: [broken] });
    const client = await server.connect();
    const unopened = await client.ask('reset', { task, seed: 1 });
    expect(unopened).toMatchObject({ data: { code: 'FACTORY_ERROR', factory_name: 'library' } });
    await client.ask('reset', { task, seed: 2 });
    const broke = await client.ask('step', { kind: 'finish' });
    expect(broke).toMatchObject({ data: { code: 'EXECUTION_ERROR' } });
    expect(JSON.stringify([unopened, broke])).not.toContain('secret');
    expect(server.log.filter(({ event }) => event === 'fault')).toHaveLength(2);
    expect(server.log).toContainEqual(
      expect.objectContaining({ event: 'episode', outcome: 'errored', reason: 'threw' }),
    );
  });

  it('[SRV-82] answers requests with an id as they are done, others in their order, each session in its order', async () => {
    const client = await (await serve()).connect();
    const { data: one } = await client.ask('open', { task, seed: 3 });
    const { data: two } = await client.ask('open', { task, seed: 3 });
    const ids = [1, 2, 3, 4, 5, 6];
    for (const id of ids)
      client.send(
        JSON.stringify({ type: 'step', data: plan[0], id, session: id % 2 === 0 ? one.session : two.session }),
      );
    const answers = await Promise.all(ids.map(() => client.next()));
    expect(answers.map(({ id }) => id).toSorted()).toEqual(ids);
    for (const { id, data, session } of answers) {
      expect(session).toBe(Number(id) % 2 === 0 ? one.session : two.session);
      expect(data.observation.node).toBe(Math.ceil(Number(id) / 2));
    }
  });
});

describe('OpenEnv over HTTP', () => {
  it('[SRV-23] answers what openenv validate looks at, and requests that stand alone', async () => {
    const { url, log } = await serve();
    const get = async (path: string) => (await fetch(url + path)).json() as Promise<Record<string, unknown>>;
    expect(await get('/health')).toEqual({ status: 'healthy' });
    expect(await get('/metadata')).toMatchObject({
      name: 'espalier',
      description: expect.any(String),
      capabilities: { espalier: '1.0', environments: ['library', 'mail'], verbs: expect.arrayContaining(['fork']) },
    });
    expect(await get('/schema')).toMatchObject({
      action: { title: 'CallToolAction', required: ['tool_name'] },
      observation: {},
      state: {},
    });
    expect(await get('/openapi.json')).toMatchObject({
      info: { version: expect.any(String) },
      paths: { '/reset': {}, '/step': {}, '/state': {} },
    });
    expect(await get('/state')).toEqual({ episode_id: null, step_count: 0 });
    expect(await get('/environments')).toMatchObject({ environments: [{ id: 'library' }, { id: 'mail' }] });
    const post = async (path: string, body: unknown): Promise<[number, Record<string, unknown>]> => {
      const headers = { 'content-type': 'application/json' };
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const answer = await fetch(url + path, { method: 'POST', body: text, headers });
      return [answer.status, (await answer.json()) as Record<string, unknown>];
    };
    expect(await post('/reset', { seed: 3, task })).toMatchObject([
      200,
      { observation: { node: 0 }, reward: null, done: false },
    ]);
    expect(await post('/step', { action: plan[0], task, seed: 3 })).toMatchObject([200, { observation: { node: 1 } }]);
    expect(await post('/step', { action: { kind: 'x' } })).toMatchObject([422, { detail: expect.any(Array) }]);
    expect(await post('/step', {})).toMatchObject([422, { detail: [{ loc: ['action'] }] }]);
    expect(await post('/reset', 'no json')).toMatchObject([422, { code: 'INVALID_JSON' }]);
    expect(await post('/mcp', {})).toMatchObject([200, { jsonrpc: '2.0', error: { code: -32600 } }]);
    expect(await post('/mcp', 'no json')).toMatchObject([200, { jsonrpc: '2.0', error: { code: -32700 } }]);
    expect(log.filter(({ event }) => event === 'episode')).toEqual([]);
  });

  it('[SRV-23] has MCP sessions that are created and closed, and tells agents no verdict', async () => {
    const { url, log } = await serve();
    const rpc = async (method: string, params: object = {}) => {
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      const answer = await fetch(`${url}/mcp`, { method: 'POST', body, headers });
      return (await answer.json()) as { result: Record<string, unknown>; error: { code: number } };
    };
    const { result: created } = await rpc('openenv/session/create', { task, seed: 3 });
    for (const action of plan) {
      const { kind, ...input } = action as { kind: string; tool: string; input: object };
      const call = kind === 'call' ? { name: input.tool, arguments: input.input } : { name: kind, arguments: input };
      const { result } = await rpc('tools/call', { ...call, ...created });
      expect(result.isError).toBe(false);
      expect(JSON.stringify(result)).not.toMatch(/pass|reward/);
    }
    expect(log).toContainEqual(expect.objectContaining({ event: 'episode', outcome: 'passed' }));
    expect((await rpc('openenv/session/close', created)).result).toEqual({ ...created, closed: true });
    expect((await rpc('tools/call', { name: 'finish', ...created })).error.code).toBe(-32602);
    expect((await rpc('openenv/session/close', created)).error.code).toBe(-32602);
    expect((await rpc('tools/call', { name: 'list_books', arguments: { text: '' } })).result.isError).toBe(false);
    expect((await rpc('tools/call', {})).error.code).toBe(-32602);
  });
});
