import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import type { EntrantName } from '../../analysis/leaderboard/board.ts';
import { invalidOption, type EspalierError } from '../../core/errors.ts';
import { parseRecord } from '../../core/records.ts';
import { isModulePath } from '../../modules/load-module.ts';
import { readJson } from '../../modules/read-file.ts';
import { readYamlSettings } from '../config/read-yaml.ts';
import { readStrategy, type StrategyConfig } from '../config/config.ts';
import { strategyNamed } from '../config/named-agents.ts';
import { writeWhole } from '../folder/folder.ts';
import { levelsSchema } from '../settings/levels.ts';
import { modelSchema, spendingSchema } from '../settings/model-config.ts';

const askingSchema = modelSchema.omit({ kind: true, model: true, url: true }).partial();

const studentSchema = z.strictObject({
  /** On the board; the student itself when left out. */
  name: z.string().min(1).optional(),
  /** Whatever `eval --student` takes. */
  student: z.string().min(1),
  /** How a model is asked. */
  asking: askingSchema.default({}),
});

const harnessSchema = z.strictObject({
  name: z.string().min(1).optional(),
  /** Whatever `eval --strategy` takes. */
  strategy: z.string().min(1),
  /** Settings of the strategy. */
  set: z.record(z.string(), z.json()).default({}),
});

/** What stands in a grid file: every student in every harness in every environment, on the same tasks. */
const gridSchema = z.strictObject({
  title: z.string().min(1).default('Leaderboard'),
  environments: z.array(z.string()).min(1),
  students: z.array(z.union([z.string().transform(student => ({ student, asking: {} })), studentSchema])).min(1),
  harnesses: z
    .array(z.union([z.string().transform(strategy => ({ strategy, set: {} })), harnessSchema]))
    .min(1)
    .default([{ strategy: 'linear', set: {} }]),
  levels: levelsSchema,
  instances: z.int().positive().default(4),
  trials: z.int().positive().default(1),
  seed: z.int().nonnegative().default(1),
  concurrency: z.int().positive().max(256).default(8),
  /** Planner, random and the other baselines, once for each environment. They are shown and not ranked. */
  baselines: z.boolean().default(true),
  /** Of the whole grid. */
  spending: spendingSchema.prefault({}),
});
type GridFile = z.infer<typeof gridSchema>;

interface GridStudent extends Pick<GridFile['students'][number], 'student' | 'asking'> {
  readonly name: string;
}

interface GridHarness {
  readonly name: string;
  readonly strategy: StrategyConfig;
}

export interface GridConfig extends Omit<GridFile, 'students' | 'harnesses'> {
  readonly students: readonly GridStudent[];
  readonly harnesses: readonly GridHarness[];
}

/** What every cell has in common: with other tasks its rates would not compare. */
const shared = ['levels', 'instances', 'trials', 'seed'] as const;

export function readGridConfig(path: string): GridConfig {
  const given = readYamlSettings(path, 'environments: [mail]');
  const file = parseRecord(gridSchema, given, { what: `grid in ${path}`, code: 'invalid-option' });
  const config = {
    ...file,
    students: file.students.map(({ student, asking, ...own }) => ({
      student,
      asking,
      name: ('name' in own ? own.name : undefined) ?? shortName(student),
    })),
    harnesses: file.harnesses.map(({ strategy, set, ...own }) => ({
      name: ('name' in own ? own.name : undefined) ?? [shortName(strategy), ...settingTexts(set)].join(', '),
      strategy: strategyOf(strategy, set, path),
    })),
  };
  requireApart(path, 'student', config.students);
  requireApart(path, 'harness', config.harnesses);
  if (config.instances < 2 && config.baselines)
    throw invalidOption('The baselines of a grid need two instances of each template.', 'Expected baselines: false.');
  return config;
}

/** `runs/books/student.json` is `student`; names of models and built-in students stay. */
function shortName(text: string): string {
  return /\.(?:json|[cm]?[jt]s)$/.test(text) ? basename(text).replace(/\.\w+$/, '') : text;
}

function settingTexts(set: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(set).map(
    ([key, value]) => `${key} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
}

function strategyOf(name: string, set: Readonly<Record<string, unknown>>, path: string): StrategyConfig {
  const named = strategyNamed(name);
  return readStrategy({ ...named, ...(isModulePath(name) ? { options: set } : set) }, path);
}

function requireApart(path: string, what: string, all: readonly { readonly name: string }[]): void {
  const slugs = all.map(({ name }) => slugOf(name));
  const twice = all.find((_, index) => slugs.indexOf(slugs[index] as string) !== index);
  if (twice === undefined) return;
  throw invalidOption(
    `${path} has two entries of the ${what} "${twice.name}".`,
    `Expected a name: of its own for each, such as { name: other, ${what === 'student' ? 'student' : 'strategy'}: … }.`,
  );
}

/** Letters, digits and dashes, for folders and pages. */
function slugOf(name: string): string {
  return (
    name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '') || 'unnamed'
  );
}

/** A cell of the grid, before it is run. */
export interface PlannedCell {
  readonly entrant: string;
  readonly student: GridStudent;
  readonly harness: GridHarness;
  readonly environment: string;
  /** From the folder of the board. */
  readonly folder: string;
}

export function entrantsOf({ students, harnesses }: GridConfig): readonly EntrantName[] {
  return students.flatMap(student =>
    harnesses.map(harness => ({ id: entrantId(student, harness), student: student.name, harness: harness.name })),
  );
}

/** One environment after another, so that a board which is stopped has whole columns. */
export function cellsOf({ students, harnesses, environments }: GridConfig): readonly PlannedCell[] {
  return environments.flatMap(environment =>
    students.flatMap(student =>
      harnesses.map(harness => {
        const entrant = entrantId(student, harness);
        return { entrant, student, harness, environment, folder: join('cells', `${entrant}.${slugOf(environment)}`) };
      }),
    ),
  );
}

function entrantId(student: GridStudent, harness: GridHarness): string {
  return `${slugOf(student.name)}.${slugOf(harness.name)}`;
}

/** Writes down what the cells have in common, and refuses a grid that has other tasks than the folder began with. */
export function beginGrid(folder: string, config: GridConfig): void {
  const path = join(folder, 'grid.json');
  const now = Object.fromEntries(shared.map(key => [key, config[key]]));
  if (existsSync(path)) {
    const before = readJson(path) as Readonly<Record<string, unknown>>;
    const changed = shared.find(key => JSON.stringify(before[key]) !== JSON.stringify(now[key]));
    if (changed !== undefined) throw otherTasks(folder, changed, [before[changed], now[changed]]);
    return;
  }
  writeWhole(path, `${JSON.stringify(now, null, 2)}\n`);
}

function otherTasks(folder: string, key: string, values: readonly [unknown, unknown]): EspalierError {
  const [before, now] = values.map(value => JSON.stringify(value));
  return invalidOption(
    `${folder} holds a board with ${key} ${before}, and the grid says ${now}.`,
    'Give another folder as --out: all cells of a board are run on the same tasks. Students, harnesses and environments may be added.',
  );
}
