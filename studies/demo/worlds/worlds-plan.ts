import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Environment } from '../../../src/core/contracts.ts';
import { synthDomain } from '../../../src/envs/synth/generate/synth-spec.ts';
import { invalidOption } from '../../../src/core/errors.ts';
import { parseRecord, type Split } from '../../../src/core/records.ts';
import { nameLeftOut } from '../../../src/forge/forged-app.ts';
import { familyHost, openEnvironment } from '../../../src/runs/environments/open-environment.ts';
import { readJson } from '../../../src/modules/read-file.ts';
import { writeWhole } from '../../../src/runs/folder/folder.ts';
import type { Host } from '../../../src/runs/host/host.ts';
import type { DemoSize } from '../demo-size.ts';
import {
  alternate,
  drawFromApps,
  drawTasks,
  someToEvaluate,
  tasksToEvaluate,
  tasksToTeach,
  type TaskSource,
} from './taught-tasks.ts';

const names = z.array(z.string()).readonly();

const planSchema = z.strictObject({
  size: z.unknown(),
  seed: z.number(),
  /** Environments to teach in, and to evaluate in. */
  apps: names,
  forged: names,
  madeUp: names,
  unseen: names,
  /** Ids of tasks: those that every student is taught, then the forged ones in the order they are added. */
  handWritten: names,
  order: names,
  evaluated: names,
});

/** What is taught at the points of the curve over worlds, and what students are evaluated on. */
export type WorldsPlan = z.infer<typeof planSchema>;

export interface WorldsPlanOptions {
  readonly folder: string;
  /** Apps with hand-written templates. */
  readonly apps: readonly string[];
  readonly size: DemoSize;
  readonly seed: number;
  readonly host: Host;
}

/** Made-up apps are taught from seed 1 on; those that nobody is taught lie far from them. */
const firstUnseen = 900_001;
const mostTried = 1000;
/** Some tasks have no plan within the limits of the planner: so many more are tried. */
const spare = 1.15;

/** Apps that nobody is taught. Each is about something else, and about nothing that the taught apps, of seeds 1 to `taught`, are about. */
export function unseenApps(count: number, taught: number): string[] {
  const known = new Set(Array.from({ length: taught }, (_, index) => synthDomain(index + 1)));
  const found: string[] = [];
  for (let seed = firstUnseen; found.length < count && seed < firstUnseen + mostTried; seed++) {
    if (known.has(synthDomain(seed))) continue;
    known.add(synthDomain(seed));
    found.push(`synth:${seed}`);
  }
  return found;
}

/** Draws the tasks; a plan that lies in the folder is kept. */
export async function planWorlds(options: WorldsPlanOptions): Promise<WorldsPlan> {
  const { folder, size, seed } = options;
  const path = join(folder, 'plan.json');
  if (existsSync(path)) {
    const found = parseRecord(planSchema, readJson(path), { what: path, code: 'corrupt-record' });
    if (JSON.stringify([found.size, found.seed, found.apps]) === JSON.stringify([size, seed, options.apps]))
      return found;
    throw invalidOption(
      `${folder} holds a demo that was begun with other options.`,
      'Give the same options to go on with it, or another folder as --out.',
    );
  }
  const plan = await drawPlan(options);
  writeWhole(path, `${JSON.stringify(plan, null, 1)}\n`);
  return plan;
}

async function drawPlan({ apps, size, seed, host }: WorldsPlanOptions): Promise<WorldsPlan> {
  const { tasksPerApp, evaluated, unseen: unseenSize } = size;
  const most = Math.ceil((Math.max(...size.points) / 2) * spare);
  const madeUp = Array.from({ length: Math.ceil(most / tasksPerApp) }, (_, index) => `synth:${index + 1}`);
  const forged = await Promise.all(apps.map(app => nameLeftOut(`forge:${app}`, familyHost)));
  const unseen = unseenApps(unseenSize.apps, madeUp.length);
  const own = await openAll(apps, host);
  const order = alternate(
    drawTasks(sourcesOf(await openAll(forged, host), ['train']), { seed, count: most }),
    drawFromApps(sourcesOf(await openAll(madeUp, host), ['train']), { seed, perApp: tasksPerApp }),
  );
  const never = sourcesOf(await openAll(unseen, host), ['train', 'test']);
  return {
    size,
    seed,
    apps,
    forged,
    madeUp,
    unseen,
    handWritten: tasksToTeach(sourcesOf(own, ['train']), { seed, instances: size.handWritten }),
    order,
    evaluated: [
      ...tasksToEvaluate(sourcesOf(own, ['train']), { seed, instances: evaluated.newInstances }),
      ...tasksToEvaluate(sourcesOf(own, ['test']), { seed, instances: evaluated.heldOut }),
      ...someToEvaluate(never, { seed, instances: 2, most: unseenSize.templates }),
    ],
  };
}

async function openAll(environments: readonly string[], host: Host): Promise<Environment[]> {
  const found: Environment[] = [];
  for (const name of environments) found.push(await openEnvironment(name, { host }));
  return found;
}

function sourcesOf(environments: readonly Environment[], splits: readonly Split[]): TaskSource[] {
  return environments.map(({ id, templates }) => ({
    environment: id,
    templates: templates.filter(({ split }) => splits.includes(split)).map(template => template.id),
  }));
}
