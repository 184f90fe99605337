import type { Candidate, Session, Snapshot } from '../../../core/contracts.ts';
import { screenActions, textsIn } from '../../../core/episode/screen-actions.ts';
import type { Observation, StepOutcome, Task } from '../../../core/records.ts';
import { malformation } from '../../../worlds/resolve.ts';
import { hasEnded } from '../../../worlds/session.ts';
import { layoutOf } from './layout.ts';
import type { PageView } from '../page-program/page-records.ts';
import { createPageRoom } from './session-pages.ts';
import { createPosition } from './page-session.ts';
import type { SharedPage } from './shared-page.ts';
import type { StartKeeper } from './warm-starts.ts';
import { readAppearance } from '../tab/appearance.ts';
import { asking, openPage, takeStep, type Arrival, type SiteSessionOptions, type Standing } from './replay.ts';

export type { SiteSessionOptions } from './replay.ts';

interface SiteSnapshot extends Snapshot {
  readonly standing: Standing;
}

/**
 * A session in somebody else's pages. Its snapshots are snapshots kept in the page; what cannot be restored is found out and
 * said. A fork shares the page of its parent where snapshots can be kept.
 */
export async function createSiteSession(given: Omit<SiteSessionOptions, 'room'>): Promise<Session> {
  const options = { ...given, room: createPageRoom() };
  const first = await openPage(options);
  options.room.add(first.standing.page);
  return sessionAt(options, first);
}

/** Opens the page of a task and keeps its start: other tasks can begin there. */
export async function createStartKeeper(given: Omit<SiteSessionOptions, 'room'>): Promise<StartKeeper> {
  const options = { ...given, room: createPageRoom() };
  const first = await openPage(options);
  const { page } = first.standing;
  options.room.add(page);
  const start = createPosition(options, first, false);
  return {
    isUsable: async () => page.isUsable() && !(await isTainted(page)),
    begin: async task => sessionAt({ ...options, task }, await start.fork(false), true),
    close: () => start.close(),
  };
}

/** A page that cannot be asked is lost, or will be. */
async function isTainted({ site }: SharedPage): Promise<boolean> {
  return site.isTainted?.().catch(() => true) ?? false;
}

function sessionAt(options: SiteSessionOptions, first: Arrival, isFork = false): Session {
  const { task, pictures } = options;
  const position = createPosition(options, first, isFork);
  const { now } = position;
  const { judged } = first.standing.page.site;
  /** The last picture, and the look at the page that it belongs to: a restore looks anew. */
  let seen: { readonly view: PageView; readonly observation: Observation } | null = null;

  const observeWithPicture = async (): Promise<Observation> => {
    const { value } = await position.use(async at => {
      const { view } = at.snapshot;
      if (seen?.view !== view) seen = { view, observation: await observationWithPicture(at, options) };
      return { value: seen.observation, left: at };
    });
    return value;
  };
  const snapshot = (): SiteSnapshot => ({ owner: task.id, standing: position.keep() });
  const restore = (given: Snapshot): Promise<void> => position.restore((given as SiteSnapshot).standing);
  return {
    task,
    observe: async () => (pictures === null ? observationOf(await position.seen(), options) : observeWithPicture()),
    digest: () => now().digest,
    candidates: async () => {
      const { ending, snapshot: pageSnapshot } = await position.seen();
      return ending === null ? candidatesIn(pageSnapshot.view.text, task) : [];
    },
    ended: () => (now().ending === null ? null : 'terminated'),
    async step(action) {
      const problem = now().ending === null ? malformation(action) : hasEnded;
      if (problem !== null) return { applied: false, problem };
      const { value, wasLost } = await position.use((at, lease) => takeStep(at, action, lease));
      return wasLost ? withLoss(value) : value;
    },
    async verify() {
      const { value } = await position.use(async at => {
        const { page, ending } = at;
        return { value: await page.site.verify(ending, asking(page), task), left: at };
      });
      return value;
    },
    ...(judged === undefined ? {} : { judgedState: () => judged(now().server) }),
    appearance: async () =>
      (await position.use(async at => ({ value: await readAppearance(at.page.tab.page), left: at }))).value,
    ...(first.standing.page.site.keeps === false ? {} : { snapshot, restore }),
    fork: async (wanted = {}) => {
      const unchecked = (wanted.unchecked ?? false) || options.unchecked === true;
      return sessionAt({ ...options, unchecked }, await position.fork(unchecked), true);
    },
    close: () => position.close(),
  };
}

function observationOf({ snapshot }: Standing, { viewport }: SiteSessionOptions): Observation {
  return { text: snapshot.view.text, layout: layoutOf(snapshot.view, viewport) };
}

async function observationWithPicture(at: Standing, options: SiteSessionOptions): Promise<Observation> {
  const { viewport, pictures } = options;
  const seen = observationOf(at, options);
  return pictures === null ? seen : { ...seen, image: await at.page.tab.picture({ ...pictures, ...viewport }) };
}

function candidatesIn(screen: string, { instruction }: Task): readonly Candidate[] {
  return screenActions(screen, textsIn(instruction)).map(action => ({ action }));
}

function withLoss(outcome: StepOutcome): StepOutcome {
  const loss = { kind: 'lost', detail: 'the page was lost; its state was reached again in another one' };
  return { ...outcome, incidents: [...(outcome.incidents ?? []), loss] };
}
