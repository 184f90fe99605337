import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import type { ChatReply } from '../../core/chat/chat.ts';
import type { Model } from '../../core/chat/model.ts';
import { EspalierError } from '../../core/errors.ts';
import { createRandom } from '../../core/random.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { deltasOf, dialectOf } from '../dialects/dialects.ts';
import { createModel, type ModelOptions } from './client.ts';
import { readEndpoint } from './endpoint.ts';
import { createLedger } from './ledger.ts';
import { createEndpointConnection, type EndpointConnection } from './connection.ts';

const key = 'sk-very-secret-0123456789';
/** Timers for longer than this never fire in these tests; the others fire at once. */
const far = 1e9;
const farDeadlines = { connect: far, firstToken: far, total: far };

interface Ask {
  readonly body: Record<string, unknown>;
  readonly headers: IncomingMessage['headers'];
  readonly path: string;
  /** Counts from 1. */
  readonly turn: number;
}
type Handler = (response: ServerResponse, ask: Ask) => void;

const opened: { server: Server; lines: EndpointConnection[] }[] = [];

afterEach(async () => {
  for (const { server, lines } of opened.splice(0)) {
    for (const line of lines) line.close();
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
  }
});

/** A server that answers as it is told, and a model behind it whose waits take no time but are written down. */
async function setUp(handler: Handler, options: Partial<ModelOptions> = {}, kind = 'openai') {
  const asks: Ask[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      const { headers, url: path = '' } = request;
      asks.push({ body: JSON.parse(text) as Ask['body'], headers, path, turn: asks.length + 1 });
      handler(response, asks.at(-1) as Ask);
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const waits: number[] = [];
  let now = 0;
  const line = createEndpointConnection({
    endpoint: readEndpoint(`${kind}:m@http://127.0.0.1:${port}/v1`),
    key,
    clock: { now: () => now },
    timers: {
      after(milliseconds, run) {
        if (milliseconds >= far) return () => {};
        waits.push(milliseconds);
        const soon = setImmediate(() => {
          now += milliseconds;
          run();
        });
        return () => clearImmediate(soon);
      },
    },
    random: createRandom(1),
  });
  opened.push({ server, lines: [line] });
  const model = createModel({ line, boundary: 'policy', deadlines: farDeadlines, ...options });
  return { model, asks, waits, line, server, port };
}

const question = { messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }], sampling: {} } as const;

function ask(model: Model): Promise<EspalierError> {
  return model.complete(question).then(
    () => Promise.reject(new Error('It was answered.')),
    (error: unknown) => (error instanceof EspalierError ? error : Promise.reject(error as Error)),
  );
}

const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'r1', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
const usageChunk = `data: ${JSON.stringify({ id: 'r1', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [], usage })}\n\n`;
const wholeStream = `${chunk({ role: 'assistant', content: '' })}${chunk({ content: 'Hi ' })}${chunk({ content: 'there' }, 'stop')}${usageChunk}data: [DONE]\n\n`;

function stream(response: ServerResponse, text = wholeStream): ServerResponse {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(text);
  return response;
}

function wholeReply(): object {
  const message = { role: 'assistant', content: 'Hi there' };
  return {
    id: 'r1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    usage,
  };
}

function json(status: number, body: unknown, headers = {}): Handler {
  return response => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
}
const well: Handler = response => void stream(response).end();
const byTurn =
  (...handlers: readonly Handler[]): Handler =>
  (response, asked) =>
    (handlers[asked.turn - 1] ?? well)(response, asked);

const refusal = (message: string, code: string | null = null) => ({ error: { message, type: 'error', code } });

describe('answers', () => {
  it('[MOD-4] streams where a first token has its deadline, and gives the whole reply', async () => {
    const { model, asks } = await setUp(well);
    const { reply: answer, attempts, cost } = await model.complete(question);
    expect(answer.message).toEqual({ role: 'assistant', content: 'Hi there' });
    expect(answer.usage).toMatchObject({ prompt: 100, completion: 10 });
    expect({ attempts, cost }).toEqual({ attempts: 1, cost: null });
    expect(asks[0]?.body).toMatchObject({ model: 'm', stream: true });
    expect(asks[0]?.headers.authorization).toBe(`Bearer ${key}`);
  });

  it('[MOD-4] asks for the answer in one piece where it has none', async () => {
    const deadlines = { ...farDeadlines, firstToken: Infinity };
    const { model, asks } = await setUp(json(200, wholeReply()), { deadlines });
    expect((await model.complete(question)).reply.message.content).toBe('Hi there');
    expect(asks[0]?.body['stream'] ?? false).toBe(false);
  });

  it('[MOD-4] reads an answer in one piece from a server that does not stream', async () => {
    const { model } = await setUp(json(200, wholeReply()));
    expect((await model.complete(question)).reply.message.content).toBe('Hi there');
  });

  it('[MOD-4] does not wait for the connection after the last event, and uses it again', async () => {
    const { model, server } = await setUp((response, { turn }) => {
      if (turn === 1) setImmediate(() => stream(response).end());
      else stream(response);
    });
    const sockets = new Set<Socket>();
    server.on('connection', socket => sockets.add(socket));
    await model.complete(question);
    await new Promise(resolve => setImmediate(() => setImmediate(resolve)));
    // The second stream never ends, and its answer is there all the same.
    expect((await model.complete(question)).reply.message.content).toBe('Hi there');
    expect(sockets.size).toBe(1);
  });
});

