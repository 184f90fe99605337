import { createRandom } from '../../src/core/random.ts';
import { EspalierError } from '../../src/core/errors.ts';
import { randomCompositions } from '../../src/envs/problems/compose/random-compositions.ts';
import type { Problem } from '../../src/envs/problems/problem.ts';

export type SplitBy = 'problem' | 'subject';

export interface ProblemSplit {
  /** Problems that students may be trained on, in an order of their own for each seed. */
  readonly pool: readonly Problem[];
  /** No student is trained on these, nor on a composition with one of them. */
  readonly unseen: readonly Problem[];
}

const unseenProblems = 32;

/** The same unseen problems for all students: single problems, or whole subjects. */
export function splitProblems(problems: readonly Problem[], by: SplitBy): ProblemSplit {
  const usable = problems.filter(({ isFunction }) => isFunction);
  const random = createRandom(`races study/${by}`);
  const groups = by === 'problem' ? usable.map(problem => [problem]) : bySubject(usable);
  const unseen = new Set<Problem>();
  for (const group of random.shuffle(groups)) {
    if (unseen.size + group.length > unseenProblems) continue;
    for (const problem of group) unseen.add(problem);
  }
  return { pool: usable.filter(problem => !unseen.has(problem)), unseen: [...unseen] };
}

function bySubject(problems: readonly Problem[]): Problem[][] {
  return [...Map.groupBy(problems, ({ subject }) => subject).values()];
}

export interface CompositionRequest {
  readonly parts: readonly Problem[];
  readonly count: number;
  readonly seed: number;
}

/** Compositions of two or three problems; fewer when there are not so many. */
export function compositionsOf({ parts, count, seed }: CompositionRequest): Problem[] {
  const found: Problem[] = [];
  try {
    for (const problem of randomCompositions({ problems: parts, depth: 1, count, seed })) found.push(problem);
  } catch (cause) {
    if (!(cause instanceof EspalierError) || cause.code !== 'no-instance') throw cause;
  }
  return found;
}
