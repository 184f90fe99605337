import { EspalierError } from '../../../core/errors.ts';
import { createSemaphore } from '../../../core/semaphore.ts';
import { sessionClosed } from '../../../worlds/session.ts';
import { LostError } from '../browser/connection.ts';
import type { Incident } from '../browser/incident-log.ts';
import type { LateIncidents, PageState, WorkResult } from './page-state.ts';
import { replayPath, type SiteSessionOptions } from './replay.ts';
import { lookOnly, type PageLease } from './shared-page.ts';
import { RestoreRefusedError } from './shown-state.ts';

/** A session in a page that it may share with others. Its calls run one after the other. */
export interface PageSession {
  state(): PageState;
  /** The state, after this session itself has seen the page in it. */
  seen(): Promise<PageState>;
  /** Works in the page, in the state of this session. When the page is lost on the way, it replays its path and works again. */
  use<T>(work: SessionWork<T>): Promise<Used<T>>;
  /** Goes back to a state in the same page; throws an error with the reason when that cannot be. */
  restore(wanted: PageState | undefined): Promise<void>;
  /** Keeps the snapshot of the current state for a later restore. */
  keep(): PageState;
  /** A lease for another session in the same state: on the same page where it can restore that, else on a page of its own. */
  fork(unchecked: boolean): Promise<PageLease>;
  close(): Promise<void>;
}

type SessionWork<T> = (at: PageState, lateIncidents: LateIncidents) => Promise<WorkResult<T>>;

interface Used<T> {
  readonly value: T;
  /** Whether the page was lost, and the state reached again in another one. */
  readonly wasLost: boolean;
}

/** A fork has not seen the page in its state yet. */
export function createPageSession(options: SiteSessionOptions, first: PageLease, isFork: boolean): PageSession {
  const inTurn = createSemaphore(1).run;
  const lease = createMovingLease(options, first);
  const { state } = lease;
  let hasSeen = !isFork;

  const see = async <T>(work: () => Promise<T>): Promise<T> => {
    const value = await work();
    hasSeen = true;
    return value;
  };
  return {
    state,
    seen: () =>
      inTurn(async () => {
        if (!hasSeen) await see(() => lease.use(lookOnly));
        return state();
      }),
    use: work => inTurn(() => see(() => lease.use(work))),
    restore: wanted => inTurn(() => see(() => lease.restore(wanted))),
    keep: () => lease.keep(),
    async fork(unchecked) {
      const { path, shared } = await inTurn(() =>
        Promise.resolve({ path: state().path, shared: lease.fork(unchecked) }),
      );
      if (shared !== null) return shared;
      const own = await replayPath({ ...options, unchecked }, path);
      // Nobody may use the fork for a long time.
      options.pages.rested(own.page);
      return own;
    },
    close: () => lease.close(),
  };
}

/** The lease of a session, which moves to another page when this one is lost or refuses. One call at a time, `close` aside. */
interface MovingLease extends Pick<PageSession, 'state' | 'use' | 'restore' | 'keep' | 'close'> {
  /** Null where no page can restore the state. */
  fork(unchecked: boolean): PageLease | null;
}

function createMovingLease(options: SiteSessionOptions, first: PageLease): MovingLease {
  const { task } = options;
  /** Of the pages before. */
  const late: Incident[] = [];
  let [lease, isClosed] = [first, false];
  /** Whether the lease has ended and no other page shows the state yet; why the last page was left. */
  let [isOut, whyLeft]: [boolean, string | null] = [false, null];

  const state = (): PageState => {
    if (isClosed) throw sessionClosed(task.id);
    return lease.state();
  };
  /** Leaves the page, and replays the path in a page of its own. */
  const move = async (why: string): Promise<void> => {
    const [{ path }, wasOut] = [state(), isOut];
    [isOut, whyLeft] = [true, why];
    if (!wasOut) {
      await lease.end();
      late.push(...lease.lateIncidents());
    }
    const next = await replayPath(options, path);
    if (isClosed) await next.end();
    state();
    [lease, isOut] = [next, false];
  };
  const lateIncidents: LateIncidents = () => [...late.splice(0), ...lease.lateIncidents()];
  const visit = async <T>(work: SessionWork<T>): Promise<T> => {
    if (isOut) await move(whyLeft ?? lostText);
    state();
    return lease.use(at => work(at, lateIncidents));
  };
  return {
    state,
    use: work => retried(() => visit(work), move),
    async restore(wanted) {
      const { tab } = state();
      if (isOut || wanted?.tab !== tab) throw notRestored(task.id, goneText(whyLeft));
      if (wanted.unchecked && options.unchecked !== true) throw notRestored(task.id, uncheckedText);
      await lease.restore(wanted).catch((cause: unknown) => {
        throw cause instanceof RestoreRefusedError ? notRestored(task.id, cause.reason) : cause;
      });
    },
    keep() {
      const kept = state();
      if (!isOut) lease.keep();
      return kept;
    },
    fork: unchecked => (isOut ? null : lease.fork(unchecked)),
    async close() {
      if (isClosed) return;
      isClosed = true;
      if (!isOut) await lease.end();
    },
  };
}

/** Works, in another page where this one refuses the state or, once, where it is lost. */
async function retried<T>(work: () => Promise<T>, move: (why: string) => Promise<void>): Promise<Used<T>> {
  for (let wasLost = false; ; ) {
    try {
      return { value: await work(), wasLost };
    } catch (cause) {
      const isRefused = cause instanceof RestoreRefusedError;
      if (!isRefused && (wasLost || !(cause instanceof LostError))) throw cause;
      wasLost ||= !isRefused;
      await move(isRefused ? cause.reason : lostText);
    }
  }
}

const lostText = 'it was lost';
const uncheckedText = 'a restore on the way to it was not compared';

function goneText(whyLeft: string | null): string {
  return `it belongs to a page that is gone${whyLeft === null ? '' : ` (${whyLeft})`}`;
}

function notRestored(task: string, why: string): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'diverged',
    message: `The snapshot of task ${task} could not be restored: ${why}.`,
    expected: 'Roll back with a trail: it replays the path where a snapshot cannot be restored.',
  });
}