describe('dialects', () => {
  const reply: ChatReply = {
    id: 'r1',
    model: 'm',
    version: null,
    message: { role: 'assistant', content: 'So', calls: [{ id: 'c1', name: 'click', input: '{"ref":"e1"}' }] },
    finish: 'calls',
    usage: { prompt: 7, completion: 3 },
    tokens: null,
  };

  it.each(['openai', 'espalier', 'responses', 'anthropic'])('[MOD-4] speaks as the endpoint does: %s', async kind => {
    const dialect = dialectOf(kind === 'espalier' ? 'openai' : (kind as Dialect['name']));
    const handler: Handler = (response, { body }) => {
      const request = dialect.readRequest(body);
      const writer = dialect.createWriter(request);
      stream(response, `${deltasOf(reply).map(writer.write).join('')}${writer.close()}`).end();
    };
    const { model, asks } = await setUp(handler, {}, kind);
    const { message, usage: used } = (await model.complete(question)).reply;
    expect(message).toMatchObject(reply.message);
    expect(used).toMatchObject({ prompt: 7, completion: 3 });
    expect(asks[0]?.path).toBe(`/v1${dialect.path}`);
  });

  it('[MOD-6] says what a dialect has no words for', async () => {
    const { model, asks } = await setUp(well, {}, 'responses');
    const answer = model.complete({ ...question, sampling: { stop: ['x'] } });
    await expect(answer).rejects.toMatchObject({ code: 'unsupported', boundary: 'policy' });
    expect(asks).toEqual([]);
  });
});

describe('refusals', () => {
  const cases = [
    ['a wrong key', [401, refusal('Incorrect API key')], ['bad-key', /ESPALIER_KEY_127_0_0_1_\d+ or/]],
    ['a key without rights', [403, refusal('Not for you')], ['bad-key', /Check the key/]],
    ['an unknown model', [404, refusal('The model `m` does not exist')], ['unknown-model', /name of the model/]],
    ['too long a prompt', [400, refusal('Too long', 'context_length_exceeded')], ['context-overflow', /window/]],
    ['an image it cannot see', [400, refusal('This model does not support images')], ['unsupported', /text only/]],
    ['what it does not take', [422, refusal('tools: unknown member')], ['bad-request', /does not take/]],
    ['a quota that is used up', [429, refusal('No more', 'insufficient_quota')], ['rate-limited', /Pay in/]],
    ['an address that moved', [301, ''], ['bad-request', /http:\/\/there\/v1; give that one/]],
  ] as const;
  it.each(cases)('[MOD-6] says so at once: %s', async (_, [status, body], [code, advice]) => {
    const { model, asks } = await setUp(json(status, body, { location: 'http://there/v1' }));
    const error = await ask(model);
    expect(error).toMatchObject({ code, boundary: 'policy' });
    expect(error.message).toMatch(advice);
    expect(error.message).toContain(`The model ${model.endpoint} answered ${status}`);
    expect(asks).toHaveLength(1);
  });

  it('[MOD-6] names the boundary of whoever asked', async () => {
    const { model } = await setUp(json(401, ''), { boundary: 'reviewer' });
    expect(await ask(model)).toMatchObject({ boundary: 'reviewer', code: 'bad-key' });
  });

  it('[MOD-6] quotes the words of a page that some server in between sent', async () => {
    const { model } = await setUp(response =>
      response.writeHead(403).end('<html><style>p{}</style><p>Blocked by\n<b>policy</b></p></html>'),
    );
    expect((await ask(model)).message).toContain('answered 403: Blocked by policy.');
  });
});

