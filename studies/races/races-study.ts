import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bootstrap, type NestedMean, type NestedValue } from '../../src/analysis/bootstrap.ts';
import { invalidOption } from '../../src/core/errors.ts';
import { createRandom } from '../../src/core/random.ts';
import { baseProblems } from '../../src/envs/problems/catalog.ts';
import type { Problem } from '../../src/envs/problems/problem.ts';
import { writeWhole } from '../../src/runs/folder/folder.ts';
import { racesArms, trainArm, type RacesArm, type RacesSize } from './arms.ts';
import {
  evaluationSets,
  markSets,
  modelAnswerer,
  predictCompositions,
  setNames,
  trivialAnswerers,
  type EvaluationSets,
  type Marks,
  type Prediction,
  type SetName,
} from './evaluate-arm.ts';
import { askQuestions } from './questions.ts';
import { compositionsOf, splitProblems, type ProblemSplit, type SplitBy } from './split-problems.ts';

export interface RacesOptions {
  readonly folder: string;
  readonly size: RacesSize;
  readonly split: SplitBy;
  readonly arms?: readonly RacesArm[];
  readonly problems?: readonly Problem[];
  readonly signal?: AbortSignal;
  onProgress?(done: number, total: number): void;
}

/** One trained student and its marks, as written to the folder. */
interface StudentRecord {
  readonly arm: string;
  readonly seed: number;
  readonly executions: number;
  readonly lessons: number;
  readonly accepted: number;
  readonly marks: Marks;
  readonly prediction: Prediction;
}

type Rates = Readonly<Record<SetName, NestedMean>>;

interface ArmResult {
  readonly label: string;
  /** Null for baselines. */
  readonly arm: RacesArm | null;
  readonly rates: Rates;
  /** Means over the students of the arm; null for baselines. */
  readonly training: { readonly executions: number; readonly lessons: number; readonly accepted: number } | null;
  readonly prediction: Prediction | null;
}

interface Comparison {
  readonly one: string;
  readonly other: string;
  readonly set: SetName;
  readonly difference: NestedMean;
}

export interface RacesResult {
  readonly split: SplitBy;
  readonly unseen: readonly string[];
  readonly arms: readonly ArmResult[];
  readonly comparisons: readonly Comparison[];
}

/** Does composition teach as much as more problems? Null when it was stopped; the same call goes on. */
export async function studyRaces(options: RacesOptions): Promise<RacesResult | null> {
  const { folder, size, split: by, arms = racesArms, problems = baseProblems, signal, onProgress } = options;
  mkdirSync(join(folder, 'students'), { recursive: true });
  keepSetting(folder, { size, split: by, arms });
  const split = splitProblems(problems, by);
  const unseenCompositions = compositionsOf({ parts: split.unseen, count: size.compositions, seed: 1 });
  const jobs = Array.from({ length: size.seeds }, (_, seed) => arms.map(arm => ({ arm, seed: seed + 1 }))).flat();
  const records: StudentRecord[] = [];
  for (const [done, { arm, seed }] of jobs.entries()) {
    onProgress?.(done, jobs.length);
    // Lets a signal through between two students.
    await new Promise(resolve => setImmediate(resolve));
    if (signal?.aborted === true) return null;
    records.push(studentOf({ arm, seed, folder, size, split, unseenCompositions }));
  }
  onProgress?.(jobs.length, jobs.length);
  return {
    split: by,
    unseen: split.unseen.map(({ name }) => name),
    arms: [...baselines({ split, size, unseenCompositions }), ...arms.map(arm => armResult(arm, records))],
    comparisons: comparisons(arms, records),
  };
}

/** The same folder is the same study. */
function keepSetting(folder: string, setting: object): void {
  const path = join(folder, 'setting.json');
  const text = `${JSON.stringify(setting)}\n`;
  if (!existsSync(path)) return writeWhole(path, text);
  if (readFileSync(path, 'utf8') === text) return;
  throw invalidOption(
    `${folder} has a study with other options.`,
    'Expected the options that it was begun with, or another folder.',
  );
}

interface Job {
  readonly arm: RacesArm;
  readonly seed: number;
  readonly folder: string;
  readonly size: RacesSize;
  readonly split: ProblemSplit;
  readonly unseenCompositions: readonly Problem[];
}

