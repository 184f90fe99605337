import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import thisProcess, { kill } from 'node:process';

/** Limits the memory of all processes of a program together, by control groups of Linux. */
export interface MemoryGroups {
  /** The command that runs a command with so many MB for all of its processes together. */
  wrap(command: readonly string[], megabytes: number): string[];
}

interface Hierarchy {
  readonly folder: string;
  /** The file that limits memory. */
  readonly memory: string;
  /** The file that limits swap, where there is one, and what to write to it. */
  readonly swap: readonly [file: string, bytes: (memory: number) => number];
}

const root = '/sys/fs/cgroup';

const hierarchies: readonly Hierarchy[] = [
  {
    folder: join(root, 'memory'),
    memory: 'memory.limit_in_bytes',
    swap: ['memory.memsw.limit_in_bytes', memory => memory],
  },
  { folder: root, memory: 'memory.max', swap: ['memory.swap.max', () => 0] },
];

const megabyte = 1024 * 1024;
/** Runs the program in the group, then removes the group. Where this shell is killed, the next program's start removes it. */
const script =
  'g=$1; shift; (echo $BASHPID > "$g/cgroup.procs" && exec "$@"); code=$?; rmdir "$g" 2>/dev/null; exit $code';
const joinGroup = ['/bin/bash', '-c', script, 'join'];

/** Null where this process may not make control groups: usually it must be root. */
export function findMemoryGroups(known: readonly Hierarchy[] = hierarchies): MemoryGroups | null {
  const hierarchy = known.find(isUsable);
  if (hierarchy === undefined) return null;
  sweepGroups(hierarchy.folder);
  let open: readonly string[] = [];
  const sweep = (): void => {
    open = open.filter(folder => !removed(folder));
  };
  // The group of the last program is removed when this process ends, by one listener however many environments there are.
  if (!thisProcess.listeners('exit').includes(removeOwn)) thisProcess.once('exit', removeOwn);
  return {
    wrap(command, megabytes) {
      sweep();
      const folder = join(hierarchy.folder, `${ownPrefix}${randomUUID()}`);
      makeGroup(hierarchy, folder, megabytes * megabyte);
      open = [...open, folder];
      return [...joinGroup, folder, ...command];
    },
  };
}

export const groupPrefix = 'espalier-program-';
/** Other threads and processes have groups beside ours. */
const ownPrefix = `${groupPrefix}${thisProcess.pid}-${randomUUID()}-`;
const owned = /^espalier-[a-z]+-(\d+)-/;

/** Removes the groups of processes that were killed, with those inside. One with processes in it cannot be removed. */
export function sweepGroups(folder: string): void {
  for (const name of readdirSync(folder)) {
    const [, owner] = owned.exec(name) ?? [];
    if (owner !== undefined && !isAlive(Number(owner))) removeGroup(join(folder, name));
  }
}

export function removeGroup(folder: string): void {
  for (const name of groupsIn(folder)) removed(join(folder, name));
  removed(folder);
}

/** None where it is gone: who sweeps and who ends may remove it at the same time. */
function groupsIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap(entry => (entry.isDirectory() ? [entry.name] : []));
  } catch (cause) {
    if ((cause as { code?: unknown }).code === 'ENOENT') return [];
    throw cause;
  }
}

export function isAlive(pid: number): boolean {
  try {
    kill(pid, 0);
    return true;
  } catch (cause) {
    return (cause as { code?: unknown }).code === 'EPERM';
  }
}

function removeOwn(): void {
  for (const { folder } of hierarchies.filter(hierarchy => existsSync(hierarchy.folder)))
    for (const name of readdirSync(folder)) if (name.startsWith(ownPrefix)) removed(join(folder, name));
}

function makeGroup({ memory, swap: [file, bytesOf] }: Hierarchy, folder: string, bytes: number): void {
  mkdirSync(folder);
  writeFileSync(join(folder, memory), String(bytes));
  const swap = join(folder, file);
  if (existsSync(swap)) writeFileSync(swap, String(bytesOf(bytes)));
}

function isUsable(hierarchy: Hierarchy): boolean {
  const folder = join(hierarchy.folder, `${groupPrefix}${randomUUID()}`);
  try {
    makeGroup(hierarchy, folder, megabyte);
    return true;
  } catch {
    return false;
  } finally {
    removed(folder);
  }
}

/** A group with processes in it cannot be removed. */
function removed(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    return !existsSync(folder);
  }
}
