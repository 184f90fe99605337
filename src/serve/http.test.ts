import { once } from 'node:events';
import { Agent, request as ask, type IncomingMessage, type RequestOptions } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { EspalierError } from '../core/errors.ts';
import { hangUpSignal, HttpError, listen, pathOf, readBody, sendJson, type Handler, type Listening } from './http.ts';

const open: Listening[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close(AbortSignal.abort());
});

async function serve(handler: Handler, options?: Parameters<typeof listen>[1]): Promise<Listening> {
  const server = await listen(handler, options);
  open.push(server);
  return server;
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return text;
}

async function get(url: string, options: RequestOptions = {}): Promise<{ status: number; text: string }> {
  const [response] = (await once(ask(url, options).end(), 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, text: await textOf(response) };
}

const json = { 'content-type': 'application/json' };
const small = 16;
const echo: Handler = async (request, response) => {
  const body = await readBody(request, small);
  sendJson(response, 200, { path: pathOf(request), body: body.toString() });
};

describe('opening a port', () => {
  it('[SRV-59] takes an address of IPv6 in brackets, and keeps such a server to this machine', async () => {
    const server = await serve(echo, { host: '[::1]' });
    expect(server.url).toBe(`http://[::1]:${server.port}`);
    expect((await get(server.url, { headers: { host: 'elsewhere.example' } })).status).toBe(403);
  });

  it('[SRV-59] names a port that is none', async () => {
    await expect(listen(echo, { port: 70_000 })).rejects.toThrow('70000 is no port.');
  });

  it('[SRV-1] listens on this machine only unless told', async () => {
    const server = await serve(echo);
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
    expect(await get(`${server.url}/a/b?c=d`)).toEqual({ status: 200, text: '{"path":"/a/b","body":""}' });
  });

  it('[SRV-1] names the port that is in use, and the address that is not of this machine', async () => {
    const { port } = await serve(echo);
    const taken = await listen(echo, { port }).catch((cause: unknown) => cause);
    expect(taken).toBeInstanceOf(EspalierError);
    expect((taken as EspalierError).message).toBe(
      `Port ${port} of 127.0.0.1 is in use. Name a free port, or 0: then any free one is taken.`,
    );
    await expect(listen(echo, { host: '192.0.2.1' })).rejects.toThrow(/Expected an address of this machine/);
  });

  it('[SRV-2] [SRV-87] turns away other host names when it is for this machine only', async () => {
    const server = await serve(echo);
    const named = async (host: string) => (await get(server.url, { headers: { host } })).status;
    const strangers = [
      'evil.example',
      `evil.example:${server.port}`,
      '127.0.0.1.evil.example',
      'localhost@evil.example',
      'evil.example@127.0.0.1',
      'evil.example:x@localhost:80',
      '127.0.0.1/evil.example',
      '127.0.0.1?evil.example',
      '127.0.0.1 evil.example',
      'https://127.0.0.1',
    ];
    for (const host of strangers) expect([host, await named(host)]).toEqual([host, 403]);
    for (const host of [`localhost:${server.port}`, '[::1]:80', '127.0.0.2']) expect(await named(host)).toBe(200);
  });

  it.each(['127.0.0.1', '0.0.0.0'])('[SRV-2] answers no page, wherever it comes from, at %s', async host => {
    let calls = 0;
    const server = await serve(
      (_request, response) => {
        calls++;
        sendJson(response, 200, {});
      },
      { host },
    );
    const url = `http://127.0.0.1:${server.port}`;
    const origins = ['https://evil.example', 'null', 'http://localhost:3000', url, 'file://', 'vscode-webview://x'];
    const pages = [
      ...origins.map(origin => ({ origin })),
      ...['cross-site', 'same-site', 'same-origin'].map(site => ({ 'sec-fetch-site': site })),
    ];
    for (const headers of pages) {
      for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE']) {
        const sending = ask(url, { method, headers: { ...json, ...headers } }).end();
        const [response] = (await once(sending, 'response')) as [IncomingMessage];
        expect([method, headers, response.statusCode]).toEqual([method, headers, 403]);
        expect(Object.keys(response.headers).filter(name => name.startsWith('access-control'))).toEqual([]);
        response.resume();
      }
    }
    expect(calls).toBe(0);
    // A person who opens the address in a tab is no page.
    expect((await get(url, { headers: { 'sec-fetch-site': 'none' } })).status).toBe(200);
  });

  it('[SRV-20] takes no body but JSON: what a form can send makes no call', async () => {
    let calls = 0;
    const server = await serve((_request, response) => {
      calls++;
      sendJson(response, 200, {});
    });
    const post = async (type: string | null, method = 'POST'): Promise<number> => {
      const sending = ask(server.url, { method, headers: type === null ? {} : { 'content-type': type } });
      const [response] = (await once(sending.end('{"model":"m","messages":[]}'), 'response')) as [IncomingMessage];
      response.resume();
      return response.statusCode ?? 0;
    };
    const forms = ['text/plain', 'text/plain; a=application/json', 'application/x-www-form-urlencoded', '', null];
    const others = ['multipart/form-data; boundary=x', 'application/jsonp', 'text/plain, application/json'];
    for (const type of [...forms, ...others]) expect([type, await post(type)]).toEqual([type, 415]);
    expect([await post('text/plain', 'PUT'), await post('text/plain', 'PATCH')]).toEqual([415, 415]);
    expect(calls).toBe(0);
    for (const type of ['application/json', 'Application/JSON; charset=utf-8']) expect(await post(type)).toBe(200);
  });
});

