import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { arch } from 'node:os';
import { EspalierError } from '../../../core/errors.ts';
import { systemCallFilter } from '../../code/sandbox/system-call-filter.ts';
import { createFrameReader, packFields, type Field } from './frames.ts';
import { supervisorSource } from './supervisor-source.ts';

export interface SupervisorOptions {
  /** An empty folder that it mounts over. */
  readonly folder: string;
  /** The user id that commands have inside. */
  readonly user: number;
  /** A folder of layers that stay; with it `/usr` has layers as well. Empty for none. */
  readonly store: string;
  /** Folders of this machine that make the root, read-only: `usr`, `lib`. */
  readonly system: readonly string[];
  /** Fields of the files that stand on the root. */
  readonly skeleton: readonly Field[];
  /** The user to start it as; this process's own when left out. */
  readonly startAs?: { readonly uid: number; readonly gid: number } | undefined;
}

/** The helper process: one for all sandboxes of a process. */
export interface Supervisor {
  ask(order: readonly Field[]): Promise<Buffer[]>;
  close(): Promise<void>;
}

export async function startSupervisor(options: SupervisorOptions): Promise<Supervisor> {
  const { folder, user, store, system, skeleton, startAs } = options;
  const child = spawn('perl', ['-e', supervisorSource, 'espalier-terminal'], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' },
    // A terminal interrupts us all; whoever started us says when to stop.
    detached: true,
    ...startAs,
  });
  const line = connect(child);
  const hello = line.answer('0');
  child.stdin.write(framed([arch(), folder, user, systemCallFilter() ?? '', store, system.join(' '), ...skeleton]));
  await hello;
  child.unref();
  return {
    ask: line.ask,
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.ref();
      child.stdin.end();
      await once(child, 'exit');
    },
  };
}

interface Line {
  ask(order: readonly Field[]): Promise<Buffer[]>;
  answer(id: string): Promise<Buffer[]>;
}

interface Waiting {
  resolve(fields: Buffer[]): void;
  reject(cause: unknown): void;
}

/** Numbers orders, and gives each answer to who waits for it. */
function connect(child: ChildProcess): Line {
  const waiting = new Map<string, Waiting>();
  let [orders, ended, said] = [0, null as EspalierError | null, ''];
  const end = (reason: string): void => {
    ended ??= lost(`${reason} ${said}`.trim());
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
  };
  child.stderr?.on('data', (piece: Buffer) => (said = `${said}${piece.toString()}`.slice(-500)));
  child.stdin?.on('error', () => undefined);
  child.once('error', cause => end(cause.message));
  child.once('close', (code, signal) => end(`It ended with ${signal ?? `exit code ${code ?? 0}`}.`));
  const read = createFrameReader(([id, first, ...rest]) => {
    const key = String(id);
    const asked = waiting.get(key);
    waiting.delete(key);
    if (String(first) === 'failed') asked?.reject(lost(String(rest[0]).trim()));
    else asked?.resolve(first === undefined ? [] : [first, ...rest]);
    if (waiting.size === 0) hold(child, false);
  });
  child.stdout?.on('data', read);
  const answer = (id: string): Promise<Buffer[]> => {
    if (ended !== null) return Promise.reject(ended);
    hold(child, true);
    const { promise, resolve, reject } = Promise.withResolvers<Buffer[]>();
    waiting.set(id, { resolve, reject });
    return promise;
  };
  return {
    answer,
    ask(order) {
      const id = String(++orders);
      const answered = answer(id);
      if (ended === null) child.stdin?.write(framed([id, ...order]));
      return answered;
    },
  };
}

/** Whether this process stays for the helper: only while something is asked of it. */
function hold(child: ChildProcess, stays: boolean): void {
  for (const end of [child, child.stdin, child.stdout, child.stderr] as unknown as { ref?(): void; unref?(): void }[])
    if (stays) end.ref?.();
    else end.unref?.();
}

function framed(fields: readonly Field[]): Buffer {
  return packFields([packFields(fields)]);
}

function lost(reason: string): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'unavailable',
    message: `The helper of the terminal sandbox failed: ${reason}`,
    expected: 'Expected perl and namespaces of Linux 6.6 or newer. `espalier check terminal:files` tries them.',
  });
}
