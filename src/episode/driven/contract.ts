import type { Action } from '../../core/action.ts';
import type { Candidate, SessionEnd, StateSession } from '../../core/contracts.ts';
import type { EpisodeEnd, EpisodeHead } from '../../core/episode/events.ts';
import type { Journal } from '../../core/episode/journal.ts';
import type { Remarks, Rollback } from '../../core/episode/trail.ts';
import type { Observation, Task, Verdict } from '../../core/records.ts';
import type { Actor, Tree, TreeNode } from '../../core/tree.ts';
import type { Resource } from '../cursor/budget.ts';
import type { Lifecycle, LifecycleOptions } from '../cursor/lifecycle.ts';
import type { GuardedLog } from '../cursor/log.ts';
import type { TakenStep } from '../cursor/path-view.ts';
import type { BranchEnd } from './branches.ts';

/**
 * An episode that is driven from outside: by a client of a server, say. Calls run one after another. Whatever breaks ends
 * the episode and is thrown; a mistake of the caller's is thrown and ends nothing. An episode ends once.
 *
 * A fork is another branch of the same episode, with the same interface. Each branch ends by itself, and the episode with
 * its last one.
 */
export interface DrivenEpisode {
  /** Of the episode: all branches have the same. */
  readonly key: string;
  readonly task: Task;
  readonly tree: Tree;
  /** 0 for the branch that opened the episode; forks count from 1. */
  readonly branch: number;
  /** The node it stands at; 0 is the start. */
  at(): number;
  /** `terminated` when the agent has finished, `truncated` when no steps are left; null while steps can be taken. */
  ended(): SessionEnd | null;
  left(resource: Resource): number;
  observe(): Promise<Observation>;
  /** The digest of the state now, which the tree has as `tree.digest(at())`. */
  digest(): Promise<string>;
  /** The actions on offer. An input error where the world does not list them. */
  candidates(): Promise<readonly Candidate[]>;
  /** Privileged: a session in the same state, the caller's to spoil. An input error where the world shows no state. */
  state(): Promise<StateSession>;
  step(action: Action, remarks?: DrivenRemarks): Promise<TreeNode>;
  /** The steps to here that this request took, when it took the last ones; also after the end. */
  takenFor(request: string): readonly TakenStep[];
  /** The request that took the last step to here; null when the client named none. */
  lastRequest(): string | null;
  /** Goes back to the recorded state of a node, restored or replayed, and compared. */
  rollback(node: number): Promise<Rollback>;
  /** Another branch at the same node. */
  fork(): Promise<DrivenEpisode>;
  /** The verdict here. Nothing ends: do not show it to the agent that is being measured. */
  verify(): Promise<Verdict>;
  /** Verifies where it stands, and ends. `stopped` says why, if the agent did not finish. */
  finish(stopped?: string): Promise<BranchEnd>;
  /** Ends without a verdict: nobody drives it any more. */
  abandon(why: string): Promise<BranchEnd>;
  /** Ends as errored: the code that drives it broke. */
  fail(cause: unknown): Promise<BranchEnd>;
  /** Null while it is open. */
  end(): BranchEnd | null;
}

export interface DrivenRemarks extends Remarks {
  /** What the agent saw instead of the screen. */
  readonly seen?: string | undefined;
  /** The request of a client that asks for the step, by the id that its retry has, too. At most 255 characters. */
  readonly request?: string | undefined;
}

export interface OpenEpisodeOptions extends Omit<LifecycleOptions, 'log' | 'signal' | 'task' | 'onEvent'> {
  readonly head: EpisodeHead;
  /** Null keeps nothing. */
  readonly journal: Pick<Journal, 'begin'> | null;
  /** Who takes the steps. */
  readonly actor?: Actor;
  /** An episode without a call for so long is abandoned; never when left out. */
  readonly idleMilliseconds?: number | undefined;
  /** Raised when the server closes: nothing is waited for any more, and the episode is abandoned. */
  readonly signal?: AbortSignal | undefined;
  /** Told once, when the end is written. */
  onEnd?(end: EpisodeEnd): void;
  /** Told when its sessions are closed, also when the store failed and no end could be written. */
  onRelease?(): void;
  /** Told of every branch: of the first one, and of each fork. */
  onBranch?(branch: DrivenEpisode): void;
  /** Told of the number of a branch that has ended. */
  onBranchEnd?(branch: number): void;
  /** Told of a store that fails while nobody waits. */
  onFault?(cause: unknown): void;
}

/** What all branches of an episode share. */
export interface DrivenOptions extends OpenEpisodeOptions {
  readonly signal: AbortSignal;
  readonly lifecycle: Lifecycle;
  readonly log: Pick<GuardedLog, 'failure'>;
  /** Closes the sessions when nothing can be written any more. */
  release(): Promise<void>;
}
