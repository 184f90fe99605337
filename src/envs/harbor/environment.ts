import { basename, resolve } from 'node:path';
import type { Environment } from '../../core/contracts.ts';
import { EspalierError, unknownEnvironment } from '../../core/errors.ts';
import { sealTask, type Task } from '../../core/records.ts';
import { readHarborTasks, type HarborTask } from './task-folder.ts';

export interface HarborEnvironment extends Environment {
  /** Why tasks are not offered. */
  readonly leftOut: readonly string[];
}

const steps = 100;

/** Task folders of Harbor: listed and validated. Their worlds are containers with a terminal, which nobody opens here yet. */
export function createHarborEnvironment(folder: string): HarborEnvironment {
  const all = readHarborTasks(folder);
  const sound = all.filter(({ problems }) => problems.length === 0);
  const leftOut = all.flatMap(({ name, problems }) => problems.map(problem => `${name}: ${problem}`));
  if (sound.length === 0)
    throw unknownEnvironment(
      `No task in ${folder} can be used: ${leftOut.slice(0, 3).join(' ')}`,
      `Expected task folders that Harbor accepts. \`espalier check harbor:${folder}\` tells what is wrong with each.`,
    );
  const id = basename(resolve(folder));
  return {
    id,
    title: `Tasks of Harbor in ${id}`,
    leftOut,
    tools: [],
    hasScreen: false,
    templates: sound.map(({ name, config }) => ({
      id: name,
      split: 'train',
      kind: 'feasible',
      about: config?.task?.description ?? '',
      tasks: 1,
    })),
    task: (template, seed) => taskOf(id, findTask(sound, template), seed),
    open({ template }) {
      throw needsTerminal(template);
    },
  };
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

function needsTerminal(task: string): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'unsupported',
    message: `The Harbor task "${task}" needs a terminal world: a container with a shell. Espalier has none yet.`,
    expected: 'Expected a task of another environment. Task folders of Harbor can be listed and checked.',
  });
}
