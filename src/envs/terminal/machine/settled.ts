import { setTimeout } from 'node:timers/promises';
import type { WorldState } from '../world/state.ts';

/** A state of a machine: files, folder, variables, and the processes that live in it. */
export interface MachineState extends WorldState {
  /** Command lines, two spaces in front for each parent. */
  readonly processes: readonly string[];
  /** Whether it went on changing by itself when it was looked at: a snapshot may have another state. */
  readonly movesStill?: boolean;
}

/** What somebody sees who looks at a machine. */
export interface Seen extends Pick<MachineState, 'tree' | 'processes'> {
  /** Whether a process runs, or waits for a disk: it may be another program at the next look. */
  readonly isRunning: boolean;
}

const mostLooks = 6;
const firstPause = 20;

/**
 * Looks again until two looks agree and no process runs, so that a snapshot taken afterwards has what was seen. After some looks the last
 * one counts, and says that the machine moves still.
 */
export async function settled(
  first: Seen,
  { look, digest }: { look(): Promise<Seen>; digest(seen: Seen): string },
): Promise<Pick<MachineState, 'tree' | 'processes' | 'movesStill'>> {
  let [seen, before] = [first, ''];
  for (let count = 1; ; count++) {
    const { tree, processes, isRunning } = seen;
    const now = isRunning ? '' : digest(seen);
    if (processes.length === 0 || (now !== '' && now === before)) return { tree, processes, movesStill: false };
    if (count === mostLooks) return { tree, processes, movesStill: true };
    before = now;
    await setTimeout(firstPause * 2 ** (count - 1));
    seen = await look();
  }
}
