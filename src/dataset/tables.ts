import type { Signal } from '../analysis/signals/signal.ts';
import { signals } from '../analysis/signals/signals.ts';
import type { EpisodeRecord } from '../core/episode/record.ts';
import { createRegistry, type Entry } from '../core/naming/registry.ts';
import type { Candidate } from './candidate.ts';
import type { Row, Table } from './export/columns.ts';
import { correctionRows, corrections } from './export/corrections.ts';
import { episodeRow, episodes } from './export/episodes.ts';
import { nemoGym, nemoGymRows } from './export/nemo-gym.ts';
import { nextActionRows, nextActions } from './export/next-actions.ts';
import { preferenceRows, preferences } from './export/preferences.ts';
import { annotationRows, annotations } from './export/signals.ts';
import type { Requests } from './requests/requests.ts';

/** An episode as it is exported. */
export interface ExportedEpisode {
  readonly record: EpisodeRecord;
  /** Its leaves that the archive kept; none of an episode that is not trained on. */
  readonly archived: readonly Candidate[];
  /** What a model is asked at each step. */
  readonly requests: Requests;
  /** Whether the action of this node is right in its state, as some exported episode shows. */
  isRight(node: number): boolean;
}

/** A table of rows that an export writes: a file of its own for each format. */
export interface Exporter extends Table, Entry {
  readonly name: string;
  readonly about: string;
  /** `training` leaves out evaluation and held-out templates; `all` takes every finished episode. */
  readonly episodes: 'training' | 'all';
  /** Whether its rows name a node, whose picture goes with them. */
  readonly pictured: boolean;
  /** Written only when it is asked for by name. */
  readonly isOptional?: boolean;
  rows(episode: ExportedEpisode): Iterable<Row>;
}

/** The table of what these signals say. */
export function signalTable(chosen: readonly Signal[]): Exporter {
  return {
    ...annotations,
    about: 'What signals say of steps and episodes, one row for each annotation; written when asked for.',
    episodes: 'all',
    pictured: false,
    isOptional: true,
    rows: ({ record }) => annotationRows(record, chosen),
  };
}

/** The tables that can be exported. */
export const exporters = createRegistry<Exporter>({
  noun: 'table',
  plural: 'tables',
  about: 'Tables that `espalier export` writes, a file of rows for each.',
  module: { member: 'table', powers: ['name', 'columns', 'rows'] },
  entries: [
    {
      ...nextActions,
      about: 'Every step on the way to an archived leaf, with what was seen: for supervised training.',
      episodes: 'training',
      pictured: true,
      rows: ({ archived, requests }) => nextActionRows(archived, requests),
    },
    {
      ...corrections,
      about: 'What the teacher did instead of a rejected step.',
      episodes: 'training',
      pictured: true,
      rows: ({ record, requests }) => correctionRows(record, requests),
    },
    {
      ...preferences,
      about: 'The correction against the step that it replaces, in the same state, unless that step is right as well.',
      episodes: 'training',
      pictured: true,
      rows: ({ record, requests, isRight }) => preferenceRows(record, requests, isRight),
    },
    {
      ...episodes,
      about: 'One row for each finished episode: who, what, how it ended and what it cost.',
      episodes: 'all',
      pictured: false,
      rows: ({ record }) => [episodeRow(record)],
    },
    signalTable(signals.entries),
    {
      ...nemoGym,
      about: 'Tasks as rows of a dataset for NeMo Gym, one for each task; written when asked for.',
      episodes: 'training',
      pictured: false,
      isOptional: true,
      rows: ({ record, requests }) => nemoGymRows(record, requests),
    },
  ],
});

/** Those that an export writes unless others are named. */
export const usualTables: readonly Exporter[] = exporters.entries.filter(({ isOptional }) => isOptional !== true);
