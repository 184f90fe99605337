import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment, StateEnvironment } from '../core/contracts.ts';
import { causeText, invalidTask, type EspalierError } from '../core/errors.ts';
import { isSealed, parseRecord, taskSchema, type Task } from '../core/records.ts';
import { wrapStateEnvironment } from '../core/wrap-environment.ts';
import { createWorld } from '../worlds/world.ts';
import { isEvaluationSeed } from '../worlds/app/task-split.ts';
import type { FamilyHost } from '../worlds/family.ts';
import { forgePrefix, isTaskFolder, taskFile } from './forge-name.ts';

/** The first line of the file. Each line after it is a task. */
export interface TaskFileHead {
  readonly forged: 1;
  /** The name of the environment that opens the tasks: `forge:mail`. */
  readonly environment: string;
}

export function writeTaskFile(head: TaskFileHead, tasks: readonly Task[]): string {
  return [head, ...tasks].map(line => `${JSON.stringify(line)}\n`).join('');
}

/**
 * An environment with the tasks of a folder. A seed gives the task that was made with it. Any other seed gives the task of that number,
 * and starts over after the last one. Seeds that are kept for evaluation give new tasks of the same templates.
 */
export async function openTaskFolder(folder: string, { find }: FamilyHost): Promise<Environment> {
  const path = join(folder, taskFile);
  const { head, tasks } = readTaskFile(await readFile(path, 'utf8'), path);
  if (head.environment.startsWith(forgePrefix) && isTaskFolder(head.environment.slice(forgePrefix.length)))
    throw unreadable(path, `its environment ${head.environment} is a folder of tasks itself`);
  const source = await find(head.environment);
  const world = 'app' in source ? createWorld(source.app) : (source.environment as StateEnvironment);
  const byTemplate = Map.groupBy(tasks, ({ template }) => template);
  const unknown = tasks.find(({ template }) => !world.templates.some(({ id }) => id === template));
  if (unknown !== undefined) throw unreadable(path, `${head.environment} has no template "${unknown.template}"`);
  return wrapStateEnvironment(world, {
    // In the order of the file, which may be that of a curriculum.
    templates: [...byTemplate].flatMap(([id, own]) =>
      world.templates.filter(template => template.id === id).map(template => ({ ...template, tasks: own.length })),
    ),
    task(template, seed) {
      const own = byTemplate.get(template);
      if (own === undefined || isEvaluationSeed(seed)) return world.task(template, seed);
      return own.find(task => task.seed === seed) ?? (own[Math.max(0, seed - 1) % own.length] as Task);
    },
  });
}

/** The name of the environment that the tasks of a folder were forged from. */
export async function readTaskFolderHead(folder: string): Promise<string> {
  const path = join(folder, taskFile);
  return readTaskFile(await readFile(path, 'utf8'), path).head.environment;
}

function readTaskFile(text: string, path: string): { head: TaskFileHead; tasks: Task[] } {
  const [first = '', ...lines] = text.split('\n').filter(line => line !== '');
  const head = parsed(first, { path, line: 1 }) as Partial<TaskFileHead> | null;
  if (head?.forged !== 1 || typeof head.environment !== 'string') {
    throw unreadable(path, 'its first line does not name the environment');
  }
  const tasks = lines.map((line, index) => {
    const task = parsed(line, { path, line: index + 2 });
    const read = parseRecord(taskSchema, task, { what: `line ${index + 2} of ${path}`, code: 'invalid-task' });
    if (!isSealed(read)) throw unreadable(path, `the task in line ${index + 2} was altered or damaged`);
    return read;
  });
  if (tasks.length === 0) throw unreadable(path, 'it holds no tasks');
  return { head: head as TaskFileHead, tasks };
}

function parsed(line: string, { path, line: number }: { path: string; line: number }): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw unreadable(path, `line ${number} is no JSON: ${causeText(cause)}`);
  }
}

function unreadable(path: string, reason: string): EspalierError {
  return invalidTask(
    `${path} cannot be read: ${reason}.`,
    'Expected a file as `espalier forge <app> --out <folder>` writes it; forge again.',
  );
}
