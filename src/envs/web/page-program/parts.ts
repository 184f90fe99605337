import type { Gesture, Target } from './page-records.ts';
import type { ChosenOptions } from './shims/chosen-options.ts';
import type { PageHandedOut } from './shims/handed-out.ts';
import type { PageLanguage } from './shims/language.ts';
import type { MotionEvents } from './shims/motion-events.ts';

/** A timer of the page, in its own time. */
export interface PageTimer {
  readonly id: number;
  readonly due: number;
  /** Of two that are due together, the one that was set first runs first. */
  readonly order: number;
  /** Milliseconds between two runs of an interval. */
  readonly every: number | null;
  readonly run: (...values: unknown[]) => unknown;
  readonly values: readonly unknown[];
  readonly isFrame: boolean;
}

/** Everything that makes the time and the chance of a page what they are. */
export interface TimeRecord {
  readonly now: number;
  readonly order: number;
  readonly lastId: number;
  readonly timers: readonly PageTimer[];
  readonly chance: number;
}

export interface PageTime {
  now(): number;
  /** Lets time pass, and runs what falls due, each time after `answered`; says what did not come to rest. */
  advance(milliseconds: number, answered?: () => Promise<void>): Promise<string | null>;
  /** Milliseconds until the next timer that runs once; Infinity when there is none. */
  next(): number;
  capture(): TimeRecord;
  restore(record: TimeRecord): void;
  /** Lets everything that waits for its turn have it. */
  turn(): Promise<void>;
  /** What the browser drew by chance for the addresses of blobs, in the order in which it did. */
  drawnNames(): readonly string[];
}

/** A listener as it was registered. */
export interface Registration {
  readonly type: string;
  readonly listener: EventListenerOrEventListenerObject;
  /** What the browser calls: the listener, or what calls it once. */
  readonly heardAs: EventListenerOrEventListenerObject;
  readonly capture: boolean;
  readonly passive: boolean | undefined;
}

export interface PageListeners {
  /** The registrations of a target; the same array as long as nothing changed. */
  of(target: EventTarget): readonly Registration[];
  restore(target: EventTarget, registrations: readonly Registration[]): void;
  /** Targets beside nodes and the window that the browser keeps. */
  lasting(): readonly EventTarget[];
  /** Tells when the browser skips a part of the page (`content-visibility`) or no longer does. */
  onSkip(told: (event: ContentVisibilityAutoStateChangeEvent) => void): void;
  /** Tells when a script writes a handler that an attribute names, such as `onclick`: it loses its turn for good. */
  onInlineChange(told: (what: string) => void): void;
  /** Tells of each handler of an attribute that a script is given. */
  onInlineRead(told: (handler: object) => void): void;
  /** While it is muted, nothing in the page hears of anything. */
  mute(on: boolean): void;
  isMuted(): boolean;
  /** Tells scripts once that the selection has changed since, and says whether it has: the browser tells it as it sees fit. */
  tellSelection(): boolean;
  /** Whether scripts are still to be told. */
  owesSelection(): boolean;
  forgetOwed(): void;
  readonly motions: Pick<MotionEvents, 'note' | 'tell' | 'owes'>;
  /** While it is blind, nothing in the page hears of the pointer being moved. */
  blind(on: boolean): void;
  isBlind(): boolean;
  /** From then on scripts hear what boxes snap to. What they snap to in a new document is heard or not by chance. */
  hearSnaps(): void;
  /** Whether anybody ever listened for one of these. */
  hears(...types: readonly string[]): boolean;
  heed(type: string): void;
  /** Listens for us, in shadow roots too: not in the register of the page. The target is the innermost that can be told. */
  hear(type: string, listener: (event: Event, target: EventTarget | null) => void, isLast?: boolean): void;
  /** Listens on anything, for us. */
  hearOn(target: EventTarget, type: string, listener: (event: Event) => void): void;
  /** The same, in the capture phase. */
  hearFirstOn(target: EventTarget, type: string, listener: (event: Event) => void): void;
  /** Hears events of everything in the document and in shadow roots, in the capture phase; of one in a slot perhaps twice. */
  hearBelow(type: string, listener: (event: Event) => void): void;
  /** From now on hears what happens in a shadow root; before any script of the page does. */
  enter(root: ShadowRoot): void;
}

