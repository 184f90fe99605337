import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRun, type StudentGroup } from '../student-group.ts';
import type { WorldsPlan } from './worlds-plan.ts';

/** What the students of a point were taught. */
export interface TaughtPoint {
  readonly group: StudentGroup;
  /** Forged tasks beside the hand-written ones. */
  readonly tasks: number;
  /** Made-up apps among them. */
  readonly apps: number;
  /** Steps that the planner demonstrated, in all tasks of the point. */
  readonly steps: number;
  /** All its tasks, and the file of their ids. */
  readonly ids: readonly string[];
  readonly file: string;
}

/** Where the demonstrations of a curve lie: in apps with templates of their own, and in made-up ones. */
export function demonstrationFolders(folder: string): readonly [apps: string, madeUp: string] {
  return [join(folder, 'apps'), join(folder, 'made-up')];
}

/** The tasks of the apps that passed and give away nothing of held-out templates. */
export function taskFileWithoutLeaks(folder: string): string {
  return join(folder, 'apps.without-leaks.txt');
}

/** The students of one point of the curve. */
export function pointGroup(folder: string, tasks: number, students: number): StudentGroup {
  return { folder, id: `tasks-${tasks}`, students };
}

export interface PointOptions {
  readonly folder: string;
  readonly plan: WorldsPlan;
  readonly points: readonly number[];
  readonly students: number;
}

/**
 * The tasks of each point: the first so many of those that the planner solved, so that each point has all of the one before.
 * A forged task that asks for the same as a held-out template is not taught.
 */
export function readPoints({ folder, plan, points, students }: PointOptions): TaughtPoint[] {
  const solved = new Map(demonstrationFolders(folder).flatMap(stepsOfSolved));
  const handWritten = plan.handWritten.filter(id => solved.has(id));
  const withoutLeaks = new Set(readFileSync(taskFileWithoutLeaks(folder), 'utf8').split('\n'));
  const order = plan.order.filter(id => solved.has(id) && (id.startsWith('synth-') || withoutLeaks.has(id)));
  return points.map(wanted => {
    const forged = order.slice(0, wanted);
    const all = [...handWritten, ...forged];
    return {
      group: pointGroup(folder, wanted, students),
      tasks: forged.length,
      apps: new Set(forged.map(environmentOf).filter(id => id.startsWith('synth-'))).size,
      steps: all.reduce((sum, id) => sum + (solved.get(id) ?? 0), 0),
      ids: all,
      file: join(folder, `tasks-${wanted}.txt`),
    };
  });
}

/** Steps of the demonstrations that passed, by task. */
export function stepsOfSolved(folder: string): [task: string, steps: number][] {
  return readRun(folder, store =>
    [...store.summaries({ phase: 'collect' })].flatMap(({ head, end }): [string, number][] =>
      end.outcome === 'passed' ? [[head.task.id, end.counts.steps]] : [],
    ),
  );
}

function environmentOf(task: string): string {
  return task.slice(0, task.indexOf('/'));
}
