import { signals } from '../../analysis/signals/signals.ts';
import { createRegistry } from '../../core/naming/registry.ts';
import { correctionRows, corrections } from './corrections.ts';
import { episodeRow, episodes } from './episodes.ts';
import { nemoGym, nemoGymRows } from './nemo-gym.ts';
import { dialogueRows, dialogues } from './dialogues.ts';
import { nextActionRows, nextActions } from './next-actions.ts';
import { preferenceRows, preferences } from './preferences.ts';
import { promptCompletion, promptCompletionRows, promptCompletionText } from './prompt-completion.ts';
import { annotations, createAnnotationRows, type SignalRows } from './signals.ts';
import type { ExportedEpisode, Exporter } from '../rows/exporter.ts';
import { methodTables } from '../methods/methods.ts';

export type { ExportedEpisode, Exporter };

/** The table of what these signals say. */
export function signalTable(chosen: SignalRows): Exporter {
  const rowsOf = createAnnotationRows(chosen);
  return {
    ...annotations,
    about: 'What signals say of steps, episodes and tasks, one row for each annotation; written when asked for.',
    episodes: 'all',
    pictured: false,
    isOptional: true,
    rows: ({ record }) => rowsOf(record),
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
      located: true,
      rows: nextActionRows,
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
    {
      ...promptCompletion,
      about:
        'The rows of next-actions cut where the answer begins, for trainers that learn it alone; written when asked for.',
      episodes: 'training',
      pictured: true,
      located: true,
      isOptional: true,
      rows: promptCompletionRows,
    },
    promptCompletionText(null),
    {
      ...dialogues,
      about: 'One chat for each archived leaf, with the messages to learn; written when asked for.',
      episodes: 'training',
      pictured: true,
      isOptional: true,
      rows: dialogueRows,
    },
    signalTable({ asked: signals.entries }),
    {
      ...nemoGym,
      about: 'Tasks as rows of a dataset for NeMo Gym, one for each task; written when asked for.',
      episodes: 'training',
      pictured: false,
      isOptional: true,
      rows: ({ record, requests }) => nemoGymRows(record, requests),
    },
    ...methodTables,
  ],
});

/** Those that an export writes unless others are named. */
export const usualTables: readonly Exporter[] = exporters.entries.filter(({ isOptional }) => isOptional !== true);
