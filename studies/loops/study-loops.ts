import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { NestedMean } from '../../src/analysis/bootstrap.ts';
import { estimateText, type Estimate } from '../../src/analysis/estimate.ts';
import { invalidOption } from '../../src/core/errors.ts';
import { readJson } from '../../src/modules/read-file.ts';
import { compareStudents } from '../../src/runs/evaluation/intervals.ts';
import { keepOptions } from '../../src/runs/folder/begun-options.ts';
import { writeWhole } from '../../src/runs/folder/folder.ts';
import { keepWorkers } from '../../src/runs/jobs/keep-workers.ts';
import { createSystemHost } from '../../src/system/workers/host.ts';
import { columns, type ExitCode, type Output } from '../../src/cli/terminal/output.ts';
import { withFleet, type FleetFlags } from '../../src/cli/fleet/with-fleet.ts';
import { stoppable } from '../../src/cli/terminal/stop.ts';
import { evaluateAll, StudyStopped, type StudySetting } from './equal-steps.ts';
import { loopArms, type LoopArm } from './loop-arms.ts';
import { pointsText } from './loop-table.ts';

interface LoopsRequest extends FleetFlags {
  readonly out: string;
  readonly environments: readonly string[];
  readonly arms?: readonly string[];
  readonly steps?: number;
  readonly seeds: number;
  readonly evalInstances: number;
  readonly workers?: number;
  readonly json?: boolean;
}

/** What a loop did for the student, beside what its paper compares it with. */
export interface LoopResult {
  readonly arm: string;
  readonly loop: string;
  readonly beside: string;
  /** Environment steps that both learned from. */
  readonly steps: { readonly with: number; readonly without: number };
  readonly with: Estimate;
  readonly without: Estimate;
  /** On the same tasks, with the same training seeds. */
  readonly difference: NestedMean;
  readonly tasks: number;
  readonly seconds: number;
}

const usualSteps = 1500;

/** Every loop of docs/methods.md beside what its paper compares it with: equal steps, apps that nothing was collected on. */
export async function studyLoops(output: Output, request: LoopsRequest): Promise<ExitCode> {
  const { out, seeds, steps = usualSteps, evalInstances: instances } = request;
  if (request.environments.length > 0)
    throw invalidOption('The study of loops has apps of its own.', 'Expected no environment: espalier study loops.');
  const arms = armsNamed(request.arms);
  keepOptions({ steps, seeds, instances }, { folder: out, path: join(out, 'study.json'), what: 'study of loops' });
  const { host, close } = keepWorkers(withFleet(createSystemHost(request), request, output));
  const results: LoopResult[] = [];
  try {
    const run = async ({ signal }: AbortController): Promise<void> => {
      for (const arm of arms) {
        output.progress(`${arm.name}: ${arm.loop} …`);
        results.push(await runArm(arm, { folder: out, steps, seeds, instances, host, signal }));
      }
    };
    await stoppable(output, run, { beside: [new URL('./', import.meta.url).href] });
  } catch (cause) {
    if (!(cause instanceof StudyStopped)) throw cause;
  } finally {
    await close();
  }
  output.progress('');
  if (request.json === true) for (const result of results) output.json(result);
  else tell(output, results);
  if (results.length === arms.length) return 0;
  output.note('stopped; the same command goes on.');
  return 1;
}

function armsNamed(names: readonly string[] | undefined): readonly LoopArm[] {
  if (names === undefined) return loopArms;
  return names.map(name => {
    const arm = loopArms.find(known => known.name === name);
    if (arm !== undefined) return arm;
    throw invalidOption(`There is no loop "${name}".`, `Expected: ${loopArms.map(known => known.name).join(', ')}.`);
  });
}

/** One comparison. One that has ended is read. */
export async function runArm(arm: LoopArm, setting: StudySetting): Promise<LoopResult> {
  const path = join(setting.folder, `${arm.name}.result.json`);
  if (existsSync(path)) return readJson(path) as LoopResult;
  const { clock } = setting.host;
  const started = clock.now();
  const sides = await arm.make(setting);
  const { environments, times = 1 } = arm;
  const evaluating = { ...setting, instances: times * setting.instances };
  const evaluate = (side: 'with' | 'without') =>
    evaluateAll(evaluating, { arm: arm.name, side, students: sides[side].students, environments });
  const [without, own] = [await evaluate('without'), await evaluate('with')];
  const { unseenApps } = compareStudents(own, without);
  if (own.unseenApps === null || without.unseenApps === null || unseenApps === null)
    throw new Error(`${arm.name} has no task that both sides were evaluated on.`);
  const result: LoopResult = {
    arm: arm.name,
    loop: arm.loop,
    beside: arm.beside,
    steps: { with: sides.with.steps, without: sides.without.steps },
    with: own.unseenApps.overall,
    without: without.unseenApps.overall,
    difference: unseenApps.difference,
    tasks: new Set(own.trials.map(({ task }) => task)).size,
    seconds: (clock.now() - started) / 1000,
  };
  writeWhole(path, `${JSON.stringify(result, null, 2)}\n`);
  return result;
}

function tell(output: Output, results: readonly LoopResult[]): void {
  const heads = ['loop', 'beside', 'steps', 'with it', 'without it', 'points', 'tasks', 's'];
  const rows = results.map(({ loop, beside, steps, difference, tasks, seconds, ...rates }) => [
    loop,
    beside,
    `${steps.with} / ${steps.without}`,
    estimateText(rates.with),
    estimateText(rates.without),
    pointsText(difference),
    String(tasks),
    seconds.toFixed(0),
  ]);
  for (const line of columns([heads.map(head => output.paint.dim(head)), ...rows])) output.line(line);
}
