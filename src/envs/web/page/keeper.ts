import type { Box } from '../../../core/records.ts';

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
  /** Resolves a promise: it can do so once only. */
  readonly isResolver: boolean;
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
  /** Lets time pass, and runs what falls due; says what did not come to rest. */
  advance(milliseconds: number): Promise<string | null>;
  /** Milliseconds until the next timer; Infinity when there is none. */
  next(): number;
  capture(): TimeRecord;
  restore(record: TimeRecord): void;
  /** Timers of resolvers that have run since the page was loaded. */
  hasFired(id: number): boolean;
  /** Lets everything that waits for its turn have it. */
  turn(): Promise<void>;
}

export interface PageTraffic {
  /** Resolves when nothing is being fetched. */
  idle(): Promise<void>;
  pending(): number;
}

/** A listener as it was registered. */
export interface Registration {
  readonly type: string;
  readonly listener: EventListenerOrEventListenerObject;
  readonly capture: boolean;
  readonly passive: boolean | undefined;
}

export interface PageListeners {
  /** The registrations of a target; the same array as long as nothing changed. */
  of(target: EventTarget): readonly Registration[];
  put(target: EventTarget, registrations: readonly Registration[]): void;
  /** While it is muted, nothing in the page hears of anything. */
  mute(on: boolean): void;
  hears(type: string): boolean;
  /** Listens for us: not in the register of the page. */
  hear(type: string, listener: (event: Event) => void): void;
  /** Forgets what observers of the page would be told next. */
  drain(): void;
}

/** What can be seen of a page. */
export interface Sight {
  readonly text: string;
  readonly scroll: { readonly x: number; readonly y: number };
  readonly focus: string | null;
  readonly boxes: readonly Box[];
}

/** Where to point at to act on an element, or why that cannot be. */
export type Place =
  | { readonly x: number; readonly y: number; readonly entry: 'none' | 'text' | 'value' | 'choice' }
  | { readonly problem: string; readonly code: string };

export interface PageHand {
  /** Brings an element of the last look into view. */
  locate(ref: string): Place;
  /** Selects all that is in a field, so that what is typed takes its place. */
  begin(ref: string): void;
  /** Tells the page that an entry is complete. */
  complete(ref: string): void;
  /** Gives a field that cannot be typed into its value; says what is wrong with it. */
  give(ref: string, value: string): string | null;
  choose(ref: string, option: string): string | null;
  /** Draws the numbers of the elements over the page, or takes them away. */
  mark(on: boolean): void;
}

/** What makes two moments of a page the same, or not. */
export interface Fingerprint {
  /** Of what can be known of the state: data, document, storage, address. */
  readonly digest: string;
  /** Of that, and of all that decides what happens next. */
  readonly certificate: string;
}

/** The data of the scripts of a page: every object that can be reached from its roots, and what was in it. */
export interface GraphRecord {
  readonly objects: readonly object[];
  readonly contents: readonly Content[];
  readonly roots: readonly (readonly [root: Root, value: unknown])[];
  readonly members: ReadonlyMap<string, unknown>;
  readonly hash: string;
}

/** What was in one object. */
export interface Content {
  readonly keys: readonly string[] | null;
  readonly values: readonly unknown[];
  /** Of its keys and plain values. */
  readonly hash: number;
}

/** A name that a script of the page keeps something in. */
export interface Root {
  get(): unknown;
  set(value: unknown): void;
}

export interface PageGraph {
  /** Says what the scripts of the page keep in names that are no members of the window. */
  name(roots: readonly Root[]): void;
  capture(more: readonly object[]): GraphRecord;
  restore(record: GraphRecord): void;
}

export interface NodeRecord {
  /** Attributes of an element, name and value in turn; the text of anything else. */
  readonly attributes: readonly string[] | string;
  readonly children: readonly Node[];
  readonly listeners: readonly Registration[];
  /** What a form control holds, and whether a dialog is open. */
  readonly held: string;
  /** Of all but the children and the listeners. */
  readonly hash: number;
}

export interface PaperRecord {
  readonly nodes: readonly Node[];
  readonly records: readonly NodeRecord[];
  /** Nodes that scripts of the page hung something on. */
  readonly laden: readonly Node[];
  readonly scrolls: readonly (readonly [element: Element, left: number, top: number])[];
  readonly focus: number;
  readonly selection: readonly [number, number] | null;
  /** Of what the document says. */
  readonly hash: string;
  /** Of what can happen in it. */
  readonly sealed: string;
  /** What is in it that cannot be put back. */
  readonly unsupported: string | null;
}

export interface PagePaper {
  capture(): PaperRecord;
  /** Says whether anything was scrolled. */
  restore(record: PaperRecord): boolean;
}

/** A moment of the page that was kept. */
export interface Kept {
  readonly id: number;
  readonly fingerprint: Fingerprint;
  /** Why it cannot be put back, if so. */
  readonly unsupported: string | null;
}

export interface PageMemory {
  keep(): Kept;
  /** Puts a moment back; says why it cannot be. */
  restore(id: number): Promise<string | null>;
  forget(ids: readonly number[]): void;
}

/** What stands in every page of ours, before any script of the page has run. */
export interface Keeper {
  time: PageTime;
  traffic: PageTraffic;
  listeners: PageListeners;
  /** The elements of the last look, in the order of their numbers. */
  elements: readonly Element[];
  look(): Sight;
  hand: PageHand;
  graph: PageGraph;
  paper: PagePaper;
  memory: PageMemory;
  /** Two numbers that go on from two before them: 64 bits of everything that was mixed in. */
  mix(hash: number, next: number): number;
  mixText(hash: number, text: string): number;
  incidents: { readonly kind: string; readonly detail: string }[];
  settle(milliseconds: number): Promise<string | null>;
  /** Waits until the page was really drawn. */
  drawn(): Promise<void>;
}

declare global {
  var espalierKeeper: Keeper;
}
