import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { nestedEstimate, trialOf, type Trial } from '../../analysis/evaluate.ts';
import type { Estimate } from '../../analysis/estimate.ts';
import type { NestedMean } from '../../analysis/bootstrap.ts';
import { invalidOption } from '../../core/errors.ts';
import { readZipTexts } from '../../dataset/trajectories/zip-file.ts';
import { createRandom } from '../../core/random.ts';
import { readRelease, type Release } from '../../envs/releases/release-file.ts';
import { readLines } from '../../modules/read-lines.ts';
import { baselineNames } from '../evaluation/baselines.ts';
import { openRun } from '../folder/folder.ts';

/** A place in a file that holds something of a release. */
export interface Leak {
  readonly release: string;
  readonly file: string;
  readonly line: number;
  /** The canary, or the instruction of a task. */
  readonly what: 'canary' | 'instruction';
  readonly task: string | null;
}

/** Looks for canaries and instructions of releases in files: rows, prompts, logs; folders with all files in them. */
export function findLeaks(paths: readonly string[], folders: readonly string[]): readonly Leak[] {
  const releases = folders.map(readRelease);
  return paths.flatMap(filesIn).flatMap(file => leaksIn(file, releases));
}

function filesIn(path: string): readonly string[] {
  if (statSync(path, { throwIfNoEntry: false }) === undefined)
    throw invalidOption(`There is no ${path}.`, 'Expected files of rows or prompts, or folders with such.');
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .map(name => join(path, name))
    .filter(file => statSync(file).isFile())
    .toSorted();
}

function leaksIn(file: string, releases: readonly Release[]): readonly Leak[] {
  const found: Leak[] = [];
  let line = 0;
  for (const text of linesOf(file)) {
    line++;
    for (const { name, canary, tasks } of releases) {
      if (text.includes(canary)) found.push({ release: name, file, line, what: 'canary', task: null });
      // As JSON writes it, too: rows have quotes escaped.
      const task = tasks.find(
        ({ instruction }) => text.includes(instruction) || text.includes(JSON.stringify(instruction).slice(1, -1)),
      );
      if (task !== undefined) found.push({ release: name, file, line, what: 'instruction', task: task.id });
    }
  }
  return found;
}

/** Of a text, or of all texts in an archive, such as a log of Inspect. */
function linesOf(file: string): Iterable<string> {
  return /\.(?:eval|zip)$/.test(file) ? readZipTexts(file).flatMap(text => text.split('\n')) : readLines(file);
}

/** Success on tasks of releases before a day and from it on. */
export interface BeforeAndAfter {
  readonly before: Estimate;
  readonly after: Estimate;
  /** Before less after: far above 0 where what was seen in training is passed more often. */
  readonly difference: NestedMean;
}

export interface DatesOptions {
  /** Folders of runs in which the releases were evaluated on. */
  readonly runs: readonly string[];
  readonly releases: readonly string[];
  /** Such as the day up to which a model was trained. */
  readonly cutoff: string;
  /** Of the student; the only one that is no baseline when left out. */
  readonly student?: string | undefined;
}

/** Whether a student does better on tasks that were published before a day. */
export function compareDates({ runs, releases, cutoff, student }: DatesOptions): BeforeAndAfter {
  const dates = new Map(
    releases.map(readRelease).flatMap(({ date, tasks }) => tasks.map(({ id }) => [id, date] as const)),
  );
  const trials = runs.flatMap(run => trialsIn(run, student));
  const dated = trials.filter(({ task, passed }) => dates.has(task) && passed !== null);
  const side = (isBefore: boolean): Trial[] =>
    dated.filter(({ task }) => (dates.get(task) as string) < cutoff === isBefore);
  const [before, after] = [side(true), side(false)];
  if (before.length === 0 || after.length === 0)
    throw invalidOption(
      `The runs have ${before.length} trials on tasks before ${cutoff}, and ${after.length} from it on.`,
      'Expected both: evaluate the student on a release of either side, and name both with --release.',
    );
  const estimate = (own: readonly Trial[], name: string): Sided =>
    nestedEstimate(own, { random: createRandom(`dates/${name}`) }) as Sided;
  const [one, other] = [estimate(before, 'before'), estimate(after, 'after')];
  return { before: one, after: other, difference: differenceOf(one, other) };
}

type Sided = Estimate & { readonly rate: number };

/** The two sides have other tasks and are independent: distances to the ends of their intervals add as squares (MOVER). */
export function differenceOf(before: Sided, after: Sided): BeforeAndAfter['difference'] {
  const mean = before.rate - after.rate;
  return {
    mean,
    low: mean - Math.hypot(before.rate - before.low, after.high - after.rate),
    high: mean + Math.hypot(before.high - before.rate, after.rate - after.low),
  };
}

function trialsIn(run: string, student: string | undefined): Trial[] {
  const store = openRun(run);
  try {
    const own = [...store.summaries({ phase: 'evaluate' })].filter(({ head }) =>
      student === undefined ? !baselineNames.includes(head.student) : head.student === student,
    );
    const names = [...new Set(own.map(({ head }) => head.student))];
    if (names.length > 1)
      throw invalidOption(`${run} has several students: ${names.join(', ')}.`, 'Expected --student with one of them.');
    return own.map(summary => trialOf(summary));
  } finally {
    store.close();
  }
}
