import type { Policy } from '../../core/episode/agents.ts';
import type { EpisodeHead } from '../../core/episode/events.ts';

/** A policy under evaluation. Its name must differ from that of every other policy in the store. */
export interface Contender {
  readonly name: string;
  policyFor(head: EpisodeHead): Policy;
  /** What it was named by, so that a worker can make it as well: a file of `espalier train`, a module, or `untrained`. */
  readonly source?: string;
  /** What its config says, of a student that asks models: other machines make it from this. */
  readonly asked?: AskedStudent;
}

export type AskedStudent = Readonly<Record<string, unknown>>;
