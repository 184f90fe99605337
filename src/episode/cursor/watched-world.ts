import { after, waitingVerbs, type Session, type StateSession } from '../../core/contracts.ts';
import type { Opener } from '../../core/episode/trail.ts';
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
  const verifier: Responder = { boundary: 'verifier', who: `The verifier of task ${session.task.id}` };
  const { snapshot, restore, fork, candidates, ended, judgedState, appearance } = session;
  const { step, verify } = waitingVerbs(session);
  return {
    task: session.task,
    observe: () => guard(world, () => session.observe()),
    step: action => guard(world, () => step(action)),
    digest: () => guard(world, () => session.digest()),
    verify: () => guard(verifier, () => verify()),
    close: () => guard(world, () => session.close()),
    ...(snapshot === undefined ? {} : { snapshot: () => guard(world, () => snapshot.call(session)) }),
    ...(restore === undefined ? {} : { restore: given => guard(world, () => restore.call(session, given)) }),
    ...(fork === undefined ? {} : { fork: options => guard(world, () => fork.call(session, options)) }),
    ...(candidates === undefined ? {} : { candidates: () => guard(world, () => candidates.call(session)) }),
    ...(ended === undefined ? {} : { ended: () => guard(world, () => ended.call(session)) }),
    ...(judgedState === undefined ? {} : { judgedState: () => guard(world, () => judgedState.call(session)) }),
    ...(appearance === undefined ? {} : { appearance: () => guard(world, () => appearance.call(session)) }),
  };
}

/** A session that an agent may try things in, and its forks with it. */
export function watchForks(session: Session, guard: Guard): Session {
  const watched = watchSession(session, worldParty(session.task.id), guard);
  const { fork } = watched;
  if (fork === undefined) return watched;
  return { ...watched, fork: options => after(fork(options), forked => watchForks(forked, guard)) };
}

/** A state that an agent may try things in: what breaks in it, or does not return, is the doing of the world, not of the agent. */
export function watchState(session: StateSession, guard: Guard): StateSession {
  const world = worldParty(session.task.id);
  // Everything that states do is there at once.
  const ask = <T>(question: () => T): T => guard(world, question) as T;
  return {
    task: session.task,
    observe: () => ask(() => session.observe()),
    step: action => ask(() => session.step(action)),
    digest: () => ask(() => session.digest()),
    verify: () => ask(() => session.verify()),
    close: () => session.close(),
    snapshot: () => session.snapshot(),
    restore: snapshot => session.restore(snapshot),
    fork: () => watchState(session.fork(), guard),
    candidates: () => ask(() => session.candidates()),
    screen: () => ask(() => session.screen()),
    ended: () => session.ended(),
    state: () => session.state(),
    guide: () => ask(() => session.guide()),
  };
}

/** What was verified or compared stays true, whether or not the world closes well. */
export async function closeQuietly(session: Pick<Session, 'close'>): Promise<void> {
  try {
    await session.close();
  } catch {
    // Nobody needs it any more.
  }
}
