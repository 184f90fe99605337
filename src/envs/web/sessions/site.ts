import type { Awaitable } from '../../../core/contracts.ts';
import type { Ending, Task, Verdict } from '../../../core/records.ts';
import type { Action } from '../../../core/action.ts';
import type { Incident } from '../browser/incident-log.ts';
import type { Page } from '../browser/page.ts';

/** Gives the value of an expression in the page. */
export type Ask = (expression: string) => Promise<unknown>;

/** Somebody's pages, served for one session. */
export interface Site {
  /** Where the session starts. Other origins are out of reach unless they are allowed. */
  readonly url: string;
  /** The port of this machine that answers for the origin, where that is not its own. */
  readonly port?: number | undefined;
  /** Further origins that the page may reach. */
  readonly allow?: readonly string[] | undefined;
  /** A recording of what the servers of the page answer. */
  readonly answers?: Answers | undefined;
  /** Sent with every request of the page, so that its server knows it. */
  readonly headers: Readonly<Record<string, string>>;
  /** More headers for one request, asked for before it leaves the page. */
  readonly sign?: ((request: PageRequest) => Promise<Readonly<Record<string, string>>>) | undefined;
  /** Told of the page before it loads anything. */
  readonly watch?: ((page: Page) => Promise<void>) | undefined;
  /** Told of each action of the agent before it is done. */
  readonly acting?: ((action: Action) => void) | undefined;
  /** What the clock of the page says at the start, in milliseconds since 1970. */
  readonly start: number;
  readonly seed: number;
  /** The files of the pages by path, where no server stands behind them: their address can then be the same in every run. */
  readonly files?: ((path: string) => Promise<SiteFile | null>) | undefined;
  /** False when the page keeps state where it cannot be read: then there are no snapshots, and paths are replayed. */
  readonly keeps?: false | undefined;
  /** Done when the page has been loaded and before anybody looks. */
  readonly begin?: ((ask: Ask) => Promise<void>) | undefined;
  /** Whether the page itself has ended the episode. */
  readonly isOver?: ((ask: Ask) => Promise<boolean>) | undefined;
  /** What the server holds of the session: kept with every snapshot, and restored with it. */
  capture(): Awaitable<ServerState>;
  /** The part of what the server holds that the verifier judges, where it reads nothing else. */
  readonly judged?: ((state: ServerState) => string) | undefined;
  /** What its server would not take since this was last asked. */
  readonly incidents?: (() => readonly Incident[]) | undefined;
  /** Why the server cannot be brought back there, and is as it was; nothing when it is there. Throws when it is in neither state. */
  restore(state: ServerState): Awaitable<string | null | undefined>;
  /** What is known to differ between sessions; told where a replay differs. */
  readonly unsteady?: (() => string | null) | undefined;
  /** Whether something has run in the page that no restore takes back. */
  readonly isTainted?: (() => Promise<boolean>) | undefined;
  /** Judges by a task: the one that the page was opened for, or another one that began in it. */
  verify(ending: Ending | null, ask: Ask, task: Task): Awaitable<Verdict>;
  close(): Awaitable<void>;
}

/** A request that a page is about to send. */
export interface PageRequest {
  readonly url: string;
  readonly method: string;
  /** What kind of thing asks for it, as the DevTools protocol calls it: `Fetch`, `XHR`, `Document`, `Ping`. */
  readonly resourceType: string;
  /** The frame that asks; workers have none. */
  readonly frameId?: string | undefined;
}

/** Gives answers out of a recording, or makes one. */
export interface Answers {
  /** Whether it is about this origin; servers of others are asked. */
  covers(origin: string): boolean;
  /** The recorded answer, null where there is none; no server is asked. Left out while a recording is made. */
  find?(request: RecordedRequest): Answer | null;
  record?(request: RecordedRequest, answer: Answer): void;
}

export interface RecordedRequest {
  readonly url: string;
  readonly method: string;
  readonly postData?: string | undefined;
}

/** As the DevTools protocol takes it. */
export interface Answer {
  readonly responseCode: number;
  readonly responseHeaders: readonly { readonly name: string; readonly value: string }[];
  /** In base64. */
  readonly body: string;
}

export interface SiteFile {
  readonly body: Buffer;
  readonly type: string;
}

/** Immutable, and comparable by its text. */
export interface ServerState {
  readonly text: string;
  /** What is the same in every replay, where the text is not: servers note real times and draw real chance. */
  readonly steady?: string | undefined;
}
