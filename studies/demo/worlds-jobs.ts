import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { count } from '../../src/core/text.ts';
import { runPaths, writeWhole } from '../../src/runs/folder/folder.ts';
import type { Host } from '../../src/runs/host/host.ts';
import type { DemoSize } from './demo-size.ts';
import { studentFolder, type StudentGroup } from './student-group.ts';
import {
  demonstrationFolders,
  pointGroup,
  readPoints,
  taskFileWithoutLeaks,
  type TaughtPoint,
} from './worlds/taught-points.ts';
import { planWorlds, type WorldsPlan } from './worlds/worlds-plan.ts';
import { runProgram } from './programs.ts';
import type { Job } from './schedule.ts';

export interface StudySetting {
  readonly folder: string;
  /** Apps with hand-written templates. */
  readonly apps: readonly string[];
  readonly size: DemoSize;
  readonly seed: number;
  readonly host: Host;
}

/** The jobs of the curve over worlds: plan, demonstrate, then train and evaluate the students of every point. */
export function worldsJobs(setting: StudySetting): Job[] {
  const { folder, size } = setting;
  let plan: WorldsPlan | null = null;
  const context: PointContext = {
    planned: () => plan as WorldsPlan,
    lists: {
      apps: join(folder, 'apps.txt'),
      madeUp: join(folder, 'made-up.txt'),
      evaluated: join(folder, 'evaluated.txt'),
    },
  };
  const choosing: Job = {
    id: 'plan',
    label: 'choosing tasks',
    seconds: 15,
    async run() {
      plan = await planWorlds(setting);
      writeLists(plan, context.lists);
    },
  };
  return [
    choosing,
    ...demonstrationJobs(setting, context),
    baselineJob(setting, context),
    ...size.points.toReversed().flatMap(tasks => pointJobs(setting, tasks, context)),
  ];
}

interface PointContext {
  /** The plan, once it is made. */
  planned(): WorldsPlan;
  /** Files of ids. */
  readonly lists: { readonly apps: string; readonly madeUp: string; readonly evaluated: string };
}

function writeLists({ handWritten, order, evaluated }: WorldsPlan, lists: PointContext['lists']): void {
  writeList(lists.apps, [...handWritten, ...order.filter(id => !id.startsWith('synth-'))]);
  writeList(
    lists.madeUp,
    order.filter(id => id.startsWith('synth-')),
  );
  writeList(lists.evaluated, evaluated);
}

function demonstrationJobs({ folder, apps, size, seed }: StudySetting, { planned, lists }: PointContext): Job[] {
  const [ofApps, ofMadeUp] = demonstrationFolders(folder);
  const most = Math.max(...size.points);
  return [
    {
      id: 'apps',
      label: `demonstrating tasks forged in ${apps.join(', ')}`,
      needs: ['plan'],
      seconds: most / 10 + 10,
      run: signal =>
        demonstrate({ environments: [...apps, ...planned().forged], tasks: lists.apps, out: ofApps, seed }, signal),
    },
    {
      id: 'made-up',
      label: 'demonstrating tasks in made-up apps',
      needs: ['plan'],
      seconds: most / 20 + 3,
      run: signal => demonstrate({ environments: planned().madeUp, tasks: lists.madeUp, out: ofMadeUp, seed }, signal),
    },
    {
      id: 'leaks',
      label: 'comparing forged tasks with held-out templates',
      needs: ['apps'],
      seconds: 5,
      async run(signal) {
        const out = taskFileWithoutLeaks(folder);
        if (!existsSync(out)) await runProgram({ args: ['leaks', ofApps, '--out', out], signal });
      },
    },
  ];
}

function baselineJob({ folder }: StudySetting, { planned, lists }: PointContext): Job {
  const out = baselineFolder(folder);
  return {
    id: 'baselines',
    label: 'running the baselines',
    needs: ['plan'],
    seconds: 22,
    run: signal =>
      evaluateOn({ environments: evaluatedIn(planned()), tasks: lists.evaluated, student: 'untrained', out }, signal),
  };
}