function studentOf({ arm, seed, folder, size, split, unseenCompositions }: Job): StudentRecord {
  const name = `${arm.label.replaceAll(' ', '-')}-${seed}`;
  const path = join(folder, 'students', `${name}.marks.json`);
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as StudentRecord;
  const { model, problems, composed, executions, lessons, accepted } = trainArm(arm, split.pool, { seed, size });
  const seenCompositions = otherCompositions(problems, composed, size);
  const sets = evaluationSets({
    seen: problems,
    unseen: split.unseen,
    seenCompositions,
    unseenCompositions,
    questions: size.questions,
    seed,
  });
  const marks = markSets(sets, modelAnswerer(model));
  const prediction = predictCompositions(marks, seenCompositions);
  const record = { arm: arm.label, seed, executions, lessons, accepted, marks, prediction };
  writeWhole(join(folder, 'students', `${name}.json`), `${JSON.stringify(model.learned())}\n`);
  writeWhole(path, `${JSON.stringify(record)}\n`);
  return record;
}

const seedOfEvaluation = 1_000_000;

/** Compositions of the problems of an arm that it was not trained on. */
function otherCompositions(parts: readonly Problem[], composed: readonly string[], size: RacesSize): Problem[] {
  const drawn = compositionsOf({ parts, count: 2 * size.compositions, seed: seedOfEvaluation });
  return drawn.filter(({ name }) => !composed.includes(name)).slice(0, size.compositions);
}

function baselines({
  split,
  size,
  unseenCompositions,
}: Pick<Job, 'split' | 'size' | 'unseenCompositions'>): ArmResult[] {
  const seen = split.pool;
  const seenCompositions = compositionsOf({ parts: seen, count: size.compositions, seed: seedOfEvaluation });
  const sets: EvaluationSets = evaluationSets({
    seen,
    unseen: split.unseen,
    seenCompositions,
    unseenCompositions,
    questions: size.questions,
    seed: 0,
  });
  const training = [...seen, ...seenCompositions].flatMap(problem =>
    askQuestions([problem], { count: 4, name: 'train 0', use: 'training' }),
  );
  return Object.entries(trivialAnswerers(training)).map(([label, answer]) => ({
    label,
    arm: null,
    rates: ratesOf([{ seed: 1, marks: markSets(sets, answer) }]),
    training: null,
    prediction: null,
  }));
}

function armResult(arm: RacesArm, records: readonly StudentRecord[]): ArmResult {
  const own = records.filter(record => record.arm === arm.label);
  const mean = (read: (record: StudentRecord) => number): number =>
    own.reduce((sum, record) => sum + read(record), 0) / own.length;
  return {
    label: arm.label,
    arm,
    rates: ratesOf(own),
    training: {
      executions: mean(record => record.executions),
      lessons: mean(record => record.lessons),
      accepted: mean(record => record.accepted / record.lessons),
    },
    prediction: {
      predicted: mean(({ prediction }) => prediction.predicted),
      measured: mean(({ prediction }) => prediction.measured),
    },
  };
}

type Marked = Pick<StudentRecord, 'seed' | 'marks'>;

function ratesOf(records: readonly Marked[]): Rates {
  const entries = setNames.map(set => [
    set,
    bootstrap(valuesOf(records, set), { random: createRandom(`races ${set}`), range: { low: 0, high: 1 } }),
  ]);
  return Object.fromEntries(entries) as unknown as Rates;
}

/** Intervals are over problems, their questions, and training seeds. */
function valuesOf(records: readonly Marked[], set: SetName): NestedValue[] {
  return records.flatMap(({ seed, marks }) =>
    marks[set].map(({ problem, task, isRight }) => ({
      app: set,
      template: problem,
      task,
      seed: String(seed),
      value: isRight ? 1 : 0,
    })),
  );
}

const compared: readonly (readonly [string, string])[] = [
  ['base 75', 'base 10'],
  ['compositions of 10', 'base 10'],
  ['compositions of 25', 'base 25'],
  ['mixed of 25', 'base 25'],
  ['mixed of 25', 'base 75'],
];

/** Differences by question: both students of a seed answered the same ones. */
function comparisons(arms: readonly RacesArm[], records: readonly StudentRecord[]): Comparison[] {
  const labels = new Set(arms.map(({ label }) => label));
  return compared
    .filter(([one, other]) => labels.has(one) && labels.has(other))
    .flatMap(([one, other]) =>
      (['unseen problems', 'compositions of unseen'] as const).map(set => {
        const left = valuesOf(
          records.filter(({ arm }) => arm === one),
          set,
        );
        const right = valuesOf(
          records.filter(({ arm }) => arm === other),
          set,
        );
        const values = left.map((value, index) => ({ ...value, value: value.value - (right[index]?.value ?? 0) }));
        return {
          one,
          other,
          set,
          difference: bootstrap(values, { random: createRandom('races pairs'), range: { low: -1, high: 1 } }),
        };
      }),
    );
}
