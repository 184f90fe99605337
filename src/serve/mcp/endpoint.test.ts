import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport, type CallToolResult } from '@modelcontextprotocol/client';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openBuiltIn } from '../../catalog.ts';
import { createManualClock, type Timers } from '../../core/clock.ts';
import type { Environment } from '../../core/contracts.ts';
import { foldEpisode } from '../../core/episode/record.ts';
import { EspalierError } from '../../core/errors.ts';
import { createEpisodes } from '../../episode/driven/episodes.ts';
import { createTrail } from '../../worlds/trail.ts';
import { openStore, type Store } from '../../store/store.ts';
import { listen, type Listening } from '../http.ts';
import { createMcpEndpoint, type McpEndpoint } from './endpoint.ts';
import { createOffer } from './offer.ts';
import { clientLimits, createClientSession } from './client-session.ts';

/** Timers that run when they are told to. */
function createHeldTimers(): Timers & { run(milliseconds: number): void } {
  const waiting = new Set<{ milliseconds: number; run: () => void }>();
  return {
    after(milliseconds, run) {
      const timer = { milliseconds, run };
      waiting.add(timer);
      return () => waiting.delete(timer);
    },
    run(milliseconds) {
      for (const timer of waiting) if (timer.milliseconds === milliseconds && waiting.delete(timer)) timer.run();
    },
  };
}

interface Setting {
  readonly url: string;
  readonly store: Store;
  readonly timers: ReturnType<typeof createHeldTimers>;
  readonly endpoint: McpEndpoint;
}

interface Options {
  readonly environment?: Environment;
  readonly screen?: boolean;
  readonly most?: number;
}

const idleMilliseconds = 1234;
let mail: Environment;
let closing: (() => unknown)[] = [];

beforeAll(async () => {
  mail = await openBuiltIn('mail');
});

afterEach(async () => {
  for (const close of closing.toReversed()) await close();
  closing = [];
});

async function serve({ environment = mail, screen = false, most = 4 }: Options = {}): Promise<Setting> {
  const folder = mkdtempSync(join(tmpdir(), 'espalier-mcp-'));
  const store = openStore({ path: join(folder, 'store.db') });
  const timers = createHeldTimers();
  const episodes = createEpisodes({
    environment,
    journal: () => store,
    run: 'mcp',
    driver: 'mcp',
    clock: createManualClock(),
    timers,
    createTrail,
    limits: clientLimits,
  });
  const offer = createOffer(environment.id, environment.tools, screen);
  let ids = 0;
  const endpoint = createMcpEndpoint({
    about: { title: environment.title, version: '1.2.3' },
    timers,
    idleMilliseconds,
    most,
    createId: () => `session-${++ids}`,
    onFault: cause => {
      throw cause;
    },
    async createVisit(named) {
      const [template = 'star-message', seed = '1'] = named?.split('/') ?? [];
      const task = await environment.task(template, Number(seed));
      return createClientSession({ task, offer, episodes });
    },
  });
  const server: Listening = await listen(endpoint.handler);
  closing.push(
    () => rmSync(folder, { recursive: true }),
    () => store.close(),
    () => server.close(AbortSignal.abort()),
    endpoint.close,
  );
  return { url: `${server.url}/mcp`, store, timers, endpoint };
}

type Mode = 'legacy' | 'auto' | { pin: string };

