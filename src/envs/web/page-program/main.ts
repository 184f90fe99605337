import { realClockWord, type SnapshotHandle, type ProgramOptions, type PageView } from './page-records.ts';
import { createObserver } from './state/observer.ts';
import { createPageState, type PageState, type StateOptions } from './state/page-state.ts';
import { createBase } from './base.ts';
import { createDialogs } from './shims/dialogs.ts';
import { startFrameClock } from './frame-clock.ts';
import { watchRealSources, type TellRealClock } from './real-sources.ts';
import { watchOverflows, watchPickers, watchTimedKeys } from './timed-keys.ts';
import { createActions } from './element-actions.ts';
import { createHandedOut } from './shims/handed-out.ts';
import { createHistory } from './shims/history.ts';
import { createLanguage } from './shims/language.ts';
import { createListeners } from './shims/listeners.ts';
import { createObservers } from './shims/observers.ts';
import { inOwnRealm, lendRealm } from './own-realm.ts';
import type {
  MainWindow,
  PageActions,
  PageBase,
  PageHandedOut,
  PageHistory,
  PageIncident,
  PageListeners,
  PagePointer,
  PageTripwires,
} from './parts.ts';
import { createPointer } from './shims/pointer.ts';
import { createPromises } from './shims/promises.ts';
import { createScriptedClick } from './scripted-click.ts';
import { createRestoring, type PageRestoring } from './restoring.ts';
import { watchScrolling } from './shims/scrolling.ts';
import { createSettle } from './settle.ts';
import { createTime } from './shims/time.ts';
import { createTraffic } from './shims/traffic.ts';
import { createTripwires } from './shims/tripwires.ts';
import { languageMembers } from './members/language.ts';
import { watchImageInputs } from './memory/image-inputs.ts';
import { watchImages } from './memory/images.ts';
import { understoodMembers } from './members/members.ts';
import { watchUnknownMembers } from './members/unknown-members.ts';
import { watchTransitions } from './shims/view-transitions.ts';

/** What Node can ask of a page. */
export interface PageProgram extends PageBase {
  look(): PageView;
  readonly actions: PageActions;
}

/** What Node can ask of a page of somebody else. */
export interface SiteProgram extends PageProgram, PageRestoring {
  readonly listeners: PageListeners;
  readonly pointer: PagePointer;
  readonly history: PageHistory;
  readonly state: PageState;
  settle(milliseconds: number): Promise<string | null>;
  /** Lets a task pass. */
  turn(): Promise<void>;
  keep(unchecked?: boolean): SnapshotHandle & { readonly view: PageView };
  forget(ids: readonly number[]): void;
  incidents(): readonly PageIncident[];
  /** What the server answered when the document was loaded; 0 when nobody did. */
  status(): number;
}

/** A page that we draw ourselves is only looked at and acted on. */
function startInApp(): PageProgram {
  const base = createBase();
  const listeners = createListeners();
  const observer = createObserver({ main: globalThis as unknown as MainWindow, listeners, isOurs: true });
  const nothing = (): void => undefined;
  const actions = createActions({
    listeners,
    elements: observer.elements,
    onListChoice: nothing,
    needsFrame: () => listeners.hears('scroll', 'scrollend'),
    told: () => base.drawn().then(base.drawn),
    drain: nothing,
  });
  return { ...base, look: () => observer.look(), actions };
}

/** Watches the document for the snapshots; the callback has to be one of the page's realm. */
function watchDocument(told: (changes: readonly MutationRecord[]) => void): () => readonly MutationRecord[] {
  const observer = new MutationObserver(changes => told(changes));
  observer.observe(document, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeOldValue: true,
    characterData: true,
  });
  return () => observer.takeRecords();
}

