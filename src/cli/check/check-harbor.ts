import { hash } from 'node:crypto';
import { appendFileSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { causeText } from '../../core/errors.ts';
import { createSemaphore } from '../../core/semaphore.ts';
import { count } from '../../core/text.ts';
import { checkTask, type TaskCheck } from '../../envs/harbor/check-task.ts';
import { readHarborTasks, type HarborTask } from '../../envs/harbor/task-folder.ts';
import { openWorkshop } from '../../envs/harbor/workshop.ts';
import { mark } from '../terminal/describe.ts';
import { columns, type ExitCode, type Output } from '../terminal/output.ts';
import { tellReason, type CheckRequest } from './hold-laws.ts';

const harborPrefix = 'harbor:';
const keptName = 'harbor-check.jsonl';

interface KeptCheck extends TaskCheck {
  /** Stands for the files of the task: one that was changed is tried again. */
  readonly content: string;
}

/** Builds every task of a folder, tries it untouched and with its solution, and says what is wrong with it. */
export async function checkHarbor(output: Output, request: CheckRequest): Promise<ExitCode> {
  const { environment, template, into, json = false } = request;
  const found = readHarborTasks(environment.slice(harborPrefix.length));
  const tasks = template === undefined ? found : found.filter(({ name }) => name === template);
  const kept = into === undefined ? new Map<string, KeptCheck>() : readKept(into);
  const isKnown = (task: HarborTask): boolean => kept.get(task.name)?.content === contentOf(task.folder);
  const left = tasks.filter(task => !isKnown(task));
  if (left.length < tasks.length)
    output.note(`${count(tasks.length - left.length, 'task')} of ${tasks.length} checked before.`);
  const checks = tasks.filter(isKnown).map(({ name }) => kept.get(name) as TaskCheck);
  for (const check of checks) tell(output, check, json);
  if (left.length > 0) checks.push(...(await tryAll(output, left, request)));
  if (!json) tellTable(output, checks);
  return checks.length > 0 && checks.every(({ defects }) => defects.length === 0) ? 0 : 1;
}

async function tryAll(
  output: Output,
  tasks: readonly HarborTask[],
  { into, json = false }: CheckRequest,
): Promise<TaskCheck[]> {
  const workshop = await openWorkshop();
  const inTurn = createSemaphore(availableParallelism()).run;
  let done = 0;
  try {
    return await Promise.all(
      tasks.map(task =>
        inTurn(async () => {
          output.progress(`checking ${task.name} (${done + 1} of ${tasks.length}) …`);
          const check = await checkTask(task, workshop).catch((cause: unknown) => broken(task, cause));
          done++;
          if (into !== undefined) keep(into, { ...check, content: contentOf(task.folder) });
          tell(output, check, json);
          return check;
        }),
      ),
    );
  } finally {
    await workshop.sandboxes.close();
  }
}

function broken({ name }: HarborTask, cause: unknown): TaskCheck {
  return { task: name, built: false, tries: [], defects: ['does not build'], reasons: [causeText(cause)], remarks: [] };
}

function tell(output: Output, check: TaskCheck, json: boolean): void {
  const { task, defects, reasons, remarks } = check;
  if (json) {
    output.json({ kind: 'task', ...check, pass: defects.length === 0 });
    return;
  }
  const isSound = defects.length === 0;
  output.line(`  ${mark(isSound, output.paint)} ${task}${isSound ? '' : `: ${defects.join(', ')}`}`);
  for (const reason of isSound ? remarks : [...reasons, ...remarks]) tellReason(output, reason);
}

function tellTable(output: Output, checks: readonly TaskCheck[]): void {
  const tried = (what: string) => checks.filter(({ tries }) => tries.some(each => each.what === what));
  const having = (defect: string) =>
    checks.filter(({ defects }) => (defects as readonly string[]).includes(defect)).length;
  const built = checks.filter(each => each.built).length;
  const solved = tried('oracle').filter(({ tries }) =>
    tries.filter(({ what }) => what === 'oracle').every(({ pass }) => pass),
  );
  const rows = [
    ['built', `${built} of ${checks.length}`],
    ['fail untouched', `${built - having('passes untouched')} of ${built}`],
    ['solution passes, twice', `${solved.length} of ${tried('oracle').length}`],
    ['flaky', String(having('flaky'))],
    ['pass with half of the solution', String(having('passes with a part of the solution'))],
    ['without a solution', String(having('no solution'))],
  ];
  output.line();
  for (const line of columns(rows)) output.line(`  ${line}`);
  const sound = checks.filter(({ defects }) => defects.length === 0).length;
  const { paint } = output;
  const isSound = sound === checks.length && sound > 0;
  output.line();
  const word = isSound ? paint.green(paint.bold('passed')) : paint.red(paint.bold('failed'));
  output.line(`${word}  ${sound} of ${count(checks.length, 'task')} sound`);
}

function readKept(folder: string): Map<string, KeptCheck> {
  const file = join(folder, keptName);
  if (!existsSync(file)) return new Map();
  // A line that a kill cut short is tried again.
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  const checks = lines.map(line => JSON.parse(line) as KeptCheck);
  return new Map(checks.map(check => [check.task, check]));
}

function keep(folder: string, check: KeptCheck): void {
  mkdirSync(folder, { recursive: true });
  appendFileSync(join(folder, keptName), `${JSON.stringify(check)}\n`);
}

function contentOf(folder: string): string {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  const hashes = paths.map(path => {
    const full = join(folder, path);
    return lstatSync(full).isFile() ? `${path} ${hash('sha256', readFileSync(full), 'hex')}` : path;
  });
  return hash('sha256', hashes.join('\n'), 'hex');
}