/** What is selected. */
export interface SelectedRange {
  /** In shadow roots too. */
  readonly places: readonly [anchor: Node, offset: number, focus: Node, offset: number];
  /** The field that it is in, whose caret says where; it stays there when the field is left. */
  readonly field: HTMLElement | null;
  /** Where scripts see it: what a person selected in a shadow root at the host, what a script selected where it said. */
  readonly seen: readonly [anchor: Node, offset: number, focus: Node, offset: number];
  /** What scripts are told of it: its kind, direction and text. */
  readonly words: string;
}

export interface PageSelections {
  selected(): SelectedRange | null;
  /** Selects what is in no field. */
  select(range: SelectedRange): void;
  deselect(): void;
}

export interface PageShadowRoots extends PageSelections {
  /** Tells of each, before a script gets it. */
  onNew(tell: (root: ShadowRoot) => void): void;
  of(host: Element): ShadowRoot | null;
  /** Those that are in the document. */
  shown(): readonly ShadowRoot[];
  /** Says that an element is part of a snapshot. */
  know(host: Element): void;
  /** What has the focus, in shadow roots too. */
  activeElement(): Element | null;
  /** Why the shadow root of an element cannot be kept. */
  limitOf(host: Element): string | null;
  /** The elements in the document and in shadow roots that a selector finds. */
  find(selector: string): readonly Element[];
  /** The style sheets that it has adopted. */
  sheetsOf(root: Document | ShadowRoot): readonly CSSStyleSheet[];
  adopt(root: Document | ShadowRoot, sheets: readonly CSSStyleSheet[]): void;
}

export interface Spot {
  readonly x: number;
  readonly y: number;
}

export interface PagePointer {
  /** Tells the page what lies under the pointer now; null when it is not over the page. */
  at(spot: Spot | null): void;
  capture(): readonly Element[];
  restore(record: readonly Element[]): void;
}

/** What an observer watches. */
export interface Watch {
  readonly callback: object;
  readonly calls: readonly (readonly [target: Node, options: unknown])[];
}

export interface PageObservers {
  capture(): ReadonlyMap<object, Watch>;
  restore(record: ReadonlyMap<object, Watch>): void;
  /** Whether any of them is told with the next frame. */
  needFrame(): boolean;
  /** From now on they are told at once. While a document is loaded, which frames are drawn is chance. */
  hear(): void;
  /** Whether one of them is being told something. */
  isTelling(): boolean;
  /** How many times they were told something so far. */
  calls(): number;
  /** Forgets what observers of the page would be told next. */
  drain(): void;
}

/** View transitions that the page started. */
export interface PageTransitions {
  /** How many are not over. */
  running(): number;
  /** Whether one waits for a frame alone: to be begun, or to be shown. */
  needFrame(): boolean;
}

/** Promises of the page: those that its scripts make are objects of ours. */
export interface PagePromises {
  /** What is in a promise; opaque while nobody can say. Null for what is none. */
  stateOf(promise: object): { readonly entries: readonly unknown[]; readonly isOpaque: boolean } | null;
  /** What a function of ours that scripts hold leads to, such as the promise that it settles. */
  linkOf(run: object): object | null;
  /** How many promises were met for the first time since this was last asked: what is in them is known a task later. */
  takeLooks(): number;
  /** Marks a moment. */
  mark(): number;
  /** What nobody can undo that happened to one of these since a mark, in words. */
  spentSince(mark: number, objects: readonly object[]): string | null;
}

