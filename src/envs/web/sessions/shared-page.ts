/**
 * Who owns which state where sessions share a page:
 *
 *   PageSession      a session: its lease, whether it was closed; its calls run one after the other    page-session.ts
 *   └ PageLease      its place in one page: its PageState, the snapshots it keeps, late incidents      here
 *     └ SharedPage   one browser page: whose turn it is, how many leases it has, whether it is closed  here
 *       ├ ShownState       which snapshot the page shows, whether a restore was compared or failed     shown-state.ts
 *       ├ NeededSnapshots  how many leases need each snapshot                                          needed-snapshots.ts
 *       └ Tab              the document and the pointer; snapshots themselves live inside the page     ../tab/tab.ts
 *   SessionPages     the pages of a session and its forks: which to reclaim when the browser is full   session-pages.ts
 *
 * A PageState is a value. Where its page is lost or refuses it, its session leaves the page and replays the path in a new one.
 */
import { createSemaphore } from '../../../core/semaphore.ts';
import { LostError } from '../browser/connection.ts';
import type { Incident } from '../browser/incident-log.ts';
import type { Site } from './site.ts';
import type { PageSnapshot, Tab } from '../tab/tab.ts';
import { createNeededSnapshots, type NeededSnapshots } from './needed-snapshots.ts';
import type { LateIncidents, PageState, PageWork } from './page-state.ts';
import type { ReclaimablePage, SessionPages } from './session-pages.ts';
import { createShownState, RestoreRefusedError, takeIncidents } from './shown-state.ts';

/** A page that several sessions use in turns. Each has a state of its own, which is restored when its turn comes. */
export interface SharedPage extends ReclaimablePage {
  /** Adds a session in this state; restores for an unchecked one are not compared. */
  join(state: PageState): PageLease;
  /** False after the page was lost or a restore in it failed: sessions then replay their paths in other pages. */
  isUsable(): boolean;
}

/** The place of one session in a page. */
export interface PageLease {
  readonly page: SharedPage;
  state(): PageState;
  /** Waits for its turn, restores its state, then works there. Throws RestoreRefusedError when that cannot be. */
  use<T>(work: PageWork<T>): Promise<T>;
  /** Makes a state of this page its own; throws as `use` does. */
  restore(wanted: PageState): Promise<void>;
  /** Keeps the snapshot of its state for a later restore; without this it is forgotten when the session moves on. */
  keep(): void;
  /** A second lease in the same state; null where the page cannot restore that. */
  fork(unchecked: boolean): PageLease | null;
  readonly lateIncidents: LateIncidents;
  /** The last session that leaves closes the page; so does any session that leaves a lost page. */
  end(): Promise<void>;
}

/** What a page knows of one lease. */
interface LeaseRecord {
  readonly late: Incident[];
  readonly kept: PageSnapshot[];
  readonly unchecked: boolean;
  state: PageState;
  hasEnded: boolean;
}

export interface SharedPageOptions {
  readonly tab: Tab;
  readonly site: Site;
  /** The pages of the sessions that share it. */
  readonly pages: SessionPages;
}

