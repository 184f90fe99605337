import type { Session } from '../../../core/contracts.ts';
import type { Task } from '../../../core/records.ts';
import { wrapSession } from '../../../core/wrap-session.ts';
import type { BrowserPool } from '../browser/pool.ts';

/** A page whose start is kept, for one task after the other that begins there. */
export interface StartKeeper {
  /** False once the page was lost, could not be restored, or ran what no restore takes back. */
  isUsable(): Promise<boolean>;
  /** A session of its own, in the state that the page began with. */
  begin(task: Task): Promise<Session>;
  close(): Promise<void>;
}

/** Starts sessions in pages that earlier sessions have left, restored to their start: one at a time in each page. */
export interface WarmStarts {
  open(task: Task): Promise<Session>;
  close(): Promise<void>;
}

/** What scripts leave behind in a page adds up. */
const mostSessions = 25;

interface Idle {
  readonly seed: number;
  readonly sessions: number;
  /** Withdraws the offer of its place. */
  withdraw(): void;
}

/**
 * Idle pages hold places that others may need, so they are offered to them.
 * @param openKeeper opens a page for a task; later tasks with the same seed start in it, too
 */
export function createWarmStarts(
  openKeeper: (task: Task) => Promise<StartKeeper>,
  offer: BrowserPool['offer'],
): WarmStarts {
  const idle = new Map<StartKeeper, Idle>();
  let isClosed = false;

  const take = async (task: Task): Promise<{ keeper: StartKeeper; sessions: number }> => {
    for (const [keeper, { seed, sessions, withdraw }] of idle) {
      if (seed !== task.seed) continue;
      idle.delete(keeper);
      withdraw();
      if (await keeper.isUsable()) return { keeper, sessions };
      await keeper.close();
    }
    return { keeper: await openKeeper(task), sessions: 0 };
  };
  const leave = async (keeper: StartKeeper, seed: number, sessions: number): Promise<void> => {
    const isWorn = sessions >= mostSessions || !(await keeper.isUsable());
    if (isWorn || isClosed) return keeper.close();
    let withdraw = (): void => undefined;
    idle.set(keeper, { seed, sessions, withdraw: () => withdraw() });
    withdraw = offer(() => {
      idle.delete(keeper);
      // Nobody uses the page any more: how its end went tells nothing.
      keeper.close().catch(() => undefined);
    });
  };
  return {
    async open(task) {
      const { keeper, sessions } = await take(task);
      const session = await begin(keeper, task);
      let isLeft = false;
      return wrapSession(session, {
        close: end => async () => {
          const isFirst = !isLeft;
          isLeft = true;
          try {
            await end();
          } finally {
            if (isFirst) await leave(keeper, task.seed, sessions + 1);
          }
        },
        forked: fork => fork,
      });
    },
    async close() {
      isClosed = true;
      const left = [...idle];
      idle.clear();
      for (const [, { withdraw }] of left) withdraw();
      await Promise.all(left.map(([keeper]) => keeper.close()));
    },
  };
}

async function begin(keeper: StartKeeper, task: Task): Promise<Session> {
  try {
    return await keeper.begin(task);
  } catch (cause) {
    await keeper.close();
    throw cause;
  }
}
