import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { env } from 'node:process';
import type { Readable } from 'node:stream';
import type { Timers } from '../../../core/clock.ts';
import { causeText, EspalierError } from '../../../core/errors.ts';

export interface StartOptions {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timers: Timers;
}

export interface ServeOptions extends StartOptions {
  readonly port: number;
  /** A path that it answers below 500 once it can be used; null where a connection is enough. */
  readonly ready: string | null;
  readonly startMilliseconds: number;
}

/** A program that serves one session. */
export interface RunningServer {
  /** Why it is gone, with its last words; null while it runs. */
  ended(): string | null;
  /** Waits a moment for its end, where something looks like it. */
  endedSoon(): Promise<void>;
  close(): Promise<void>;
}

/** All that a server gets of our variables: keys of ours are none of its business. */
const passed = ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'TMPDIR', 'SystemRoot'];
const askMilliseconds = 25;
const closeMilliseconds = 2000;
const endMilliseconds = 300;

/**
 * Runs the program in a group of its own, and ends the group when we are gone, also when we were killed: the fourth
 * stream closes with us.
 */
const guarded = '"$@" 3<&- & server=$!; { read -r _ <&3; kill -KILL 0; } & wait $server';

/** Starts a server, and waits until it answers. */
export async function startServer(options: ServeOptions): Promise<RunningServer> {
  const { command, port, ready, timers, startMilliseconds } = options;
  const running = await start(options);
  let isLate = false;
  const cancel = timers.after(startMilliseconds, () => {
    isLate = true;
  });
  try {
    for (;;) {
      const gone = running.ended();
      if (gone !== null) throw notStarted(command, gone);
      if (await answers(port, ready)) return running;
      if (isLate)
        throw notStarted(command, `no answer at ${ready ?? 'its port'} in ${startMilliseconds} ms${running.said()}`);
      await new Promise<void>(resolve => void timers.after(askMilliseconds, resolve));
    }
  } catch (cause) {
    await running.close();
    throw cause;
  } finally {
    cancel();
  }
}

/** Runs a program to its end; throws when it fails. */
export async function runProgram(options: StartOptions): Promise<void> {
  const { child, said } = await start(options);
  const [code] = child.exitCode === null ? ((await once(child, 'exit')) as [number | null]) : [child.exitCode];
  if (code === 0) return;
  throw notStarted(options.command, `it ended with ${code ?? child.signalCode}${said()}`);
}

interface Running extends RunningServer {
  readonly child: ChildProcess;
  said(): string;
}

async function start({ command, cwd, env: given, timers }: StartOptions): Promise<Running> {
  const kept = Object.fromEntries(passed.flatMap(name => (env[name] === undefined ? [] : [[name, env[name]]])));
  const child = spawn('sh', ['-c', guarded, 'sh', ...command], {
    cwd,
    env: { ...kept, ...given },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    detached: true,
  });
  await once(child, 'spawn').catch((cause: unknown) => {
    throw notStarted(command, causeText(cause));
  });
  const said = tailOf([child.stdout as Readable, child.stderr as Readable]);
  const gone = new Promise<void>(resolve => {
    child.once('exit', () => {
      endGroup(child);
      const cancel = timers.after(closeMilliseconds, resolve);
      child.once('close', () => {
        cancel();
        resolve();
      });
    });
  });
  return {
    child,
    said,
    ended() {
      const how = child.exitCode ?? child.signalCode;
      return how === null ? null : `it ended with ${how}${said()}`;
    },
    endedSoon: () => Promise.race([gone, new Promise<void>(resolve => void timers.after(endMilliseconds, resolve))]),
    close() {
      if (child.exitCode === null && child.signalCode === null) endGroup(child);
      return gone;
    },
  };
}

/** As if we were gone: the whole group ends at once, and by force. */
function endGroup(child: ChildProcess): void {
  child.stdio[3]?.destroy();
}

/** The last line that it wrote. */
function tailOf(streams: readonly Readable[]): () => string {
  let text = '';
  for (const stream of streams) {
    stream.setEncoding('utf8');
    stream.on('data', (chunk: string) => {
      text = (text + chunk).slice(-4000);
    });
  }
  return () => {
    const lines = text.trim().split('\n');
    const told = lines.find(line => /\berror\b/i.test(line)) ?? lines.at(-1) ?? '';
    return told === '' ? '' : `: ${told.trim()}`;
  };
}

async function answers(port: number, path: string | null): Promise<boolean> {
  if (!(await isOpen(port))) return false;
  if (path === null) return true;
  const answer = await fetch(`http://localhost:${port}${path}`, { redirect: 'manual' }).catch(() => null);
  await answer?.body?.cancel();
  return answer !== null && answer.status < 500;
}

/** Asked first: a connection that is refused costs less than a request. */
function isOpen(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect({ port, host: 'localhost' });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise(resolve => server.close(resolve));
  return port;
}

function notStarted(command: readonly string[], why: string): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'unavailable',
    message: `The server "${command.join(' ')}" does not start: ${why}.`,
    expected: 'Expected a command that serves the port in PORT (or {port}) and answers the path in ready.',
  });
}
