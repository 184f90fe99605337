import { createRandom } from '../../core/random.ts';
import { bootstrap } from '../bootstrap.ts';
import { nestedEstimate } from '../evaluate.ts';
import type { Estimate } from '../estimate.ts';
import { compareScores } from '../ranks.ts';
import { quantile, type Interval } from '../stats.ts';
import type {
  BaselineCell,
  Board,
  BoardCell,
  BoardTrial,
  CellResult,
  CostName,
  Costs,
  Counted,
  Dominated,
  EntrantName,
  EntrantResult,
  Flag,
  Grid,
} from './board.ts';
import { costNames } from './board.ts';
import { dominates } from './pareto.ts';
import { nestedScores, nestTasks, type ScoredTask } from './scores.ts';

const draws = 2000;

/** Ranks the entrants of a grid by what they passed honestly, with what is known of it. */
export function makeBoard(grid: Grid): Board {
  const trialsOf = (entrant: string): readonly BoardTrial[] =>
    grid.cells.filter(cell => cell.entrant === entrant).flatMap(({ trials }) => trials);
  const cost = chosenCost(grid.cells);
  const counted = new Map(grid.entrants.map(({ id }) => [id, count(trialsOf(id), `board/${id}`)]));
  const ranks = rankIntervals(grid);
  const rates = grid.entrants.map(({ id }) => counted.get(id)?.honest.rate ?? -1);
  const entrants = grid.entrants.map((entrant, index): EntrantResult => {
    const own = counted.get(entrant.id) as Counted;
    return {
      ...entrant,
      ...own,
      rank: 1 + rates.filter(rate => compareScores(rate, rates[index] as number) > 0).length,
      ranks: ranks[index] as Interval,
      cells: grid.cells.filter(cell => cell.entrant === entrant.id).map(cellResult),
      dominated: findDominating({ entrant, counted, cost, trialsOf }),
    };
  });
  const episodes = grid.cells.reduce((sum, { trials }) => sum + trials.length, 0);
  return {
    version: 1,
    title: grid.title,
    cost,
    entrants: entrants.toSorted((one, other) => one.rank - other.rank),
    environments: grid.environments,
    baselines: grid.baselines.map(baselineResult),
    flags: flagsOf(grid.cells),
    episodes,
    planned: grid.cells.reduce((sum, { planned }) => sum + planned, 0),
    tasks: new Set(grid.cells.flatMap(({ trials }) => trials.map(({ task }) => task))).size,
  };
}

/** A board shows what people pay for: money, else tokens, else questions to the student. */
function chosenCost(cells: readonly BoardCell[]): CostName {
  const spent = total(cells.flatMap(({ trials }) => trials));
  return (['dollars', 'tokens', 'questions'] as const).find(name => spent[name] > 0) ?? 'steps';
}

function cellResult({ entrant, environment, folder, planned, trials }: BoardCell): CellResult {
  return { environment, folder, planned, episodes: trials.length, ...count(trials, `board/${entrant}/${environment}`) };
}

function baselineResult({ name, environment, trials }: BaselineCell): Board['baselines'][number] {
  return { name, environment, estimate: estimate(trials, `board/${name}/${environment}`) };
}

function count(trials: readonly BoardTrial[], seed: string): Counted {
  const gamed = trials.filter(({ gamed: exploit }) => exploit !== null).length;
  const verified = estimate(trials, seed);
  const broken = Map.groupBy(
    trials.filter(({ broke }) => broke !== null),
    ({ broke }) => broke as string,
  );
  const judged = trials.filter(({ passed }) => passed !== null);
  return {
    honest: gamed === 0 ? verified : estimate(trials.map(asHonest), seed),
    verified,
    gamed,
    suspect: trials.filter(({ suspect }) => suspect !== null).length,
    broken: Object.fromEntries([...broken].map(([side, own]) => [side, own.length])),
    costs: scaled(total(judged), judged.length),
    spent: total(trials),
  };
}

/** The same trial, in which a gamed pass is a failure. */
export function asHonest(trial: BoardTrial): BoardTrial {
  return trial.gamed === null ? trial : { ...trial, passed: false };
}

function estimate(trials: readonly BoardTrial[], seed: string): Estimate {
  if (trials.length === 0)
    return { rate: null, low: 0, high: 1, passed: 0, n: 0, errored: 0, uncertified: 0, raw: null };
  return nestedEstimate(trials, { random: createRandom(seed) });
}

function total(trials: readonly BoardTrial[]): Costs {
  return costsBy(name => trials.reduce((sum, { costs }) => sum + costs[name], 0));
}

function scaled(costs: Costs, n: number): Costs {
  return costsBy(name => (n === 0 ? 0 : costs[name] / n));
}

function costsBy(of: (name: CostName) => number): Costs {
  return Object.fromEntries(costNames.map(name => [name, of(name)])) as Record<CostName, number>;
}