function baselineFolder(folder: string): string {
  return join(folder, 'baselines');
}

function evaluatedIn({ apps, unseen }: WorldsPlan): string[] {
  return [...apps, ...unseen];
}

function pointJobs(setting: StudySetting, tasks: number, { planned, lists }: PointContext): Job[] {
  const { folder, size } = setting;
  const group = pointGroup(folder, tasks, size.students);
  return Array.from({ length: size.students }, (_, index): Job => {
    const seed = index + 1;
    return {
      id: `${group.id}.${seed}`,
      label: `teaching ${count(tasks, 'forged task')}`,
      needs: ['leaks', 'made-up'],
      seconds: 12 + tasks / 10,
      async run(signal) {
        const [point] = readPoints({ folder, plan: planned(), points: [tasks], students: size.students });
        const { file, ids } = point as TaughtPoint;
        writeList(file, ids);
        const rows = demonstrationFolders(folder);
        const environments = evaluatedIn(planned());
        await teach({ group, seed, rows, tasks: file, evaluation: { environments, tasks: lists.evaluated } }, signal);
      },
    };
  });
}

export interface Demonstration {
  readonly environments: readonly string[];
  /** File of ids. */
  readonly tasks: string;
  readonly out: string;
  readonly seed: number;
}

/** The planner shows tasks; the rows of what passed are exported. */
export async function demonstrate(
  { environments, tasks, out, seed }: Demonstration,
  signal: AbortSignal,
): Promise<void> {
  const { export: exported } = runPaths(out);
  if (existsSync(exported)) return;
  // One in thirty demonstrations needs more states than this, and takes as long as all the others together.
  const planner = ['--student', 'planner', '--set', 'student.nodes=600'];
  const who = [...planner, '--strategy', 'linear', '--seed', String(seed), '--workers', '0'];
  await runProgram({ args: ['collect', ...environments, '--tasks', tasks, '--out', out, ...who, '--json'], signal });
  if (signal.aborted) return;
  const how = ['--keep', 'all', '--table', 'next-actions', '--format', 'jsonl'];
  await runProgram({ args: ['export', out, ...how], signal });
}

export interface Teaching {
  readonly group: StudentGroup;
  readonly seed: number;
  /** Folders of exported rows. */
  readonly rows: readonly string[];
  /** File of the tasks to learn from. */
  readonly tasks: string;
  readonly evaluation: Omit<Evaluating, 'student' | 'out'>;
}

/** Trains one student of a group on rows, and evaluates it. */
export async function teach({ group, seed, rows, tasks, evaluation }: Teaching, signal: AbortSignal): Promise<void> {
  const out = studentFolder(group, seed);
  const student = join(out, 'student.json');
  if (!existsSync(student)) {
    const args = ['train', ...rows, '--tasks', tasks, '--seed', String(seed), '--out', student];
    await runProgram({ args, signal });
  }
  if (!signal.aborted) await evaluateOn({ ...evaluation, student, out }, signal);
}

interface Evaluating {
  readonly environments: readonly string[];
  /** File of ids; instances of all templates when left out. */
  readonly tasks?: string;
  readonly seed?: number;
  readonly instances?: number;
  readonly student: string;
  readonly out: string;
}

/** Baselines run beside a student that was never trained. */
async function evaluateOn(evaluating: Evaluating, signal: AbortSignal): Promise<void> {
  const { environments, tasks, seed = 1, instances, student, out } = evaluating;
  const which = tasks === undefined ? ['--instances', String(instances)] : ['--tasks', tasks];
  const beside = student === 'untrained' ? [] : ['--no-baselines'];
  const how = ['--seed', String(seed), '--round', '1', '--workers', '0', '--json', ...beside];
  await runProgram({ args: ['eval', ...environments, '--student', student, '--out', out, ...which, ...how], signal });
}

function writeList(path: string, ids: readonly string[]): void {
  writeWhole(path, `${ids.join('\n')}\n`);
}
