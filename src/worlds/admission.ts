import type { StateSession } from '../core/contracts.ts';
import type { Task } from '../core/records.ts';

/** What a ladder says of a template. */
export interface Admission {
  readonly template: string;
  readonly admitted: boolean;
  /** The rung at which it was rejected, and the rule behind it. */
  readonly rung: string | null;
  readonly law: string | null;
  readonly detail: string;
  /** What was tried, by the name of the rung: whether it held; null where it could not be tried. Left out by ladders that stop where a template falls. */
  readonly parts?: Readonly<Record<string, boolean | null>>;
}

/** A simple agent that must not pass often. */
export interface Baseline {
  readonly name: string;
  /** The largest share of tasks that it may pass; a tenth when left out. */
  readonly most?: number;
  play(session: StateSession): void;
}

/** What the ladder of worlds must know of an environment whose sessions show their state. */
export interface WorldLadder {
  readonly baselines: readonly Baseline[];
  /** What else the environment knows to be wrong with a task; null when nothing is. */
  fault?(task: Task): string | null;
}

/** A ladder that an environment climbs by itself. */
export interface OwnLadder {
  admit(templates: readonly string[], seeds: number): Iterable<Admission> | AsyncIterable<Admission>;
}
