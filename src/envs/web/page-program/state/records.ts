import type {
  DatabasesRecord,
  HistoryRecord,
  MainWindow,
  PageLinkedObjects,
  PageListeners,
  PagePromises,
  PageStyleRules,
  Registration,
  SelectedRange,
  StyleRulesRecord,
  TimeRecord,
  Watch,
} from '../parts.ts';
import type { KnownNames, ScopeNote, PageView } from '../page-records.ts';
import type { WeakPair } from '../shims/language.ts';
import type { PermanentMembers } from '../shims/permanent-members.ts';
import type { Hash, Neutral } from './hash.ts';
import type { LoadedRecord } from './loaded.ts';
import type { Changed, Natives } from './natives.ts';
import type { PlatformData } from './platform-data.ts';
import type { Stored } from './storages.ts';

export type Key = string | symbol;

/** What kind of thing an object is. */
export interface Kind {
  readonly form:
    | 'plain'
    | 'array'
    | 'map'
    | 'set'
    | 'date'
    | 'pattern'
    | 'boxed'
    | 'bytes'
    | 'address'
    | 'signal'
    | 'target'
    | 'weak'
    | 'rectangle'
    | 'list'
    | 'style'
    | 'pairs'
    | 'request'
    | 'node'
    | 'event'
    | 'proxy'
    | 'promise'
    | 'linked'
    | 'reference'
    | 'trusted'
    | 'sheet'
    | 'walker'
    /** Written back once the document is. */
    | 'range'
    | 'function'
    /** Never changes. */
    | 'constant';
  /** Prototypes of the page's own that it has its methods from. */
  readonly made: readonly object[];
  /** Why what is in it cannot be read. */
  readonly closed: string | null;
}

export interface PageKinds {
  of(value: object): Kind;
  /** What an object with this prototype looks like. */
  byPrototype(prototype: object | null): Kind;
}

/** What was in one object. */
export interface Content {
  readonly form: Kind['form'];
  /** Own members in their order; indices of an array are entries, unless one of them has unusual attributes. */
  readonly keys: readonly Key[];
  /** The value of each, or its getter and setter. */
  readonly values: readonly unknown[];
  /** For each key whether it is writable, enumerable, configurable, an accessor; then whether members can be added. */
  readonly attributes: string;
  readonly prototype: object | null;
  /** The stack of an error. It is no part of the hash: it names scripts of ours as well. */
  readonly stack: string | null;
  /** Of a function: whether what it has for its instances is as the browser made it, and therefore no link. */
  readonly isPristine: boolean;
  /** What is in it beside its members. */
  readonly entries: readonly unknown[];
  /** Its private fields, place and value in turn. */
  readonly privates: readonly unknown[];
  /** Of something that can be listened to. */
  readonly registrations?: readonly Registration[];
  /** Everything that can be reached from it in one step. */
  readonly links: readonly object[];
  readonly hash: Hash;
  /** Why not everything in it is known. */
  readonly closed: string | null;
}

/** The getter and setter of a member. */
export interface Accessor {
  readonly get: unknown;
  readonly set: unknown;
}

export interface PageContents {
  /** The same object as long as nothing changed. */
  of(value: object, kind: Kind): Content;
  restore(value: object, content: Content): void;
  /** A plain value as a word. */
  wordOf(value: unknown): string;
}

export interface ContentsOptions {
  readonly main: MainWindow;
  readonly neutral: Neutral;
  readonly kinds: PageKinds;
  readonly natives: Natives;
  readonly listeners: PageListeners;
  readonly scopes: PageScopes;
  /** Tells of every object whose attributes, prototype or extensibility a script changes. */
  onReshape(told: (object: object) => void): void;
  behindProxy(value: object): readonly [target: object, handler: object] | null;
  readonly promises: PagePromises;
  readonly linked: PageLinkedObjects;
  readonly styleRules: PageStyleRules;
  readonly permanent: PermanentMembers;
  readonly platform: PlatformData;
  /** Members of a style that are no properties of CSS. */
  membersOfStyle(style: object): readonly Key[];
  /** The type that a script gave the answers of a request, which shows in no member of it. */
  answerTypeOf(request: object): unknown;
}

/** A name that a script of the page keeps something in. */
export interface Root {
  get(): unknown;
  set(value: unknown): void;
}

/** A private field of a class, as seen from within the class. */
export interface PrivateField {
  has(value: object): boolean;
  get(value: object): unknown;
  set(value: object, member: unknown): void;
}

/** Names at the top of a module. */
export interface TopNames {
  readonly names: readonly string[];
  /** Functions among them that need not be asked about, and how they end. */
  readonly plain: readonly { readonly name: string; readonly tail: string }[];
}

/** What a function holds in the scopes around it. */
export interface Closure {
  /** In the order of their names: when and how each was learned of must not show. */
  readonly members: readonly ClosureMember[];
  /** Variables that are still to be learned from within the function. */
  readonly names: readonly string[];
  /** What it was bound to, its `this` and the class that its `super` means. */
  readonly others: readonly unknown[];
}

