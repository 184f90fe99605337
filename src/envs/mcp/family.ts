import { resolve } from 'node:path';
import { unknownEnvironment } from '../../core/errors.ts';
import type { EspalierError } from '../../core/errors.ts';
import { importModule } from '../../modules/load-module.ts';
import { placeIn, type ServedFamily } from '../../worlds/family.ts';
import type { ServerAddress } from './connection.ts';

export const mcpFamily: ServedFamily = {
  name: 'mcp:',
  usage: 'mcp:<server>,<module>',
  about: 'The tools of an MCP server, with a module of your tasks.',
  served: 'tools',
  // Commands stay as they are.
  absolute(name) {
    const { server, place, module, recording } = readMcpName(name);
    if (server === null) return `mcp:${resolve(place)},${resolve(module)}`;
    return `mcp:${place},${resolve(module)},${resolve(recording)}`;
  },
  async open(name, { timers }) {
    const { server, module, recording } = readMcpName(name);
    const { createMcpEnvironment } = await import('./environment.ts');
    const tasks = await importModule(resolve(module));
    return { environment: await createMcpEnvironment({ server, recording: resolve(recording), tasks, timers }) };
  },
};

/** Somebody's MCP server by name, and a module of tasks for it. */
interface McpName {
  /** Null when only the recording is there. */
  readonly server: ServerAddress | null;
  /** What stands for the server in the name. */
  readonly place: string;
  readonly module: string;
  readonly recording: string;
}

/**
 * `mcp:<server>,<module of tasks>`, and the file of its calls after another comma, where it is not to lie beside the
 * module. The server is a command with its arguments, an address, or a file of calls, which then answers by itself.
 */
function readMcpName(name: string): McpName {
  const parts = placeIn(name).split(',');
  const named = parts.length > 2 && isRecording(parts.at(-1) as string) ? (parts.pop() as string) : null;
  const module = parts.pop()?.trim() ?? '';
  const place = parts.join(',').trim();
  if (place === '' || module === '') throw invalid(name);
  if (isRecording(place)) {
    if (named !== null) throw invalid(name);
    return { server: null, place, module, recording: place };
  }
  const recording = named ?? `${module.replace(/\.[cm]?[jt]s$/, '')}.calls.jsonl`;
  return { server: serverOf(place, name), place, module, recording };
}

function isRecording(place: string): boolean {
  return place.endsWith('.jsonl');
}

function serverOf(place: string, name: string): ServerAddress {
  if (/^https?:\/\//.test(place)) {
    if (URL.canParse(place)) return { url: place };
    throw invalid(name);
  }
  const [command, ...args] = wordsOf(place);
  if (command === undefined) throw invalid(name);
  return { command, args };
}

/** Words of a command; quotes hold words together. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|[^\s"']+/g)].map(([all, double, single]) => double ?? single ?? all);
}

function invalid(name: string): EspalierError {
  return unknownEnvironment(
    `"${name}" names no server and no module of tasks.`,
    'Expected mcp:<server>,<module of your tasks>: a command such as "node server.js", an address such as http://127.0.0.1:8808/mcp, or a file of recorded calls that ends in .jsonl.',
  );
}
