import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defined } from '../../core/json.ts';
import { invalidOption } from '../../core/errors.ts';
import { untrainedWeights, writeStudent } from '../../agents/learned/student.ts';
import { readStudentFile } from '../agents/student-file.ts';
import { studentNamed } from '../config/named-agents.ts';
import { keepOptions } from '../folder/begun-options.ts';
import { readJson } from '../../modules/read-file.ts';
import { writeWhole } from '../folder/folder.ts';
import { studentPath } from '../loop.ts';
import type { RlOptions } from './options.ts';

/** Checks the options, writes them down, and puts the first student in the folder. A folder with others is refused. */
export function beginRl(options: RlOptions): void {
  const { folder, student, group, baselines, evaluateEvery, evaluationInstances } = options;
  if (group < 2)
    throw invalidOption(
      `A group of ${group} has nothing to compare: every advantage would be missing.`,
      'Expected --group of at least 2.',
    );
  if (baselines && evaluateEvery > 0 && evaluationInstances < 2)
    throw invalidOption(
      `The blind replay needs a second instance of each template, and there is ${evaluationInstances} to evaluate on.`,
      'Expected --eval-instances of at least 2, or --no-baselines.',
    );
  const text = startText(student);
  const path = join(folder, 'rl.json');
  const { draft, estimator, estimatorOptions, rounds, steps, groups, instances, learning, unseen } = options;
  const { concurrency: _concurrency, ...rest } = draft;
  const how = { estimator, estimatorOptions, rounds, steps, group, groups, instances, learning, unseen };
  const own = defined({ ...rest, student: text.sha256, ...how, evaluateEvery, evaluationInstances, baselines });
  requireSameStudent(path, { student, sha256: text.sha256 });
  keepOptions(own, { folder, path, what: 'run of espalier rl' });
  const first = studentPath(folder, 0);
  if (!existsSync(first)) writeWhole(first, text.written);
}

/** The student to begin with, as a file of ours. */
function startText(student: string): { readonly written: string; readonly sha256: string } {
  const { kind, file } = studentNamed(student) as { readonly kind: string; readonly file?: string };
  if (kind === 'untrained') return { written: writeStudent(untrainedWeights()), sha256: 'untrained' };
  if (kind !== 'learned' || file === undefined)
    throw invalidOption(
      `The student ${student} is ${kind === 'module' ? 'a module' : `a ${kind}`}: espalier rl cannot train it.`,
      'Expected a file that espalier train or espalier rl wrote, or untrained.',
    );
  const { weights, sha256 } = readStudentFile(file);
  return { written: writeStudent(weights), sha256 };
}

function requireSameStudent(
  path: string,
  { student, sha256 }: { readonly student: string; readonly sha256: string },
): void {
  if (!existsSync(path)) return;
  const { student: before } = readJson(path) as { readonly student?: string };
  if (before === undefined || before === sha256) return;
  throw invalidOption(
    `The student ${student} is not the one that the run began with: its hash is ${sha256}.`,
    `Expected the hash ${before}: put that student back, or give another folder as --out.`,
  );
}
