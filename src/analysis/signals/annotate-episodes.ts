import { isByPerson, type EpisodeHead } from '../../core/episode/events.ts';
import type { StoredEpisode } from '../../core/episode/journal.ts';
import { foldEpisode, type EpisodeRecord } from '../../core/episode/record.ts';
import type { Awaitable } from '../../core/contracts.ts';
import { annotate, annotateForks, annotateGroup, type Annotated, type ForkWorld, type Signal } from './signal.ts';
import { createTrace, type Trace } from './trace.ts';

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

/** What was found by comparing the episodes of a task. */
interface AnnotatedGroup {
  /** That of `groupId`. */
  readonly id: string;
  readonly lines: readonly AnnotatedEpisode[];
}

/** Annotates episodes as they come; groups are compared when all their episodes have come. */
export interface Annotator {
  episode(stored: StoredEpisode): Promise<AnnotatedEpisode>;
  /** In the order in which their first episodes came. */
  groups(): Iterable<AnnotatedGroup>;
}

/** Memory holds one episode and the profiles of the groups. */
export function createAnnotator({ signals, openWorld }: Omit<AnnotateOptions, 'episodes'>): Annotator {
  const groups = createGroups(signals);
  const isForked = signals.some(({ forks, group }) => forks !== undefined || group?.usesForks === true);
  return {
    async episode(stored) {
      const record = foldEpisode(stored);
      const { run, key } = record.head;
      const trace = createTrace(record);
      const isPlayed = openWorld !== undefined && isForked && record.end.outcome !== 'errored';
      const world = isPlayed ? await openWorld(record) : undefined;
      groups.add(record, trace, world);
      let annotations = annotate(record, signals, trace);
      if (world !== undefined) annotations = [...annotations, ...(await annotateForks(record, signals, world))];
      return { run, episode: key, annotations };
    },
    groups: () => groups.compared(),
  };
}

/** Episodes with the same are compared with each other. People are compared with people: they change nothing that is said of an agent. */
function groupId(head: EpisodeHead): string {
  return `${head.run} ${head.task.seal}${isByPerson(head) ? ' by people' : ''}`;
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
    add(record: EpisodeRecord, trace: Trace, world?: ForkWorld): void {
      const { run, key, task } = record.head;
      const id = groupId(record.head);
      const known = groups.get(id) ?? { run, task: task.id, keys: [], profiles: comparing.map(() => []) };
      groups.set(id, known);
      known.keys.push(key);
      for (const [index, { group }] of comparing.entries())
        (known.profiles[index] as unknown[]).push(group?.profile(record, trace, world));
    },
    *compared(): Generator<AnnotatedGroup> {
      for (const [id, { run, task, keys, profiles }] of groups) {
        const found = comparing.flatMap((signal, index) =>
          annotateGroup(
            signal,
            keys.map((episode, place) => ({ episode, profile: profiles[index]?.[place] })),
          ),
        );
        const lines = [...Map.groupBy(found, said => said.episode)].map(([episode, own]) => ({
          run,
          episode,
          group: task,
          annotations: own.map(({ episode: _episode, ...said }) => said),
        }));
        yield { id, lines };
      }
    },
  };
}
