import { solutionFiles, solutionScript } from './task-files.ts';
import type { HarborTask } from './task-folder.ts';
import { buildTask, openHarborWorld, type HarborWorld, type Verified, type Workshop } from './world.ts';

/** What is wrong with a task. */
type Defect =
  | 'refused'
  | 'does not build'
  | 'passes untouched'
  | 'oracle fails'
  | 'flaky'
  | 'passes with a part of the solution'
  | 'no solution';

/** How a try ended. */
interface Try {
  readonly what: 'untouched' | 'oracle' | 'empty' | 'cut';
  readonly pass: boolean;
  readonly reward: number | null;
  /** Why there is no reward, or which checks failed. */
  readonly why: string | null;
}

/** What `check` says of a task. */
export interface TaskCheck {
  readonly task: string;
  readonly built: boolean;
  readonly tries: readonly Try[];
  readonly defects: readonly Defect[];
  /** Reasons, line by line. */
  readonly reasons: readonly string[];
  readonly remarks: readonly string[];
}

/**
 * Builds a task and tries it: untouched it fails, its solution passes, twice; an empty solution and one cut in half fail. What differs
 * between two tries of the same is flaky.
 */
export async function checkTask(task: HarborTask, workshop: Workshop): Promise<TaskCheck> {
  const { name, problems } = task;
  if (problems.length > 0) return failed(task, 'refused', problems);
  const built = await buildTask(task, workshop);
  if (built.image === null) {
    const found = failed(task, 'does not build', built.problems);
    return { ...found, remarks: [...found.remarks, ...built.remarks] };
  }
  const world = await openHarborWorld(task, built.image, workshop.sandboxes);
  try {
    const tries = await tryTask(task, world);
    const { defects, reasons } = judged(tries);
    return { task: name, built: true, tries, defects, reasons, remarks: [...task.remarks, ...built.remarks] };
  } finally {
    await world.world.close();
  }
}

function failed({ name, remarks }: HarborTask, defect: Defect, reasons: readonly string[]): TaskCheck {
  return { task: name, built: false, tries: [], defects: [defect], reasons, remarks };
}

async function tryTask(task: HarborTask, world: HarborWorld): Promise<Try[]> {
  const one = async (what: Try['what'], script: string | null): Promise<Try> =>
    told(what, await world.verify(await world.solve(script)));
  const file = solutionFiles(task)?.find(({ path }) => path === solutionScript[task.layout]);
  if (file === undefined) return [await one('untouched', null), await one('untouched', null)];
  const script = Buffer.from(file.content as string).toString();
  const lines = script.trimEnd().split('\n');
  const cut = lines.slice(0, Math.floor(lines.length / 2)).join('\n');
  return [
    await one('untouched', null),
    await one('empty', '#!/bin/bash\n'),
    await one('oracle', script),
    await one('oracle', script),
    await one('cut', `${cut}\n`),
  ];
}

const mostReasons = 5;
const mostSaid = 200;

function told(what: Try['what'], { verdict, reward, problem, output }: Verified): Try {
  const failing = verdict.checks.filter(({ pass }) => !pass).map(({ name }) => name);
  const touched = verdict.evidence.sideEffects.map(path => `${path} was touched`);
  const last = output.trim().split('\n').at(-1)?.slice(0, mostSaid) ?? '';
  const found = [problem ?? failing.slice(0, mostReasons).join('; '), ...touched.slice(0, mostReasons)];
  const why = [...found, `the tests ended with: ${last}`].filter(text => text !== '').join('; ');
  return { what, pass: verdict.pass, reward, why: verdict.pass ? null : why };
}

function judged(tries: readonly Try[]): Pick<TaskCheck, 'defects' | 'reasons'> {
  const of = (...kinds: readonly Try['what'][]): Try[] => tries.filter(({ what }) => kinds.includes(what));
  const [untouched, oracle, cut] = [of('untouched', 'empty'), of('oracle'), of('cut')];
  const defects: Defect[] = [];
  if (untouched.every(({ pass }) => pass)) defects.push('passes untouched');
  if (oracle.length === 0) defects.push('no solution');
  else if (oracle.every(({ pass }) => !pass)) defects.push('oracle fails');
  if ([untouched, oracle].some(same => new Set(same.map(({ pass }) => pass)).size > 1)) defects.push('flaky');
  if (!defects.includes('passes untouched') && cut.some(({ pass }) => pass))
    defects.push('passes with a part of the solution');
  const reasons = oracle.flatMap(({ why }) => (why === null ? [] : [why]));
  return { defects, reasons: [...new Set(reasons)] };
}
