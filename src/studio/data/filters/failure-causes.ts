import { countCauses, failureOf } from '../../../analysis/signals/causes.ts';
import { isByPerson } from '../../../core/episode/events.ts';
import { foldEpisode, type EpisodeRecord } from '../../../core/episode/record.ts';
import type { FailureGroups } from '../../api/api-episodes.ts';
import { isOfStudent, type IndexedRow } from '../episode-rows.ts';
import type { RunIndex } from '../run-index.ts';

/** Groups the failures of a run by their cause, as the report does. */
export interface FailureCauses {
  groups(): FailureGroups;
  /** The ids of the failures that have this cause; of all failures for `any`. */
  ids(cause: string): ReadonlySet<number>;
}

/** Failures that are read: each takes a millisecond or more. */
const mostRead = 1000;
/** An episode of more steps is not read: its steps are compared with each other. */
const mostSteps = 2000;

export function createFailureCauses(index: () => RunIndex): FailureCauses {
  const causes = new Map<number, string>();
  const failures = (): IndexedRow[] =>
    index()
      .rows()
      .filter(row => row.outcome !== 'passed' && isOfStudent(row));
  const readable = (all: readonly IndexedRow[]): IndexedRow[] =>
    all.filter(({ taken }) => taken <= mostSteps).slice(0, mostRead);
  const collected = (): ReadonlySet<string> =>
    new Set(
      index()
        .rows()
        .filter(row => row.phase === 'collect' && !isByPerson(row))
        .map(({ environment }) => environment),
    );
  function* read(rows: readonly IndexedRow[]): Generator<EpisodeRecord> {
    for (const { id } of rows) yield foldEpisode(index().listing.episode(id));
  }
  const causeOf = (id: number): string => {
    const known = causes.get(id) ?? failureOf(foldEpisode(index().listing.episode(id)))?.cause ?? 'none';
    causes.set(id, known);
    return known;
  };
  return {
    groups() {
      const all = failures();
      const rows = readable(all);
      const idOf = new Map(rows.map(({ id, key }) => [key, id]));
      const groups = countCauses(read(rows), { collected: collected() }).map(
        ({ example: { command: _command, ...example }, ...group }) => ({
          ...group,
          example: { ...example, episode: idOf.get(example.episode) ?? 0 },
        }),
      );
      return { groups, read: rows.length, failures: all.length };
    },
    ids(cause) {
      if (cause === 'any') return new Set(failures().map(({ id }) => id));
      const rows = readable(failures());
      return new Set(rows.filter(({ id }) => causeOf(id) === cause).map(({ id }) => id));
    },
  };
}