async function connect(url: string, mode: Mode = 'legacy'): Promise<Client> {
  const client = new Client({ name: 'tester', version: '7' }, { versionNegotiation: { mode } });
  closing.push(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client;
}

const call = (client: Client, name: string, input: Record<string, unknown> = {}): Promise<CallToolResult> =>
  client.callTool({ name, arguments: input });

const said = ({ content }: CallToolResult): string =>
  content.map(part => (part.type === 'text' ? part.text : part.type)).join('\n');

const star = { id: 'm7', starred: true };

describe('an app as a server of the protocol', () => {
  it('[MCP-1] offers the commands of the app with their schemas, and finish', async () => {
    const { url } = await serve();
    const client = await connect(url);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([...mail.tools.map(({ name }) => name), 'finish']);
    expect(tools.map(({ inputSchema }) => inputSchema).slice(0, -1)).toEqual(mail.tools.map(({ input }) => input));
    expect(client.getServerVersion()).toEqual({ name: 'espalier', title: 'Mail', version: '1.2.3' });
  });

  it('[MCP-1] answers with the result of a command, and with a refusal as an error', async () => {
    const client = await connect((await serve()).url);
    const found = await call(client, 'get_message', { id: 'm7' });
    expect(found).toMatchObject({ isError: false, structuredContent: { subject: 'We missed you: parcel 3754' } });
    expect(JSON.parse(said(found))).toEqual(found.structuredContent);
    expect(said(await call(client, 'star_message', star))).toBe('Done.');
    expect(await call(client, 'star_message', { id: 'm7' })).toMatchObject({ isError: true });
    const unknown = await call(client, 'star_messages', star);
    expect(unknown).toMatchObject({ isError: true });
    expect(said(unknown)).toContain('There is no tool "star_messages"');
    expect(await call(client, 'finish', { infeasible: 'perhaps' })).toMatchObject({ isError: true });
  });

  it('[MCP-2] has a world for every session', async () => {
    const { url } = await serve();
    const [one, two] = [await connect(url), await connect(url)];
    await call(one, 'star_message', star);
    const starred = async (client: Client): Promise<unknown> =>
      (await call(client, 'get_message', { id: 'm7' })).structuredContent;
    expect(await starred(one)).toMatchObject({ starred: true });
    expect(await starred(two)).toMatchObject({ starred: false });
  });

  it('[MCP-2] does the calls of one session one after the other', async () => {
    const { url, store } = await serve();
    const client = await connect(url);
    const many = [true, false, true, false, true].map(starred => call(client, 'star_message', { id: 'm7', starred }));
    await Promise.all(many);
    await call(client, 'finish');
    const [episode] = [...store.episodes()];
    expect(episode?.events.filter(({ kind }) => kind === 'step')).toHaveLength(6);
    expect(episode?.end.outcome).toBe('passed');
  });

  it('[MCP-3] tells the task as a resource, as a prompt and in its instructions', async () => {
    const client = await connect((await serve()).url);
    const { instruction } = await mail.task('star-message', 1);
    const { resources } = await client.listResources();
    const { contents } = await client.readResource({ uri: resources[0]?.uri ?? '' });
    expect(contents).toMatchObject([{ text: instruction }]);
    const { prompts } = await client.listPrompts();
    const { messages } = await client.getPrompt({ name: prompts[0]?.name ?? '' });
    expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: instruction } }]);
    expect(client.getInstructions()).toContain(instruction);
    await expect(client.readResource({ uri: 'espalier://checks' })).rejects.toThrow('There is no resource');
    await expect(client.getPrompt({ name: 'checks' })).rejects.toThrow('There is no prompt');
  });

  it('[MCP-4] ends with finish, tells nothing of the verdict, and writes the episode down', async () => {
    const { url, store } = await serve();
    const client = await connect(url);
    await call(client, 'star_message', star);
    expect(await call(client, 'finish', { infeasible: false, answer: null })).toEqual({
      content: [{ type: 'text', text: 'The episode has ended.' }],
      isError: false,
    });
    expect(await call(client, 'get_message', { id: 'm7' })).toMatchObject({ isError: true });
    const stored = [...store.episodes()];
    expect(stored.map(({ head }) => head)).toMatchObject([
      { key: 'collect/0/mail/star-message/1/0', student: 'mcp:tester@7', teacher: null, strategy: 'mcp', round: 0 },
    ]);
    const record = foldEpisode(stored[0]!);
    expect(record.end).toMatchObject({ outcome: 'passed', leaf: 2, counts: { steps: 2, taken: 2 } });
    expect(record.end.verdict?.pass).toBe(true);
    expect(record.text(1)).toBe('call star_message {"id":"m7","starred":true}');
    // Without a screen, what was told is what the next step was taken on.
    expect([record.situation(1).screen, record.situation(2).screen]).toEqual([record.head.task.instruction, 'Done.']);
  });

  it('[MCP-4] fails who is out of steps, and calls who is gone, idle or sent away abandoned, never failed', async () => {
    const { url, store, timers, endpoint } = await serve();
    const opened = async (): Promise<Client> => {
      const client = await connect(url);
      await call(client, 'star_message', star);
      return client;
    };
    const ends = (): unknown[] => [...store.summaries()].map(({ end }) => [end.outcome, end.reason]);
    const gone = await opened();
    await (gone.transport as StreamableHTTPClientTransport).terminateSession();
    expect(ends()).toEqual([['errored', 'abandoned']]);
    expect([...store.summaries()][0]?.end).toMatchObject({
      boundary: 'policy',
      message: 'Not finished: the client left.',
      verdict: null,
    });
    const idle = await opened();
    await idle.close();
    await expect.poll(() => (timers.run(idleMilliseconds), ends().length)).toBe(2);
    const busy = await opened();
    for (let steps = 1; steps < 29; steps++) await call(busy, 'list_labels');
    expect(said(await call(busy, 'list_labels'))).toContain('That was the last step');
    expect(await call(busy, 'finish')).toMatchObject({ isError: true });
    await opened();
    await endpoint.close();
    expect(ends()).toEqual([
      ['errored', 'abandoned'],
      ['errored', 'abandoned'],
      ['failed', 'out of steps'],
      ['errored', 'abandoned'],
    ]);
    expect([...store.summaries()].map(({ head }) => [head.index, head.trial])).toEqual([0, 1, 2, 3].map(n => [n, n]));
  });

  it('[MCP-4] writes nothing of a client that only looked what is on offer', async () => {
    const { url, store, endpoint } = await serve();
    await (await connect(url)).listTools();
    await endpoint.close();
    expect([...store.summaries()]).toEqual([]);
  });

  it('[MCP-5] lets screen and tools mix when the screen is offered', async () => {
    const { url, store } = await serve({ screen: true });
    const client = await connect(url);
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names.slice(mail.tools.length)).toEqual(['observe', 'click', 'fill', 'select', 'finish']);
    expect(said(await call(client, 'observe'))).toContain('[e13] textbox "Search mail": (empty)');
    const filled = await call(client, 'fill', { ref: 'e13', text: 'parcel 3754' });
    expect(said(filled)).toContain('textbox "Search mail": parcel 3754');
    expect(await call(client, 'click', { ref: 'e999' })).toMatchObject({ isError: true });
    expect(await call(client, 'click', { element: 'e1' })).toMatchObject({ isError: true });
    await call(client, 'star_message', star);
    await call(client, 'finish');
    const record = foldEpisode([...store.episodes()][0]!);
    expect(record.end.outcome).toBe('passed');
    expect(record.tree.path(record.end.leaf).map(({ action }) => action.kind)).toEqual([
      'fill',
      'click',
      'call',
      'finish',
    ]);
    expect(record.text(1)).toBe('fill textbox "Search mail" with "parcel 3754"');
  });

  it('[MCP-5] refuses an app whose tools have the names of its own', () => {
    const tools = [{ name: 'observe', description: 'Look.', input: {} }];
    expect(() => createOffer('lab', tools, true)).toThrow('"lab" has a tool "observe"');
    expect(createOffer('lab', tools, false).tools.map(({ name }) => name)).toEqual(['observe', 'finish']);
  });
});

