import { InvalidArgumentError, type Command } from 'commander';
import { defined } from '../../core/json.ts';
import { mostAtOnce } from '../../runs/settings/concurrency.ts';
import type { ExitCode } from './output.ts';

/** Each takes memory of its own. */
const mostWorkers = 256;

/** Waits for a verb and keeps its exit code. */
export type Finish = (work: Promise<ExitCode>) => Promise<void>;

export const jsonOption = ['--json', 'print JSON lines'] as const;

export const workersOption = [
  '--workers <n>',
  'threads that run episodes; 0 for the main one (default: one a core)',
  workerNumber,
] as const;

function workerNumber(text: string): number {
  if (/^\d{1,3}$/.test(text) && Number(text) <= mostWorkers) return Number(text);
  throw new InvalidArgumentError(`Expected a whole number from 0 to ${mostWorkers}.`);
}

/** Columns that help fills where a terminal is wider, or none. */
export const helpWidth = 100;

/** A verb with its examples: help shows the first, the reference all. */
export type Verb = Command & { readonly examples: readonly string[] };

export function verb(
  program: Command,
  usage: string,
  { about, examples }: { about: string; examples: readonly string[] },
): Verb {
  const command = program.command(usage).description(about);
  command.addHelpText('after', `\nExample: ${examples[0] ?? ''}`);
  return Object.assign(command, { examples });
}

export function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected a whole number from 0 to 999999999.');
}

export function portNumber(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError('Expected a port: a whole number from 0 to 65535.');
}

/** Collects the addresses of model servers: `http://127.0.0.1:8000`, or `http://127.0.0.1:*` for every port. */
export function modelServers(text: string, before: readonly string[] = []): readonly string[] {
  const { protocol = '' } = URL.parse(text.replace(/:\*\/?$/, '')) ?? {};
  if (/^https?:$/.test(protocol)) return [...before, text];
  throw new InvalidArgumentError('Expected the address of a model server, such as http://127.0.0.1:8000.');
}

const mostProcesses = 256;

export function processCount(text: string): number {
  if (/^[1-9]\d{0,2}$/.test(text) && Number(text) <= mostProcesses) return Number(text);
  throw new InvalidArgumentError(`Expected a whole number from 1 to ${mostProcesses}.`);
}

/** Collects the addresses of servers: `http://10.0.0.2:8900`. */
export function serverUrls(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, serverUrl(text)];
}

/** `2@http://10.0.0.1:8900`. */
export function serverPlace(text: string): { readonly number: number; readonly front: string } {
  const [, number, front] = /^([1-9]\d{0,2})@(.+)$/.exec(text) ?? [];
  if (number !== undefined && front !== undefined) return { number: Number(number), front: serverUrl(front) };
  throw new InvalidArgumentError('Expected a number from 1 and the address of the front: 2@http://10.0.0.1:8900.');
}

function serverUrl(text: string): string {
  const url = URL.parse(text);
  if (url?.protocol === 'http:' && url.pathname === '/') return url.origin;
  throw new InvalidArgumentError('Expected the address of a server, such as http://10.0.0.2:8900.');
}

export function countingNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected a whole number from 1 to 999999999.');
}

export function atOnce(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text) && Number(text) <= mostAtOnce) return Number(text);
  throw new InvalidArgumentError(`Expected a whole number from 1 to ${mostAtOnce}.`);
}

export function positiveNumber(text: string): number {
  if (Number(text) > 0 && Number(text) < 1e6) return Number(text);
  throw new InvalidArgumentError('Expected a number above 0.');
}

/** A number from 0 up. */
export function plainNumber(text: string): number {
  if (text.trim() !== '' && Number(text) >= 0 && Number(text) < 1e9) return Number(text);
  throw new InvalidArgumentError('Expected a number from 0 up.');
}

/** Steps between two reviews. */
export function speculation(text: string): number | 'inf' | 'adaptive' {
  if (text === 'inf' || text === 'adaptive') return text;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected a whole number above 0, inf or adaptive.');
}

/** `a,b`: one or more words. */
export function wordList(text: string): string[] {
  const words = text.split(',').map(word => word.trim());
  if (words.every(word => word !== '')) return words;
  throw new InvalidArgumentError('Expected words with commas between them, such as a,b.');
}

/** The members that have a value. */
export function said(values: object): Record<string, unknown> {
  return { ...defined(values) };
}
