import type { Ending } from '../../../core/records.ts';
import type { Place, Pool, RunRequest } from '../sandbox/sandbox.ts';
import type { PinnedClock } from './clock.ts';
import type { FileTree, IsIncidental } from './tree.ts';

/** What a terminal shows in a state, and which live one that is: only the newest state of a live terminal goes on in it. */
interface TerminalView {
  readonly id: number;
  readonly version: number;
  readonly screen: string;
}

/** A state of a terminal world: immutable, so that a snapshot is a pointer to it. */
export interface WorldState {
  /** Ids of layers, the newest first. */
  readonly layers: readonly string[];
  readonly tree: FileTree;
  readonly place: Place;
  readonly ending: Ending | null;
  /** Where somebody has typed into a terminal. */
  readonly terminal?: TerminalView;
}

/** What a world is made over: where its layers lie, and what commands begin with. */
export interface WorldGround {
  readonly pool: Pool;
  readonly home: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly isIncidental: IsIncidental;
  /** Pins the clock and random numbers by this library. */
  readonly clock?: PinnedClock | undefined;
  /** What else every request has: limits, a user, folders of the store. */
  readonly request?: Partial<Pick<RunRequest, 'limits' | 'user' | 'folders'>>;
}
