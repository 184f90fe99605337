import type { Random } from '../../core/random.ts';

/** A task with the share of its trials that each entrant passed; NaN where it has none with a verdict. */
export interface ScoredTask {
  readonly environment: string;
  readonly app: string;
  readonly template: string;
  readonly task: string;
  readonly level: string;
  readonly shares: readonly number[];
  /** Trials with a verdict, by entrant. */
  readonly made: readonly number[];
}

/** Tasks in their templates and apps, ready to be drawn from many times. */
export interface TaskNest {
  readonly entrants: number;
  /** Apps, their templates, the tasks of each: shares by entrant. */
  readonly apps: readonly (readonly (readonly Float64Array[])[])[];
}

export function nestTasks(
  tasks: readonly Pick<ScoredTask, 'app' | 'template' | 'shares'>[],
  entrants: number,
): TaskNest {
  const apps = [...Map.groupBy(tasks, ({ app }) => app).values()].map(own =>
    [...Map.groupBy(own, ({ template }) => template).values()].map(same =>
      same.map(({ shares }) => Float64Array.from(shares)),
    ),
  );
  return { entrants, apps };
}

/**
 * The score of every entrant: apps weigh alike, in them templates, in these tasks. With a random source the templates of each
 * app, and the tasks of each template, are drawn with replacement, the same for all entrants. Apps stay: they are few, and
 * named on the board.
 */
export function nestedScores({ entrants, apps }: TaskNest, random: Random | null = null): Float64Array {
  const total = createMeans(entrants);
  const ofApp = createMeans(entrants);
  const ofTemplate = createMeans(entrants);
  for (const templates of apps) {
    for (let place = 0; place < templates.length; place++) {
      const tasks = templates[random === null ? place : Math.floor(random.next() * templates.length)] ?? [];
      for (let at = 0; at < tasks.length; at++)
        ofTemplate.add(tasks[random === null ? at : Math.floor(random.next() * tasks.length)] as Float64Array);
      ofApp.add(ofTemplate.take());
    }
    total.add(ofApp.take());
  }
  return total.take();
}

/** Means by entrant; what is NaN counts for nobody. */
function createMeans(entrants: number) {
  const sums = new Float64Array(entrants);
  const counts = new Uint32Array(entrants);
  const means = new Float64Array(entrants);
  return {
    add(values: Float64Array): void {
      for (let index = 0; index < entrants; index++) {
        const value = values[index] as number;
        if (Number.isNaN(value)) continue;
        sums[index] = (sums[index] as number) + value;
        counts[index] = (counts[index] as number) + 1;
      }
    },
    /** The means so far; starts anew. */
    take(): Float64Array {
      for (let index = 0; index < entrants; index++) means[index] = (sums[index] as number) / (counts[index] as number);
      sums.fill(0);
      counts.fill(0);
      return means.slice();
    },
  };
}