/** What is in one store of a database. */
export interface StoreContent {
  readonly name: string;
  /** Its name, how keys come about, its indexes. */
  readonly form: string;
  /** Whether values hold their keys. */
  readonly isInline: boolean;
  /** The key that the next value gets; null where the page gives the keys. */
  readonly next: number | null;
  readonly keys: readonly unknown[];
  readonly values: readonly unknown[];
}

export interface DatabaseContent {
  readonly name: string;
  readonly version: number;
  readonly stores: readonly StoreContent[];
  /** All that is in it, in words. */
  readonly word: string;
  /** Why not all of it is known. */
  readonly limit: string | null;
}

export interface DatabasesRecord {
  readonly contents: readonly DatabaseContent[];
  /** Those that are open. */
  readonly connections: readonly object[];
}

/** What the page has in IndexedDB, and the objects through which its scripts reach it. */
export interface PageDatabases {
  /** Reads what may have changed. To be waited for when the page is at rest. */
  read(): Promise<void>;
  /** Why they cannot be kept now. */
  limit(): string | null;
  capture(): DatabasesRecord;
  /** Why a record cannot be restored; nothing was done then. */
  obstacleTo(record: DatabasesRecord): string | null;
  /** Closes what was opened since; what is in the databases is written by `finish`. */
  restore(record: DatabasesRecord): void;
  finish(): Promise<void>;
  /** What an object of a database holds; null for anything else, and for what is not over. */
  entriesOf(value: object): readonly unknown[] | null;
}

/** Objects of the browser that hold something without showing it to scripts. */
export interface PageLinks {
  /** What one holds; null for any other. */
  entriesOf(value: object): readonly unknown[] | null;
  /** Why it cannot be kept now. */
  refusalOf(value: object): string | null;
  /** Gives it what it is known to have held, where scripts can change that. */
  giveBack?(value: object): void;
}

export interface PageLinkedObjects extends Required<PageLinks> {
  /** Whether a script made a range, and never selected it. */
  isOwnRange(value: object): boolean;
  /** What is going on in one that no snapshot can keep, in words. */
  unsettled(): string | null;
}

/** Canvases that scripts draw on. */
export interface PageCanvases {
  /** The canvas of a context; how often a gradient or a path was changed. Null for anything else. */
  entriesOf(value: object): readonly unknown[] | null;
  /** What a canvas shows and what is drawn next on it, as a word; empty where nothing draws on it. */
  heldBy(canvas: Element): string;
  /** Why it cannot be kept. */
  limitOf(canvas: Element): string | null;
  hold(canvas: Element, held: string): void;
}

/** The rules of each style sheet of an element that scripts wrote into, by the element. */
export type StyleRulesRecord = readonly (readonly [element: Element, rules: readonly string[]])[];

export interface PageStyleRules {
  capture(): StyleRulesRecord;
  restore(record: StyleRulesRecord): void;
  /** Whether a style sheet is still that of its element. */
  isCurrent(sheet: object): boolean;
  /** Whether its rules are kept: those of an element's, and of one that a script constructed. */
  isKept(sheet: object): boolean;
  /** The rules of a style sheet that a script constructed; null for others. */
  constructedRules(sheet: object): readonly string[] | null;
  restoreConstructed(sheet: object, rules: readonly string[]): void;
}

/** What a page has used that a snapshot does not cover. */
export interface PageTripwires {
  mark(): number;
  /** What was used since a mark that cannot be undone. */
  passed(mark: number): string | null;
  /** What was used that no snapshot covers. */
  beyond(): string | null;
  trip(what: string): void;
  /** Notes what cannot be undone: no snapshot between `from`, when what was changed was made, and now can be restored. */
  tripSince(what: string, from?: number): void;
  /** The type that a script gave the answers of a request, which shows in no member of it. */
  answerTypeOf(request: object): unknown;
  /** This moment, in snapshots. */
  moment(): number;
  /** Whether it trips when scripts call it or change its members. */
  isWire(value: object): boolean;
  /** Whether what happens now is not the page's doing. */
  isQuiet(): boolean;
  /** Does something that is not the page's doing. */
  quietly<T>(work: () => T): T;
}

