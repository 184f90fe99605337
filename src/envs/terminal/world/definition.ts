import type { JsonObject } from '../../../core/json.ts';
import type { InitialFile, Limits } from '../sandbox/sandbox.ts';

/** What must hold in the end. Paths are relative to the home of the user. */
export type Check = { readonly id: string; readonly name: string } & CheckRule;

type CheckRule =
  /** A file with exactly this text; spaces at the ends of lines and empty lines at the end do not count. */
  | { readonly kind: 'text'; readonly path: string; readonly text: string }
  | { readonly kind: 'mode'; readonly path: string; readonly mode: number }
  | { readonly kind: 'link'; readonly path: string; readonly target: string }
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'absent'; readonly path: string }
  /** A file as it was at the start. */
  | { readonly kind: 'unchanged'; readonly path: string }
  /**
   * A command that prints this and ends with this code. It runs over the files of the world and those of its own, which no agent sees.
   */
  | {
      readonly kind: 'run';
      readonly command: string;
      readonly output: string;
      readonly exitCode?: number;
      readonly files?: readonly InitialFile[];
    };

/** A task of a terminal world: all of it follows from a template and a seed. */
export interface TerminalTask {
  readonly instruction: string;
  /** Relative to the home of the user. */
  readonly files: readonly InitialFile[];
  /** Commands that make the rest of the start, such as the history of a repository. */
  readonly setup?: readonly string[];
  readonly checks: readonly Check[];
  /** Paths that may change, as patterns. */
  readonly allow: readonly string[];
  /** Paths that may not, though others beside them may. */
  readonly deny?: readonly string[];
  /** Files that differ from run to run though nothing is different. */
  readonly incidental?: readonly string[];
  /** Commands that solve it, one a step. */
  readonly oracle: readonly string[];
  /** Solutions that are almost right, each as the commands of one: none may pass. */
  readonly mutants: readonly (readonly string[])[];
  /** The answer that the task asks for, beside what it asks to do. */
  readonly answer?: string;
  /** How the world at the start stands to the goal, after ClawForge. */
  readonly conflict?: string;
  /** Limits and variables of its commands that are not the usual ones. */
  readonly limits?: Partial<Limits>;
  readonly variables?: Readonly<Record<string, string>>;
  /** What else is known of it, for its parameters. */
  readonly facts?: JsonObject;
}
