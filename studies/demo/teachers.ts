import { openEnvironment } from '../../src/runs/environments/open-environment.ts';
import type { Host } from '../../src/runs/host/host.ts';
import type { DemoSize } from './demo-size.ts';
import { readRun } from './student-group.ts';
import { drawTasks } from './worlds/taught-tasks.ts';

/** The made-up apps in which ways to ask the teacher are compared. */
export function teacherApps({ teachers }: DemoSize): string[] {
  return Array.from({ length: teachers.apps }, (_, index) => `synth:${index + 1}`);
}

/** What a run asked of its teacher. */
export interface Paid {
  /** Reviews and corrections. */
  readonly queries: number;
  /** Steps that the teacher read in reviews, and those that it gave as corrections. */
  readonly steps: number;
}

export function paidBy(folder: string): Paid {
  return readRun(folder, store => {
    let [queries, steps] = [0, 0];
    for (const { end } of store.summaries({ phase: 'collect' })) {
      const { reviews, corrections, shown = 0 } = end.counts;
      queries += reviews + corrections;
      steps += shown + corrections;
    }
    return { queries, steps };
  });
}

export interface DemonstrationOptions {
  readonly environments: readonly string[];
  readonly seed: number;
  readonly count: number;
  readonly host: Host;
}

/** Ids of tasks to demonstrate, of all training templates in turn. */
export async function demonstrations(options: DemonstrationOptions): Promise<string[]> {
  const { environments, seed, count, host } = options;
  const sources = [];
  for (const name of environments) {
    const { id, templates } = await openEnvironment(name, { host });
    const own = templates.filter(({ split }) => split === 'train').map(template => template.id);
    sources.push({ environment: id, templates: own });
  }
  return drawTasks(sources, { seed, count });
}

/** The first tasks whose demonstrations cost at most so many steps together. */
export function tasksWithin(most: number, demonstrated: readonly (readonly [task: string, steps: number])[]): string[] {
  let spent = 0;
  const found: string[] = [];
  for (const [task, steps] of demonstrated) {
    if (spent + steps > most) break;
    spent += steps;
    found.push(task);
  }
  return found;
}
