import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { createPlanner } from '../../agents/planner/planner.ts';
import { isStateSession, type Environment } from '../../core/contracts.ts';
import { invalidOption } from '../../core/errors.ts';
import { hash32 } from '../../core/random.ts';
import { sealTask, type Task } from '../../core/records.ts';
import {
  readRelease,
  releaseFile,
  sourceFolder,
  writeRelease,
  type Demand,
  type Proof,
  type Release,
} from '../../envs/releases/release-file.ts';
import { readModuleName } from '../../modules/load-module.ts';
import { filesOf } from '../../modules/module-hash.ts';
import { absoluteName } from '../environments/names.ts';
import { findSource } from '../environments/open-environment.ts';
import { createWorld } from '../../worlds/world.ts';
import { writeWhole } from '../folder/folder.ts';
import { evaluationSeed } from '../settings/seeds.ts';
import { quotas } from './demand.ts';

export interface FreezeOptions {
  /** `mail`, `./app.ts`, `forge:./app.ts,kinds=commands`. */
  readonly environment: string;
  readonly folder: string;
  readonly name: string;
  /** `2026-11-18`. Demand that was seen later is left out. */
  readonly date: string;
  /** What people ask for, as it is known; empty for all templates alike. */
  readonly demand: readonly Demand[];
  readonly tasks: number;
  /** States that the planner may expand for the path of a task. */
  readonly nodes: number;
  /** The version of Espalier. */
  readonly version: string;
  onTask?(done: number, of: number): void;
}

/** Draws tasks by demand, freezes them with their code and with what they do, and writes the release. */
export async function freezeRelease(options: FreezeOptions): Promise<Release> {
  const { folder, name, date, version } = options;
  if (existsSync(join(folder, releaseFile)))
    throw invalidOption(`${folder} holds a release already.`, 'Expected another folder: a release never changes.');
  const source = await findSource(absoluteName(options.environment));
  const world: Environment = 'app' in source ? createWorld(source.app) : source.environment;
  const demand = options.demand.filter(one => one.date <= date);
  const drawn = await drawTasks(world, options, demand);
  const seals = drawn.map(({ seal }) => seal);
  const canary = `espalier release canary ${hash('sha256', JSON.stringify([name, date, seals]))}`;
  // In every task: whatever is written of its episodes has it.
  const tasks = drawn.map(task => sealTask({ ...task, parameters: { ...task.parameters, canary } }));
  const copied = copySources(options.environment);
  const proofs: Proof[] = [];
  for (const [index, task] of tasks.entries()) {
    proofs.push(await proofOf(world, task, options.nodes));
    options.onTask?.(index + 1, tasks.length);
  }
  for (const { path, text } of copied.files) writeWhole(join(folder, path), text);
  const files = Object.fromEntries(copied.files.map(({ path, text }) => [path, hash('sha256', text)]));
  const content = { version: 1 as const, name, date, espalier: version, environment: copied.environment };
  writeWhole(join(folder, releaseFile), writeRelease({ ...content, canary, demand, tasks, proofs, files }));
  return readRelease(folder);
}

/** Tasks of each template by its quota. The same name, date and demand draw the same. */
async function drawTasks(
  world: Environment,
  { tasks: wanted, name, date }: FreezeOptions,
  demand: readonly Demand[],
): Promise<readonly Task[]> {
  const found = new Map<string, Task>();
  const shares = quotas(world, demand, wanted);
  const seed = hash32(`release/${name}/${date}`) % 1_000_000;
  for (const [template, count] of shares) {
    // A template may give the same task for two seeds.
    for (let instance = 0, made = 0; made < count && instance < 4 * count; instance++) {
      const task = await world.task(template, evaluationSeed(seed, instance));
      if (found.has(task.id)) continue;
      found.set(task.id, task);
      made++;
    }
  }
  return [...found.values()];
}

/** The path of a planner, which needs a state to read; elsewhere the initial state alone is proven. */
async function proofOf(world: Environment, task: Task, nodes: number): Promise<Proof> {
  const session = await world.open(task);
  try {
    const root = await session.digest();
    if (!isStateSession(session)) return { task: task.id, root, path: null };
    // Bounded by states alone, so that the release does not depend on the speed of the machine.
    const planner = createPlanner({ clock: { now: () => 0 }, maxNodes: nodes });
    const plan = planner.plan(session);
    if (plan.outcome !== 'solved') return { task: task.id, root, path: null };
    const { actions } = plan;
    for (const action of actions) await session.step(action);
    const verdict = await session.verify();
    return { task: task.id, root, path: { actions, end: await session.digest(), verdict } };
  } finally {
    await session.close();
  }
}

interface CopiedSources {
  /** The name that opens the copy. */
  readonly environment: string;
  readonly files: readonly { readonly path: string; readonly text: string }[];
}

/** Copies the module of the user's that a name has, with all files that it reaches. Packages stay where they are. */
function copySources(name: string): CopiedSources {
  const [, prefix = '', rest = name] = /^((?:\w+:)*)(.*)$/s.exec(name) ?? [];
  const [place = '', ...options] = rest.split(',');
  const module = readModuleName(place);
  if (module === null || !existsSync(module.path)) return { environment: name, files: [] };
  const all = filesOf(module.path);
  const top = commonFolder(all);
  const pathOf = (file: string): string => [sourceFolder, ...relative(top, file).split(sep)].join('/');
  const own = `./${pathOf(all[0] as string)}${module.rest === null ? '' : `:${module.rest}`}`;
  return {
    environment: `${prefix}${[own, ...options].join(',')}`,
    files: all.map(file => ({ path: pathOf(file), text: readFileSync(file, 'utf8') })),
  };
}

function commonFolder(files: readonly string[]): string {
  let folder = dirname(files[0] as string);
  while (!files.every(file => file.startsWith(`${folder}${sep}`))) folder = dirname(folder);
  return folder;
}
