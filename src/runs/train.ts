import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readPrompt } from '../core/episode/view.ts';
import { EspalierError, invalidOption } from '../core/errors.ts';
import { defined } from '../core/json.ts';
import { count } from '../core/text.ts';
import { manifestName } from '../dataset/rows/manifest.ts';
import { readExamples, type Example } from '../dataset/read-rows.ts';
import { trainStudent, writeStudent, type Weights, type TrainingExample } from '../agents/learned/student.ts';
import type { Host } from './host/host.ts';
import { runPaths, writeWhole } from './folder/folder.ts';

export interface TrainOptions {
  /** Folders of exported rows, or of runs that were exported. */
  readonly folders: readonly string[];
  readonly seed: number;
  /** Ids of the tasks to learn from; all of the rows when left out. */
  readonly tasks?: readonly string[] | undefined;
  readonly host: Pick<Host, 'clock'>;
  /** Where the student is written to; nowhere when left out. */
  readonly out?: string;
}

export interface Trained {
  readonly weights: Weights;
  /** Rows that were read: a step that stands in two files counts once. */
  readonly rows: number;
  /** Rows whose prompt is none of ours, and rows whose action is not on their screen: nothing was learned from them. */
  readonly unread: number;
  readonly unmatched: number;
  /** Share of the other rows that the student gets right. */
  readonly fit: number;
  readonly seconds: number;
}

/** Trains a student from exported rows alone. */
export function trainFromExport({ folders, seed, tasks, host, out }: TrainOptions): Trained {
  const { clock } = host;
  const started = clock.now();
  const tally = { rows: 0, unread: 0 };
  const rows = readTrainingExamples({ folders: folders.map(exportFolder), tasks }, tally);
  const { weights, examples, unmatched, fit } = trainStudent(rows, seed);
  if (examples === unmatched) throw nothingToLearn({ folders, tasks }, tally.unread + unmatched);
  if (out !== undefined) writeWhole(out, writeStudent(weights));
  return { weights, ...tally, unmatched, fit, seconds: (clock.now() - started) / 1000 };
}

export interface AdaptOptions extends Omit<TrainOptions, 'out'> {
  /** Folder of the model; null for the one that comes with Espalier. */
  readonly model: string | null;
  /** Told of every row that the model has read. */
  readonly onProgress?: ((rows: number) => void) | undefined;
}

export interface Adapted extends Omit<Trained, 'weights'> {
  /** The text of a file that `small:<file>` names. */
  readonly file: string;
}

/** Adapts the model small from exported rows alone: what it learns is added to its scores. */
export async function adaptFromExport(options: AdaptOptions): Promise<Adapted> {
  const { folders, seed, tasks, host, model: folder, onProgress } = options;
  const { openSmall } = await import('./agents/students/small.ts');
  const { adaptModel } = await import('../agents/small/adapt.ts');
  const { writeAdapter } = await import('../agents/small/adapter-file.ts');
  const started = host.clock.now();
  const { model, adapter: before } = await openSmall(folder);
  if (before !== null)
    throw invalidOption(
      `${folder} is adapted already.`,
      'Expected small or small:<folder>: the model is adapted anew, from all rows that are given.',
    );
  const tally = { rows: 0, unread: 0 };
  const rows = readTrainingExamples({ folders: folders.map(exportFolder), tasks }, tally);
  const { adapter, examples, unmatched, fit } = await adaptModel(model, rows, defined({ seed, onProgress }));
  if (examples === unmatched) throw nothingToLearn({ folders, tasks }, tally.unread + unmatched);
  const file = writeAdapter({ ...adapter, folder });
  return { file, ...tally, unmatched, fit, seconds: (host.clock.now() - started) / 1000 };
}

/** Where the student of these rows is written to by default: beside the first of them. */
export function studentFileFor(folders: readonly string[]): string {
  return join(dirname(exportFolder(folders[0] ?? '.')), 'student.json');
}

/** The folder of exported rows that is meant: itself, or the one in the folder of a run. */
function exportFolder(folder: string): string {
  const inRun = runPaths(folder).export;
  const found = [folder, inRun].find(path => existsSync(join(path, manifestName)));
  if (found !== undefined) return found;
  throw new EspalierError({
    boundary: 'input',
    code: 'unavailable',
    message: `There are no exported rows in ${folder}: neither it nor ${inRun} has a ${manifestName}.`,
    expected: 'Expected a folder that espalier export wrote, or the run it was exported from.',
  });
}

type RowChoice = Pick<TrainOptions, 'folders' | 'tasks'>;

function* readTrainingExamples(
  { folders, tasks }: RowChoice,
  tally: { rows: number; unread: number },
): Generator<TrainingExample> {
  const wanted = tasks === undefined ? null : new Set(tasks);
  const seen = new Set<string>();
  for (const folder of folders) {
    for (const { example, stepsLeft } of withStepsLeft(readExamples(folder))) {
      const { prompt, action, run, episode, node, task } = example;
      if (wanted !== null && (task === null || !wanted.has(task))) continue;
      const step = JSON.stringify([run, episode, node]);
      if (seen.has(step)) continue;
      seen.add(step);
      tally.rows++;
      const situation = readPrompt(prompt);
      if (situation === null) tally.unread++;
      else yield { situation, action, ...(stepsLeft === null ? {} : { stepsLeft }) };
    }
  }
}

interface CountedExample {
  readonly example: Example;
  /** Steps to the end of its episode, this one included; null when that is not known to pass. */
  readonly stepsLeft: number | null;
}

/** The next actions of an episode stand together, in their order. */
function* withStepsLeft(examples: Iterable<Example>): Generator<CountedExample> {
  let episode: Example[] = [];
  for (const example of examples) {
    const [first] = episode;
    if (first !== undefined && !isSameEpisode(first, example)) {
      yield* counted(episode);
      episode = [];
    }
    episode.push(example);
  }
  yield* counted(episode);
}

function isSameEpisode(left: Example, right: Example): boolean {
  return left.run === right.run && left.episode === right.episode && left.kind === right.kind;
}

function counted(episode: readonly Example[]): CountedExample[] {
  return episode.map((example, index) => {
    const isOnPassingPath = example.kind === 'next-action' && example.pass === true;
    return { example, stepsLeft: isOnPassingPath ? episode.length - index : null };
  });
}

function nothingToLearn({ folders, tasks }: RowChoice, unread: number): EspalierError {
  const which = tasks === undefined ? '' : ` of the ${count(tasks.length, 'task')} given`;
  return invalidOption(
    `There is nothing to learn from${which} in ${folders.join(', ')}${unread === 0 ? '' : `: ${unread} rows cannot be used`}.`,
    'Expected next-action or correction rows: collect episodes that pass, or that a teacher corrects, and export them.',
  );
}
