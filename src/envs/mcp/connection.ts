import {
  Client,
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type PriorDiscovery,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { ToolInfo } from '../../core/contracts.ts';
import { causeText, EspalierError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import { answerSchema, type Answer, type ToolCall } from './answer.ts';
import type { CallResult } from './recording.ts';

/** A server of somebody's: a program to be started, or an address. */
export type ServerAddress = { readonly command: string; readonly args: readonly string[] } | { readonly url: string };

/** In milliseconds. */
export interface Deadlines {
  /** For each thing that is asked of a server before it is called. */
  readonly connect: number;
  /** A call that takes longer is given up. */
  readonly call: number;
}

export interface ConnectOptions {
  readonly server: ServerAddress;
  readonly deadlines: Deadlines;
  /** Which version the server speaks, when that is known. */
  readonly prior?: PriorDiscovery | undefined;
}

/** A server that is there. */
export interface Connection {
  readonly name: string;
  readonly title: string;
  readonly prior: PriorDiscovery;
  /** As they were when it was connected to. */
  readonly tools: readonly ToolInfo[];
  /** Never throws: what goes wrong is an answer, too. */
  call(call: ToolCall): Promise<CallResult>;
  close(): Promise<void>;
}

/** A server that does not know the newest version may not answer when it is asked for it. */
const probeMilliseconds = 5000;

/** Starts a server, or connects to it. */
export async function connectTo(options: ConnectOptions): Promise<Connection> {
  const { server, deadlines, prior } = options;
  const timeout = deadlines.connect;
  const { transport, lastWords, leave } = transportTo(server);
  const probe = { timeoutMs: Math.min(probeMilliseconds, timeout) };
  const client = new Client(
    { name: 'espalier', version: '1' },
    { versionNegotiation: { mode: 'auto', probe }, listMaxPages: 64 },
  );
  let hasChanged = false;
  client.setNotificationHandler('notifications/tools/list_changed', () => {
    hasChanged = true;
  });
  const list = async (): Promise<ToolInfo[]> => {
    hasChanged = false;
    const { tools } = await client.listTools(undefined, { timeout, cacheMode: 'bypass' });
    return tools.map(({ name, description = '', inputSchema }) => ({
      name,
      description,
      input: inputSchema as JsonObject,
    }));
  };
  try {
    await client.connect(transport, { timeout, ...(prior === undefined ? {} : { prior }) });
    const { name = 'server', title = name } = client.getServerVersion() ?? {};
    const tools = await list();
    const discover = client.getDiscoverResult();
    // Only the older versions tell by themselves that the tools have changed.
    const mayChange = discover !== undefined && client.getServerCapabilities()?.tools?.listChanged === true;
    return {
      name,
      title,
      tools,
      prior: discover === undefined ? { kind: 'legacy' } : { kind: 'modern', discover },
      async call(call) {
        const answer = await asked(client, call, deadlines.call).catch((cause: unknown): Answer => {
          // It has no transport any more once that was closed.
          if (client.transport === undefined) return { kind: 'lost', message: `${causeText(cause)}.${lastWords()}` };
          return faultOf(cause, deadlines.call, lastWords());
        });
        if (answer.kind === 'lost' || !(hasChanged || mayChange)) return { answer };
        return { answer, tools: await list().catch(() => undefined) };
      },
      async close() {
        await leave();
        await client.close();
      },
    };
  } catch (cause) {
    await client.close().catch(() => undefined);
    throw unavailable(server, cause, lastWords());
  }
}

async function asked(client: Client, { tool, input }: ToolCall, timeout: number): Promise<Answer> {
  const params = { name: tool, arguments: { ...input } };
  // As it came: whether data fit the schema that the server gave for them is for whoever judges.
  const { content, structuredContent, isError } = await client.request({ method: 'tools/call', params }, { timeout });
  const answer = {
    kind: 'result',
    content,
    ...(structuredContent === undefined ? {} : { structured: structuredContent }),
    ...(isError === true ? { isError } : {}),
  };
  return answerSchema.parse(JSON.parse(JSON.stringify(answer)));
}

/** Refusals that say that nothing was done. */
const untaken: ReadonlySet<number> = new Set([
  ProtocolErrorCode.InvalidParams,
  ProtocolErrorCode.InvalidRequest,
  ProtocolErrorCode.MethodNotFound,
]);

function faultOf(cause: unknown, timeout: number, lastWords: string): Answer {
  const message = causeText(cause);
  if (cause instanceof ProtocolError)
    return untaken.has(cause.code) ? { kind: 'rejected', code: cause.code, message } : { kind: 'failed', message };
  // A session that has ended is not found.
  if (cause instanceof SdkHttpError) return { kind: cause.data?.status === 404 ? 'lost' : 'garbled', message };
  if (cause instanceof SdkError && cause.code === SdkErrorCode.RequestTimeout)
    return { kind: 'late', message: `No answer in ${timeout} ms.${lastWords}` };
  // What is thrown by the network itself: nobody is there.
  return cause instanceof TypeError ? { kind: 'lost', message } : { kind: 'garbled', message };
}

interface Line {
  readonly transport: Transport;
  /** The last that a program said about itself, as a sentence; empty when it said nothing. */
  lastWords(): string;
  /** Tells a server that stays that this session is over. */
  leave(): Promise<void>;
}

const longestWords = 300;

function transportTo(server: ServerAddress): Line {
  if ('url' in server) {
    const http = new StreamableHTTPClientTransport(new URL(server.url));
    // One that is gone, or takes no leave, has nothing to keep.
    return { transport: http, lastWords: () => '', leave: () => http.terminateSession().catch(() => undefined) };
  }
  const transport = new StdioClientTransport({ command: server.command, args: [...server.args], stderr: 'pipe' });
  let words = '';
  transport.stderr?.on('data', (bytes: Buffer) => {
    words = (words + bytes.toString()).slice(-longestWords);
  });
  return {
    transport,
    lastWords: () => (words.trim() === '' ? '' : ` It said: ${words.trim()}`),
    leave: () => Promise.resolve(),
  };
}

function unavailable(server: ServerAddress, cause: unknown, lastWords: string): EspalierError {
  const who = 'url' in server ? `The server at ${server.url}` : `The server "${server.command}"`;
  return new EspalierError({
    boundary: 'environment',
    code: cause instanceof SdkError && cause.code === SdkErrorCode.RequestTimeout ? 'deadline' : 'unavailable',
    message: `${who} cannot be reached: ${causeText(cause)}.${lastWords}`,
    expected: 'Expected a server of the Model Context Protocol; try it with npx @modelcontextprotocol/inspector --cli.',
    cause,
  });
}
