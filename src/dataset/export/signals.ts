import { annotate, type Signal } from '../../analysis/signals/signal.ts';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import { columns, type Row, type Table } from './columns.ts';

export const annotations: Table = {
  name: 'signals',
  columns: columns({
    run: 'string',
    episode: 'string',
    phase: 'string',
    round: 'int',
    environment: 'string',
    template: 'string',
    task: 'string',
    split: 'string',
    student: 'string',
    outcome: 'string',
    signal: 'string',
    /** The step; null for the whole episode. */
    node: 'int?',
    label: 'string',
    value: 'float?',
    note: 'string?',
  }),
};

/** What signals say of an episode. */
export function* annotationRows(record: EpisodeRecord, signals: readonly Signal[]): Iterable<Row> {
  const { head, end } = record;
  const { environment, template, id, split } = head.task;
  const place = { run: head.run, episode: head.key, phase: head.phase, round: head.round, environment, template };
  const episode = { ...place, task: id, split, student: head.student, outcome: end.outcome };
  for (const { signal, node, label, value = null, note = null } of annotate(record, signals))
    yield { ...episode, signal, node, label, value, note };
}
