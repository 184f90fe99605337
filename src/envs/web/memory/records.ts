import type { Hash, HistoryRecord, Registration, TimeRecord, Watch } from '../page/keeper.ts';

/** What makes two moments of a page the same, or not. */
export interface Fingerprint {
  /** Of what can be known of the state: data, document, storage, address. */
  readonly digest: string;
  /** Of that, and of all that decides what happens next. */
  readonly certificate: string;
}

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
    | 'bytes'
    | 'text'
    | 'signal'
    | 'target'
    | 'weak'
    | 'node'
    | 'proxy'
    | 'function'
    /** Has nothing of its own to keep. */
    | 'still';
  /** Prototypes of the page's own that it has its methods from. */
  readonly made: readonly object[];
  /** Why what is in it cannot be read. */
  readonly closed: string | null;
}

export interface PageKinds {
  of(value: object): Kind;
  /** What a proxy stands for, and what it does about it. */
  behind(value: object): readonly [target: object, handler: object] | null;
  /** Whether a weak collection ever had anything in it. */
  isFilled(value: object): boolean;
  isNative(prototype: object): boolean;
}

/** What was in one object. */
export interface Content {
  /** Members that a list of them shows. */
  readonly shown: readonly string[];
  /** Members that hold a value. */
  readonly keys: readonly Key[];
  readonly values: readonly unknown[];
  /** What is in it beside its members. */
  readonly entries: readonly unknown[];
  /** Of something that can be listened to. */
  readonly registrations?: readonly Registration[];
  /** Everything that can be reached from it in one step. */
  readonly links: readonly object[];
  readonly hash: Hash;
}

export interface PageContents {
  /** The same object as long as nothing changed. */
  of(value: object, kind: Kind): Content;
  put(value: object, content: Content): void;
  /** A plain value as a word. */
  wordOf(value: unknown): string;
}

/** A name that a script of the page keeps something in. */
export interface Root {
  get(): unknown;
  set(value: unknown): void;
}

/** What a function holds in the scopes around it. */
export interface Closure {
  /** In names that are never assigned to again. */
  readonly constants: readonly unknown[];
  readonly variables: readonly Root[];
}

/** What the debugger says of a function; the scopes around it and what it was bound to are handed over beside. */
export interface ScopeFinding {
  readonly index: number;
  readonly script: string | null;
  /** How many parts it was bound to. */
  readonly bound: number;
}

/** What is still to be learned of a function, from within it. */
export interface ScopeNote {
  readonly index: number;
  readonly names: readonly string[];
  readonly wantsThis: boolean;
}

export interface PageScopes {
  /** Notes a function, to ask the debugger about it. */
  see(run: object): void;
  freshCount(): number;
  /** The functions that nothing is known of yet; the next calls name them by their place in this list. */
  take(): readonly object[];
  /** Takes what the debugger gave; the answer names the scripts to read. */
  hold(findings: readonly ScopeFinding[], ...handles: readonly unknown[]): readonly string[];
  /** Takes the names that each script assigns to; null when that can be any. */
  note(assigned: Readonly<Record<string, readonly string[] | null>>): readonly ScopeNote[];
  /** The function to stop in. */
  entrance(index: number): object | null;
  /** Calls a function that is stopped before it does anything. */
  enter(index: number): void;
  adopt(index: number, variables: readonly Root[], self: unknown): void;
  giveUp(reason: string): void;
  /** Why not everything is known. */
  unknown(): string | null;
  valuesOf(run: object): readonly unknown[];
  putValues(run: object, values: readonly unknown[]): void;
  wordOf(run: object): string;
  isNative(run: object): boolean;
}

/** Where the walk over the data starts, and what it needs to know of the document. */
export interface GraphRoots {
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
  readonly members: ReadonlyMap<string, unknown>;
  readonly hash: string;
  readonly sealed: string;
  readonly unsupported: string | null;
}

export interface PageGraph {
  /** Says what the scripts of the page keep in names that are no members of the window. */
  name(roots: readonly Root[]): void;
  capture(roots: GraphRoots): GraphRecord;
  restore(record: GraphRecord): void;
}