export interface HistoryRecord {
  readonly entries: readonly { readonly number: number; readonly address: string; readonly state: unknown }[];
  readonly index: number;
  /** How many entries the document has had. */
  readonly made: number;
  readonly keys: string | null;
}

export interface PageHistory {
  capture(): HistoryRecord;
  restore(record: HistoryRecord): void;
  adopt(record: HistoryRecord): void;
  back(): void;
  canGoBack(): boolean;
}

export interface PageActions {
  /** Brings an element of the last look into view, unless the gesture cannot be made there. */
  locate(ref: string, gesture?: Gesture): Target | Promise<Target>;
  /** Finds it and clicks it by script where that does the same as a hand; the answer says whether it did. `posts`: scripts post messages. */
  click(ref: string, posts: boolean): Promise<Target>;
  /** Selects all that is in a field, so that what is typed takes its place. */
  begin(ref: string): void;
  /** Tells the page that an entry is complete. */
  complete(ref: string): void;
  /** Gives a field that cannot be typed into its value. */
  give(ref: string, value: string): void;
  choose(ref: string, option: string): void;
  /** A CSS path that finds it alone, in the document as any script sees it; null where there is none. */
  path(ref: string): string | null;
  /** Draws the numbers of the elements over the page, or takes them away. */
  mark(on: boolean): void;
}

export interface PageBase {
  /** Waits until the page was really drawn. */
  drawn(): Promise<void>;
  /** Waits by the real clock. */
  pause(milliseconds: number): Promise<void>;
  /** Resolves when the document has been loaded, or was to be left and stays after all. */
  loaded(): Promise<void>;
  /** Whether the document has frames, those in shadow roots aside. */
  hasFrames(): boolean;
  /** Resolves when a document that was to be left stays after all. */
  stay(): Promise<void>;
  letGo(): void;
}

export interface PageSettle {
  /**
   * Lets the page come to rest; says what did not.
   * @param meet tells the page where the pointer is, once what the action asked for was answered
   */
  settle(milliseconds: number, meet?: () => void): Promise<string | null>;
  /** Waits for the messages that scripts have posted. */
  delivered(): Promise<void>;
  /** Says whether somebody waits to be told of it. */
  endAnimations(): boolean;
  /** Whether scripts of the page wait to be told what only a drawn frame tells. */
  needsFrame(): boolean;
  /** Waits until they were told, and until what they asked for then was answered. */
  told(): Promise<void>;
  /** Whether something moves with the scrolling, once a frame is drawn. */
  followsScrolling(): boolean;
}

export interface PageClipboard {
  capture(): string;
  restore(text: string): void;
}

export interface PageImages {
  areLoading(): boolean;
  /** Told of attributes that a restore wrote; says why an image cannot be loaded again. */
  loadAgain(element: Element, names: readonly string[]): string | null;
}

/** The parts of the program that stand in the realm of the page: they replace what scripts of the page call. */
export interface MainParts extends PageLanguage {
  readonly listeners: PageListeners;
  readonly images: PageImages;
  readonly roots: PageShadowRoots;
  readonly pointer: PagePointer;
  readonly time: PageTime;
  readonly observers: PageObservers;
  readonly promises: PagePromises;
  readonly linked: PageLinkedObjects;
  readonly styleRules: PageStyleRules;
  readonly canvases: PageCanvases;
  readonly chosen: ChosenOptions;
  isAskedForValidity(): boolean;
  readonly databases: PageDatabases;
  readonly tripwires: PageTripwires;
  readonly handedOut: PageHandedOut;
  readonly history: PageHistory;
  readonly clipboard: PageClipboard;
}

export type MainWindow = Window & typeof globalThis;
