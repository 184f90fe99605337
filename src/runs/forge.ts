import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Planner } from '../core/contracts.ts';
import { causeText, EspalierError } from '../core/errors.ts';
import type { Task } from '../core/records.ts';
import { createTaskPool, type TaskAdmission, type TaskRung } from '../forge/pool/admit-task.ts';
import { studyHeldOut, type HeldOut } from '../forge/pool/held-out.ts';
import { createWorld } from '../kernel/world.ts';
import { createPlanner } from '../policies/planner.ts';
import { readForgeName } from './environments/forged.ts';
import { absoluteName } from './environments/names.ts';
import { findSource } from './environments/open-environment.ts';
import { taskFile, writeTaskFile } from './environments/task-folder.ts';

export interface ForgeRunOptions {
  /** `mail`, `./library.ts`, or a name with options such as `forge:mail,kinds=commands`. */
  readonly app: string;
  /** Seeds of each template that are tried. */
  readonly seeds: number;
  /** States that the planner may expand for a task. */
  readonly nodes: number;
  onTask?(progress: ForgeProgress): void;
}

export interface ForgeProgress {
  readonly done: number;
  readonly all: number;
  readonly template: string;
  readonly admission: TaskAdmission;
}

export interface ForgeResult {
  /** The name that opens the environment of the tasks. */
  readonly environment: string;
  readonly tasks: readonly Task[];
  readonly steps: readonly number[];
  /** What fell, by rung and template. */
  readonly dropped: readonly { readonly template: string; readonly rung: TaskRung; readonly detail: string }[];
  readonly templates: { readonly all: number; readonly admitted: number };
}

const heldOutSeeds = [1, 2, 3];

/** Forges tasks from an app and admits those that are sound, solvable and new. */
export async function forgeTasks(options: ForgeRunOptions): Promise<ForgeResult> {
  const name = absoluteName(options.app.startsWith('forge:') ? options.app : `forge:${options.app}`);
  const source = await findSource(name);
  if (!('app' in source)) throw notAnApp(options.app);
  const environment = createWorld(source.app);
  // Bounded by states alone, so that what is admitted does not depend on the speed of the machine.
  const planner = createPlanner({ clock: { now: () => 0 }, maxNodes: options.nodes });
  const pool = createTaskPool({ environment, planner, heldOut: await heldOutOf(name, planner) });
  const dropped: ForgeResult['dropped'][number][] = [];
  const steps: number[] = [];
  const all = environment.templates.length * options.seeds;
  for (let seed = 1; seed <= options.seeds; seed++) {
    for (const [index, { id }] of environment.templates.entries()) {
      const admission = pool.admit(id, seed);
      if (admission.admitted) steps.push(admission.steps);
      else dropped.push({ template: id, rung: admission.rung, detail: admission.detail });
      const done = (seed - 1) * environment.templates.length + index + 1;
      options.onTask?.({ done, all, template: id, admission });
    }
  }
  const admitted = new Set(pool.tasks.map(({ template }) => template)).size;
  return {
    environment: name,
    tasks: pool.tasks,
    steps,
    dropped,
    templates: { all: environment.templates.length, admitted },
  };
}

/** What the held-out templates of the app itself ask for; nothing when they may be given away. */
async function heldOutOf(name: string, planner: Planner): Promise<HeldOut> {
  const { place, keepsHeldOut } = readForgeName(name);
  const source = await findSource(place);
  if (keepsHeldOut || !('app' in source)) return { sketches: [], skills: new Set(), commands: new Set() };
  return studyHeldOut(createWorld(source.app), planner, heldOutSeeds);
}

/** Writes the tasks to a folder, whole or not at all. */
export async function writeTasks(folder: string, { environment, tasks }: ForgeResult): Promise<string> {
  const path = join(folder, taskFile);
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(`${path}.part`, writeTaskFile({ forged: 1, environment }, tasks));
    await rename(`${path}.part`, path);
  } catch (cause) {
    throw new EspalierError({
      boundary: 'input',
      code: 'invalid-option',
      message: `${path} cannot be written: ${causeText(cause)}.`,
      expected: 'Expected a folder you may write to as --out.',
      cause,
    });
  }
  return path;
}

function notAnApp(name: string): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'unsupported',
    message: `"${name}" is no app, so nothing can be forged from it.`,
    expected: 'Expected a built-in app, or a module that exports `app` from defineApp.',
  });
}