/** A variable that a function uses: its value where it is never assigned to again. */
export type ClosureMember =
  | { readonly name: string; readonly root: null; readonly value: unknown }
  | { readonly name: string; readonly root: Root };

export interface PageScopes {
  /** Notes a function, to ask the debugger about it. */
  see(run: object): void;
  freshCount(): number;
  /** The functions that nothing is known of yet; the next calls name them by their place in this list. */
  take(): readonly object[];
  /** Takes findings as JSON, then what the debugger gave; the answer tells of which functions the scripts have to be read. */
  hold(given: ArrayLike<unknown>): readonly number[];
  /** Takes what the scripts say of these functions, in their order. */
  note(names: readonly KnownNames[]): readonly ScopeNote[];
  /** What is left to be learned of functions that share a scope with one that was entered. */
  noteDeferred(): readonly ScopeNote[];
  /** The function to stop in. */
  entrance(index: number): object | null;
  /**
   * Where to stop in it. With optional calls, the browser would take one of them for the place where it begins. One that may first
   * work out what it was not given stops where its body begins.
   */
  stopOf(index: number): 'start' | 'place' | 'body';
  /** Calls a function that is stopped before it does anything. */
  enter(index: number): void;
  adopt(
    index: number,
    found: {
      readonly variables: ArrayLike<Root>;
      readonly self: unknown;
      readonly privates: ArrayLike<PrivateField>;
      /** Names as JSON. */
      readonly owners: ArrayLike<{ readonly mark: unknown; readonly names: string; readonly roots: ArrayLike<Root> }>;
    },
  ): void;
  /** Takes names at the top of a module (`TopNames` as JSON), from within one of its functions. */
  adoptTop(script: string, found: string, roots: ArrayLike<Root>): void;
  topRoots(): readonly Root[];
  /** The functions that were asked about last, and what stands at the top of modules. */
  learned(): readonly unknown[];
  /** The private fields of an object, place and value in turn. */
  privatesOf(value: object): readonly unknown[];
  restorePrivates(value: object, wanted: readonly unknown[]): void;
  giveUp(reason: string): void;
  /** Why not everything is known. */
  unknown(): string | null;
  valuesOf(run: object): readonly unknown[];
  /** Whether these are its values; makes nothing. */
  areValues(run: object, values: readonly unknown[]): boolean;
  restoreValues(run: object, values: readonly unknown[]): void;
  wordOf(run: object): string;
  isNative(run: object): boolean;
}

/** Where the walk over the data starts, and what it needs to know of the document. */
export interface GraphRoots {
  /** Whether what scripts made of natives is taken to be what it was, but for the window. */
  readonly unchecked: boolean;
  nodeWord(node: Node): string;
  /** Reads a part that is not in the document; gives what scripts hung on it. */
  readTree(node: Node): readonly object[];
  readonly laden: readonly object[];
  /** Counted in the certificate alone. */
  readonly later: readonly unknown[];
}

/** The data of the scripts of a page: every object that can be reached from its roots, and what was in it. */
export interface GraphRecord {
  readonly objects: readonly object[];
  readonly contents: readonly Content[];
  readonly roots: readonly (readonly [root: Root, value: unknown])[];
  /** What scripts made of the window and of other natives. */
  readonly changed: readonly Changed[];
  /** Everything in each weak collection, also what hangs on objects that nobody else holds. */
  readonly weak: readonly { readonly collection: object; readonly pairs: readonly WeakPair[] }[];
  readonly hash: string;
  readonly sealed: string;
  readonly unsupported: string | null;
}

export interface PageGraph {
  /** Says what the scripts of the page keep in names that are no members of the window. */
  name(roots: ArrayLike<Root>): void;
  /** Counts an object as one that scripts of the page hold. */
  hold(value: object): void;
  capture(roots: GraphRoots): GraphRecord;
  /** Goes on from where more is known than at the last capture, and notes functions of which nothing is known yet. */
  spread(): void;
  /** The first object that is not as it was, in words. */
  difference(now: GraphRecord, kept: GraphRecord): string;
  restore(record: GraphRecord, unchecked: boolean): void;
  /** Ranges follow the document: called when that is restored. */
  restoreRanges(record: GraphRecord): void;
}

export interface NodeRecord {
  /** Attributes of an element, name and value in turn; the text of anything else. */
  readonly attributes: readonly string[] | string;
  readonly children: readonly Node[];
  readonly listeners: readonly Registration[];
  readonly isHolding: boolean;
  readonly isTemplate: boolean;
  /** What is drawn in its place, where a script attached it. */
  readonly shadow: ShadowRoot | null;
  /** Whether a class of the page made it: it may hold something that nobody sees. */
  readonly isCustom: boolean;
  /** What a form control holds, and whether a dialog is open. */
  readonly held: string;
  /** Of all but the children and the listeners. */
  readonly hash: Hash;
  readonly unsupported: string | null;
}