/** The shares of every task that each entrant passed honestly, in the order of the entrants. */
export function scoredTasks({ entrants, cells }: Pick<Grid, 'entrants' | 'cells'>): readonly ScoredTask[] {
  const places = new Map(entrants.map(({ id }, index) => [id, index]));
  const tasks = new Map<string, { readonly trial: BoardTrial; passed: number[]; made: number[] }>();
  for (const { entrant, trials } of cells) {
    const place = places.get(entrant) as number;
    for (const trial of trials) {
      if (trial.passed === null) continue;
      const known = tasks.get(trial.task) ?? { trial, passed: entrants.map(() => 0), made: entrants.map(() => 0) };
      tasks.set(trial.task, known);
      known.made[place] = (known.made[place] as number) + 1;
      known.passed[place] = (known.passed[place] as number) + Number(asHonest(trial).passed);
    }
  }
  return [...tasks.values()].map(({ trial: { environment, app, template, task, level }, passed, made }) => ({
    environment,
    app,
    template,
    task,
    level,
    made,
    shares: passed.map((sum, index) => sum / (made[index] as number)),
  }));
}

/** For each entrant, the ranks that it has in 95 of 100 draws. */
function rankIntervals(grid: Grid): readonly Interval[] {
  const tasks = scoredTasks(grid);
  const all = { low: 1, high: grid.entrants.length };
  if (tasks.length === 0) return grid.entrants.map(() => all);
  const nest = nestTasks(tasks, grid.entrants.length);
  const random = createRandom('board/ranks');
  const drawn = Array.from({ length: draws }, () =>
    placesOf([...nestedScores(nest, random)].map(score => (Number.isNaN(score) ? -1 : score))),
  );
  return grid.entrants.map((_, index) => {
    const of = (end: keyof Interval): Float64Array =>
      Float64Array.from(drawn, places => places[index]?.[end] as number).toSorted();
    return { low: Math.floor(quantile(of('low'), 0.025)), high: Math.ceil(quantile(of('high'), 0.975)) };
  });
}

/** The best and the worst rank that each score may be given: equal scores share all of their places. */
function placesOf(scores: readonly number[]): readonly Interval[] {
  return scores.map(own => ({
    low: 1 + scores.filter(score => compareScores(score, own) > 0).length,
    high: scores.filter(score => compareScores(score, own) >= 0).length,
  }));
}

interface Domination {
  readonly entrant: EntrantName;
  readonly counted: ReadonlyMap<string, Counted>;
  readonly cost: CostName;
  trialsOf(entrant: string): readonly BoardTrial[];
}

/** The best of those that pass at least as much for at most as much. */
function findDominating({ entrant, counted, cost, trialsOf }: Domination): Dominated | null {
  const own = counted.get(entrant.id);
  if (own === undefined || own.honest.rate === null) return null;
  const mine = { rate: own.honest.rate, cost: own.costs[cost] };
  const better = [...counted].flatMap(([id, { honest, costs }]) => {
    const theirs = { id, rate: honest.rate ?? -1, cost: costs[cost] };
    return dominates(theirs, mine) ? [theirs] : [];
  });
  const [best] = better.toSorted((one, other) => other.rate - one.rate || one.cost - other.cost);
  if (best === undefined) return null;
  const difference = pairedDifference(trialsOf(best.id), trialsOf(entrant.id));
  return difference === null ? null : { by: best.id, difference };
}

/** Rate of the first less that of the second, on the trials that both have a verdict of. */
function pairedDifference(first: readonly BoardTrial[], second: readonly BoardTrial[]): Dominated['difference'] | null {
  const nameOf = ({ task, trial, seed }: BoardTrial): string => JSON.stringify([task, trial, seed]);
  const theirs = new Map(second.map(trial => [nameOf(trial), asHonest(trial).passed]));
  const values = first.flatMap(trial => {
    const [mine, other] = [asHonest(trial).passed, theirs.get(nameOf(trial)) ?? null];
    if (mine === null || other === null) return [];
    const { app, template, task, seed } = trial;
    return [{ app, template, task, seed, value: Number(mine) - Number(other) }];
  });
  if (values.length === 0) return null;
  return bootstrap(values, { random: createRandom('board/difference'), range: { low: -1, high: 1 } });
}

function flagsOf(cells: readonly BoardCell[]): readonly Flag[] {
  return cells.flatMap(({ entrant, environment, folder, trials }) =>
    trials.flatMap(({ task, gamed, suspect, episode }): Flag[] => {
      const exploit = gamed ?? suspect;
      if (exploit === null) return [];
      const kind = gamed === null ? 'suspect' : 'gamed';
      return [{ entrant, environment, task, kind, exploit, folder, episode }];
    }),
  );
}
