import { LostError } from '../browser/connection.ts';
import type { Incident } from '../browser/incident-log.ts';
import { createTurns, inTurn } from '../browser/turns.ts';
import type { Site } from './site.ts';
import type { PageSnapshot, Tab } from '../tab/tab.ts';
import type { LentPage, PageRoom } from './page-room.ts';
import { createNeededSnapshots, type NeededSnapshots } from './needed-snapshots.ts';
import { createPageShow, RestoreRefusedError, type PageState } from './page-show.ts';

/** The result of some work in a page, and the state that it left the page in. */
export interface Visit<S extends PageState, T> {
  readonly value: T;
  readonly left: S;
}

type Work<S extends PageState, T> = (at: S) => Promise<Visit<S, T>>;

/** A page that several sessions use in turns. Each has a state of its own, which is restored when its turn comes. */
export interface SharedPage extends LentPage {
  readonly tab: Tab;
  readonly site: Site;
  /** Adds a session whose state is at this snapshot; what is restored for an unchecked one is not compared. */
  join(snapshot: PageSnapshot, unchecked: boolean): Lease;
  /** False after the page was lost or a restore in it failed: sessions then walk to their states in other pages. */
  isUsable(): boolean;
}

/** The share of one session in a page. */
export interface Lease {
  readonly page: SharedPage;
  /** Waits for its turn, brings the page to the wanted state, then works there. Throws RestoreRefusedError if it cannot. */
  use<S extends PageState, T>(wanted: S, work: Work<S, T>): Promise<Visit<S, T>>;
  /** Keeps a snapshot for a later restore; without this it is forgotten when the session moves on. */
  keep(snapshot: PageSnapshot): void;
  /** Incidents that arrived after the turn that caused them. */
  lateIncidents(): readonly Incident[];
  /** The last session that leaves closes the page; so does any session that leaves a lost page. */
  end(): Promise<void>;
}

/** What a page knows of one session. */
interface Share {
  readonly late: Incident[];
  readonly kept: PageSnapshot[];
  readonly unchecked: boolean;
  current: PageSnapshot;
  hasEnded: boolean;
}

export interface SharedPageOptions {
  readonly tab: Tab;
  readonly site: Site;
  /** The pages of the sessions that share it. */
  readonly room: PageRoom;
}

/** The page is open, and shows this snapshot. */
export function createSharedPage({ tab, site, room }: SharedPageOptions, first: PageSnapshot): SharedPage {
  const turns = createTurns(1);
  const snapshots = createNeededSnapshots();
  const show = createPageShow({ tab, site, snapshots, first });
  let sessions = 0;
  let lastUser: Share | null = null;
  let closing: Promise<void> | null = null;
  let isGivenUp = false;

  const visit = async <S extends PageState, T>(share: Share, wanted: S, work: Work<S, T>): Promise<Visit<S, T>> => {
    if (share.hasEnded) throw new LostError('page');
    if (isGivenUp) throw new RestoreRefusedError('its place was given to another session');
    const isMine = lastUser === share || lastUser === null;
    if (tab.page.isLost()) throw isMine ? new LostError('page') : new RestoreRefusedError('another session lost it');
    if (!isMine) lastUser?.late.push(...show.incidents());
    lastUser = share;
    await tab.forget(snapshots.takeUnneeded());
    const visited = await work(await show.bring(wanted, share.unchecked));
    show.shows(visited.left.snapshot);
    moveTo(snapshots, share, visited.left.snapshot);
    return visited;
  };
  const close = (): Promise<void> => {
    room.remove(page);
    return (closing ??= tab.close().finally(() => site.close()));
  };
  const leave = async (share: Share): Promise<void> => {
    if (!share.hasEnded) sessions--;
    release(snapshots, share);
    if (sessions === 0 || tab.page.isLost()) await close();
  };
  const page: SharedPage = {
    tab,
    site,
    isIdle: () => turns.taken() === 0,
    giveUp() {
      // Who lost a page is told of that.
      isGivenUp = !tab.page.isLost();
      lastUser?.late.push(...show.incidents());
      // Whoever leaves last is told how it went.
      close().catch(() => undefined);
    },
    isUsable: () => !show.isSpoiled() && closing === null && !tab.page.isLost(),
    join(current, unchecked) {
      const share: Share = { late: [], kept: [], unchecked, current, hasEnded: false };
      snapshots.retain(current);
      sessions++;
      return {
        page,
        use: (wanted, work) => inTurn(turns, () => visit(share, wanted, work)).finally(() => room.rests(page)),
        keep: snapshot => keep(snapshots, share, snapshot),
        lateIncidents: () => share.late.splice(0),
        end: () => leave(share),
      };
    },
  };
  return page;
}

function keep(snapshots: NeededSnapshots, { kept, hasEnded }: Share, snapshot: PageSnapshot): void {
  if (hasEnded) return;
  snapshots.retain(snapshot);
  kept.push(snapshot);
}

function release(snapshots: NeededSnapshots, share: Share): void {
  if (share.hasEnded) return;
  share.hasEnded = true;
  for (const snapshot of [share.current, ...share.kept]) snapshots.release(snapshot);
}

function moveTo(snapshots: NeededSnapshots, share: Share, next: PageSnapshot): void {
  snapshots.retain(next);
  // A session that was closed during its last turn has released what it had, and needs nothing more.
  snapshots.release(share.hasEnded ? next : share.current);
  share.current = next;
}
