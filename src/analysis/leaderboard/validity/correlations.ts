import { createRandom } from '../../../core/random.ts';
import { quantile, type Interval } from '../../stats.ts';
import { kendall, rankShift, spearman } from '../../ranks.ts';
import { nestedScores, nestTasks, type ScoredTask } from '../scores.ts';

/** A correlation of ranks, and what draws of templates and tasks leave of it. Null where one side has all scores alike. */
export interface RankCorrelation extends Interval {
  readonly value: number;
}

/** How well the rank on some tasks predicts the rank on others. */
export interface Prediction {
  /** What tells the two apart. */
  readonly by: 'seed' | 'level' | 'environment' | 'family' | 'date';
  readonly one: string;
  readonly other: string;
  readonly tasks: readonly [number, number];
  readonly spearman: RankCorrelation | null;
  readonly kendall: RankCorrelation | null;
  /** Mean distance between the two ranks of an entrant. */
  readonly shift: number;
}

const draws = 1000;

/** Compares the ranks of the same entrants on two sets of tasks. */
export function predict(
  named: Pick<Prediction, 'by' | 'one' | 'other'>,
  sets: readonly [readonly ScoredTask[], readonly ScoredTask[]],
  entrants: number,
): Prediction {
  const [first, second] = sets.map(tasks => nestTasks(tasks, entrants)) as [Nest, Nest];
  const [x, y] = [first, second].map(nest => [...nestedScores(nest)]) as [number[], number[]];
  const random = createRandom(`validity/${named.by}/${named.one}/${named.other}`);
  const found = { spearman: [] as number[], kendall: [] as number[] };
  for (let draw = 0; draw < draws; draw++) {
    const [drawnX, drawnY] = [[...nestedScores(first, random)], [...nestedScores(second, random)]];
    const [rho, tau] = [spearman(drawnX, drawnY), kendall(drawnX, drawnY)];
    if (rho !== null) found.spearman.push(rho);
    if (tau !== null) found.kendall.push(tau);
  }
  return {
    ...named,
    tasks: [sets[0].length, sets[1].length],
    spearman: withInterval(spearman(x, y), found.spearman),
    kendall: withInterval(kendall(x, y), found.kendall),
    shift: rankShift(x, y),
  };
}

type Nest = ReturnType<typeof nestTasks>;

/** The value lies within: draws have noise of their own, which makes correlations smaller. */
function withInterval(value: number | null, drawn: readonly number[]): RankCorrelation | null {
  if (value === null || drawn.length === 0) return null;
  const sorted = Float64Array.from(drawn).toSorted();
  return {
    value,
    low: Math.min(value, quantile(sorted, 0.025)),
    high: Math.max(value, quantile(sorted, 0.975)),
  };
}

/** Every pair of up to four groups; of more, each against all the others. Groups in which somebody has no verdict are left out. */
export function predictions(
  by: Prediction['by'],
  tasks: readonly ScoredTask[],
  groupOf: (task: ScoredTask) => string | null,
): readonly Prediction[] {
  const entrants = tasks[0]?.shares.length ?? 0;
  const known = tasks.filter(task => groupOf(task) !== null);
  const groups = [...Map.groupBy(known, task => groupOf(task) as string)]
    .filter(([, own]) => [...nestedScores(nestTasks(own, entrants))].every(score => !Number.isNaN(score)))
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  if (groups.length < 2) return [];
  if (groups.length > 4)
    return groups.map(([one, own]) => {
      const rest = groups.flatMap(([other, theirs]) => (other === one ? [] : theirs));
      return predict({ by, one, other: 'all others' }, [own, rest], entrants);
    });
  return groups.flatMap(([one, own], index) =>
    groups.slice(index + 1).map(([other, theirs]) => predict({ by, one, other }, [own, theirs], entrants)),
  );
}
