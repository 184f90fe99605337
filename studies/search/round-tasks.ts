import type { TaskResult } from './search-run.ts';

export interface RoundChoices {
  /** Training tasks of an app, from easy to hard. */
  readonly tasks: readonly string[];
  /** What earlier rounds came to. */
  readonly before: readonly TaskResult[];
  /** Nodes of the first search of a task. */
  readonly nodes: number;
  /** Times the nodes of the last search that a task gets when it is tried again. */
  readonly deepen: number;
  /** Name of the prior that this round searches with. */
  readonly prior: string;
}

/**
 * The tasks that a round searches, each with its nodes: those that no earlier round has solved, new ones first. A search that
 * would be the same as one before, and so would fail again, is left out.
 */
export function roundTasks({ tasks, before, nodes, deepen, prior }: RoundChoices): ReadonlyMap<string, number> {
  const tries = Map.groupBy(before, ({ task }) => task);
  const fresh = new Map<string, number>();
  const again = new Map<string, number>();
  for (const id of tasks) {
    const own = (tries.get(id) ?? []).toSorted((left, right) => left.round - right.round);
    if (own.some(({ isCertified }) => isCertified)) continue;
    const last = own.findLast(({ search }) => search !== null);
    const search = last?.search ?? null;
    if (search === null) {
      fresh.set(id, nodes);
      continue;
    }
    const known = search.budget ?? nodes;
    const isWhole = last?.outcome === 'failed' && !search.isOverdue && search.failures === 0;
    // What was cut short is tried once more as it was.
    const budget = isWhole ? deepen * known : known;
    if (!isWhole || search.budget !== budget || search.prior !== prior) again.set(id, budget);
  }
  return new Map([...fresh, ...again]);
}
