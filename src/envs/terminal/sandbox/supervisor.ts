import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { arch } from 'node:os';
import { EspalierError } from '../../../core/errors.ts';
import { systemCallFilter } from '../../code/sandbox/system-call-filter.ts';
import { packFields, type Field } from './frames.ts';
import type { ControlGroups } from './control-groups.ts';
import { createLine, type HelperLine } from './line.ts';
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
  /** Where it makes a control group for each sandbox; null where there can be none. */
  readonly groups: ControlGroups | null;
  /** Folders of this machine that commands see, read-only: from, to. They are seen in worlds that have a folder there. */
  readonly folders: readonly (readonly [from: string, to: string])[];
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
  const { folder, user, store, system, groups, folders, skeleton, startAs } = options;
  const child = spawn('perl', ['-e', supervisorSource, 'espalier-terminal'], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' },
    // A terminal interrupts us all; whoever started us says when to stop.
    detached: true,
    ...startAs,
  });
  const line = connect(child);
  const inGroups = groups?.folders.join('\n') ?? '';
  const given = packFields(folders.flatMap(([from, to]) => [from, to.slice(1)]));
  const setting = [store, system.join(' '), inGroups, given];
  await line.greet([arch(), folder, user, systemCallFilter() ?? '', ...setting, ...skeleton]);
  child.unref();
  return {
    ask: line.ask,
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.ref();
      child.stdin.end();
      await once(child, 'exit');
      groups?.remove();
    },
  };
}

/** Numbers orders, and gives each answer to who waits for it. */
function connect(child: ChildProcess): HelperLine {
  let said = '';
  child.stderr?.on('data', (piece: Buffer) => (said = `${said}${piece.toString()}`.slice(-500)));
  child.stdin?.on('error', () => undefined);
  const line = createLine({
    write: bytes => void child.stdin?.write(bytes),
    hold: stays => hold(child, stays),
    lost: reason => lost(`${reason} ${said}`.trim()),
  });
  child.once('error', cause => line.end(cause.message));
  child.once('close', (code, signal) => line.end(`It ended with ${signal ?? `exit code ${code ?? 0}`}.`));
  child.stdout?.on('data', line.read);
  return line;
}

/** Whether this process stays for the helper: only while something is asked of it. */
function hold(child: ChildProcess, stays: boolean): void {
  for (const end of [child, child.stdin, child.stdout, child.stderr] as unknown as { ref?(): void; unref?(): void }[])
    if (stays) end.ref?.();
    else end.unref?.();
}

function lost(reason: string): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'unavailable',
    message: `The helper of the terminal sandbox failed: ${reason}`,
    expected: 'Expected perl and namespaces of Linux 6.6 or newer. `espalier check terminal:files` tries them.',
  });
}
