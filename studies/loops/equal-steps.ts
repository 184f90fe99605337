import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pooled, type Evaluation } from '../../src/analysis/evaluate.ts';
import { studentName } from '../../src/analysis/training-seeds.ts';
import { createRandom } from '../../src/core/random.ts';
import { collectRun } from '../../src/runs/collect.ts';
import { readConfig, type ConfigDraft } from '../../src/runs/config/config.ts';
import { evaluateRun } from '../../src/runs/evaluate.ts';
import { intervalsOf } from '../../src/runs/evaluation/intervals.ts';
import { exportRun, type ExportRunOptions } from '../../src/runs/export.ts';
import { closeAfter, openRun } from '../../src/runs/folder/folder.ts';
import type { Host } from '../../src/runs/host/host.ts';
import { studentContender } from '../../src/runs/jobs/contender.ts';
import { trainFromExport } from '../../src/runs/train.ts';

/** What every arm of the study shares. */
export interface StudySetting {
  readonly folder: string;
  /** Environment steps that a side of a comparison learns from. */
  readonly steps: number;
  /** Students of each side, with other training seeds. */
  readonly seeds: number;
  /** Tasks of each template in an evaluation. */
  readonly instances: number;
  readonly host: Host;
  readonly signal: AbortSignal;
}

/** A task that was collected on, with the steps of all its attempts, rolled-back ones too. */
interface SpentTask {
  readonly task: string;
  readonly steps: number;
}

/** Rows that students learn from: a folder of them, and the tasks whose steps the budget covers. */
export interface Lessons {
  readonly rows: readonly string[];
  readonly tasks: readonly string[];
  readonly steps: number;
}

/** No side takes so many rounds: its steps are used up before. */
const mostRounds = 200;

/** The study was stopped; what it has written stays, and the same command goes on. */
export class StudyStopped extends Error {}

/** Collects round after round, one task of each template in each, until the steps are used up. */
export async function gather(
  { folder, steps, host, signal }: StudySetting,
  name: string,
  how: Omit<ConfigDraft, 'run' | 'round' | 'instances'>,
): Promise<readonly SpentTask[]> {
  const out = join(folder, name);
  for (let round = 1; round <= mostRounds; round++) {
    const config = readConfig({ run: name, round, instances: 1, ...how }, 'The study');
    const { stopped } = await collectRun({ config, folder: out, host, signal });
    if (stopped) throw new StudyStopped();
    const spent = spentIn(out);
    if (stepsOf(spent) >= steps) return spent;
  }
  throw new Error(`${mostRounds} rounds of ${name} took fewer than ${steps} steps.`);
}

/** Tasks of a run in the order of its rounds; in a round they are drawn, so that no app stands first. */
export function spentIn(folder: string): readonly SpentTask[] {
  const store = openRun(folder);
  try {
    const summaries = [...store.summaries({ phase: 'collect' })];
    return [...Map.groupBy(summaries, ({ head }) => head.round)]
      .toSorted(([one], [other]) => one - other)
      .flatMap(([round, own]) => {
        const tasks = [...Map.groupBy(own, ({ head }) => head.task.id)].toSorted(([one], [other]) =>
          one < other ? -1 : 1,
        );
        const spent = tasks.map(([task, episodes]) => ({
          task,
          steps: episodes.reduce((sum, { end }) => sum + end.counts.taken, 0),
        }));
        return createRandom(`round ${round}`).shuffle(spent);
      });
  } finally {
    closeAfter(store);
  }
}

export function stepsOf(spent: readonly SpentTask[]): number {
  return spent.reduce((sum, { steps }) => sum + steps, 0);
}

/** The first tasks that these steps pay for. The first that costs too much ends them, so that short ones are not preferred. */
export function within(spent: readonly SpentTask[], steps: number): Omit<Lessons, 'rows'> {
  const tasks: string[] = [];
  let taken = 0;
  for (const { task, steps: own } of spent) {
    if (taken + own > steps) break;
    tasks.push(task);
    taken += own;
  }
  return { tasks, steps: taken };
}

type RowOptions = Pick<ExportRunOptions, 'keep' | 'mask'>;

/** Writes the rows of a run, and names their folder. */
export async function writeRows(
  { folder, host }: StudySetting,
  { from, to, ...rows }: RowOptions & { readonly from: string; readonly to: string },
): Promise<string> {
  const out = join(folder, to);
  await exportRun({ folder: join(folder, from), out, host, formats: ['jsonl'], ...rows });
  return out;
}

/** A student of all these lessons for each training seed, by its file. One that is there stays. */
export function teachAll(
  { folder, seeds, host }: StudySetting,
  name: string,
  lessons: readonly Lessons[],
): readonly string[] {
  const tasks = lessons.flatMap(own => own.tasks);
  const folders = lessons.flatMap(own => own.rows);
  return Array.from({ length: seeds }, (_, at) => {
    const out = join(folder, `${name}.${at + 1}.json`);
    if (!existsSync(out)) trainFromExport({ folders, tasks, seed: at + 1, host, out });
    return out;
  });
}

/** Evaluates the students of a side on apps that nothing was collected on, as one policy. */
export async function evaluateAll(
  { folder, instances, host, signal }: StudySetting,
  { arm, side, students, environments }: Evaluated,
): Promise<Evaluation> {
  const evaluations: Evaluation[] = [];
  for (const [at, student] of students.entries()) {
    const { subject, stopped } = await evaluateRun({
      environments,
      trainedApps: new Set(),
      folder: join(folder, `${arm}-evaluation`),
      subject: await studentContender(student, studentName(side, at + 1)),
      round: 1,
      instances,
      trials: 1,
      levels: ['new-instances', 'held-out'],
      baselines: false,
      seed: 1,
      concurrency: 8,
      browser: null,
      host,
      signal,
    });
    if (stopped || subject === null) throw new StudyStopped();
    evaluations.push(subject);
  }
  return pooled(evaluations, { random: intervalsOf(`${arm} ${side}`) }) as Evaluation;
}

interface Evaluated {
  readonly arm: string;
  readonly side: string;
  readonly students: readonly string[];
  readonly environments: readonly string[];
}
