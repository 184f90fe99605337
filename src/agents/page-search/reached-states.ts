import type { Action } from '../../core/action.ts';
import type { ForkOptions, Session } from '../../core/contracts.ts';
import { EspalierError } from '../../core/errors.ts';

/** A state that a search has reached, and how to get a session there again. */
export interface ReachedState {
  /** Actions from where the search began. */
  readonly path: readonly Action[];
}

/** Gives sessions in the states of a search. */
export interface ReachedStates {
  /** Where the search began. */
  readonly start: ReachedState;
  /** A session in a state. The caller keeps or closes it. */
  open(at: ReachedState): Promise<Session>;
  /** Takes a session that stands in a new state. */
  keep(session: Session, path: readonly Action[]): ReachedState;
  /** Puts a session in the place of the one that stands in a state: it stands in the same one. */
  replace(at: ReachedState, session: Session): Promise<void>;
  close(): Promise<void>;
}

/** Forks every state where the session has snapshots; else walks to it from the start, in one page at a time. */
export async function createReachedStates(session: Session): Promise<ReachedStates> {
  return session.snapshot === undefined ? createWalkedStates(session) : createForkedStates(session);
}

/** What a search finds is taken again, step by step, before it counts: its forks need no proof. */
const unchecked: ForkOptions = { unchecked: true };

/** A fork of a session with snapshots shares the page of its parent, so all of them stay open. */
async function createForkedStates(session: Session): Promise<ReachedStates> {
  const sessions = new Map<ReachedState, Session>();
  const keep = (kept: Session, path: readonly Action[]): ReachedState => {
    const state = { path };
    sessions.set(state, kept);
    return state;
  };
  return {
    start: keep(await forkOf(session, unchecked), []),
    open: at => forkOf(sessions.get(at) as Session, unchecked),
    keep,
    async replace(at, next) {
      const before = sessions.get(at);
      sessions.set(at, next);
      await before?.close();
    },
    close: async () => void (await Promise.all([...sessions.values()].map(one => one.close()))),
  };
}

/** A fork of a session without snapshots has a page of its own: only the last one stays open. */
function createWalkedStates(session: Session): ReachedStates {
  let last: { readonly at: ReachedState; readonly session: Session } | null = null;
  const closeLast = async (): Promise<void> => {
    const closing = last?.session;
    last = null;
    await closing?.close();
  };
  const walk = async ({ path }: ReachedState): Promise<Session> => {
    const walker = await forkOf(session);
    for (const action of path) {
      if ((await walker.step(action)).applied) continue;
      await walker.close();
      throw new EspalierError({
        boundary: 'environment',
        code: 'diverged',
        message: `Task ${session.task.id} refuses a step that it took before.`,
        expected: 'Expected the same steps to lead to the same state.',
      });
    }
    return walker;
  };
  return {
    start: { path: [] },
    async open(at) {
      if (last?.at === at) {
        const { session: open } = last;
        last = null;
        return open;
      }
      await closeLast();
      return walk(at);
    },
    keep(kept, path) {
      const at = { path };
      // The one before was taken or closed when this one was opened.
      last = { at, session: kept };
      return at;
    },
    async replace(at, next) {
      await closeLast();
      last = { at, session: next };
    },
    close: closeLast,
  };
}

async function forkOf(session: Session, options: ForkOptions = {}): Promise<Session> {
  if (session.fork !== undefined) return session.fork(options);
  throw new EspalierError({
    boundary: 'environment',
    code: 'unsupported',
    message: `The search tries steps in forks of a session, and task ${session.task.id} does not fork.`,
    expected: 'Expected an app made with defineApp, or pages: wai:, miniwob: or page:.',
  });
}
