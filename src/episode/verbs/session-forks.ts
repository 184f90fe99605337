import type { Session } from '../../core/contracts.ts';
import type { Trail } from '../../core/episode/trail.ts';
import type { Guard } from '../cursor/deadline.ts';
import { closeQuietly, watchForks } from '../cursor/watched-world.ts';

/** Sessions in the states of an episode, for agents that try steps. They last for one question. */
export interface SessionForks {
  /** A session in the state after this node, the caller's to spoil. */
  at(node: number): Promise<Session>;
  close(): Promise<void>;
}

function createSessionForks(trail: Trail, guard: Guard): SessionForks {
  const opened: Trail[] = [];
  return {
    async at(node) {
      const { trail: own } = await trail.fork();
      opened.push(own);
      if (own.at() !== node) await own.rollback(node);
      return watchForks(own.session(), guard);
    },
    close: async () => void (await Promise.all(opened.map(own => closeQuietly(own.session())))),
  };
}

/** Answers one question with forks that are closed after it. */
export async function withForks<T>(trail: Trail, guard: Guard, ask: (forks: SessionForks) => Promise<T>): Promise<T> {
  const forks = createSessionForks(trail, guard);
  try {
    return await ask(forks);
  } finally {
    await forks.close();
  }
}