describe('sessions over HTTP', () => {
  it('[MCP-6] gives clients of the protocol without sessions a world by the name in the path', async () => {
    const { url, store } = await serve();
    const modern: Mode = { pin: '2026-07-28' };
    const [one, again, two] = [
      await connect(`${url}/one`, modern),
      await connect(`${url}/one`, modern),
      await connect(`${url}/two`, modern),
    ];
    await call(one, 'star_message', star);
    const starred = async (client: Client): Promise<unknown> =>
      (await call(client, 'get_message', { id: 'm7' })).structuredContent;
    expect(await starred(again)).toMatchObject({ starred: true });
    expect(await starred(two)).toMatchObject({ starred: false });
    await call(again, 'finish');
    expect([...store.summaries()].map(({ head, end }) => [head.student, end.outcome])).toEqual([
      ['mcp:tester@7', 'passed'],
    ]);
    await expect(connect(url, modern)).rejects.toMatchObject({ code: 'ERA_NEGOTIATION_FAILED' });
    await expect(connect(`${url}/three`)).rejects.toMatchObject({ message: expect.stringContaining('2026-07-28') });
  });

  it('[MCP-6] begins a session for a client that tries the version without them first', async () => {
    const client = await connect((await serve()).url, 'auto');
    expect(client.getProtocolEra()).toBe('legacy');
    expect(said(await call(client, 'star_message', star))).toBe('Done.');
  });

  it('[MCP-6] takes the task from the address', async () => {
    const { url, store } = await serve();
    const client = await connect(`${url}?task=star-message/2`);
    await call(client, 'finish');
    expect([...store.summaries()].map(({ head }) => head.task.id)).toEqual(['mail/star-message/2']);
    const answer = await fetch(`${url}?task=nothing/1`, { method: 'POST', body: initialize, headers });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('has no template')]);
  });

  it('[MCP-6] says what is wrong with a request that has no session, an old one, or one too many', async () => {
    const { url } = await serve({ most: 1 });
    const post = async (body: string, more: Record<string, string> = {}): Promise<[number, string]> => {
      const answer = await fetch(url, { method: 'POST', body, headers: { ...headers, ...more } });
      return [answer.status, await answer.text()];
    };
    expect(await post('{"jsonrpc":"2.0","id":1,"method":"tools/list"}')).toEqual([
      400,
      expect.stringContaining('Begin a session with initialize'),
    ]);
    expect(await post('not json')).toEqual([400, expect.anything()]);
    expect((await fetch(url)).status).toBe(400);
    expect(await post('{}', { 'mcp-session-id': 'gone' })).toEqual([404, expect.stringContaining('no such session')]);
    expect((await fetch(`${url}/a/b`)).status).toBe(404);
    expect((await post(initialize))[0]).toBe(200);
    expect(await post(initialize)).toEqual([503, expect.stringContaining('1 clients are here already')]);
    expect(await post('{}', { 'content-type': 'text/plain', 'mcp-session-id': 'session-1' })).toEqual([
      415,
      expect.anything(),
    ]);
  });
});