/** The page is open, and shows this snapshot. */
export function createSharedPage({ tab, site, pages }: SharedPageOptions, first: PageSnapshot): SharedPage {
  const turns = createSemaphore(1);
  const snapshots = createNeededSnapshots();
  const shown = createShownState({ tab, site, snapshots, first });
  let leases = 0;
  let lastUser: LeaseRecord | null = null;
  let closing: Promise<void> | null = null;
  let isReclaimed = false;

  const visit = async <T>(lease: LeaseRecord, wanted: PageState, work: PageWork<T>): Promise<T> => {
    if (lease.hasEnded) throw new LostError('page');
    if (isReclaimed) throw new RestoreRefusedError('its place was given to another session');
    const isMine = lastUser === lease || lastUser === null;
    if (tab.page.isLost()) throw isMine ? new LostError('page') : new RestoreRefusedError('another session lost it');
    if (!isMine) lastUser?.late.push(...takeIncidents(tab, site));
    lastUser = lease;
    await tab.forget(snapshots.takeUnneeded());
    const at = await shown.restore(wanted, { unchecked: lease.unchecked });
    const { value, state } = await work(at);
    if (shown.hasRestored()) await refuseRevealing(site, at, state);
    shown.set(state.snapshot);
    moveTo(snapshots, lease, state);
    return value;
  };
  const visitInTurn: typeof visit = (lease, wanted, work) =>
    turns.run(() => visit(lease, wanted, work)).finally(() => pages.rested(page));
  const close = (): Promise<void> => {
    pages.remove(page);
    return (closing ??= tab.close().finally(() => site.close()));
  };
  const end = async (lease: LeaseRecord): Promise<void> => {
    if (!lease.hasEnded) leases--;
    release(snapshots, lease);
    if (leases === 0 || tab.page.isLost()) await close();
  };
  const page: SharedPage = {
    isIdle: () => turns.taken() === 0,
    reclaim() {
      // The session that lost a page is told so.
      isReclaimed = !tab.page.isLost();
      lastUser?.late.push(...takeIncidents(tab, site));
      // Whoever leaves last is told how it went.
      close().catch(() => undefined);
    },
    isUsable: () => !shown.isSpoiled() && closing === null && !tab.page.isLost(),
    join(state) {
      const lease: LeaseRecord = { late: [], kept: [], unchecked: state.unchecked, state, hasEnded: false };
      snapshots.retain(state.snapshot);
      leases++;
      return leaseOf({ page, snapshots, visit: visitInTurn, end }, lease);
    },
  };
  return page;
}

/** What no snapshot covers may show a script what was taken back: the work is done again in a page where nothing was. */
async function refuseRevealing(site: Site, { server }: PageState, after: PageState): Promise<void> {
  const { beyond } = after.snapshot;
  if (beyond === null) return;
  const kept = after.server.text === server.text ? null : await site.restore(server);
  // What it did to a server that cannot be brought back would be done twice.
  if ((kept ?? null) === null) throw new RestoreRefusedError(`after a restore, its scripts ${beyond}`);
}

interface LeaseHost {
  readonly page: SharedPage;
  readonly snapshots: NeededSnapshots;
  visit<T>(lease: LeaseRecord, wanted: PageState, work: PageWork<T>): Promise<T>;
  end(lease: LeaseRecord): Promise<void>;
}

function leaseOf({ page, snapshots, visit, end }: LeaseHost, lease: LeaseRecord): PageLease {
  return {
    page,
    state: () => lease.state,
    use: work => visit(lease, lease.state, work),
    restore: async wanted => void (await visit(lease, wanted, lookOnly)),
    keep: () => keep(snapshots, lease),
    fork: unchecked => (canRestore(lease.state) && page.isUsable() ? page.join({ ...lease.state, unchecked }) : null),
    lateIncidents: () => lease.late.splice(0),
    end: () => end(lease),
  };
}

/** Does nothing: to see the page in the state is enough. */
export function lookOnly(at: PageState): ReturnType<PageWork<null>> {
  return Promise.resolve({ value: null, state: at });
}

function canRestore({ site, snapshot }: PageState): boolean {
  return site.keeps !== false && snapshot.unsupported === null;
}

function keep(snapshots: NeededSnapshots, { kept, hasEnded, state }: LeaseRecord): void {
  if (hasEnded) return;
  snapshots.retain(state.snapshot);
  kept.push(state.snapshot);
}

function release(snapshots: NeededSnapshots, lease: LeaseRecord): void {
  if (lease.hasEnded) return;
  lease.hasEnded = true;
  for (const snapshot of [lease.state.snapshot, ...lease.kept]) snapshots.release(snapshot);
}

function moveTo(snapshots: NeededSnapshots, lease: LeaseRecord, next: PageState): void {
  snapshots.retain(next.snapshot);
  // A lease that ended during its last turn has released what it had, and needs nothing more.
  snapshots.release(lease.hasEnded ? next.snapshot : lease.state.snapshot);
  lease.state = next;
}
