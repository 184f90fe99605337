import { readFileSync } from 'node:fs';
import type { Connection } from './connection.ts';

/** Scripts get about 984 KiB of stack; what comes so far may have overflowed it, in calls of its own or of the browser. */
const mostKibibytes = 768;

/** Keeps the main thread of a page at work for some milliseconds; nothing in the page can notice or replace it. */
const workText = '(() => { let sum = 0; for (let turn = 0; turn < 2e7; turn++) sum = (sum + turn) | 0; return sum })()';
/** What the work takes at the very least. */
const workNanoseconds = 2_000_000;

/**
 * Whether calls in a page came near the end of the stack since it was opened, whoever caught the error. The system never takes
 * back the stack of a process, so its size tells. Only Linux says it; elsewhere the answer is always no. `evaluate` runs text in
 * the page: of several processes with deep stacks, the page's is one that works meanwhile.
 */
export async function cameNearStackEnd(
  connection: Pick<Connection, 'send'>,
  evaluate: (text: string) => Promise<unknown>,
): Promise<boolean> {
  const { processInfo } = await connection.send<ProcessList>('SystemInfo.getProcessInfo');
  const deep = processInfo.filter(({ type, id }) => type === 'renderer' && stackOf(id) > mostKibibytes);
  if (deep.length === 0) return false;
  const before = deep.map(({ id }) => runTimeOf(id));
  await evaluate(workText);
  return deep.some(({ id }, index) => runTimeOf(id) - (before[index] as number) >= workNanoseconds);
}

interface ProcessList {
  readonly processInfo: readonly { readonly type: string; readonly id: number }[];
}

/** In KiB; 0 when the system does not say. */
function stackOf(pid: number): number {
  return Number(/^VmStk:\s+(\d+) kB$/m.exec(textAt(`/proc/${pid}/status`))?.[1] ?? 0);
}

/** Nanoseconds that the main thread of a process has run. */
function runTimeOf(pid: number): number {
  return Number(textAt(`/proc/${pid}/task/${pid}/schedstat`).split(' ', 1)[0] ?? 0);
}

/** Empty when there is no such file: on other systems, or when the process has ended. */
function textAt(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