describe('retries', () => {
  it.each([408, 409, 429, 500, 502, 503, 529])('[MOD-5] asks again after %i', async status => {
    const { model, waits } = await setUp(byTurn(json(status, refusal('Not now')), json(status, refusal('Not now'))));
    expect((await model.complete(question)).attempts).toBe(3);
    expect(waits).toHaveLength(2);
    expect(waits[0]).toBeGreaterThanOrEqual(250);
    expect(waits[0]).toBeLessThanOrEqual(500);
    expect(waits[1]).toBeGreaterThanOrEqual(500);
    expect(waits[1]).toBeLessThanOrEqual(1000);
  });

  const date = 'Sun, 15 Nov 2026 12:00:00 GMT';
  it.each([
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after-ms': '1500', 'retry-after': '9' }, 1500],
    [{ 'retry-after': 'Sun, 15 Nov 2026 12:00:20 GMT', date }, 20_000],
  ])('[MOD-5] never comes back before the time that a server names: %o', async (headers, wait) => {
    const { model, waits } = await setUp(byTurn(json(429, refusal('Slow down'), headers)));
    await model.complete(question);
    expect(waits[0]).toBe(wait);
    expect(waits[1]).toBeGreaterThanOrEqual(wait);
    expect(waits[1]).toBeLessThanOrEqual(wait + 1000);
  });

  it('[MOD-5] gives up when the server names a time too far away', async () => {
    const { model, asks } = await setUp(json(429, refusal('Tomorrow'), { 'retry-after': '3600' }));
    expect((await ask(model)).message).toContain('It wants 3600 s');
    expect(asks).toHaveLength(1);
  });

  it('[MOD-5] obeys a server that says whether to ask again', async () => {
    const { model, asks } = await setUp(json(500, refusal('Never'), { 'x-should-retry': 'false' }));
    expect((await ask(model)).code).toBe('unavailable');
    expect(asks).toHaveLength(1);
  });

  it('[MOD-5] gives up after six tries, and twelve where it is only too much', async () => {
    const broken = await setUp(json(500, refusal('Out of order')));
    expect((await ask(broken.model)).message).toContain('answered 500: Out of order. It was asked 6 times.');
    expect(broken.waits).toHaveLength(5);
    expect(Math.max(...broken.waits)).toBeLessThanOrEqual(30_000);
    const busy = await setUp(json(429, refusal('Slow down')));
    expect(await ask(busy.model)).toMatchObject({ code: 'rate-limited' });
    expect(busy.asks).toHaveLength(12);
  });

  it('[MOD-5] asks again where nobody answered', async () => {
    const { model, server, waits } = await setUp(well);
    await new Promise(resolve => server.close(resolve));
    const error = await ask(model);
    expect(error.code).toBe('unavailable');
    expect(error.message).toContain('cannot be reached (ECONNREFUSED). It was asked 6 times. Start the server');
    expect(waits).toHaveLength(5);
  });

  it('[MOD-5] asks again, at once, when a connection that was kept had been closed', async () => {
    const { model, waits } = await setUp(byTurn(well, response => response.socket?.resetAndDestroy()));
    await model.complete(question);
    await new Promise(resolve => setImmediate(() => setImmediate(resolve)));
    expect((await model.complete(question)).attempts).toBe(2);
    expect(waits).toEqual([0]);
  });
});

describe('half answers', () => {
  const cut = wholeStream.slice(0, wholeStream.indexOf('data: [DONE]'));
  const half = cut.replace(usageChunk, '');
  const troubles: readonly (readonly [string, Handler, string])[] = [
    ['reset before the answer', response => response.socket?.resetAndDestroy(), 'unavailable'],
    ['reset in the middle', response => stream(response, cut).socket?.resetAndDestroy(), 'unavailable'],
    ['closed in the middle', response => stream(response, cut).destroy(), 'unavailable'],
    ['ended in good order without an end', response => stream(response, half).end(), 'unavailable'],
    ['an event that is not JSON', response => stream(response, 'data: {"id":\n\n').end(), 'malformed-reply'],
    ['an event of something else', response => stream(response, 'data: {"hello":1}\n\n').end(), 'malformed-reply'],
    ['a body that is not JSON', response => response.writeHead(200).end('{"id":'), 'malformed-reply'],
    ['a page', response => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'), 'malformed-reply'],
    ['nothing at all', response => response.writeHead(200).end(), 'malformed-reply'],
    ['JSON of something else', json(200, { choices: [] }), 'malformed-reply'],
    [
      'a server that gives up',
      response =>
        stream(response, `${chunk({ content: 'Hi' })}data: ${JSON.stringify(refusal('CUDA error'))}\n\n`).end(),
      'unavailable',
    ],
    [
      'half of a body',
      response => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 });
        response.write('{"id":');
        response.socket?.destroySoon();
      },
      'unavailable',
    ],
  ];
  it('[MOD-22] are none where the reason, the usage and the end of the stream came', async () => {
    const { model } = await setUp(response => stream(response, cut).end());
    expect(await model.complete(question)).toMatchObject({ attempts: 1, reply: { message: { content: 'Hi there' } } });
  });

  it.each(troubles)('[MOD-7] are asked for again, and never used: %s', async (_, handler, code) => {
    const { model } = await setUp(byTurn(handler));
    expect(await model.complete(question)).toMatchObject({ attempts: 2, reply: { message: { content: 'Hi there' } } });
    const hopeless = await setUp(handler);
    expect(await ask(hopeless.model)).toMatchObject({ code, boundary: 'policy' });
    expect(hopeless.asks).toHaveLength(6);
  });
});

