import type { Session } from '../../../core/contracts.ts';
import type { Task } from '../../../core/records.ts';

/** A page whose start is kept, for one task after the other that begins there. */
export interface StartKeeper {
  /** False once the page was lost or could not be restored. */
  isUsable(): boolean;
  /** A session of its own, in the state that the page began with. */
  begin(task: Task): Promise<Session>;
  close(): Promise<void>;
}

/** Sessions that begin in pages which others have left: one at a time in each page. */
export interface WarmStarts {
  open(task: Task): Promise<Session>;
  close(): Promise<void>;
}

/** What scripts leave behind in a page adds up. */
const mostSessions = 25;

/** @param openKeeper opens a page for a task; later ones with the same seed begin in it, too */
export function createWarmStarts(openKeeper: (task: Task) => Promise<StartKeeper>): WarmStarts {
  const idle = new Map<StartKeeper, { readonly seed: number; readonly sessions: number }>();
  let isClosed = false;

  const take = async (task: Task): Promise<{ keeper: StartKeeper; sessions: number }> => {
    for (const [keeper, { seed, sessions }] of idle) {
      if (seed !== task.seed) continue;
      idle.delete(keeper);
      if (keeper.isUsable()) return { keeper, sessions };
      await keeper.close();
    }
    return { keeper: await openKeeper(task), sessions: 0 };
  };
  return {
    async open(task) {
      const { keeper, sessions } = await take(task);
      const session = await keeper.begin(task);
      let isLeft = false;
      return {
        ...session,
        async close() {
          await session.close();
          if (isLeft) return;
          isLeft = true;
          const isWorn = sessions + 1 >= mostSessions || !keeper.isUsable();
          if (isWorn || isClosed) await keeper.close();
          else idle.set(keeper, { seed: task.seed, sessions: sessions + 1 });
        },
      };
    },
    async close() {
      isClosed = true;
      const left = [...idle.keys()];
      idle.clear();
      await Promise.all(left.map(keeper => keeper.close()));
    },
  };
}
