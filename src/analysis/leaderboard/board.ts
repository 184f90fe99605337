import type { Estimate } from '../estimate.ts';
import type { Trial } from '../evaluate.ts';
import type { Interval } from '../stats.ts';

/** What can be spent on an episode. */
export const costNames = ['dollars', 'tokens', 'seconds', 'questions', 'steps'] as const;
export type CostName = (typeof costNames)[number];
export type Costs = Readonly<Record<CostName, number>>;

/** An attempt of an entrant at a task, with what the inspection of its log found. */
export interface BoardTrial extends Trial {
  /** As the grid names it. */
  readonly environment: string;
  /** Key of the episode in the run of its cell. */
  readonly episode: string;
  readonly costs: Costs;
  /** The exploit that a pass rests on; null for none. */
  readonly gamed: string | null;
  /** What looks like an exploit, and may be an honest shortcut. */
  readonly suspect: string | null;
  /** The side that broke; null unless errored. */
  readonly broke: string | null;
}

/** A student in a harness: what is ranked. */
export interface EntrantName {
  readonly id: string;
  readonly student: string;
  readonly harness: string;
}

/** The trials of an entrant in one environment. */
export interface BoardCell {
  readonly entrant: string;
  readonly environment: string;
  /** Folder of its run, from the folder of the board. */
  readonly folder: string;
  /** Episodes that the grid asks for; more than there are trials where it was stopped. */
  readonly planned: number;
  readonly trials: readonly BoardTrial[];
}

/** A policy to compare with, in one environment; it is not ranked. */
export interface BaselineCell {
  readonly name: string;
  readonly environment: string;
  readonly trials: readonly BoardTrial[];
}

/** Everything that a board is made from. */
export interface Grid {
  readonly title: string;
  readonly entrants: readonly EntrantName[];
  readonly environments: readonly string[];
  /** Days on which environments were released, by their name; others have none. */
  readonly dates?: Readonly<Record<string, string>>;
  readonly cells: readonly BoardCell[];
  readonly baselines: readonly BaselineCell[];
}

/** Episodes, told apart by what they are worth as evidence. */
export interface Counted {
  /** Gamed passes count as failures. */
  readonly honest: Estimate;
  /** As the verifiers say. */
  readonly verified: Estimate;
  readonly gamed: number;
  readonly suspect: number;
  /** Episodes that broke, by the side that did. In no rate. */
  readonly broken: Readonly<Record<string, number>>;
  /** Mean of an episode with a verdict. */
  readonly costs: Costs;
  /** Sum over all episodes, broken ones included. */
  readonly spent: Costs;
}

export interface CellResult extends Counted {
  readonly environment: string;
  readonly folder: string;
  readonly planned: number;
  readonly episodes: number;
}

/** Why an entrant is not on the front. */
export interface Dominated {
  readonly by: string;
  /** Rate of the other less this one, on the same tasks. */
  readonly difference: Interval & { readonly mean: number };
}

export interface EntrantResult extends EntrantName, Counted {
  /** By the honest rate; equal rates share a rank. */
  readonly rank: number;
  /** Ranks that 95 of 100 draws of templates and tasks leave. */
  readonly ranks: Interval;
  readonly cells: readonly CellResult[];
  /** Null on the front of the board's cost, and without a rate. */
  readonly dominated: Dominated | null;
}

/** A pass that rests on an exploit, or looks like it. */
export interface Flag {
  readonly entrant: string;
  readonly environment: string;
  readonly task: string;
  readonly kind: 'gamed' | 'suspect';
  readonly exploit: string;
  readonly folder: string;
  readonly episode: string;
}

export interface Board {
  readonly version: 1;
  readonly title: string;
  /** What the front is drawn against: the first of dollars, tokens and questions that anybody spent. */
  readonly cost: CostName;
  /** The best first. */
  readonly entrants: readonly EntrantResult[];
  readonly environments: readonly string[];
  readonly baselines: readonly { readonly name: string; readonly environment: string; readonly estimate: Estimate }[];
  readonly flags: readonly Flag[];
  /** Trials that every entrant made and that ended with a verdict for all, out of all that were planned. */
  readonly episodes: number;
  readonly planned: number;
  readonly tasks: number;
}
