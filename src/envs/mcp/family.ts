import { resolve } from 'node:path';
import type { Timers } from '../../core/clock.ts';
import type { Environment } from '../../core/contracts.ts';
import { EspalierError } from '../../core/errors.ts';
import type { ServerAddress } from './connection.ts';
import { importModule } from '../../modules/load-module.ts';

const prefix = 'mcp:';

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
function readMcpName(name: string): McpName | null {
  if (!isMcpName(name)) return null;
  const parts = name.slice(prefix.length).split(',');
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

/** Whether a name is that of somebody's MCP server, right or wrong. */
function isMcpName(name: string): boolean {
  return name.startsWith(prefix);
}

/** The same name, whatever folder it is read in; null when it names no server. Commands stay as they are. */
export function absoluteMcpName(name: string): string | null {
  const read = readMcpName(name);
  if (read === null) return null;
  const { server, place, module, recording } = read;
  if (server === null) return `${prefix}${resolve(place)},${resolve(module)}`;
  return `${prefix}${place},${resolve(module)},${resolve(recording)}`;
}

/** Opens somebody's MCP server, or what is recorded of it; null when the name is none of these. */
export async function openMcp(name: string, timers: Timers): Promise<Environment | null> {
  const read = readMcpName(name);
  if (read === null) return null;
  const { server, module, recording } = read;
  const { createMcpEnvironment } = await import('./environment.ts');
  return createMcpEnvironment({
    server,
    recording: resolve(recording),
    tasks: await importModule(resolve(module)),
    timers,
  });
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
  return new EspalierError({
    boundary: 'input',
    code: 'unknown-environment',
    message: `"${name}" names no server and no module of tasks.`,
    expected:
      'Expected mcp:<server>,<module of your tasks>: a command such as "node server.js", an address such as http://127.0.0.1:8808/mcp, or a file of recorded calls that ends in .jsonl.',
  });
}
