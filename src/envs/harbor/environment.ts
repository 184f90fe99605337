import { basename, resolve } from 'node:path';
import type { Environment } from '../../core/contracts.ts';
import { EspalierError, invalidTask, unknownEnvironment } from '../../core/errors.ts';
import { isSealed, parseRecord, sealTask, taskSchema, type Task } from '../../core/records.ts';
import { createWorldShelf } from '../terminal/world/shelf.ts';
import { createTerminalSession, type PlayedWorld } from '../terminal/world/session.ts';
import { terminalTools } from '../terminal/world/tools.ts';
import { buildTask, openHarborWorld, type Workshop } from './world.ts';
import { readHarborTasks, type HarborTask } from './task-folder.ts';

export interface HarborEnvironment extends Environment {
  /** Why tasks are not offered. */
  readonly leftOut: readonly string[];
}

const steps = 100;

/** Task folders of Harbor as terminal worlds: the image of a task is built when it is first opened. */
export function createHarborEnvironment(folder: string, workshop: () => Promise<Workshop>): HarborEnvironment {
  const all = readHarborTasks(folder);
  const unusable = ({ problems, unbuildable }: HarborTask): string[] => [
    ...problems,
    ...(problems.length === 0 && unbuildable !== null ? [unbuildable] : []),
  ];
  const sound = all.filter(task => unusable(task).length === 0);
  const leftOut = all.flatMap(task => unusable(task).map(problem => `${task.name}: ${problem}`));
  if (sound.length === 0)
    throw unknownEnvironment(
      `No task in ${folder} can be used: ${leftOut.slice(0, 3).join(' ')}`,
      `Expected task folders that Harbor accepts. \`espalier check harbor:${folder}\` tells what is wrong with each.`,
    );
  const id = basename(resolve(folder));
  let opened: Promise<Workshop> | null = null;
  const open = (): Promise<Workshop> => (opened ??= workshop());
  const shelf = createWorldShelf(async () => (await open()).sandboxes);
  return {
    id,
    title: `Tasks of Harbor in ${id}`,
    leftOut,
    tools: terminalTools,
    hasScreen: false,
    lightForks: true,
    templates: sound.map(({ name, config }) => ({
      id: name,
      split: 'train',
      kind: 'feasible',
      about: config?.task?.description ?? '',
      tasks: 1,
    })),
    task: (template, seed) => taskOf(id, findTask(sound, template), seed),
    async open(given) {
      const task = readTask(id, given);
      const found = findTask(sound, task.template);
      const world = await shelf.take(task, async () => playedWorld(found, await open()));
      return createTerminalSession(world, world.world.start);
    },
    async close() {
      await shelf.close();
      opened = null;
    },
  };
}

async function playedWorld(task: HarborTask, workshop: Workshop): Promise<PlayedWorld> {
  const { image, problems } = await buildTask(task, workshop);
  if (image !== null) return openHarborWorld(task, image, workshop.sandboxes);
  throw new EspalierError({
    boundary: 'environment',
    code: 'template-failed',
    message: `The image of the Harbor task "${task.name}" does not build: Dockerfile, ${problems.join('; ')}`,
    expected: `Expected a Dockerfile that can be interpreted without a network. \`espalier check harbor:${task.folder}\` tells more.`,
  });
}

function findTask(tasks: readonly HarborTask[], template: string): HarborTask {
  const found = tasks.find(({ name }) => name === template);
  if (found !== undefined) return found;
  throw new EspalierError({
    boundary: 'input',
    code: 'unknown-template',
    message: `There is no task "${template}".`,
    expected: `Expected one of: ${tasks.map(({ name }) => name).join(', ')}.`,
  });
}

function readTask(environment: string, given: unknown): Task {
  const task = parseRecord(taskSchema, given, { what: 'task', code: 'invalid-task' });
  if (task.environment === environment && isSealed(task)) return task;
  throw invalidTask(
    `Task ${task.id} is for environment "${task.environment}", or was altered.`,
    `Expected a task of "${environment}" as it was made.`,
  );
}

function taskOf(environment: string, { name, instruction }: HarborTask, seed: number): Task {
  return sealTask({
    id: `${environment}/${name}/${seed}`,
    environment,
    template: name,
    seed,
    split: 'train',
    kind: 'feasible',
    instruction,
    parameters: {},
    world: name,
    patch: [],
    budget: { steps },
  });
}
