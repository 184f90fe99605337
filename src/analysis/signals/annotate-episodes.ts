import type { StoredEpisode } from '../../core/episode/journal.ts';
import { foldEpisode, type EpisodeRecord } from '../../core/episode/record.ts';
import type { Awaitable } from '../../core/contracts.ts';
import { annotate, annotateForks, annotateGroup, type Annotated, type ForkWorld, type Signal } from './signal.ts';
import { createTrace } from './trace.ts';

/** What signals say of one episode, or of a group: then `episode` is null. */
export interface AnnotatedEpisode {
  readonly run: string;
  readonly episode: string | null;
  /** The task, for what was found by comparing its episodes. */
  readonly group?: string;
  readonly annotations: readonly Annotated[];
}

export interface AnnotateOptions {
  readonly episodes: Iterable<StoredEpisode>;
  readonly signals: readonly Signal[];
  /** Plays an episode again; left out, signals say only what the records show. */
  readonly openWorld?: (episode: EpisodeRecord) => Awaitable<ForkWorld>;
}

/** Annotates episodes one after another, and the groups at the end. Memory holds one episode and the profiles of the groups. */
export async function* annotateEpisodes(options: AnnotateOptions): AsyncGenerator<AnnotatedEpisode> {
  const { episodes, signals, openWorld } = options;
  const groups = createGroups(signals);
  const isForked = signals.some(({ forks }) => forks !== undefined);
  for (const stored of episodes) {
    const record = foldEpisode(stored);
    const { run, key } = record.head;
    groups.add(record);
    const annotations = [...annotate(record, signals)];
    if (openWorld !== undefined && isForked && record.end.outcome !== 'errored')
      annotations.push(...(await annotateForks(record, signals, await openWorld(record))));
    yield { run, episode: key, annotations };
  }
  yield* groups.annotations();
}

interface Group {
  readonly run: string;
  readonly task: string;
  readonly keys: string[];
  /** For each signal that compares, the profiles of the episodes. */
  readonly profiles: unknown[][];
}

function createGroups(signals: readonly Signal[]) {
  const comparing = signals.filter(({ group }) => group !== undefined);
  const groups = new Map<string, Group>();
  return {
    add(record: EpisodeRecord): void {
      if (comparing.length === 0) return;
      const { run, key, task } = record.head;
      const id = `${run} ${task.seal}`;
      const known = groups.get(id) ?? { run, task: task.id, keys: [], profiles: comparing.map(() => []) };
      groups.set(id, known);
      known.keys.push(key);
      const trace = createTrace(record);
      for (const [index, { group }] of comparing.entries())
        (known.profiles[index] as unknown[]).push(group?.profile(record, trace));
    },
    *annotations(): Generator<AnnotatedEpisode> {
      for (const { run, task, keys, profiles } of groups.values()) {
        const found = comparing.flatMap((signal, index) =>
          annotateGroup(
            signal,
            keys.map((episode, place) => ({ episode, profile: profiles[index]?.[place] })),
          ),
        );
        for (const [episode, own] of Map.groupBy(found, said => said.episode))
          yield { run, episode, group: task, annotations: own.map(({ episode: _episode, ...said }) => said) };
      }
    },
  };
}
