import {
  realClockWord,
  type SnapshotHandle,
  type ProgramOptions,
  type PageIncident,
  type PageView,
  type RestCall,
} from './page-records.ts';
import { createObserver } from './state/observer.ts';
import { createPageState, type PageState, type StateOptions } from './state/page-state.ts';
import { createBase, unheard } from './base.ts';
import { settleCarets } from './shims/carets.ts';
import { createCanvases } from './shims/canvases.ts';
import { watchChosenOptions } from './shims/chosen-options.ts';
import { watchCustomElements } from './shims/custom-elements.ts';
import { createDatabases, noDatabases } from './shims/databases.ts';
import { createDialogs } from './shims/dialogs.ts';
import { startFrameClock } from './frame-clock.ts';
import { watchRealSources, type TellRealClock } from './real-sources.ts';
import { watchOverflows, watchPickers, watchTimedKeys } from './timed-keys.ts';
import { watchChances } from './chances.ts';
import { createActions } from './element-actions.ts';
import { createHandedOut, nothingHandedOut } from './shims/handed-out.ts';
import { createHistory } from './shims/history.ts';
import { createLanguage } from './shims/language.ts';
import { createLinkedObjects, nothingLinked } from './shims/linked-objects.ts';
import { createListeners } from './shims/listeners.ts';
import { createObservers } from './shims/observers.ts';
import { borrowRealm, lendRealm, type CreateState, type OwnRealm } from './own-realm.ts';
import { createSafeLanguage, freezeRealm, type SafeLanguage } from './safe-language.ts';
import type {
  MainWindow,
  PageActions,
  PageBase,
  PageHistory,
  PageListeners,
  PagePointer,
  PageTripwires,
} from './parts.ts';
import { createShadowRoots } from './shims/shadow-roots.ts';
import { createPointer } from './shims/pointer.ts';
import { createPromises } from './shims/promises.ts';
import { createScriptedClick } from './scripted-click.ts';
import { createRestoring, type PageRestoring } from './restoring.ts';
import { watchScrolling } from './shims/scrolling.ts';
import { createSettle } from './settle.ts';
import { createTextDecoders } from './shims/text-decoders.ts';
import { createTime } from './shims/time.ts';
import { createStreams } from './shims/streams.ts';
import { createStyleRules } from './shims/style-rules.ts';
import { createTraffic } from './shims/traffic.ts';
import { watchValidityQuestions } from './shims/validity-questions.ts';
import { createTripwires, noTripwires } from './shims/tripwires.ts';
import { watchDocument } from './memory/document-changes.ts';
import { languageMembers } from './members/language.ts';
import { watchImageInputs } from './memory/image-inputs.ts';
import { watchImages } from './memory/images.ts';
import { understoodMembers } from './members/members.ts';
import { watchUnknownMembers } from './members/unknown-members.ts';
import { watchTransitions } from './shims/view-transitions.ts';

/** What Node can ask of a page. */
export interface PageProgram extends PageBase, PageAnswers {
  look(): PageView;
  readonly actions: PageActions;
}

/** How Node and the program tell each other values: as JSON, so that no object of ours stands in the realm of the page. */
interface PageAnswers {
  /** What the work gives, or comes to give, as JSON. */
  answer(work: () => unknown): Promise<string | undefined>;
  given(text: string): unknown;
  /** Waits for two frames. */
  drawnTwice(): Promise<void>;
  /** Width and height of the window. */
  size(): readonly [width: number, height: number];
  region(): readonly [timeZone: string, language: string];
}

function createAnswers({ drawn }: PageBase): PageAnswers {
  const answer = async (work: () => unknown): Promise<string | undefined> => JSON.stringify(await work());
  return {
    answer: work => unheard(answer(work)),
    given: text => JSON.parse(text) as unknown,
    size: () => [globalThis.innerWidth, globalThis.innerHeight],
    region: () => [new Intl.DateTimeFormat().resolvedOptions().timeZone, navigator.language],
    async drawnTwice() {
      await drawn();
      await drawn();
    },
  };
}

/** What Node can ask of a page of somebody else. */
export interface SiteProgram extends PageProgram, PageRestoring, Pick<PageState, 'keep' | 'keepAgain'> {
  readonly listeners: PageListeners;
  readonly pointer: PagePointer;
  readonly history: PageHistory;
  readonly state: PageState;
  /** Lets the page come to rest, and keeps it; says what did not come to rest, and what happened beside. */
  rest(call: RestCall): Promise<Rested>;
  settle(milliseconds: number): Promise<string | null>;
  /** Waits for the messages that scripts have posted. */
  delivered(): Promise<void>;
  /** Lets the page come to rest, and from then on hides from it that the pointer is moved. */
  settleBlind(milliseconds: number): Promise<void>;
  /** Lets it see the pointer again, after a frame. */
  see(): Promise<void>;
  /** Waits for two frames and a task. */
  drawnOut(): Promise<void>;
  forget(ids: readonly number[]): void;
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
  return { ...base, ...createAnswers(base), look: () => observer.look(), actions };
}

