import type { Readable, Writable } from 'node:stream';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { createProtocolServer, type About } from './protocol.ts';
import type { ClientSession } from './client-session.ts';

export interface StdioOptions {
  readonly about: About;
  readonly visit: ClientSession;
  readonly input: Readable;
  readonly output: Writable;
  /** Ends it early. */
  readonly signal: AbortSignal;
  /** Hears of messages that are none, and of answers that nobody takes. */
  onFault?(cause: Error): void;
}

/** Serves one client on two streams until it closes its end. The streams are the session: they have one world. */
export async function serveStreams({
  about,
  visit: clientSession,
  input,
  output,
  signal,
  onFault,
}: StdioOptions): Promise<void> {
  const transport = new StdioServerTransport(input, output);
  const gone = new Promise<void>(resolve => {
    input.once('end', resolve).once('close', resolve);
    output.once('error', () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
  // A client that looks which version is spoken gets a server of its own for that: both are of the same visit.
  const serving = serveStdio(() => createProtocolServer(about, clientSession), {
    transport,
    ...(onFault === undefined ? {} : { onerror: onFault }),
  });
  await gone;
  await clientSession.leave('the client left');
  await serving.close();
}
