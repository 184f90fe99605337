import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { removeGroup, sweepGroups } from '../../code/sandbox/memory-group.ts';

/** Control groups of Linux in which sandboxes get groups of their own: they limit memory, processes and processors of all processes together. */
export interface ControlGroups {
  /** One folder, or one for each controller. */
  readonly folders: readonly string[];
  remove(): void;
}

interface GroupOptions {
  /** Begins with the number of this process, for those who sweep. */
  readonly name: string;
  /** Who makes the groups of sandboxes; this process's user when left out. */
  readonly owner?: number | undefined;
}

const mountPoint = '/sys/fs/cgroup';
const controllers = ['memory', 'pids', 'cpu'] as const;
/** What a group has of the processors: the file, the share of one process, and the most. */
const shares = [
  ['cpu.shares', 1024, 262_144],
  ['cpu.weight', 100, 10_000],
] as const;
/** What one needs to make groups inside. */
const ownFiles = ['cgroup.procs', 'cgroup.threads', 'cgroup.subtree_control', 'tasks'];

/** Null where this process may make none: an ordinary user needs a delegated group. */
export function openControlGroups({ name, owner }: GroupOptions): ControlGroups | null {
  const made: string[] = [];
  for (const places of placesOf(readFileSync('/proc/self/cgroup', 'utf8'))) {
    const place = places.find(each => canMake(each, name));
    // What limits memory comes first, and without it the rest is not worth it.
    if (place === undefined) break;
    made.push(join(place, name));
  }
  if (made.length === 0) return null;
  for (const folder of made) {
    mkdirSync(join(folder, 'main'));
    // Where others compete for the processors, all sandboxes together would count as much as one process.
    const atOnce = 2 * availableParallelism();
    for (const [file, one, most] of shares)
      if (existsSync(join(folder, file))) writeFileSync(join(folder, file), String(Math.min(most, one * atOnce)));
    if (owner === undefined) continue;
    for (const file of ['', ...ownFiles, 'main', 'main/cgroup.procs'])
      if (existsSync(join(folder, file))) chownSync(join(folder, file), owner, owner);
  }
  return {
    folders: made,
    remove: () => made.forEach(removeGroup),
  };
}

/** Where groups might be made, for each hierarchy that is needed: in the own group, or in one above it. */
function placesOf(own: string): string[][] {
  if (existsSync(join(mountPoint, 'cgroup.controllers'))) {
    const [, path = '/'] = /^0::(.*)$/m.exec(own) ?? [];
    return [upward(path).map(each => join(mountPoint, each))];
  }
  return controllers.map(controller => {
    const [, path = '/'] = new RegExp(`^\\d+:(?:[^:]*,)?${controller}(?:,[^:]*)?:(.*)$`, 'm').exec(own) ?? [];
    return [path, '/'].map(each => join(mountPoint, controller, each));
  });
}

function upward(path: string): string[] {
  return path === '/' ? ['/'] : [path, ...upward(dirname(path))];
}

function canMake(place: string, name: string): boolean {
  const folder = join(place, name);
  try {
    sweepGroups(place);
    mkdirSync(folder);
    if (existsSync(join(folder, 'cgroup.subtree_control'))) {
      writeFileSync(join(folder, 'cgroup.subtree_control'), '+memory +pids');
      if (/\bcpu\b/.test(readFileSync(join(folder, 'cgroup.controllers'), 'utf8')))
        writeFileSync(join(folder, 'cgroup.subtree_control'), '+cpu');
    }
    return true;
  } catch {
    removeGroup(folder);
    return false;
  }
}
