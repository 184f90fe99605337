/** Types of environments and their tasks, and of branches that a person has begun. */

/** A branch that somebody began and did not keep. */
export interface TakeOverDraft {
  readonly id: string;
  readonly person: string;
  /** 0 where a task is played from its start. */
  readonly episode: number;
  readonly node: number;
  readonly steps: number;
  readonly instruction: string;
  /** Why it cannot be read; null when it can. */
  readonly problem: string | null;
}

/** A task to play: a template of an environment of the run, and the seed that makes the task. */
export interface PlayRequest {
  readonly run: string;
  readonly person: string;
  readonly environment: string;
  readonly template: string;
  readonly seed: number;
}

/** An environment of a run. */
export interface RunEnvironment {
  readonly id: string;
  /** How the run names it: `mail`, `forge:mail`, the path of a module. */
  readonly name: string;
  /** Why it cannot be opened; null when it can. */
  readonly problem: string | null;
  /** What a forged task was asked before it was admitted; empty for tasks that were not forged. */
  readonly rungs: readonly string[];
  readonly templates: readonly RunTemplate[];
}

export interface RunTemplate {
  readonly id: string;
  readonly split: string;
  readonly kind: string;
  readonly about: string;
  /** Episodes of agents in the run, and how many passed. */
  readonly episodes: number;
  readonly passed: number;
  /** Seeds of tasks in the run, a few of them. */
  readonly seeds: readonly number[];
}
