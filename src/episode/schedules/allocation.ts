import type { ScheduledResult, Scheduler } from './scheduler.ts';

/** What the trials of a task have shown. */
export interface TaskTally {
  trials: number;
  passed: number;
  readonly results: ScheduledResult[];
}

function tallyOf(results: readonly ScheduledResult[], tasks: number): TaskTally[] {
  const tallies = Array.from({ length: tasks }, (): TaskTally => ({ trials: 0, passed: 0, results: [] }));
  for (const result of results) {
    const tally = tallies[result.task] as TaskTally;
    tally.trials++;
    tally.passed += Number(result.passed === true);
    tally.results.push(result);
  }
  return tallies;
}

export interface AllocationOptions {
  readonly name: string;
  /** Trials of every task before anything is decided. */
  readonly first: number;
  /** Episodes of a round. */
  readonly batch: number;
  /** Episodes in all. */
  readonly episodes: number;
  /** What one more trial of each task is worth, given what is known and the trials that this round has given it already. */
  worth(tallies: readonly TaskTally[], given: readonly number[], rounds: number): readonly number[];
}

/** Gives each task a few trials, and then the next ones where they are worth most, a batch at a time. */
export function createAllocation({ name, first, batch, episodes, worth }: AllocationOptions): Scheduler {
  return {
    name,
    next(results, tasks) {
      const left = episodes - results.length;
      if (left <= 0 || tasks === 0) return [];
      const tallies = tallyOf(results, tasks);
      const least = Math.min(...tallies.map(({ trials }) => trials));
      if (least < first) return tallies.flatMap(({ trials }, task) => (trials === least ? [task] : [])).slice(0, left);
      const given = tallies.map(() => 0);
      const round: number[] = [];
      const rounds = Math.ceil(results.length / batch);
      while (round.length < Math.min(batch, left)) {
        const worths = worth(tallies, given, rounds);
        const best = worths.reduce((top, value, task) => (value > (worths[top] as number) ? task : top), 0);
        given[best] = (given[best] as number) + 1;
        round.push(best);
      }
      return round;
    },
  };
}
