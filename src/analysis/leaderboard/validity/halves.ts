import type { ScoredTask } from '../scores.ts';

/** The tasks of each template in two halves, by their seeds: the first, third, … and the second, fourth, … */
export function halves(tasks: readonly ScoredTask[]): readonly [readonly ScoredTask[], readonly ScoredTask[]] {
  const [odd, even]: [ScoredTask[], ScoredTask[]] = [[], []];
  for (const own of Map.groupBy(tasks, templateOf).values())
    for (const [index, task] of own.toSorted(bySeed).entries()) (index % 2 === 0 ? odd : even).push(task);
  return [odd, even];
}

export function templateOf({ app, template }: Pick<ScoredTask, 'app' | 'template'>): string {
  return `${app}/${template}`;
}

function bySeed(one: ScoredTask, other: ScoredTask): number {
  const seedOf = ({ task }: ScoredTask): number => Number(/\d+$/.exec(task)?.[0] ?? 0);
  return seedOf(one) - seedOf(other) || (one.task < other.task ? -1 : 1);
}
