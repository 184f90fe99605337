import type { Box } from '../../../core/records.ts';

/** What Node and the program inside a page tell each other. Plain JSON; no types of the DOM. */

/** Something that happened beside. */
export interface PageIncident {
  readonly kind: string;
  readonly detail: string;
}

/** How the program is started in a page. */
export interface ProgramOptions {
  /** `app`: a page that we draw ourselves. `site`: a page of somebody else. */
  readonly page: 'app' | 'site';
  /** What the clock of the page says at the start, in milliseconds since 1970. */
  readonly start: number;
  readonly seed: number;
  /** Whether snapshots are taken: only then the page is watched for what a snapshot does not cover. */
  readonly keeps: boolean;
  /** The word with which the program hands itself over to Node. */
  readonly greeting: string;
}

/** Follows the greeting when the program tells Node that a script used the real clock or real chance. */
export const realClockWord = 'real clock';

/** What can be seen of a page. */
export interface PageView {
  readonly text: string;
  readonly scroll: { readonly x: number; readonly y: number };
  readonly focus: string | null;
  readonly boxes: readonly Box[];
  /** A hash of where every element of the page lies and whether it can be seen. */
  readonly appearance: string;
}

/** Where to point at to act on an element, or why that cannot be. */
export type Target =
  | {
      readonly x: number;
      readonly y: number;
      readonly entry: 'none' | 'text' | 'value' | 'choice';
      /** Whether it was clicked at once, by a script. */
      readonly isClicked?: true;
    }
  | { readonly problem: string; readonly code: string };

/** What is to be done with an element. */
export interface Gesture {
  readonly kind: 'click' | 'fill' | 'select';
  readonly text?: string;
  readonly option?: string;
}

/** What makes two states of a page the same, or not. 128 bits each. */
interface Fingerprint {
  /** Of what can be known of the state: data, document, storage, address. */
  readonly digest: string;
  /** Of that, and of all that decides what happens next. */
  readonly certificate: string;
}

/** A snapshot that was taken inside the page. */
export interface SnapshotHandle {
  readonly id: number;
  readonly fingerprint: Fingerprint;
  /** Why it cannot be restored, if so. */
  readonly unsupported: string | null;
  /** What scripts used that no snapshot covers, in words: it may show what a restore cannot take back. */
  readonly beyond: string | null;
  /** Functions of the page whose scopes are not known yet. */
  readonly fresh: number;
  /** Fields that show a text which only Node can read, and which is not known yet. */
  readonly texts: number;
  /** Script elements that have been in the document so far: each may bring new names. */
  readonly scripts: number;
  /** Addresses of the modules that the document names. */
  readonly modules: readonly string[];
  /** The entry of the browser's history that the document is. */
  readonly entry: string;
  /** The history of the page as JSON; null when it cannot be written so. */
  readonly history: string | null;
}

/** How Node asks the program to let the page come to rest, and to keep it. */
export interface RestCall {
  /** How much of its own time passes; null where a frame is enough. */
  readonly milliseconds: number | null;
  /** Where the pointer is, if the page is to be told. */
  readonly at?: { readonly x: number; readonly y: number } | null;
  readonly unchecked: boolean;
  /** Whether the snapshot is of use later. */
  readonly keeps: boolean;
}

export interface RestoreOptions {
  /** Whether the page is neither looked at nor compared afterwards: for searches. */
  readonly unchecked: boolean;
}

/** How Node asks the program for a restore. */
export interface RestoreCall extends RestoreOptions {
  /**
   * `begin` pauses before the page is compared, and `finish` goes on from there: in between Node moves the pointer and types.
   * Without a phase, the restore pauses only where something has to be typed.
   */
  readonly phase?: 'begin' | 'finish' | undefined;
}

/**
 * A restore that pauses; `typing` has to be typed before it goes on. With `hand` nothing was restored yet: a key has to be
 * pressed before, or the mouse at the upper left corner. The page does not hear of it.
 */
export type RestoreAttempt =
  | { readonly typing: string | null }
  | { readonly refused: string }
  | { readonly hand: 'key' | 'mouse' };

/** A snapshot was restored: what the page shows now, or why it could not be. Unchecked, nobody looked. */
export type Restored = { readonly view: PageView } | { readonly unseen: true } | { readonly refused: string };

/** What the debugger says of a function; the scopes around it and what it was bound to are handed over beside. */
export interface ScopeFinding {
  readonly index: number;
  /** How many parts it was bound to. */
  readonly bound: number;
  /** Whether no script has it. */
  readonly isNative: boolean;
}

/** A class around a function. */
export interface ClassHome {
  /** Where it stands in its script. */
  readonly offset: number;
  /** Its private fields. */
  readonly fields: readonly string[];
  /** Whether there is one of it: it stands at the top of its script. */
  readonly isSingle: boolean;
  /** Whether another class has private members of the same names in between. */
  readonly isCovered?: boolean;
}

/** A scope that functions share: the value of `mark` is a function that no other scope has there. */
export interface ScopeOwner {
  readonly mark: string;
  /** Those of its variables that the function uses and that change; when it is entered, all that can be seen there and change. */
  readonly names: readonly string[];
}

/** What a script says of the variables around a function. Without `uses`, any that it speaks of may be meant. */
export interface KnownNames {
  readonly uses?: readonly string[];
  readonly script?: string;
  /** Those that may be given another value; null when that can be any. */
  readonly assigned: readonly string[] | null;
  /** Those that may still have to be declared. */
  readonly late?: readonly string[];
  /** Scopes around the function, by a function that each has of its own. */
  readonly owners?: readonly ScopeOwner[];
  /** Those that stand at the top of the script. */
  readonly atTop?: readonly string[];
  /** Classes whose private members it uses, and those whose `super`. */
  readonly privates?: readonly ClassHome[];
  readonly supers?: readonly ClassHome[];
  /** Whether it is an arrow function that uses the `this` of the function around it. */
  readonly usesThis?: boolean;
  /** What class it is; null for a function. */
  readonly home?: ClassHome | null;
  /** How the function ends. */
  readonly tail?: string;
}

/** What is still to be learned of a function, from within it. */
export interface ScopeNote {
  readonly index: number;
  readonly names: readonly string[];
  readonly wantsThis: boolean;
  /** Classes whose private fields have to be read from within it. */
  readonly privates: readonly ClassHome[];
  /** Scopes whose variables are handed over with it, for all functions that share them. */
  readonly owners: readonly ScopeOwner[];
}