interface Rested extends SnapshotHandle {
  readonly view: PageView;
  readonly busy: string | null;
  /** Whether scripts have posted messages. */
  readonly posts: boolean;
  readonly incidents: readonly PageIncident[];
}

const noRealm = 'no realm of its own can be had in it';

function startInSite(options: ProgramOptions, tell: TellRealClock, createState: CreateState | null): SiteProgram {
  const { keeps } = options;
  const incidents: PageIncident[] = [];
  const main = globalThis as unknown as MainWindow;
  const base = createBase();
  const listeners = createListeners();
  const trip = (what: string): void => tripwires.trip(what);
  const roots = createShadowRoots(
    { trip, tripSince: (what, from) => tripwires.tripSince(what, from), moment: () => tripwires.moment() },
    listeners,
  );
  const pointer = createPointer(listeners, roots);
  const time = createTime(options);
  const status = statusReader();
  watchRealSources(tell);
  const traffic = createTraffic({ listeners, base, tell, turn: time.turn });
  const clipboard = createDialogs(listeners, roots, incidents);
  const history = createHistory(listeners, {
    quietly: work => tripwires.quietly(work),
    isQuiet: () => tripwires.isQuiet(),
    refuse: what => refuse(what),
  });
  let scrolled: (target: EventTarget | null) => void = () => undefined;
  let changeCount = 0;
  watchScrolling(target => {
    changeCount++;
    scrolled(target);
  });
  let changed: (changes: readonly MutationRecord[]) => void = () => undefined;
  // Before observers are replaced: ours is none of the page's.
  const changes = watchDocument(roots, told => {
    changeCount++;
    changed(told);
  });
  const refuse = (what: string): void => {
    tell(what);
    trip(what);
  };
  watchTimedKeys(listeners.hear, refuse);
  const skipped = watchChances(listeners, roots, tell);
  const lookForPickers = watchPickers(listeners.hear, refuse);
  watchOverflows(listeners.hear, refuse);
  const images = watchImages({ listeners, roots, tell, trip, isTelling: () => observers.isTelling() });
  const isLoading = [images.areLoading, watchImageInputs({ listeners, tell, trip })];
  const observers = createObservers(listeners, time.turn);
  const promises = createPromises();
  settleCarets();
  const transitions = watchTransitions();
  const chosen = watchChosenOptions(listeners.hear);
  const actions = createActions({
    listeners,
    roots,
    elements: () => state.elements(),
    onListChoice: () => tripwires.tripSince('a list in which somebody chose'),
    needsFrame: () => settling.needsFrame() || base.hasFrames() || settling.followsScrolling(),
    async told() {
      if (base.hasFrames() && roots.find('iframe[loading=lazy i]').length > 0) tell(lazyFrame);
      await settling.told();
    },
    drain: observers.drain,
    clickByScript: createScriptedClick({ pointer, roots, delivered: () => settling.delivered() }),
  });
  const tripwires: PageTripwires = keeps ? createTripwires({ tell }) : { ...noTripwires, ...watchUnknownMembers(tell) };
  const language = createLanguage(tripwires);
  const handedOut = keeps ? createHandedOut(tripwires.isQuiet) : nothingHandedOut;
  listeners.onInlineRead(handedOut.noteInline);
  const canvases = createCanvases(tripwires);
  const databases = keeps
    ? createDatabases({ listeners, tripwires, base, hasHadFrames: changes.hadFrames })
    : noDatabases;
  const streams = createStreams(tripwires, traffic, tell);
  const links = [canvases, databases, streams, createTextDecoders(), handedOut];
  const linked = keeps ? createLinkedObjects(tripwires, roots, links) : nothingLinked;
  watchCustomElements({
    tripwires,
    listeners,
    isProxy: value => language.behindProxy(value) !== null,
    hold: value => state.hold(value),
  });
  const shims = {
    listeners,
    roots,
    images,
    pointer,
    time,
    observers,
    promises,
    linked,
    styleRules: createStyleRules(tripwires.quietly),
    canvases,
    chosen,
    isAskedForValidity: watchValidityQuestions(),
    databases,
    tripwires,
    handedOut,
    history,
    clipboard,
  };
  const parts = { ...shims, ...language };
  const stateOptions: StateOptions = {
    main,
    parts,
    watched: [...Object.keys(understoodMembers), ...Object.keys(languageMembers)],
    obstacle: !keeps ? 'this kind of page keeps no snapshots' : createState === null ? noRealm : null,
    onScroll(told) {
      scrolled = told;
    },
    watch(told) {
      changed = told;
      return changes.take;
    },
  };
  if (createState === null) tell(`${noRealm}: what it shows could be made up`);
  const state = tripwires.quietly(() => (createState ?? createPageState)(stateOptions));
  const settling = createSettle({
    time,
    traffic,
    listeners,
    roots,
    observers,
    transitions,
    base,
    // All are asked: each counts the frames that it waited.
    areImagesLoading: () => isLoading.filter(areLoading => areLoading()).length > 0,
    changes: () => changeCount,
    skipped,
    quietly: tripwires.quietly,
    forgetTabStart: state.focus.forgetTabStart,
    tell,
    trip,
  });
  const restoring = createRestoring({
    state,
    time,
    base,
    listeners,
    observers,
    settling,
    databases,
    quietly: tripwires.quietly,
  });
  const keep: PageState['keep'] = unchecked => tripwires.quietly(() => state.keep(unchecked));
  const settle = async (milliseconds: number, meet?: () => void): Promise<string | null> => {
    const busy = await settling.settle(milliseconds, meet);
    tripwires.quietly(lookForPickers);
    return busy;
  };
  return Object.freeze({
    ...base,
    ...createAnswers(base),
    ...restoring,
    look: () => tripwires.quietly(state.look),
    keep,
    keepAgain: (id: number, unchecked: boolean) => tripwires.quietly(() => state.keepAgain(id, unchecked)),
    forget: state.snapshots.forget,
    async rest({ milliseconds, at, unchecked, keeps: isKept }: RestCall) {
      const meet = (): void => (at === undefined ? undefined : pointer.at(at));
      if (milliseconds === null) await base.drawn();
      const busy = milliseconds === null ? null : await settle(milliseconds, meet);
      await databases.read();
      const kept = keep(unchecked);
      if (!isKept) state.snapshots.forget([kept.id]);
      return { busy, ...kept, posts: traffic.posted() > 0, incidents: incidents.splice(0) };
    },
    settle: (milliseconds: number) => settle(milliseconds),
    delivered: settling.delivered,
    async settleBlind(milliseconds: number) {
      await settle(milliseconds);
      listeners.blind(true);
    },
    async see() {
      await base.drawn();
      listeners.blind(false);
    },
    async drawnOut() {
      await base.drawn();
      await base.drawn();
      await time.turn();
    },
    actions,
    listeners,
    pointer,
    history,
    state,
    status: () => tripwires.quietly(status),
  });
}