/** Texts of fields that no script can read: Node reads them. */
export interface HiddenTexts {
  takeUnknown(): readonly HTMLInputElement[];
  unknownCount(): number;
  learn(field: HTMLInputElement, text: string): void;
}

export interface PageFields {
  isHolding(element: Element): boolean;
  heldBy(element: Element): string;
  hold(element: Element, held: string): void;
  /** Whether it is a dialog or popover. */
  isLayer(element: Element): boolean;
  /** Opens and closes all dialogs and popovers, so that they lie in front of each other as they did; says why that is not all. */
  holdLayers(wanted: readonly (readonly [layer: Element, held: string])[]): string | null;
  /** Prepares the field that has the focus; gives what has to be typed in it by hand. */
  beginTyping(element: Element, held: string): string | null;
  endTyping(element: Element, held: string): void;
  /** Says that the focus was taken from an element. */
  leave(element: Element): void;
  /** Why a canvas cannot be kept. */
  limitOfCanvas(canvas: Element): string | null;
  /** Whether it shows a text that is not known. */
  hidesText(element: Element): boolean;
  readonly texts: HiddenTexts;
}

/** Where the person at the page is. */
export interface FocusRecord {
  readonly focus: Element | null;
  /** Whether the browser draws a ring around it. */
  readonly isVisible: boolean;
  /** Whether it draws one around what a script gives the focus to: it does unless the mouse moved the focus last. */
  readonly isByKey: boolean;
  /** What the browser takes it to be in where there are slots: it does not look again when somebody is put into another one. */
  readonly around: readonly Element[];
  /** The element that the address points at. */
  readonly target: Element | null;
  readonly selection: readonly [start: number, end: number, direction: 'forward' | 'backward' | 'none'] | null;
  readonly range: SelectedRange | null;
}

export interface PageFocus {
  capture(): FocusRecord;
  restore(record: FocusRecord): void;
  scrollsNow(): DomRecord['scrolls'];
  /** A hidden box whose scrolling nobody can read, in words; null when there is none. */
  hiddenScroll(): string | null;
  restoreScrolls(wanted: DomRecord['scrolls']): void;
  /** Lets the Tab key start anew where nothing has the focus. */
  forgetTabStart(): void;
  /** What a person has to do before a record is restored, so that the browser shows the focus as it did. */
  handFor(record: FocusRecord): 'key' | 'mouse' | null;
}

export interface DomRecord {
  readonly nodes: readonly Node[];
  readonly records: readonly NodeRecord[];
  /** The document, and parts that are not in it. */
  readonly roots: readonly Node[];
  /** The style sheets that the document and shadow roots have adopted. */
  readonly adopted: readonly (readonly [root: Document | ShadowRoot, sheets: readonly CSSStyleSheet[]])[];
  /** Nodes that scripts of the page hung something on, the listeners of nodes, adopted style sheets. */
  readonly laden: readonly object[];
  readonly focus: FocusRecord;
  readonly radioChanges: number;
  readonly scrolls: readonly (readonly [element: Element, left: number, top: number])[];
  place(node: Node): number;
  readStray(node: Node): readonly object[];
  /** Of what the document says. */
  hash(): string;
  /** Of what can happen in it. */
  sealed(): string;
  /** What is in it that cannot be restored. */
  unsupported(): string | null;
}

export interface DomRestored {
  readonly problem: string | null;
  readonly typing: string | null;
}

export interface PageDom {
  scripts(): number;
  capture(): DomRecord;
  /** Says what cannot be restored, and what has to be typed by hand. */
  restore(record: DomRecord): DomRestored;
  /** What was to be typed has been. */
  endTyping(record: DomRecord): void;
  restoreFocus(record: DomRecord): void;
  /** What a person has to do before it is restored. */
  handFor(record: DomRecord): 'key' | 'mouse' | null;
  /** The first node that is not as it was. */
  difference(now: DomRecord, kept: DomRecord): string;
}

/** Everything that makes a state of the page what it is. */
export interface SnapshotRecord {
  readonly graph: GraphRecord;
  readonly dom: DomRecord;
  readonly time: TimeRecord;
  readonly watches: ReadonlyMap<object, Watch>;
  readonly styleRules: StyleRulesRecord;
  readonly databases: DatabasesRecord;
  readonly windows: readonly Registration[];
  readonly others: readonly (readonly [EventTarget, readonly Registration[]])[];
  readonly storage: Stored;
  readonly cookie: string;
  readonly address: string;
  /** The name of the window. */
  readonly name: string;
  readonly history: HistoryRecord;
  readonly clipboard: string;
  readonly pointer: readonly Element[];
  readonly elements: readonly Element[];
  readonly loaded: LoadedRecord;
  readonly digest: string;
  readonly certificate: string;
  readonly marks: { readonly promises: number; readonly tripwires: number };
  readonly view: PageView | null;
}