const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'hand', version: '1' } },
});

describe('a world that breaks', () => {
  const breaking = (members: object): Environment => ({
    ...mail,
    open: async task => ({ ...(await mail.open(task)), ...members }),
  });

  it('[MCP-7] ends the episode as errored, and tells the client no more than that', async () => {
    const cases: [Environment, string, string, string][] = [
      [breaking({ step: () => Promise.reject(new Error('torn')) }), 'star_message', 'environment', 'threw: torn'],
      [breaking({ verify: () => Promise.reject(new Error('blind')) }), 'finish', 'verifier', 'threw: blind'],
      [
        {
          ...mail,
          open: () => {
            throw new EspalierError({ boundary: 'environment', code: 'unavailable', message: 'Gone.', expected: 'X.' });
          },
        },
        'star_message',
        'environment',
        'Gone.',
      ],
    ];
    for (const [environment, tool, boundary, message] of cases) {
      const { url, store } = await serve({ environment });
      const client = await connect(url);
      const answer = await call(client, tool, tool === 'finish' ? {} : star);
      expect(answer).toMatchObject({ isError: true });
      expect(said(answer)).toBe('The world broke: the episode has ended.');
      expect(await call(client, tool)).toMatchObject({ isError: true });
      expect([...store.summaries()].map(({ end }) => end)).toMatchObject([
        { outcome: 'errored', boundary, message: expect.stringContaining(message), verdict: null },
      ]);
    }
  });

  it('[MCP-7] is given up when it does not answer in time', async () => {
    const { url, store, timers } = await serve({ environment: breaking({ step: () => new Promise(() => {}) }) });
    const answer = call(await connect(url), 'star_message', star);
    await expect.poll(() => (timers.run(120_000), [...store.summaries()].length)).toBe(1);
    expect(said(await answer)).toBe('The world broke: the episode has ended.');
    expect([...store.summaries()][0]?.end).toMatchObject({ outcome: 'errored', reason: 'deadline' });
  });
});
