import { z } from 'zod';
import { jsonObjectSchema, type JsonObject } from '../../core/json.ts';
import { unconnected, type Client, type ServedSession } from '../sessions/served-session.ts';
import type { Desk } from './desk.ts';
import { readReset } from './reset-request.ts';
import { callTool, isRefused } from '../sessions/tool-call.ts';
import { mostCharacters, wireErrorOf } from './wire.ts';

/** JSON-RPC 2.0. */
const requestSchema = z.strictObject({
  jsonrpc: z.literal('2.0'),
  method: z.string(),
  params: jsonObjectSchema.default({}),
  id: z.union([z.string().max(mostCharacters), z.int()]).nullish(),
});

const codes = { parse: -32700, request: -32600, method: -32601, params: -32602, internal: -32603, server: -32000 };

/** Who asks, and in which session: null for HTTP, where each request says. */
export interface RpcCaller {
  readonly desk: Desk;
  readonly client: Client;
  readonly own: ServedSession | null;
}

class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data: unknown = null) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.data = data;
  }
}

/** Answers a JSON-RPC request as OpenEnv does at /mcp, with the sessions that it adds to MCP. Never throws. */
export async function answerRpc(given: unknown, caller: RpcCaller): Promise<object> {
  const parsed = requestSchema.safeParse(given);
  if (!parsed.success)
    return rpcError(codes.request, `Invalid request: ${z.prettifyError(parsed.error).slice(0, 500)}`);
  const { method, params, id = null } = parsed.data;
  try {
    return { jsonrpc: '2.0', id, result: await resultOf(method, params, caller) };
  } catch (cause) {
    if (cause instanceof RpcError) return rpcError(cause.code, cause.message, { id, data: cause.data });
    const { code, message, details } = wireErrorOf(cause, caller.desk.onFault);
    return rpcError(rpcCodes[code] ?? codes.internal, message, { id, data: details });
  }
}

const rpcCodes: Readonly<Record<string, number>> = {
  SESSION_ERROR: codes.params,
  VALIDATION_ERROR: codes.params,
  CAPACITY_REACHED: codes.server,
  FACTORY_ERROR: codes.server,
};

/** The body is no JSON. */
export function parseError(): object {
  return rpcError(codes.parse, 'Parse error');
}

function rpcError(
  code: number,
  message: string,
  { id = null, data = null }: { id?: unknown; data?: unknown } = {},
): object {
  return { jsonrpc: '2.0', id, error: { code, message, data } };
}

async function resultOf(method: string, params: JsonObject, caller: RpcCaller): Promise<unknown> {
  const { desk, client, own } = caller;
  switch (method) {
    case 'openenv/session/create': {
      if (own !== null) return { session_id: own.id };
      // Such a session has no connection that could end it.
      const wanted = readReset(params);
      const student = wanted.student ?? client.name;
      const session = await desk.sessions.open(unconnected[client.role], { ...wanted, student });
      return { session_id: session.id };
    }
    case 'openenv/session/close': {
      const session = desk.sessions.find(textOf(params, 'session_id'));
      if (session === own) throw new RpcError(codes.request, 'The session of a connection ends with the connection.');
      await desk.sessions.use(session, () => desk.sessions.close(session, 'the client closed it'));
      return { session_id: session.id, closed: true };
    }
    case 'tools/list': {
      const { offer } = (sessionIn(params, caller) ?? { served: desk.sessions.environment(undefined) }).served;
      return { tools: offer.tools.map(({ name, description, input }) => ({ name, description, inputSchema: input })) };
    }
    case 'tools/call':
      return callInSession(params, caller);
    default:
      throw new RpcError(codes.method, `Method not found: ${method.slice(0, 80)}`);
  }
}

function sessionIn(params: JsonObject, { desk, own }: RpcCaller): ServedSession | null {
  return params['session_id'] === undefined ? own : desk.sessions.find(textOf(params, 'session_id'));
}

/** Without a session the call is made in a world of its own, which is closed after it. */
async function callInSession(params: JsonObject, caller: RpcCaller): Promise<object> {
  const { sessions } = caller.desk;
  const name = textOf(params, 'name');
  const input = jsonObjectSchema.safeParse(params['arguments'] ?? {});
  if (!input.success) throw new RpcError(codes.params, 'Expected an object as "arguments".');
  const known = sessionIn(params, caller);
  const session = known ?? (await sessions.open(unconnected[caller.client.role], { student: caller.client.name }));
  try {
    return await sessions.use(session, async () => {
      const called = await callTool(session, { tool: name, input: input.data });
      if (session.episode.ended() !== null && session.episode.end() === null) await session.episode.finish();
      const value = isRefused(called) ? called.error.message : called.result;
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return { content: [{ type: 'text', text }], isError: isRefused(called), data: isRefused(called) ? null : value };
    });
  } finally {
    if (known === null) await sessions.close(session, 'it was opened for one call');
  }
}

function textOf(params: JsonObject, name: string): string {
  const value = params[name];
  if (typeof value === 'string' && value !== '' && value.length <= mostCharacters) return value;
  throw new RpcError(
    codes.params,
    `Invalid params: "${name}" is required, as text of at most ${mostCharacters} characters.`,
  );
}