describe('answering', () => {
  it('[SRV-3] refuses a body above the limit, said or not, and hears the next request', async () => {
    const server = await serve(echo);
    const post = (body: string, headers: Record<string, string> = {}) =>
      fetch(server.url, { method: 'POST', body, headers: { ...json, ...headers } });
    expect((await post('x'.repeat(small))).status).toBe(200);
    const said = await post('x'.repeat(small + 1));
    expect(said.status).toBe(413);
    expect(await said.json()).toEqual({ error: { message: 'The body is larger than 16 bytes. Send a smaller one.' } });
    const unsaid = new ReadableStream({
      start(controller) {
        for (let at = 0; at < 64; at++) controller.enqueue(new TextEncoder().encode('x'.repeat(65_536)));
        controller.close();
      },
    });
    const streamed = await fetch(server.url, {
      method: 'POST',
      body: unsaid,
      headers: json,
      duplex: 'half',
    } as RequestInit);
    expect(streamed.status).toBe(413);
    expect((await post('fine')).status).toBe(200);
  });

  it('[SRV-3] goes on with a connection whose body nobody read', async () => {
    const server = await serve(request => {
      throw new HttpError(404, pathOf(request));
    });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const post = async (path: string): Promise<string> => {
      const sending = ask(server.url + path, { method: 'POST', agent, headers: json });
      sending.end('x'.repeat(1_000_000));
      const [response] = (await once(sending, 'response')) as [IncomingMessage];
      return textOf(response);
    };
    expect(await post('/one')).toContain('/one');
    expect(await post('/two')).toContain('/two');
    agent.destroy();
  });

  it('[SRV-4] answers what was thrown as JSON, and tells no client what broke inside', async () => {
    const faults: unknown[] = [];
    const broken = new Error('the secret');
    const server = await serve(
      request => {
        throw pathOf(request) === '/no' ? new HttpError(418, 'No tea here.') : broken;
      },
      { onFault: cause => faults.push(cause) },
    );
    expect(await get(`${server.url}/no`)).toEqual({ status: 418, text: '{"error":{"message":"No tea here."}}' });
    const { status, text } = await get(server.url);
    expect(status).toBe(500);
    expect(text).not.toContain('secret');
    expect(faults).toEqual([broken]);
  });

  it('[SRV-4] cuts an answer that breaks after it began', async () => {
    const server = await serve(async (_request, response) => {
      await new Promise<void>(resolve => void response.write('half', () => resolve()));
      throw new Error('broke');
    });
    await expect(get(server.url)).rejects.toThrow(/aborted|hang up/);
  });

  it('[SRV-5] tells the handler when the client hangs up, and not when it was answered', async () => {
    const { promise: hungUp, resolve: onHangUp } = Promise.withResolvers<void>();
    const signals: AbortSignal[] = [];
    const server = await serve((request, response) => {
      const signal = hangUpSignal(response);
      signals.push(signal);
      if (pathOf(request) === '/answered') return sendJson(response, 200, {});
      signal.addEventListener('abort', () => onHangUp());
      return void response.write(' ');
    });
    await get(`${server.url}/answered`);
    const controller = new AbortController();
    const pending = ask(server.url, { signal: controller.signal }).end();
    pending.on('error', () => undefined);
    await once(pending, 'response');
    controller.abort();
    await hungUp;
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, true]);
  });
});

describe('a client that hangs up in the middle of its body', () => {
  it('[SRV-5] ends its request, and is no fault', async () => {
    const faults: unknown[] = [];
    const { promise: ended, resolve: onEnded } = Promise.withResolvers<unknown>();
    const { promise: begun, resolve: onBegun } = Promise.withResolvers<void>();
    const server = await serve(
      async request => {
        onBegun();
        await readBody(request, small).catch((cause: unknown) => {
          onEnded(cause);
          throw cause;
        });
      },
      { onFault: cause => faults.push(cause) },
    );
    const sending = ask(server.url, { method: 'POST', headers: { ...json, 'content-length': '10' } });
    sending.on('error', () => undefined);
    sending.write('half');
    await begun;
    sending.destroy();
    expect(await ended).toBeInstanceOf(Error);
    expect(faults).toEqual([]);
  });
});

describe('closing a port', () => {
  it('[SRV-6] lets the answers under way end, keeps no connection after them, and frees the port', async () => {
    const { promise: asked, resolve: onAsked } = Promise.withResolvers<void>();
    const { promise: goOn, resolve: release } = Promise.withResolvers<void>();
    const server = await serve(async (_request, response) => {
      onAsked();
      await goOn;
      sendJson(response, 200, { done: true });
    });
    const agent = new Agent({ keepAlive: true });
    const answer = get(server.url, { agent });
    await asked;
    const closed = server.close();
    await expect(get(server.url)).rejects.toThrow(/ECONNREFUSED/);
    release();
    expect((await answer).text).toBe('{"done":true}');
    await closed;
    agent.destroy();
    await server.close();
    await serve(echo, { port: server.port });
  });

  it('[SRV-6] cuts what is still under way when it is told to hurry', async () => {
    const { promise: asked, resolve: onAsked } = Promise.withResolvers<void>();
    const server = await serve(() => onAsked());
    const answer = get(server.url).catch((cause: unknown) => cause);
    await asked;
    const hurry = new AbortController();
    const closed = server.close(hurry.signal);
    hurry.abort();
    await closed;
    expect(await answer).toBeInstanceOf(Error);
  });

  it('[SRV-4] survives what is not HTTP', async () => {
    const server = await serve(echo);
    const socket = connect(server.port, '127.0.0.1');
    socket.end('not http at all\r\n\r\n');
    const [answer] = (await once(socket.setEncoding('utf8'), 'data')) as [string];
    expect(answer).toMatch(/^HTTP\/1.1 400/);
    socket.destroy();
    expect((await get(server.url)).status).toBe(200);
  });
});
