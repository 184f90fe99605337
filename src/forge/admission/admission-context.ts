import type { Action } from '../../core/action.ts';
import type { Planner, StateEnvironment } from '../../core/contracts.ts';
import type { Json } from '../../core/json.ts';
import type { Task } from '../../core/records.ts';

/** An instance that was solved. */
export interface Solved {
  readonly task: Task;
  readonly actions: readonly Action[];
  readonly final: Json;
}

/** What the rungs know of a template while it climbs: each leaves what the next ones need. */
export interface AdmissionContext {
  readonly environment: StateEnvironment;
  /** The same world with other labels and another order. */
  varied(seed: number): StateEnvironment;
  readonly template: string;
  readonly planner: Planner;
  readonly seeds: readonly number[];
  /** Runs to try when looking for wrong ones that pass. */
  readonly tries: number;
  readonly tasks: Task[];
  readonly solved: Solved[];
  /** Templates admitted before this one. */
  readonly others: AdmissionContext[];
}

export interface Rejection {
  readonly law: string;
  readonly detail: string;
}

export interface Rung {
  readonly name: string;
  readonly law: string;
  /** Null when the template holds, else why it falls. */
  check(context: AdmissionContext): string | Rejection | null;
}
