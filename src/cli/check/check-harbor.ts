import { count } from '../../core/text.ts';
import { readHarborTasks } from '../../envs/harbor/task-folder.ts';
import { mark } from '../terminal/describe.ts';
import type { ExitCode, Output } from '../terminal/output.ts';
import { tellReason, type CheckRequest } from './hold-laws.ts';

const harborPrefix = 'harbor:';

/** Says of every task folder whether Harbor would accept it. There is no world to hold laws on. */
export function checkHarbor(output: Output, { environment, template, json = false }: CheckRequest): ExitCode {
  const { line, paint } = output;
  const found = readHarborTasks(environment.slice(harborPrefix.length));
  const tasks = template === undefined ? found : found.filter(({ name }) => name === template);
  if (!json) line(paint.dim('Task folders'));
  for (const { name, problems, remarks, instruction } of tasks) {
    const isSound = problems.length === 0;
    if (json) {
      output.json({ kind: 'task', name, pass: isSound, problems, remarks, instruction });
      continue;
    }
    line(`  ${mark(isSound, paint)} ${name}`);
    for (const reason of [...problems, ...remarks]) tellReason(output, reason);
  }
  const sound = tasks.filter(({ problems }) => problems.length === 0).length;
  const isSound = sound === tasks.length && sound > 0;
  if (!json) {
    line();
    const word = isSound ? paint.green(paint.bold('passed')) : paint.red(paint.bold('failed'));
    line(`${word}  ${sound} of ${count(tasks.length, 'task')} sound`);
    line(paint.dim('Running them needs a terminal world, which Espalier does not have yet.'));
  }
  return isSound ? 0 : 1;
}
