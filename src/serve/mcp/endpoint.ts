import type { ServerResponse } from 'node:http';
import {
  createMcpHandler,
  isInitializeRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { EspalierError } from '../../core/errors.ts';
import { HttpError, pathOf, sendJson, type Handler } from '../http.ts';
import {
  createClientRegistry,
  type Client,
  type ClientRegistry,
  type ClientRegistryOptions,
} from './client-registry.ts';
import { sendWeb, webRequest } from './node-bridge.ts';
import { createProtocolServer, type About } from './protocol.ts';
import type { ClientSession } from './client-session.ts';

export interface EndpointOptions extends ClientRegistryOptions {
  readonly about: About;
  /** A visit to the task of this id; to the usual one when null. Throws an input error for a task that is none. */
  createVisit(task: string | null): Promise<ClientSession>;
  /** Hard to guess: who knows the id of a session acts in it. */
  createId(): string;
}

/** The protocol over HTTP, a world for every client. */
export interface McpEndpoint {
  readonly handler: Handler;
  /** Ends every session. */
  close(): Promise<void>;
}

const home = '/mcp';
const worldPattern = /^\/mcp\/[A-Za-z0-9._~-]{1,80}$/;

/**
 * Sessions are told apart by their header; the version of the protocol without sessions by a name in the path:
 * /mcp/<name> is a world of its own. `?task=<id>` chooses another task than the usual one.
 */
export function createMcpEndpoint(options: EndpointOptions): McpEndpoint {
  const registry = createClientRegistry(options);
  return {
    close: registry.close,
    async handler(request, response) {
      const path = pathOf(request);
      if (path !== home && !worldPattern.test(path))
        throw new HttpError(404, `There is nothing at ${path}: the server is at ${home}, or at ${home}/<name>.`);
      const asked = await webRequest(request, response);
      const name = await (path === home ? sessionOf : worldOf)(asked, registry, options);
      if (name === null) return refuse(response);
      await registry.serve(name, async client => sendWeb(await client.answer(asked), response));
    },
  };
}

/** The session of a request, begun by it or before; null when it has none. */
async function sessionOf(request: Request, registry: ClientRegistry, options: EndpointOptions): Promise<string | null> {
  const known = request.headers.get('mcp-session-id');
  if (known !== null) return known;
  if (request.method !== 'POST' || !isInitializeRequest(await bodyOf(request))) return null;
  const id = options.createId();
  const clientSession = await visitFor(request, options);
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => id,
    onsessionclosed: () => registry.remove(id, 'the client left'),
  });
  const server = createProtocolServer(options.about, clientSession);
  await server.connect(transport);
  registry.add(id, {
    answer: asked => transport.handleRequest(asked),
    async leave(reason) {
      await clientSession.leave(reason);
      await server.close();
    },
  });
  return id;
}

/** The world that has this name, opened now or before. */
async function worldOf(request: Request, registry: ClientRegistry, options: EndpointOptions): Promise<string> {
  const name = new URL(request.url).pathname;
  if (registry.has(name)) return name;
  const clientSession = await visitFor(request, options);
  const serving = createMcpHandler(() => createProtocolServer(options.about, clientSession), { legacy: 'reject' });
  const client: Client = {
    answer: asked => serving.fetch(asked),
    async leave(reason) {
      await clientSession.leave(reason);
      await serving.close();
    },
  };
  // Another request may have opened it meanwhile.
  if (!registry.has(name)) registry.add(name, client);
  return name;
}

async function visitFor({ url }: Request, { createVisit }: EndpointOptions): Promise<ClientSession> {
  try {
    return await createVisit(new URL(url).searchParams.get('task'));
  } catch (cause) {
    if (cause instanceof EspalierError && cause.boundary === 'input') throw new HttpError(400, cause.message);
    throw cause;
  }
}

async function bodyOf(request: Request): Promise<unknown> {
  try {
    return await request.clone().json();
  } catch {
    return null;
  }
}

/** As the protocol has it: a client that tried the version without sessions goes on with the one that has them. */
function refuse(response: ServerResponse): void {
  const message = `Begin a session with initialize, or name a world of your own in the path: ${home}/<name>.`;
  sendJson(response, 400, { jsonrpc: '2.0', error: { code: -32000, message }, id: null });
}
