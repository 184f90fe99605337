import { hash } from 'node:crypto';
import type { Action } from '../../../core/action.ts';
import type { Ending } from '../../../core/records.ts';
import type { Incident } from '../browser/incident-log.ts';
import type { ServerState, Site } from './site.ts';
import type { PageSnapshot, Tab } from '../tab/tab.ts';

/** One state of a session: of its page, of the server behind it, and of the episode. A value: the page may show another one. */
export interface PageState {
  /** The page that holds the snapshot. */
  readonly tab: Tab;
  readonly site: Site;
  readonly snapshot: PageSnapshot;
  readonly server: ServerState;
  readonly digest: string;
  readonly ending: Ending | null;
  /** How it was reached: replayed in another page when this one is lost or refuses the snapshot. */
  readonly path: Path | null;
  /** Whether a restore on the way to it was not compared. */
  readonly unchecked: boolean;
}

/** The steps to a state, last one first. */
export interface Path {
  readonly before: Path | null;
  readonly action: Action;
  readonly digest: string;
}

/** The value that some work in a page gave, and the state that it left the page in. */
export interface WorkResult<T> {
  readonly value: T;
  readonly state: PageState;
}

export type PageWork<T> = (at: PageState) => Promise<WorkResult<T>>;

/** Takes the incidents that arrived after the turn that caused them; each is given once. */
export type LateIncidents = () => readonly Incident[];

/** The state that a page and its server are in now. */
export async function readState(at: Omit<PageState, 'server' | 'digest'>): Promise<PageState> {
  const server = await at.site.capture();
  const { fingerprint, pointer } = at.snapshot;
  // What lies under the pointer may look and do otherwise.
  const input = pointer === null ? [] : [pointer];
  const text = JSON.stringify([fingerprint.digest, at.ending, hash('sha256', server.steady ?? server.text), ...input]);
  return { ...at, server, digest: hash('sha256', text).slice(0, 32) };
}

/** What pages that took the same path have alike, beside their digest: what happens next in them, and where everything lies. */
export function fingerprintOf({ fingerprint, view }: PageSnapshot): string {
  const { scroll, focus, boxes, appearance } = view;
  return hash('sha256', JSON.stringify([fingerprint.certificate, scroll, focus, boxes, appearance])).slice(0, 32);
}
