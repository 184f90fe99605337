import { createServer as createHttpServer, type RequestListener, type Server as HttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createRandom } from '../../core/random.ts';
import { createModel, defaultDeadlines } from './client.ts';
import { readEndpoint } from './endpoint.ts';
import { createEndpointConnection, type EndpointConnection } from './connection.ts';

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function listen(server: Server | HttpServer): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  closers.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise(resolve => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

/** Timers that fire when the test says so. */
function createHandTimers() {
  const pending = new Set<{ readonly milliseconds: number; readonly run: () => void }>();
  const left = (): number[] => [...pending].map(({ milliseconds }) => milliseconds);
  const until = async (holds: (left: readonly number[]) => boolean): Promise<void> => {
    while (!holds(left())) await new Promise(resolve => setImmediate(resolve));
  };
  return {
    after(milliseconds: number, run: () => void) {
      const timer = { milliseconds, run };
      pending.add(timer);
      return () => void pending.delete(timer);
    },
    /** Fires one that waits for this long, as soon as there is one. */
    async fire(milliseconds: number): Promise<void> {
      await until(waiting => waiting.includes(milliseconds));
      for (const timer of pending) {
        if (timer.milliseconds !== milliseconds) continue;
        pending.delete(timer);
        timer.run();
        return;
      }
    },
    left,
    until,
  };
}

function open(url: string) {
  const timers = createHandTimers();
  const line: EndpointConnection = createEndpointConnection({
    endpoint: readEndpoint(`openai:m@${url}`),
    key: null,
    clock: { now: () => 0 },
    timers,
    // Always the longest pause: 500 ms, then 1,000.
    random: { ...createRandom(1), next: () => 1 },
  });
  closers.push(async () => line.close());
  return { timers, line, model: createModel({ line, boundary: 'policy' }) };
}

const question = { messages: [], sampling: {} } as const;
const pauses = [500, 1000, 2000, 4000, 8000];
const piece = `data: ${JSON.stringify({ id: 'r', model: 'm', choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: null }] })}\n\n`;

/** Begins to answer, and never goes on. */
const beginning: RequestListener = (_, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(piece);
};

describe('deadlines', () => {
  const { connect, firstToken, total } = defaultDeadlines;

  async function failBy(deadline: number, url: string) {
    const { model, timers, line } = open(url);
    const answer = model.complete(question).catch((error: unknown) => error);
    for (const pause of pauses) {
      await timers.fire(deadline);
      await timers.fire(pause);
    }
    await timers.fire(deadline);
    expect(await answer).toMatchObject({ boundary: 'policy', code: 'deadline' });
    expect(line.throttle.counts().inFlight).toBe(0);
    return { error: (await answer) as Error, timers };
  }

  it('[MOD-8] a connection that does not come about is given up, after tries', async () => {
    // Accepts, and never shakes hands.
    const port = await listen(createServer());
    const { error } = await failBy(connect, `https://127.0.0.1:${port}/v1`);
    expect(error.message).toContain(`there was no connection within ${connect} ms. It was asked 6 times.`);
  });

  it('[MOD-8] a server that never answers is given up', async () => {
    const port = await listen(createHttpServer(() => {}));
    const { model, timers, line } = open(`http://127.0.0.1:${port}/v1`);
    const controller = new AbortController();
    const answer = model.complete(question, controller.signal).catch((error: unknown) => error);
    for (const pause of pauses) {
      await timers.fire(firstToken);
      await timers.fire(pause);
    }
    // Slow servers are asked for less, and have some more time than broken ones.
    expect(line.throttle.counts()).toMatchObject({ limit: 1, inFlight: 1 });
    await timers.fire(firstToken);
    controller.abort(new Error('Enough.'));
    expect(await answer).toMatchObject({ message: 'Enough.' });
  });

  it('[MOD-8] a stream that begins and does not end is given up, and leaves no timer', async () => {
    const port = await listen(createHttpServer(beginning));
    const { model, timers } = open(`http://127.0.0.1:${port}/v1`);
    const controller = new AbortController();
    const answer = model.complete(question, controller.signal).catch((error: unknown) => error);
    // With the first token, its deadline is over.
    await timers.until(left => left.length === 1 && left[0] === total);
    await timers.fire(total);
    await timers.fire(500);
    await timers.fire(total);
    controller.abort(new Error('Enough.'));
    expect(await answer).toMatchObject({ message: 'Enough.' });
    expect(timers.left()).toEqual([]);
  });
});

describe('stopping', () => {
  const reason = new Error('Enough.');

  it('[MOD-8] a question that is aborted rejects with the reason of its signal, wherever it is', async () => {
    const asked = Promise.withResolvers<void>();
    const port = await listen(
      createHttpServer((request, response) => {
        beginning(request, response);
        asked.resolve();
      }),
    );
    const { model, line, timers } = open(`http://127.0.0.1:${port}/v1`);
    const inFlight = new AbortController();
    const answer = model.complete(question, inFlight.signal);
    await asked.promise;
    inFlight.abort(reason);
    await expect(answer).rejects.toBe(reason);

    const atOnce = new AbortController();
    const early = model.complete(question, atOnce.signal);
    atOnce.abort(reason);
    await expect(early).rejects.toBe(reason);
    await expect(model.complete(question, atOnce.signal)).rejects.toBe(reason);
    expect(line.throttle.counts()).toMatchObject({ inFlight: 0, waiting: 0 });
    expect(timers.left()).toEqual([]);
  });

  it('[MOD-8] also between two tries', async () => {
    const port = await listen(createHttpServer((_, response) => response.writeHead(500).end()));
    const { model, timers } = open(`http://127.0.0.1:${port}/v1`);
    const controller = new AbortController();
    const answer = model.complete(question, controller.signal);
    await timers.fire(500);
    await timers.until(left => left.includes(1000));
    controller.abort(reason);
    await expect(answer).rejects.toBe(reason);
    expect(timers.left()).toEqual([]);
  });

  it('[MOD-8] closing the line ends the pause between two tries', async () => {
    const port = await listen(createHttpServer((_, response) => response.writeHead(500).end()));
    const { model, line, timers } = open(`http://127.0.0.1:${port}/v1`);
    const answer = model.complete(question).catch((error: unknown) => error);
    await timers.until(left => left.includes(500));
    line.close();
    expect(await answer).toMatchObject({ code: 'closed' });
    expect(timers.left()).toEqual([]);
  });

  it('[MOD-8] closing the line ends what is open, and what comes after', async () => {
    const { promise: begun, resolve } = Promise.withResolvers<void>();
    const port = await listen(
      createHttpServer((request, response) => {
        beginning(request, response);
        resolve();
      }),
    );
    const { model, line, timers } = open(`http://127.0.0.1:${port}/v1`);
    const answer = model.complete(question).catch((error: unknown) => error);
    await begun;
    line.close();
    expect(await answer).toMatchObject({ code: 'closed', boundary: 'policy' });
    expect(timers.left()).toEqual([]);
    await expect(model.complete(question)).rejects.toMatchObject({ code: 'closed' });
  });
});
