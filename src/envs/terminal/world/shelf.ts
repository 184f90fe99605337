import type { Task, Verdict } from '../../../core/records.ts';
import type { Sandboxes } from '../sandbox/sandbox.ts';
import type { OpenTerminal, PlayedWorld } from './session.ts';

/** Worlds of opened tasks, by task: sessions of one task begin with the same frozen layers. */
export interface WorldShelf {
  take(task: Task, make: MakeWorld): Promise<OpenTerminal>;
  close(): Promise<void>;
}

type MakeWorld = (sandboxes: Sandboxes) => Promise<PlayedWorld>;

/** Worlds that nobody has open stay for the next session, so many at most. */
const mostIdle = 8;

export function createWorldShelf(sandboxes: () => Promise<Sandboxes>): WorldShelf {
  let made: Promise<Sandboxes> | null = null;
  const worlds = new Map<string, Promise<OpenTerminal>>();
  const idle: string[] = [];
  const drop = async (seal: string): Promise<void> => {
    const dropped = worlds.get(seal);
    worlds.delete(seal);
    await (await dropped)?.world.close();
  };
  const rest = async (seal: string): Promise<void> => {
    idle.push(seal);
    const oldest = idle.length > mostIdle ? idle.shift() : undefined;
    if (oldest !== undefined) await drop(oldest);
  };
  const open = async (task: Task, make: MakeWorld): Promise<OpenTerminal> => {
    const played = await make(await (made ??= sandboxes()));
    const verdicts = new Map<string, Promise<Verdict>>();
    return { ...played, task, verdicts, count: { sessions: 0 }, onLastClosed: () => rest(task.seal) };
  };
  return {
    async take(task, make) {
      const at = idle.indexOf(task.seal);
      if (at >= 0) idle.splice(at, 1);
      const known = worlds.get(task.seal) ?? open(task, make);
      worlds.set(task.seal, known);
      return known.catch((cause: unknown) => {
        worlds.delete(task.seal);
        throw cause;
      });
    },
    async close() {
      const all = [...worlds.keys()];
      idle.length = 0;
      await Promise.all(all.map(drop));
      const opened = made;
      made = null;
      await (await opened)?.close();
    },
  };
}