describe('keys', () => {
  it('[MOD-3] are in no error, no reply and no object, whatever a server echoes', async () => {
    // So long that what is quoted ends in the middle of the key.
    const tail = 'x'.repeat(285);
    const cases: Handler[] = [
      json(401, refusal(`Incorrect API key provided: ${key}.`)),
      response => response.writeHead(400).end(`${tail}${key}`),
      json(500, refusal(`/v1?key=${encodeURIComponent(key)}`)),
      response => stream(response, `data: ${tail}${key}\n\n`).end(),
      response => response.writeHead(200).end(`${tail.slice(100)}${key}`),
    ];
    for (const handler of cases) {
      const { model } = await setUp(handler);
      const error = await ask(model);
      expect(`${inspect(error, { depth: 9 })}${error.stack}`).not.toMatch(/sk-very/);
    }
    const pieces = `${chunk({ content: `Your key is ${key.slice(0, 9)}` })}${chunk({ content: key.slice(9) }, 'stop')}data: [DONE]\n\n`;
    const { model } = await setUp(response => stream(response, pieces).end());
    const { reply: answer } = await model.complete(question);
    expect(answer.message.content).toBe('Your key is [key]');
    expect(inspect(model, { depth: 9 })).not.toContain('sk-very');
  });
});

describe('money', () => {
  const prices = { models: { m: { prompt: 10, completion: 100 } } };
  const unlimited = { dollars: Infinity, tokens: Infinity };

  it('[MOD-10] counts what every answer costs', async () => {
    const ledger = createLedger({ ...unlimited, onExhausted: () => {} });
    const { model } = await setUp(well, { prices, ledger });
    expect((await model.complete(question)).cost).toBeCloseTo(0.002, 9);
    expect(ledger.spent()).toEqual({ dollars: 0.002, tokens: 110, calls: 1 });
  });

  it('[MOD-11] refuses a question before it is sent when the budget is gone, and stops the run once', async () => {
    const stops: EspalierError[] = [];
    const ledger = createLedger({ dollars: Infinity, tokens: 200, onExhausted: why => stops.push(why) });
    const { model, asks, line } = await setUp(byTurn(json(500, '')), { ledger });
    await Promise.all([model.complete(question), model.complete(question), model.complete(question)]);
    expect(await ask(model)).toMatchObject({ boundary: 'budget', code: 'out-of-budget' });
    expect(await ask(model)).toMatchObject({ boundary: 'budget' });
    expect(asks).toHaveLength(4);
    expect(stops).toHaveLength(1);
    // The second answer used it up; what had failed is not open any more.
    expect(stops[0]?.message).toContain('and 1 more answer is on the way');
    // Three were open at once: that is how far it may go over.
    expect(ledger.spent()).toEqual({ dollars: 0, tokens: 330, calls: 3 });
    expect(line.throttle.counts()).toMatchObject({ inFlight: 0, waiting: 0 });
  });

  it('[MOD-15] refuses a budget in dollars at the start where the price is not known', async () => {
    const ledger = createLedger({ dollars: 1, tokens: Infinity, onExhausted: () => {} });
    const { line } = await setUp(well);
    expect(() => createModel({ line, boundary: 'policy', ledger })).toThrow(/costs is not known.*price in a table/);
  });

  it('[MOD-15] stops when a server does not say what it used', async () => {
    const ledger = createLedger({ dollars: Infinity, tokens: 200, onExhausted: () => {} });
    const { model } = await setUp(response => stream(response, wholeStream.replace(usageChunk, '')).end(), { ledger });
    expect(await ask(model)).toMatchObject({ boundary: 'budget', code: 'unsupported' });
  });
});
