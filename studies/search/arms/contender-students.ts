import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { EspalierError } from '../../../src/core/errors.ts';
import type { OrdinaryPolicy } from '../../../src/core/episode/agents.ts';
import { createStudent, untrainedWeights } from '../../../src/agents/learned/student.ts';
import { createSmallPolicy } from '../../../src/agents/small/small-policy.ts';
import { readStudentFile } from '../../../src/runs/agents/student-file.ts';
import { exportRun } from '../../../src/runs/export.ts';
import { runPaths } from '../../../src/runs/folder/folder.ts';
import type { Host } from '../../../src/runs/host/host.ts';
import { trainFromExport } from '../../../src/runs/train.ts';
import type { Solver } from '../search-run.ts';
import { anySplit, rowsIn } from '../search-study.ts';
import { teachModel } from './teach-command.ts';

/** What a contender has learned. */
export interface ContenderStudent {
  /** Solves tasks alone. */
  readonly solver: Solver;
  /** Acts where a teacher reviews. */
  readonly policy: OrdinaryPolicy;
}

export interface StudentOptions {
  /** Folder of the comparison. */
  readonly folder: string;
  readonly name: string;
  /** Runs that it learns from. */
  readonly runs: readonly string[];
  readonly seed: number;
  /** The command that teaches a model; the student that learns here when left out. */
  readonly teach: string | undefined;
  readonly host: Host;
  readonly signal: AbortSignal;
  /** Told when a model gives no answer any more: what it would have done is not known. */
  onFailure(cause: unknown): void;
}

/** Trains a student once; null where there was nothing to learn from and it acts as one that knows nothing. */
export async function contenderStudent(options: StudentOptions): Promise<ContenderStudent | null> {
  const { runs, host, teach } = options;
  const begun = runs.filter(run => existsSync(runPaths(run).store));
  const file = join(options.folder, `student.${options.name}.json`);
  if (teach === undefined && existsSync(file)) return learnedStudent(file);
  for (const run of begun) await exportRun({ folder: run, host, formats: ['jsonl'], splits: anySplit });
  const taught = begun.filter(run => rowsIn(run) > 0);
  if (teach !== undefined) return taughtModel({ ...options, teach, runs: taught });
  if (taught.length === 0) return null;
  trainFromExport({ folders: taught, seed: options.seed, host, out: file });
  return learnedStudent(file);
}

function learnedStudent(file: string): ContenderStudent {
  const { weights } = readStudentFile(file);
  return { solver: { kind: 'student', file }, policy: createStudent({ weights, name: 'learned', temperature: 0 }) };
}

export function untrainedStudent(): OrdinaryPolicy {
  return createStudent({ weights: untrainedWeights(), name: 'learned', temperature: 0 });
}

/** Asked anew whenever the model is needed: an address does not outlive a machine. */
async function taughtModel(options: StudentOptions & { readonly teach: string }): Promise<ContenderStudent> {
  const { folder, name, teach: command, seed, signal, onFailure } = options;
  const own = join(folder, 'taught', name);
  const rows = await exportRows(join(own, 'rows'), options);
  const model = await teachModel({ command, out: join(own, 'model'), seed, rows, signal });
  const small = createSmallPolicy({ model, temperature: 0 });
  const policy: OrdinaryPolicy = {
    name: small.name,
    patient: true,
    async act(view) {
      try {
        return await small.act(view);
      } catch (cause) {
        onFailure(cause);
        throw cause;
      }
    },
  };
  const student = { kind: 'object', name: small.name } as const;
  return {
    solver: { kind: 'agents', student, strategy: { kind: 'linear' }, given: { policy: () => policy } },
    policy,
  };
}

const rowsFile = 'next-actions.jsonl';

/** The rows as models are asked for them, kept: a round that was stopped goes on with the student that it began with. */
async function exportRows(out: string, { runs, host }: StudentOptions): Promise<readonly string[]> {
  const nameOf = (run: string): string => `${basename(dirname(run))}-${basename(run)}`;
  if (!existsSync(out)) {
    const part = `${out}.part`;
    rmSync(part, { recursive: true, force: true });
    mkdirSync(part, { recursive: true });
    for (const run of runs) {
      const to = join(part, nameOf(run));
      const form = { formats: ['jsonl'], tables: ['next-actions'], form: 'compact' } as const;
      await exportRun({ folder: run, host, out: to, splits: anySplit, ...form });
    }
    renameSync(part, out);
  }
  // A run that had no rows then may have some by now.
  const given = runs.map(run => join(out, nameOf(run))).filter(folder => existsSync(folder));
  const files = given.map(folder => join(folder, rowsFile));
  const missing = files.find(file => !existsSync(file));
  if (missing !== undefined) throw missingRows(missing, out);
  return files;
}

function missingRows(file: string, out: string): EspalierError {
  return new EspalierError({
    boundary: 'store',
    code: 'not-found',
    message: `There is no ${file}, and its run has rows to teach.`,
    expected: `Expected the rows that a student is taught on. Delete ${out}; then --resume exports them again.`,
  });
}