function startInSite(options: ProgramOptions, tell: TellRealClock): SiteProgram {
  const { keeps } = options;
  const incidents: PageIncident[] = [];
  const main = globalThis as unknown as MainWindow;
  const base = createBase();
  const listeners = createListeners();
  const pointer = createPointer(listeners);
  const time = createTime(options);
  const status = statusReader();
  watchRealSources(tell);
  const traffic = createTraffic({ listeners, base });
  const clipboard = createDialogs(listeners, incidents);
  const history = createHistory(listeners, work => tripwires.quietly(work));
  let scrolled: (target: EventTarget | null) => void = () => undefined;
  let changeCount = 0;
  watchScrolling(target => {
    changeCount++;
    scrolled(target);
  });
  let changed: (changes: readonly MutationRecord[]) => void = () => undefined;
  // Before observers are replaced: ours is none of the page's.
  const changes = watchDocument(told => {
    changeCount++;
    changed(told);
  });
  const trip = (what: string): void => tripwires.trip(what);
  const refuse = (what: string): void => {
    tell(what);
    trip(what);
  };
  watchTimedKeys(listeners.hear, refuse);
  const hasSkipped = watchChances(listeners, tell);
  const lookForPickers = watchPickers(listeners.hear, refuse);
  watchOverflows(listeners.hear, refuse);
  const imagesOf = [watchImages({ listeners, tell, trip }), watchImageInputs({ listeners, tell, trip })];
  const observers = createObservers(listeners, time.turn);
  const promises = createPromises();
  const transitions = watchTransitions();
  const actions = createActions({
    listeners,
    elements: () => state.elements(),
    onListChoice: () => tripwires.tripSince('a list in which somebody chose'),
    needsFrame: () => settling.needsFrame() || base.hasFrames() || settling.followsScrolling(),
    async told() {
      if (base.hasFrames() && document.querySelector('iframe[loading=lazy i]') !== null) tell(lazyFrame);
      await settling.told();
    },
    drain: observers.drain,
    clickByScript: createScriptedClick(pointer),
  });
  const tripwires: PageTripwires = keeps ? createTripwires({ tell }) : { ...idle, ...watchUnknownMembers(tell) };
  const language = createLanguage(tripwires.trip);
  const handedOut = keeps ? createHandedOut(tripwires.isQuiet) : nothingHandedOut;
  const shims = { listeners, pointer, time, observers, promises, tripwires, handedOut, history, clipboard };
  const parts = { ...shims, ...language };
  const stateOptions: StateOptions = {
    main,
    parts,
    watched: [...Object.keys(understoodMembers), ...Object.keys(languageMembers)],
    obstacle: keeps ? null : 'this kind of page keeps no snapshots',
    onScroll(told) {
      scrolled = told;
    },
    watch(told) {
      changed = told;
      return changes;
    },
  };
  const state = tripwires.quietly(() =>
    keeps ? inOwnRealm(stateOptions, createPageState, options.greeting) : createPageState(stateOptions),
  );
  const settling = createSettle({
    time,
    traffic,
    listeners,
    observers,
    transitions,
    base,
    // All are asked: each counts the frames that it waited.
    areImagesLoading: () => imagesOf.filter(isLoading => isLoading()).length > 0,
    changes: () => changeCount,
    hasSkipped,
    quietly: tripwires.quietly,
    forgetTabStart: state.focus.forgetTabStart,
    tell,
    trip,
  });
  const restoring = createRestoring({ state, time, base, listeners, observers, settling, quietly: tripwires.quietly });
  return {
    ...base,
    ...restoring,
    look: () => tripwires.quietly(state.look),
    keep: unchecked => tripwires.quietly(() => state.keep(unchecked)),
    forget: state.snapshots.forget,
    async settle(milliseconds) {
      const busy = await settling.settle(milliseconds);
      tripwires.quietly(lookForPickers);
      return busy;
    },
    turn: time.turn,
    actions,
    listeners,
    pointer,
    history,
    state,
    incidents: () => incidents.splice(0),
    status: () => tripwires.quietly(status),
  };
}

const lazyFrame = 'a frame that is loaded once it is scrolled to: when is chance';

/**
 * Tells of what the browser does by its own clock: how often it reports a drag, and when it lays out what it has skipped so far.
 * Says whether it skips something.
 */
function watchChances(listeners: PageListeners, tell: TellRealClock): () => boolean {
  const skipped = new WeakSet<EventTarget>();
  let hasSkipped = false;
  listeners.hear('dragstart', ({ isTrusted }) => {
    if (isTrusted && listeners.hears('drag', 'dragover')) tell('a drag: how often scripts are told of it is chance');
  });
  // Taken before it is watched.
  const { get: isSkipped } = Object.getOwnPropertyDescriptor(
    ContentVisibilityAutoStateChangeEvent.prototype,
    'skipped',
  ) as { get: () => boolean };
  listeners.onSkip(event => {
    const target = event.target as EventTarget;
    if (isSkipped.call(event)) {
      skipped.add(target);
      hasSkipped = true;
    } else if (skipped.has(target))
      tell('a part of the page that the browser had skipped (content-visibility): when it shows is chance');
  });
  return () => hasSkipped;
}

/** Called before entries are watched. */
function statusReader(): () => number {
  const entries = performance.getEntriesByType.bind(performance);
  return () => (entries('navigation') as PerformanceNavigationTiming[])[0]?.responseStatus ?? 0;
}

/** Where no snapshots are taken, nothing has to be watched for them. */
const idle: PageTripwires = {
  mark: () => 0,
  passed: () => null,
  beyond: () => null,
  trip: () => undefined,
  tripSince: () => undefined,
  isQuiet: () => false,
  isWire: () => false,
  quietly: work => work(),
};

const nothingHandedOut: PageHandedOut = {
  lookThrough: () => null,
  styleWithMembers: () => null,
  membersOfStyle: () => [],
};

/** Starts the program in a page, before any script of it, and hands it over to Node under its greeting. */
export function start(options: ProgramOptions): void {
  // oxlint-disable-next-line no-console -- the way out of the page: Node hears it, and no name in the page leads to the program
  const hand = console.debug.bind(console);
  hand(options.greeting, options.page === 'app' ? startInApp() : startInSite(options, tellingOf(options)));
}

/** Called in a frame: lends its realm to the page around it, when that asks for it; else gives it the clock of the page. */
export function lend(options: ProgramOptions): void {
  if (lendRealm(createPageState, options.greeting) || options.page !== 'site') return;
  const tell = tellingOf(options);
  startFrameClock(options.start, tell);
  const hear = (type: string, listener: (event: Event) => void): void =>
    globalThis.addEventListener(type, listener, true);
  watchTimedKeys(hear, tell);
  watchOverflows(hear, tell);
  watchUnknownMembers(tell);
}

/** Tells Node once of each thing that follows the real clock. */
function tellingOf({ greeting }: ProgramOptions): TellRealClock {
  // oxlint-disable-next-line no-console -- the way out of the page, as above
  const hand = console.debug.bind(console);
  const told = new Set<string>();
  const [isTold, add] = [told.has.bind(told), told.add.bind(told)];
  return what => {
    if (isTold(what)) return;
    add(what);
    hand(`${greeting} ${realClockWord}`, what);
  };
}
