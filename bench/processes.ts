import { readdirSync, readFileSync } from 'node:fs';

/** Megabytes that these processes and all that they started hold, shared pages counted once. */
export function memoryOf(roots: readonly number[]): number {
  const parents = parentsOf();
  const isOurs = (pid: number): boolean => {
    for (let at: number | undefined = pid; at !== undefined && at > 1; at = parents.get(at))
      if (roots.includes(at)) return true;
    return false;
  };
  const kilobytes = [...parents.keys()].filter(isOurs).map(proportionalSize);
  return (kilobytes.reduce((sum, size) => sum + size, 0) * 1024) / 1e6;
}

/** Processes that this one started and that still run. */
export function countChildren(): number {
  return [...parentsOf().values()].filter(parent => parent === process.pid).length;
}

function parentsOf(): Map<number, number> {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (Number.isInteger(pid)) parents.set(pid, parentOf(pid));
  }
  return parents;
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)/m.exec(readQuietly(`/proc/${pid}/status`))?.[1] ?? 0);
}

/** What two processes share is counted half for each. */
function proportionalSize(pid: number): number {
  return Number(/^Pss:\s+(\d+) kB/m.exec(readQuietly(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0);
}

/** A process may be gone by the time it is looked at. */
function readQuietly(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
