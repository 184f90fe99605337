import { causeText } from '../../../core/errors.ts';
import { LostError } from '../browser/connection.ts';
import type { Incident } from '../browser/incident-log.ts';
import type { ServerState, Site } from './site.ts';
import type { PageSnapshot, Tab } from '../tab/tab.ts';
import { keyOf, type NeededSnapshots } from './needed-snapshots.ts';

/** A state of a page, and of the server behind it. */
export interface PageState {
  readonly snapshot: PageSnapshot;
  readonly server: ServerState;
}

/** The page cannot be brought to a state; the session has to walk there in another page. */
export class RestoreRefusedError extends Error {
  readonly reason: string;
  constructor(reason: string) {
    super(`The moment was not restored: ${reason}.`);
    this.reason = reason;
  }
}

/** Knows which state a page shows, and brings it to another one. */
export interface PageShow {
  /**
   * Restores a state unless the page shows it. The answer has what the page shows now; the page counts as unknown from here.
   * Unchecked, it is not compared with what it was.
   */
  bring<S extends PageState>(wanted: S, unchecked: boolean): Promise<S>;
  /** Says where work has left the page. */
  shows(snapshot: PageSnapshot): void;
  /** What the page and its server reported since this was last asked. */
  incidents(): readonly Incident[];
  /** Whether a restore failed half-way: nothing in the page is trusted any more. */
  isSpoiled(): boolean;
}

export interface PageShowOptions {
  readonly tab: Tab;
  readonly site: Site;
  readonly snapshots: NeededSnapshots;
  readonly first: PageSnapshot;
}

export function createPageShow({ tab, site, snapshots, first }: PageShowOptions): PageShow {
  /** Null while nobody knows: work that fails on the way leaves it so. */
  let shown: string | null = keyOf(first);
  let spoiled: string | null = null;
  /** Whether everything since the last restore with proof was done by steps, or restored with proof. */
  let isProven = true;

  const incidents = (): readonly Incident[] => [...tab.page.incidents(), ...(site.incidents?.() ?? [])];
  const spoil = (reason: string): never => {
    spoiled = reason;
    throw new RestoreRefusedError(reason);
  };
  const restore = async <S extends PageState>(wanted: S, unchecked: boolean): Promise<S> => {
    const { snapshot, server } = wanted;
    const obstacle = obstacleTo(snapshot, { tab, site, snapshots });
    if (obstacle !== null) throw new RestoreRefusedError(obstacle);
    shown = null;
    isProven = !unchecked;
    site.restore(server);
    const restored = await tab.restore(snapshot, unchecked).catch((cause: unknown) => {
      if (cause instanceof LostError) throw cause;
      return spoil(causeText(cause));
    });
    if ('refused' in restored) return spoil(restored.refused);
    // A restore repeats what the page did before; the step that did it first has told of it.
    incidents();
    if (site.capture().text !== server.text) return spoil('the page changed the state of its server');
    return 'unseen' in restored ? wanted : { ...wanted, snapshot: { ...snapshot, view: restored.view } };
  };
  return {
    async bring(wanted, unchecked) {
      if (spoiled !== null) throw new RestoreRefusedError(spoiled);
      const isShown = shown === keyOf(wanted.snapshot) && (isProven || unchecked);
      const at = isShown ? wanted : await restore(wanted, unchecked);
      shown = null;
      return at;
    },
    shows(snapshot) {
      shown = keyOf(snapshot);
    },
    incidents,
    isSpoiled: () => spoiled !== null,
  };
}

/** Why a snapshot cannot be restored; nothing was tried in the page. */
function obstacleTo(snapshot: PageSnapshot, { tab, site, snapshots }: Omit<PageShowOptions, 'first'>): string | null {
  if (site.keeps === false) return 'this page keeps no snapshots';
  if (snapshot.unsupported !== null) return snapshot.unsupported;
  if (!snapshots.isNeeded(snapshot)) return 'the session that kept it is closed';
  return tab.isHere(snapshot) ? null : 'another page was loaded since';
}
