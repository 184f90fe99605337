import { groupId } from '../../analysis/signals/annotate-episodes.ts';
import type { EpisodeHead } from '../../core/episode/events.ts';
import type { RunningThread, Threads } from '../jobs/threads.ts';
import { episodeId, partOf, type AnnotatedLines, type RunPart } from './annotate-part.ts';

export interface AnnotateInThreads {
  readonly threads: Threads;
  /** URL of a module whose `run` annotates a part, and what it is given for one. */
  readonly module: string;
  dataFor(part: RunPart): unknown;
  /** The episodes, in the order of the file. */
  readonly heads: Iterable<EpisodeHead>;
  onEpisode?(): void;
}

/** Annotates parts of a run beside each other. The lines come in the order that one thread would give them in. */
export async function* annotateInThreads(options: AnnotateInThreads): AsyncGenerator<string> {
  const { threads, module, dataFor, heads, onEpisode } = options;
  const { count } = threads;
  // Read before the threads read: they find all of these, and perhaps some that were written since.
  const order = Array.from(heads, head => ({ id: episodeId(head), group: groupId(head), part: partOf(head, count) }));
  const running: RunningThread[] = [];
  try {
    for (let index = 0; index < count; index++)
      running.push(threads.start({ module, data: dataFor({ index, count }) }));
    const parts = running.map(readLines);
    for (const { id, part } of order) {
      yield* linesUpTo(parts[part] as PartLines, id);
      onEpisode?.();
    }
    for (const [group, part] of new Map(order.map(one => [one.group, one.part])))
      yield* linesUpTo(parts[part] as PartLines, group);
  } finally {
    await Promise.all(running.map(thread => thread.close()));
  }
}

type PartLines = AsyncGenerator<AnnotatedLines>;

async function* readLines(thread: RunningThread): PartLines {
  for (let batch = await thread.next(); batch !== null; batch = await thread.next())
    yield* batch as readonly AnnotatedLines[];
}

/** Those before it are of episodes that were written since. */
async function* linesUpTo(part: PartLines, id: string): AsyncGenerator<string> {
  for (;;) {
    const { value, done } = await part.next();
    if (done === true) throw new Error(`A thread ended before it had annotated ${id}.`);
    const { id: found, lines } = value as AnnotatedLines;
    yield lines;
    if (found === id) return;
  }
}
