import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { EpisodeHead } from '../../../core/episode/events.ts';
import type { JsonObject } from '../../../core/json.ts';
import { createZipFile, type ZipFile } from '../zip-file.ts';
import { fileNameOf, type TrajectoryFile, type TrajectoryTarget } from '../format.ts';
import type { Sample } from './sample.ts';

/** What the episodes of one log have in common: Inspect has one task and one model in each. */
export type LogSubject = Pick<EpisodeHead, 'run' | 'phase' | 'round' | 'student' | 'strategy'> & {
  readonly environment: string;
  /** 1, and more where a log would become too large for one file. */
  readonly part: number;
};

/** A `.eval` file while it is written. */
export interface EvalLog {
  /** An id for this task that no other sample of the same epoch has. */
  freeId(task: string, epoch: number): string;
  add(sample: Sample): void;
  isFull(): boolean;
  finish(): TrajectoryFile;
  abandon(): void;
}

/** Far below what a ZIP file without extensions can hold. */
const mostSamples = 10_000;
const mostBytes = 2 ** 31;

interface Tally {
  readonly ids: Set<string>;
  epochs: number;
  /** Scores of each id, for the mean over epochs. */
  readonly scores: Map<string, number[]>;
  errors: number;
}

export function createEvalLog(subject: LogSubject, target: TrajectoryTarget): EvalLog {
  const name = nameOf(subject);
  const zip = createZipFile(join(target.folder, name));
  const taken = new Set<string>();
  const summaries: JsonObject[] = [];
  const tally: Tally = { ids: new Set(), epochs: 1, scores: new Map(), errors: 0 };
  const spec = (): JsonObject => specOf(subject, target, tally);
  return {
    freeId(task, epoch) {
      const base = fileNameOf(task);
      let id = base;
      for (let number = 2; taken.has(`${id}\n${epoch}`); number++) id = `${base}-${number}`;
      taken.add(`${id}\n${epoch}`);
      return id;
    },
    add({ sample, summary, pass }) {
      const { id, epoch } = sample as { readonly id: string; readonly epoch: number };
      zip.add(`samples/${id}_epoch_${epoch}.json`, JSON.stringify(sample));
      summaries.push(summary);
      tally.ids.add(id);
      tally.epochs = Math.max(tally.epochs, epoch);
      if (pass !== null) tally.scores.set(id, [...(tally.scores.get(id) ?? []), Number(pass)]);
      if (sample['error'] !== undefined) tally.errors++;
    },
    isFull: () => summaries.length >= mostSamples || zip.size() >= mostBytes,
    finish() {
      writeHeader(zip, { spec: spec(), summaries, tally, subject, startedAt: target.startedAt });
      return { name, trajectories: summaries.length, ...zip.finish() };
    },
    abandon: zip.abandon,
  };
}

function nameOf({ phase, round, environment, student, strategy, part }: LogSubject): string {
  const words = [phase, `round-${round}`, environment, student, strategy, ...(part === 1 ? [] : [`part-${part}`])];
  return `${fileNameOf(words.join('_'))}.eval`;
}

interface Header {
  readonly spec: JsonObject;
  readonly summaries: readonly JsonObject[];
  readonly tally: Tally;
  readonly subject: LogSubject;
  readonly startedAt: number;
}

function writeHeader(zip: ZipFile, { spec, summaries, tally, subject, startedAt }: Header): void {
  const plan = { name: 'plan', steps: [{ solver: subject.strategy, params: {} }], config: {} };
  const created = new Date(startedAt).toISOString();
  const results = resultsOf(tally, summaries.length);
  const stats = { started_at: created, completed_at: created, model_usage: {}, role_usage: {} };
  zip.add('_journal/start.json', JSON.stringify({ version: 2, eval: spec, plan }));
  zip.add('_journal/summaries/1.json', JSON.stringify(summaries));
  zip.add('summaries.json', JSON.stringify(summaries));
  zip.add('header.json', JSON.stringify({ version: 2, status: 'success', eval: spec, plan, results, stats }));
}

function specOf(subject: LogSubject, { startedAt, version }: TrajectoryTarget, tally: Tally): JsonObject {
  const { run, phase, round, environment, student, strategy } = subject;
  const identity = createHash('sha256').update(JSON.stringify(subject)).digest('hex').slice(0, 22);
  return {
    eval_id: identity,
    run_id: run,
    created: new Date(startedAt).toISOString(),
    task: environment,
    task_id: identity,
    task_version: 0,
    solver: strategy,
    dataset: { name: environment, samples: tally.ids.size, sample_ids: [...tally.ids], shuffled: false },
    model: student,
    config: { epochs: tally.epochs, epochs_reducer: ['mean'] },
    packages: { espalier: version },
    metadata: { phase, round, times: 'Events are a second apart: the journal keeps their order, not their time.' },
    scorers: [{ name: 'verifier', metrics: [{ name: 'inspect_ai/accuracy' }] }],
  };
}

/** The share that passed, of those with a verdict: the mean over tasks of their means over epochs, as Inspect has it. */
function resultsOf({ scores, errors }: Tally, total: number): JsonObject {
  const means = [...scores.values()].map(mean);
  const scored = [...scores.values()].reduce((sum, list) => sum + list.length, 0);
  const accuracy = means.length === 0 ? {} : { accuracy: { name: 'accuracy', value: mean(means), params: {} } };
  const score = { name: 'verifier', scorer: 'verifier', params: {}, metrics: accuracy };
  return {
    total_samples: total,
    completed_samples: total - errors,
    scores: [{ ...score, scored_samples: scored, unscored_samples: total - scored }],
  };
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}