const lazyFrame = 'a frame that is loaded once it is scrolled to: when is chance';

/** Called before entries are watched. */
function statusReader(): () => number {
  const entries = performance.getEntriesByType.bind(performance);
  return () => (entries('navigation') as PerformanceNavigationTiming[])[0]?.responseStatus ?? 0;
}

/** The same program, written so that it calls nothing that scripts of the page can replace. */
type Hardened = (
  language: SafeLanguage,
  page: Window & typeof globalThis,
) => {
  readonly start: typeof start;
};

/** Starts the program in a page, before any script of it. In a page of somebody else it stands on a realm of its own. */
export function begin(options: ProgramOptions, hardened: Hardened): void {
  const page = globalThis as unknown as MainWindow;
  // The browser makes these when they are first asked for, in the realm of who asks.
  void (page as unknown as { Temporal?: unknown }).Temporal;
  void (page.Date.prototype as { toTemporalInstant?: unknown }).toTemporalInstant;
  const realm = options.page === 'site' ? borrowRealm(options.greeting) : null;
  if (realm === null) start(options, null);
  else hardened(createSafeLanguage(realm.language), page).start(options, realm.createState);
}

/** Hands the program over to Node under its greeting. */
export function start(options: ProgramOptions, createState: CreateState | null): void {
  // oxlint-disable-next-line no-console -- the way out of the page: Node hears it, and no name in the page leads to the program
  const hand = console.debug.bind(console);
  hand(options.greeting, options.page === 'app' ? startInApp() : startInSite(options, tellingOf(options), createState));
}

/** Called in a frame: lends its realm to the page around it, when that asks for it; else gives it the clock of the page. */
export function lend(options: ProgramOptions): void {
  const give = (): OwnRealm => ({ createState: createPageState, language: freezeRealm() });
  if (lendRealm(give, options.greeting) || options.page !== 'site') return;
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
