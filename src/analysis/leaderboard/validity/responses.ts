import type { ScoredTask } from '../scores.ts';
import { templateOf } from './halves.ts';
import type { ItemResponses } from './item-response.ts';

/** Passes and trials of each template, by entrant. */
export function responsesOf(tasks: readonly ScoredTask[]): readonly ItemResponses[] {
  return [...Map.groupBy(tasks, templateOf)].map(([item, own]) => {
    const sum = (of: (task: ScoredTask, entrant: number) => number): number[] =>
      (own[0]?.shares ?? []).map((_, entrant) => own.reduce((total, task) => total + of(task, entrant), 0));
    return {
      item,
      trials: sum(({ made }, entrant) => made[entrant] as number),
      passed: sum(({ made, shares }, entrant) =>
        made[entrant] ? Math.round((made[entrant] as number) * (shares[entrant] as number)) : 0,
      ),
    };
  });
}