export interface NodeRecord {
  /** Attributes of an element, name and value in turn; the text of anything else. */
  readonly attributes: readonly string[] | string;
  readonly children: readonly Node[];
  readonly listeners: readonly Registration[];
  readonly isHolding: boolean;
  readonly isTemplate: boolean;
  /** What a form control holds, and whether a dialog is open. */
  readonly held: string;
  /** Of all but the children and the listeners. */
  readonly hash: Hash;
  readonly unsupported: string | null;
}

export interface PageFields {
  isHolding(element: Element): boolean;
  heldBy(element: Element): string;
  hold(element: Element, held: string): void;
}

/** Where the person at the page is. */
export interface PersonRecord {
  readonly focus: Element | null;
  readonly selection: readonly [start: number, end: number, direction: 'forward' | 'backward' | 'none'] | null;
  readonly range: readonly [anchor: Node, offset: number, focus: Node, offset: number] | null;
}

export interface PaperRecord {
  readonly nodes: readonly Node[];
  readonly records: readonly NodeRecord[];
  /** The document, and parts that are not in it. */
  readonly roots: readonly Node[];
  /** Nodes that scripts of the page hung something on, and the listeners of nodes. */
  readonly laden: readonly object[];
  readonly person: PersonRecord;
  readonly scrolls: readonly (readonly [element: Element, left: number, top: number])[];
  place(node: Node): number;
  readStray(node: Node): readonly object[];
  /** Of what the document says. */
  hash(): string;
  /** Of what can happen in it. */
  sealed(): string;
  /** What is in it that cannot be put back. */
  unsupported(): string | null;
}

export interface PagePaper {
  scripts(): number;
  capture(): PaperRecord;
  /** Says what cannot be put back. */
  restore(record: PaperRecord): string | null;
}

/** Everything that makes a moment of the page what it is. */
export interface Moment {
  readonly graph: GraphRecord;
  readonly paper: PaperRecord;
  readonly time: TimeRecord;
  readonly watches: ReadonlyMap<object, Watch>;
  readonly windows: readonly Registration[];
  readonly others: readonly (readonly [EventTarget, readonly Registration[]])[];
  readonly storage: readonly (readonly [Storage, readonly (readonly [string, string])[]])[];
  readonly cookie: string;
  readonly address: string;
  readonly history: HistoryRecord;
  readonly clipboard: string;
  readonly pointer: readonly Element[];
  readonly elements: readonly Element[];
  readonly digest: string;
  readonly certificate: string;
  readonly marks: { readonly promises: number; readonly limits: number };
}

/** A moment of the page that was kept. */
export interface Kept {
  readonly id: number;
  readonly fingerprint: Fingerprint;
  /** Why it cannot be put back, if so. */
  readonly unsupported: string | null;
  /** Functions of the page that nothing is known of yet. */
  readonly fresh: number;
  /** Script elements that have been in the document so far: each may bring new names. */
  readonly scripts: number;
  /** The entry of the browser's history that the document is. */
  readonly entry: string;
  /** The history of the page as JSON; null when it cannot be written so. */
  readonly history: string | null;
}

export interface PageMemory {
  keep(): Kept;
  /** Puts a moment back; says why it cannot be. */
  restore(id: number): Promise<string | null>;
  /** The same in two parts; between them the pointer can be moved, and nobody hears of it. */
  put(id: number): string | null;
  confirm(id: number): Promise<string | null>;
  forget(ids: readonly number[]): void;
}

declare global {
  /** The parts of the keeper that keep moments. */
  interface EspalierKeeper {
    kinds: PageKinds;
    contents: PageContents;
    scopes: PageScopes;
    graph: PageGraph;
    fields: PageFields;
    person: { capture(): PersonRecord; restore(record: PersonRecord): void };
    scrolls: { now(): PaperRecord['scrolls']; put(wanted: PaperRecord['scrolls']): void };
    paper: PagePaper;
    memory: PageMemory;
  }
}
