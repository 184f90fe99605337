import { EspalierError } from '../../../core/errors.ts';
import { sessionClosed } from '../../../worlds/session.ts';
import { LostError } from '../browser/connection.ts';
import type { Incident } from '../browser/incident-log.ts';
import { createTurns, inTurn } from '../browser/turns.ts';
import { RestoreRefusedError } from './page-show.ts';
import type { Lease, Visit } from './shared-page.ts';
import { walkTo, type Arrival, type SiteSessionOptions, type Standing } from './walk.ts';

/** The state of one session, and the page that can show it. Its calls are served one after the other. */
export interface Position {
  now(): Standing;
  /** The state, after this session itself has seen the page in it. */
  seen(): Promise<Standing>;
  /** Works in the page, in the state of this session. A page that is lost on the way is replaced, and the work done again. */
  use<T>(work: Work<T>): Promise<Used<T>>;
  /** Goes back to a state in the same page; throws an error with the reason when that cannot be. */
  restore(wanted: Standing | undefined): Promise<void>;
  /** Keeps the snapshot of the current state for a later restore. */
  keep(): Standing;
  /** The same state for another session: in the same page where snapshots can be restored, else in a page of its own. */
  fork(unchecked: boolean): Promise<Arrival>;
  close(): Promise<void>;
}

type Work<T> = (at: Standing, lease: Lease) => Promise<Visit<Standing, T>>;

interface Used<T> {
  readonly value: T;
  /** Whether the page was lost, and the state reached again in another one. */
  readonly wasLost: boolean;
}

/** A fork has not seen the page in its state yet. */
export function createPosition(options: SiteSessionOptions, first: Arrival, isFork: boolean): Position {
  const turns = createTurns(1);
  const holder = createHolder(options, first);
  const { now, lease } = holder;
  let hasSeen = !isFork;

  const seeing = async <T>(work: () => Promise<T>): Promise<T> => {
    const value = await work();
    hasSeen = true;
    return value;
  };
  return {
    now,
    seen: () =>
      inTurn(turns, async () => {
        if (!hasSeen) await seeing(() => holder.use(looking));
        return now();
      }),
    use: work => inTurn(turns, () => seeing(() => holder.use(work))),
    restore: wanted => inTurn(turns, () => seeing(() => holder.restore(wanted))),
    keep() {
      lease()?.keep(now().snapshot);
      return now();
    },
    async fork(unchecked) {
      const { at, shared } = await inTurn(turns, () =>
        Promise.resolve({ at: now(), shared: shareOf(now(), lease(), unchecked) }),
      );
      if (shared !== null) return shared;
      const arrival = await walkTo({ ...options, unchecked }, at.path);
      // Nobody may use the fork for a long time.
      options.room.rests(arrival.standing.page);
      return arrival;
    },
    close: () => holder.close(),
  };
}

/** Holds a page in the state of one session. Not more than one call at a time, but `close`. */
interface Holder extends Pick<Position, 'now' | 'use' | 'restore' | 'close'> {
  /** Null while no page could be brought to the state. */
  lease(): Lease | null;
}

function createHolder(options: SiteSessionOptions, first: Arrival): Holder {
  const { task } = options;
  const late: Incident[] = [];
  let [standing, lease]: [Standing, Lease | null] = [first.standing, first.lease];
  /** Why the page before was left. */
  let [closed, moved]: [boolean, string | null] = [false, null];

  const now = (): Standing => {
    if (closed) throw sessionClosed(task.id);
    return standing;
  };
  /** Walks to the state of this session in a page of its own. */
  const arrive = async (why: string): Promise<Lease> => {
    const [{ path }, left] = [now(), lease];
    [moved, lease] = [why, null];
    late.push(...(await leave(left)));
    const arrival = await walkTo(options, path);
    if (closed) await arrival.lease.end();
    now();
    [standing, lease] = [arrival.standing, withLate(arrival.lease, late)];
    return lease;
  };
  const visit = async <T>(work: Work<T>): Promise<T> => {
    const held = lease ?? (await arrive(moved ?? lostText));
    const { value, left } = await held.use(now(), at => work(at, held));
    standing = left;
    return value;
  };
  return {
    now,
    lease: () => lease,
    async use(work) {
      for (let wasLost = false; ; ) {
        try {
          return { value: await visit(work), wasLost };
        } catch (cause) {
          const isRefused = cause instanceof RestoreRefusedError;
          if (!isRefused && (wasLost || !(cause instanceof LostError))) throw cause;
          wasLost ||= !isRefused;
          await arrive(isRefused ? cause.reason : lostText);
        }
      }
    },
    async restore(wanted) {
      now();
      if (lease === null || wanted?.page !== lease.page) throw cannotRestore(task.id, goneText(moved));
      if (wanted.unchecked && options.unchecked !== true) throw cannotRestore(task.id, unprovenText);
      try {
        standing = (await lease.use(wanted, looking)).left;
      } catch (cause) {
        throw cause instanceof RestoreRefusedError ? cannotRestore(task.id, cause.reason) : cause;
      }
    },
    async close() {
      if (closed) return;
      closed = true;
      await lease?.end();
    },
  };
}

/** Ends a share in a page; the incidents that its session was not told of. */
async function leave(lease: Lease | null): Promise<readonly Incident[]> {
  await lease?.end();
  return lease?.lateIncidents() ?? [];
}

/** Tells incidents of the pages before, too. */
function withLate(lease: Lease, late: Incident[]): Lease {
  return { ...lease, lateIncidents: () => [...late.splice(0), ...lease.lateIncidents()] };
}

const lostText = 'it was lost';
const unprovenText = 'it was reached without proof';

/** Does nothing: to be shown is enough. */
function looking(at: Standing): Promise<Visit<Standing, null>> {
  return Promise.resolve({ value: null, left: at });
}

/** A share in the same page, for a state that can be restored in it. */
function shareOf(standing: Standing, lease: Lease | null, unchecked: boolean): Arrival | null {
  const { snapshot, page } = standing;
  const isKept = page.site.keeps !== false && snapshot.unsupported === null;
  if (lease === null || !isKept || !page.isUsable()) return null;
  return { standing: { ...standing, unchecked }, lease: page.join(snapshot, unchecked) };
}

function goneText(moved: string | null): string {
  return `it belongs to a page that is gone${moved === null ? '' : ` (${moved})`}`;
}

function cannotRestore(task: string, why: string): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'diverged',
    message: `A moment of task ${task} cannot be put back: ${why}.`,
    expected: 'Roll back by a trail, which walks the path again where a snapshot does not do.',
  });
}
