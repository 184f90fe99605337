import { after, waitingVerbs, type Session, type StateSession } from '../../core/contracts.ts';
import type { Opener } from '../../core/episode/trail.ts';
import { wrapSession, wrapStateSession, type SessionWrapper } from '../../core/wrap-session.ts';
import type { Guard, Responder } from './deadline.ts';

/** The same world, with a deadline on every answer of it and a name for every failure. Forks are bare until they are watched: most are given away. */
export function watchWorld(environment: Opener<Session>, guard: Guard): Opener<Session> {
  return {
    watch: session => watchSession(session, worldParty(session.task.id), guard),
    open(task) {
      const world = worldParty(task.id);
      let isGivenUp = false;
      const opened = guard(world, () =>
        after(environment.open(task), session => {
          // One that comes when nobody waits for it any more is closed at once.
          if (isGivenUp) void Promise.resolve(session.close()).catch(() => null);
          return session;
        }),
      );
      if (!(opened instanceof Promise)) return watchSession(opened, world, guard);
      return opened.then(
        session => watchSession(session, world, guard),
        (cause: unknown) => {
          isGivenUp = true;
          throw cause;
        },
      );
    },
  };
}

export function worldParty(task: string): Responder {
  return { boundary: 'environment', who: `The environment of task ${task}` };
}

function watchSession(session: Session, world: Responder, guard: Guard): Session {
  return guarded(session, { world, guard, forked: fork => fork });
}

/** A session that an agent may try things in, and its forks with it. */
export function watchForks(session: Session, guard: Guard): Session {
  const world = worldParty(session.task.id);
  return guarded(session, { world, guard, forked: fork => watchForks(fork, guard) });
}

interface Watch extends Pick<SessionWrapper, 'forked'> {
  readonly world: Responder;
  readonly guard: Guard;
}

function guarded(session: Session, { world, guard, forked }: Watch): Session {
  const verifier: Responder = { boundary: 'verifier', who: `The verifier of task ${session.task.id}` };
  const { step, verify } = waitingVerbs(session);
  return wrapSession(session, {
    step: () => step,
    verify: () => verify,
    around: (verb, ask) => guard(verb === 'verify' ? verifier : world, ask),
    forked,
  });
}

/** A state that an agent may try things in: what breaks in it, or does not return, is the doing of the world, not of the agent. */
export function watchState(session: StateSession, guard: Guard): StateSession {
  const world = worldParty(session.task.id);
  return wrapStateSession(session, {
    around: (_verb, ask) => guard(world, ask),
    forked: fork => watchState(fork, guard),
  });
}

/** What was verified or compared stays true, whether or not the world closes well. */
export async function closeQuietly(session: Pick<Session, 'close'>): Promise<void> {
  try {
    await session.close();
  } catch {
    // Nobody needs it any more.
  }
}
