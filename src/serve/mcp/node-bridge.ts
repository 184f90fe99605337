import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { hangUpSignal, readBody } from '../http.ts';

/** More than any call of a tool has to say. */
const longestBody = 4 * 1024 * 1024;

/** A request as the web has it. */
export async function webRequest(request: IncomingMessage, response: ServerResponse): Promise<Request> {
  const { method = 'GET', headers, url = '/' } = request;
  const body = method === 'POST' ? await readBody(request, longestBody) : null;
  const found = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] as [string, string]],
  );
  return new Request(new URL(url, `http://${headers.host ?? '127.0.0.1'}`), {
    method,
    headers: found,
    signal: hangUpSignal(response),
    ...(body === null ? {} : { body: new Uint8Array(body) }),
  });
}

/** Sends an answer as the web has it; one that is streamed ends when the client hangs up. */
export async function sendWeb(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body === null) return void response.end();
  // A stream without a first event has begun all the same.
  response.flushHeaders();
  try {
    await pipeline(Readable.fromWeb(answer.body as ReadableStream), response);
  } catch (cause) {
    // Who hung up is gone: that ends the stream, and is no fault.
    if (!response.destroyed) throw cause;
  }
}
