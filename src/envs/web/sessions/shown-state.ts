import { causeText } from '../../../core/errors.ts';
import { LostError } from '../browser/connection.ts';
import type { Incident } from '../browser/incident-log.ts';
import type { ServerState, Site } from './site.ts';
import type { RestoreOptions } from '../page-program/page-records.ts';
import type { PageSnapshot, Tab } from '../tab/tab.ts';
import { keyOf, type NeededSnapshots } from './needed-snapshots.ts';
import type { PageState } from './page-state.ts';

/** The page cannot show a state; the session has to replay its path in another page. */
export class RestoreRefusedError extends Error {
  readonly reason: string;
  constructor(reason: string) {
    super(`The snapshot could not be restored: ${reason}.`);
    this.reason = reason;
  }
}

/** Which state a page shows. */
export interface ShownState {
  /**
   * Restores a state, unless the page shows it already. The answer has the view of the page now. What the page shows is
   * unknown from here until `set`.
   */
  restore(wanted: PageState, options: RestoreOptions): Promise<PageState>;
  /** Says which snapshot the page shows after work in it. */
  set(snapshot: PageSnapshot): void;
  /** Whether anything was ever taken back in it. */
  hasRestored(): boolean;
  /** Whether a restore failed half-way: nothing in the page is trusted any more. */
  isSpoiled(): boolean;
}

export interface ShownStateOptions {
  readonly tab: Tab;
  readonly site: Site;
  readonly snapshots: NeededSnapshots;
  readonly first: PageSnapshot;
}

export function createShownState({ tab, site, snapshots, first }: ShownStateOptions): ShownState {
  /** Null while it is unknown: work that fails leaves it so. */
  let shown: string | null = keyOf(first);
  let spoiled: string | null = null;
  /** Whether the last restore was compared. */
  let isProven = true;
  let hasRestored = false;

  const spoil = (reason: string): never => {
    spoiled = reason;
    throw new RestoreRefusedError(reason);
  };
  const restoreServer = async (server: ServerState): Promise<string | null> => {
    try {
      return (await site.restore(server)) ?? null;
    } catch (cause) {
      return spoil(causeText(cause));
    }
  };
  const restoreInPage = async (wanted: PageState, { unchecked }: RestoreOptions): Promise<PageState> => {
    const { snapshot, server } = wanted;
    const obstacle = obstacleTo(snapshot, { tab, site, snapshots });
    if (obstacle !== null) throw new RestoreRefusedError(obstacle);
    const refused = await restoreServer(server);
    if (refused !== null) throw new RestoreRefusedError(refused);
    shown = null;
    hasRestored = true;
    isProven = !unchecked;
    const restored = await tab.restore(snapshot, { unchecked }).catch((cause: unknown) => {
      if (cause instanceof LostError) throw cause;
      return spoil(causeText(cause));
    });
    if ('refused' in restored) return spoil(restored.refused);
    // A restore repeats what the page did before; the step that did it first has reported it.
    takeIncidents(tab, site);
    if ((await site.capture()).text !== server.text) return spoil('the page changed the state of its server');
    return 'unseen' in restored ? wanted : { ...wanted, snapshot: { ...snapshot, view: restored.view } };
  };
  return {
    async restore(wanted, options) {
      if (spoiled !== null) throw new RestoreRefusedError(spoiled);
      const isShown = shown === keyOf(wanted.snapshot) && (isProven || options.unchecked);
      const at = isShown ? wanted : await restoreInPage(wanted, options);
      shown = null;
      return at;
    },
    set(snapshot) {
      shown = keyOf(snapshot);
    },
    hasRestored: () => hasRestored,
    isSpoiled: () => spoiled !== null,
  };
}

/** What the page and its server reported since this was last asked. */
export function takeIncidents(tab: Tab, site: Site): readonly Incident[] {
  return [...tab.page.incidents(), ...(site.incidents?.() ?? [])];
}

/** Why a snapshot cannot be restored, as far as that is known without the page. */
function obstacleTo(snapshot: PageSnapshot, { tab, site, snapshots }: Omit<ShownStateOptions, 'first'>): string | null {
  if (site.keeps === false) return 'this page keeps no snapshots';
  if (snapshot.unsupported !== null) return snapshot.unsupported;
  if (!snapshots.isNeeded(snapshot)) return 'the session that kept it is closed';
  return tab.isHere(snapshot) ? null : 'another page was loaded since';
}
