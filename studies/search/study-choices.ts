import { join } from 'node:path';

/** What determines a study; written down when it begins. */
export interface SearchStudyChoices {
  /** Folder of apps, one app folder, or an environment with pages. */
  readonly place: string;
  /** Names of apps; all when null. */
  readonly apps: readonly string[] | null;
  /** Kinds of tasks: `function`, `easy`, `medium`, `hard`; all when null. */
  readonly kinds: readonly string[] | null;
  /** Tasks of each app; all when null. */
  readonly most: number | null;
  readonly nodes: number;
  /** Longest search of a task; null for no limit. With one, results depend on the machine. */
  readonly taskSeconds: number | null;
  /** For the whole study: each phase has its share; null for no limit. With one, results depend on the machine. */
  readonly minutes: number | null;
  /** Different solutions of a task that are kept at most. */
  readonly solutions: number;
  readonly rounds: number;
  /** Times the nodes of its last search that a task gets when a round tries it again; 1 where it is not said. */
  readonly deepen?: number;
  /** A student that guides the searches in the place of the one that the study trains: `small`, `small:<folder or address>` or a file. */
  readonly guide?: string;
  /** Of the probabilities of the guide; words have the rest. */
  readonly weight?: number;
  /** Clicks of a tour of each app before it is searched; none where it is not said, in studies of before. */
  readonly tour?: number;
  /** Apps that are never trained on. */
  readonly holdOut: readonly string[];
  /** How rounds were planned before the study went on with more; what stands above is of the last ones. */
  readonly earlier?: readonly StudyStage[];
  readonly seed: number;
  /** With `compare`: so many comparisons, with this seed and those after it, each in a folder of its own. One in the folder itself where it is not said. */
  readonly seeds?: number;
  /** With `compare`: the command that teaches a model, which is the student in the place of the one that learns here. */
  readonly teach?: string;
  /** Compares ways to learn at equal cost in the place of the rounds. */
  readonly compare?: true;
}

/** Rounds that were planned at one time, and how they search. A study that goes on with more rounds has several stages. */
export interface StudyStage {
  /** Up to the end of the stage, those of earlier stages included. */
  readonly rounds: number;
  readonly solutions: number;
  readonly kinds: readonly string[] | null;
  readonly deepen?: number;
}

export function optionsFile(folder: string): string {
  return join(folder, 'study-options.json');
}
