import { openRun } from '../folder/folder.ts';
import { chooseSignals } from '../registry/signals.ts';
import { annotatePart, inBatches, partOf, type AnnotatedLines, type RunPart } from './annotate-part.ts';

export interface AnnotateJobData {
  /** Folder of the run. */
  readonly folder: string;
  /** By name or module; all built-in ones when left out. */
  readonly signals: readonly string[] | undefined;
  readonly part: RunPart;
}

/** Annotates one part of a run, in a thread of its own. */
export async function* run({
  folder,
  signals: names,
  part,
}: AnnotateJobData): AsyncGenerator<readonly AnnotatedLines[]> {
  const signals = await chooseSignals(names);
  const source = openRun(folder);
  try {
    const episodes = source.episodes({ wants: ({ head }) => partOf(head, part.count) === part.index });
    yield* inBatches(annotatePart({ episodes, signals }));
  } finally {
    source.close();
  }
}
