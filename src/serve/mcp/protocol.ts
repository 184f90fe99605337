import { ProtocolError, ProtocolErrorCode, Server, type CallToolResult, type Tool } from '@modelcontextprotocol/server';
import { isJson, isJsonObject, type JsonObject } from '../../core/json.ts';
import type { ClientSession } from './client-session.ts';

/** What a server says of itself. */
export interface About {
  readonly title: string;
  readonly version: string;
}

const taskAddress = 'espalier://task';
const taskPrompt = 'task';
const plainText = 'text/plain';

/** A server of the protocol for one visit: tools to call, and the task as a resource and a prompt. */
export function createProtocolServer({ title, version }: About, clientSession: ClientSession): Server {
  const { instruction } = clientSession.task;
  const server = new Server(
    { name: 'espalier', title, version },
    {
      capabilities: { tools: {}, resources: {}, prompts: {} },
      instructions: `${instruction}\nCall finish when that is done, or when it cannot be done.`,
    },
  );
  const tools = clientSession.offer.tools.map(
    ({ name, description, input }): Tool => ({ name, description, inputSchema: input as Tool['inputSchema'] }),
  );
  server.setRequestHandler('tools/list', () => ({ tools }));
  server.setRequestHandler('tools/call', async ({ params }): Promise<CallToolResult> => {
    const client = clientName(server);
    const { text, result, isError } = await clientSession.call({
      tool: params.name,
      input: inputOf(params.arguments),
      client,
    });
    const content = [{ type: 'text' as const, text }];
    return { content, isError, ...(result === undefined ? {} : { structuredContent: result }) };
  });
  server.setRequestHandler('resources/list', () => ({
    resources: [{ uri: taskAddress, name: 'task', description: 'What is to be done.', mimeType: plainText }],
  }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    if (uri !== taskAddress) throw unknown(`There is no resource ${uri}: the task is at ${taskAddress}.`);
    return { contents: [{ uri, mimeType: plainText, text: instruction }] };
  });
  server.setRequestHandler('prompts/list', () => ({
    prompts: [{ name: taskPrompt, description: 'The task, as a person would give it.' }],
  }));
  server.setRequestHandler('prompts/get', ({ params: { name } }) => {
    if (name !== taskPrompt) throw unknown(`There is no prompt "${name}": the task is "${taskPrompt}".`);
    return { messages: [{ role: 'user', content: { type: 'text', text: instruction } }] };
  });
  return server;
}

function inputOf(given: unknown): JsonObject {
  if (given === undefined) return {};
  if (isJson(given) && isJsonObject(given)) return given;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The arguments of a tool are an object of JSON.');
}

/** The only place that says so for both ways to begin a session. */
function clientName(server: Server): string {
  const client = server.getClientVersion();
  return client === undefined ? 'mcp' : `mcp:${client.name}@${client.version}`;
}

function unknown(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
