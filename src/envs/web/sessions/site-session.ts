import type { Candidate, Session, Snapshot } from '../../../core/contracts.ts';
import { screenActions, textsIn } from '../../../core/episode/screen-actions.ts';
import type { Observation, StepOutcome, Task } from '../../../core/records.ts';
import { malformation } from '../../../worlds/resolve.ts';
import { hasEnded } from '../../../worlds/session.ts';
import { layoutOf } from './layout.ts';
import type { PageView } from '../page-program/page-records.ts';
import { createPageSession } from './page-session.ts';
import type { PageState } from './page-state.ts';
import { createSessionPages } from './session-pages.ts';
import type { PageLease } from './shared-page.ts';
import type { Site } from './site.ts';
import type { StartKeeper } from './warm-starts.ts';
import { readAppearance } from '../tab/appearance.ts';
import { readConditions, readLocator } from './outside.ts';
import { askIn, openPage, takeStep, type SiteSessionOptions } from './replay.ts';

export type { SiteSessionOptions } from './replay.ts';

interface SiteSnapshot extends Snapshot {
  readonly state: PageState;
}

/**
 * A session in somebody else's pages. Its snapshots are kept inside the page; a restore that fails throws with the reason.
 * A fork shares the page of its parent where snapshots can be kept.
 */
export async function createSiteSession(given: Omit<SiteSessionOptions, 'pages'>): Promise<Session> {
  const options = { ...given, pages: createSessionPages() };
  const first = await openPage(options);
  options.pages.add(first.page);
  return sessionAt(options, first);
}

/** Opens the page of a task and keeps its start: other tasks can begin there. */
export async function createStartKeeper(given: Omit<SiteSessionOptions, 'pages'>): Promise<StartKeeper> {
  const options = { ...given, pages: createSessionPages() };
  const first = await openPage(options);
  const { site } = first.state();
  options.pages.add(first.page);
  const start = createPageSession(options, first, false);
  return {
    isUsable: async () => first.page.isUsable() && !(await isTainted(site)),
    begin: async task => sessionAt({ ...options, task }, await start.fork(false), true),
    close: () => start.close(),
  };
}

/** A page that cannot be asked is lost, or will be. */
async function isTainted(site: Site): Promise<boolean> {
  return site.isTainted?.().catch(() => true) ?? false;
}

function sessionAt(options: SiteSessionOptions, first: PageLease, isFork = false): Session {
  const { task, pictures } = options;
  const session = createPageSession(options, first, isFork);
  const { judged, keeps } = first.state().site;
  /** The last picture, and the look at the page that it belongs to: a restore looks anew. */
  let seen: { readonly view: PageView; readonly observation: Observation } | null = null;

  const observeWithPicture = async (): Promise<Observation> => {
    const { value } = await session.use(async at => {
      const { view } = at.snapshot;
      if (seen?.view !== view) seen = { view, observation: await observationWithPicture(at, options) };
      return { value: seen.observation, state: at };
    });
    return value;
  };
  const snapshot = (): SiteSnapshot => ({ owner: task.id, state: session.keep() });
  const restore = (given: Snapshot): Promise<void> => session.restore((given as SiteSnapshot).state);
  return {
    task,
    observe: async () => (pictures === null ? observationOf(await session.seen(), options) : observeWithPicture()),
    digest: () => session.state().digest,
    candidates: async () => {
      const { ending, snapshot: pageSnapshot } = await session.seen();
      return ending === null ? candidatesIn(pageSnapshot.view.text, task) : [];
    },
    ended: () => (session.state().ending === null ? null : 'terminated'),
    async step(action) {
      const problem = session.state().ending === null ? malformation(action) : hasEnded;
      if (problem !== null) return { applied: false, problem };
      const { value, wasLost } = await session.use((at, late) => takeStep(at, action, late));
      return wasLost ? withLoss(value) : value;
    },
    async verify() {
      const { value } = await session.use(async at => {
        const { site, tab, ending } = at;
        return { value: await site.verify(ending, askIn(tab), task), state: at };
      });
      return value;
    },
    ...(judged === undefined ? {} : { judgedState: () => judged(session.state().server) }),
    appearance: async () =>
      (await session.use(async at => ({ value: await readAppearance(at.tab.page), state: at }))).value,
    conditions: async () =>
      (await session.use(async at => ({ value: await readConditions(at, options), state: at }))).value,
    locator: async action =>
      (await session.use(async at => ({ value: await readLocator(at, action), state: at }))).value,
    unsteady: () => session.state().site.unsteady?.() ?? null,
    ...(keeps === false ? {} : { snapshot, restore }),
    fork: async (wanted = {}) => {
      const unchecked = (wanted.unchecked ?? false) || options.unchecked === true;
      return sessionAt({ ...options, unchecked }, await session.fork(unchecked), true);
    },
    close: () => session.close(),
  };
}

function observationOf({ snapshot }: PageState, { viewport }: SiteSessionOptions): Observation {
  return { text: snapshot.view.text, layout: layoutOf(snapshot.view, viewport) };
}

async function observationWithPicture(at: PageState, options: SiteSessionOptions): Promise<Observation> {
  const { viewport, pictures } = options;
  const seen = observationOf(at, options);
  return pictures === null ? seen : { ...seen, image: await at.tab.picture({ ...pictures, ...viewport }) };
}

function candidatesIn(screen: string, { instruction }: Task): readonly Candidate[] {
  return screenActions(screen, textsIn(instruction)).map(action => ({ action }));
}

function withLoss(outcome: StepOutcome): StepOutcome {
  const loss = { kind: 'lost', detail: 'the page was lost; its state was reached again in another one' };
  return { ...outcome, incidents: [...(outcome.incidents ?? []), loss] };
}
