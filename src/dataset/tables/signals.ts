import { annotate, type Annotated, type Signal } from '../../analysis/signals/signal.ts';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import { columns, type Row, type Table } from '../rows/columns.ts';

export const annotations: Table = {
  name: 'signals',
  columns: columns({
    run: 'string',
    /** Null for a row of the task itself. */
    episode: 'string?',
    phase: 'string',
    round: 'int',
    environment: 'string',
    template: 'string',
    task: 'string',
    split: 'string',
    student: 'string?',
    outcome: 'string?',
    signal: 'string',
    /** The step; null for the whole episode. */
    node: 'int?',
    label: 'string',
    value: 'float?',
    note: 'string?',
  }),
};

/** What is written: signals that read one episode are asked anew, what others say was found before. */
export interface SignalRows {
  readonly asked: readonly Signal[];
  /** What signals said that compare episodes or play them again. */
  readonly said?: SaidBefore;
}

export interface SaidBefore {
  ofEpisode(run: string, episode: string): readonly Annotated[];
  ofTask(run: string, task: string): readonly Annotated[];
}

/** The columns that are null in a row of a task. */
interface Owner {
  readonly episode: string | null;
  readonly student: string | null;
  readonly outcome: string | null;
}
const noEpisode: Owner = { episode: null, student: null, outcome: null };

/** Makes the rows of one episode after another. What is said of a task itself comes with its first episode. */
export function createAnnotationRows({ asked, said }: SignalRows): (record: EpisodeRecord) => Iterable<Row> {
  const tasks = new Set<string>();
  return function* rows(record) {
    const { head, end } = record;
    const { run, key, phase, round } = head;
    const { environment, template, id, split } = head.task;
    const place = { phase, round, environment, template, task: id, split };
    const row = (own: Owner, annotated: Annotated): Row => {
      const { episode, student, outcome } = own;
      const { signal, node, label, value = null, note = null } = annotated;
      return { run, episode, ...place, student, outcome, signal, node, label, value, note };
    };
    const own = { episode: key, student: head.student, outcome: end.outcome };
    for (const annotated of annotate(record, asked)) yield row(own, annotated);
    if (said === undefined) return;
    for (const annotated of said.ofEpisode(run, key)) yield row(own, annotated);
    const task = `${run} ${id}`;
    if (tasks.has(task)) return;
    tasks.add(task);
    for (const annotated of said.ofTask(run, id)) yield row(noEpisode, annotated);
  };
}
