import { createRandom } from '../../../core/random.ts';
import { kendall } from '../../ranks.ts';
import { nestedScores, nestTasks, type ScoredTask } from '../scores.ts';
import { halves, templateOf } from './halves.ts';
import { fitItems } from './item-response.ts';
import { responsesOf } from './responses.ts';

/** Templates that rank entrants as all of them do, chosen on some seeds and tried on others. */
export interface Subset {
  readonly templates: readonly string[];
  /** Templates that could be chosen from. */
  readonly of: number;
  /** Between the ranks by these templates and by all, both on seeds that they were not chosen on. */
  readonly kendall: number | null;
  /** The same of templates chosen by chance: mean of as many draws. */
  readonly byChance: number;
}

export interface Subsets {
  /** The smallest that keeps `wanted` on seeds that it was not chosen on, within the half that is chosen on; null where none does. */
  readonly smallest: Subset | null;
  /** A quarter of the templates. */
  readonly quarter: Subset;
}

/** Kendall's τ that counts as the same ranking. */
export const wanted = 0.9;
const chanceDraws = 200;

/** Chooses on one half of the seeds, validates on the other; null with fewer than four templates or three entrants. */
export function findSubsets(tasks: readonly ScoredTask[], entrants: number): Subsets | null {
  const [first, second] = halves(tasks);
  const [chosenOn, triedOn] = [scoresOf(first, entrants), scoresOf(second, entrants)];
  const usable = [...chosenOn.byTemplate.keys()].filter(name => triedOn.byTemplate.has(name));
  if (usable.length < 4 || entrants < 3) return null;
  const order = chooseInOrder(first, { usable, entrants });
  const size = smallestSize(first, { usable, entrants });
  const subset = (count: number): Subset => ({
    templates: order.slice(0, count),
    of: usable.length,
    kendall: agreement(triedOn, order.slice(0, count)),
    byChance: chanceAgreement(triedOn, usable, count),
  });
  return { smallest: size === null ? null : subset(size), quarter: subset(Math.floor(usable.length / 4)) };
}

interface Scores {
  /** Of each entrant, by all templates. */
  readonly whole: readonly number[];
  readonly byTemplate: ReadonlyMap<string, readonly number[]>;
}

/** Templates on which somebody has no verdict are left out. */
function scoresOf(tasks: readonly ScoredTask[], entrants: number): Scores {
  const all = [...Map.groupBy(tasks, templateOf)].map(
    ([name, own]) => [name, [...nestedScores(nestTasks(own, entrants))]] as const,
  );
  return {
    whole: [...nestedScores(nestTasks(tasks, entrants))],
    byTemplate: new Map(all.filter(([, scores]) => scores.every(score => !Number.isNaN(score)))),
  };
}

interface Choice {
  readonly usable: readonly string[];
  readonly entrants: number;
}

/** A template as it is expected to come out on other seeds. */
interface Expected {
  readonly name: string;
  /** By entrant. */
  readonly chances: readonly number[];
  /** Mean variance of an entrant's share, by the luck of the seeds. */
  readonly luck: number;
}

/** Trials that the model of items counts for, beside those that were made: few trials alone are mostly luck. */
const modelTrials = 4;

function expectedShares(tasks: readonly ScoredTask[], { usable, entrants }: Choice): readonly Expected[] {
  const responses = responsesOf(tasks).filter(({ item }) => usable.includes(item));
  const model = fitItems(responses, entrants);
  return responses.map(({ item, passed, trials }) => {
    const chances = passed.map((yes, entrant) => {
      const all = trials[entrant] as number;
      return (yes + modelTrials * model.chance(entrant, item)) / (all + modelTrials);
    });
    const spread = chances.map((chance, entrant) => (chance * (1 - chance)) / Math.max(1, trials[entrant] as number));
    return { name: item, chances, luck: spread.reduce((sum, one) => sum + one, 0) / entrants };
  });
}

/**
 * The template first that, with those before it, is expected to come closest to the score by all templates: a correlation in which
 * the luck of other seeds counts as noise.
 */
function chooseInOrder(tasks: readonly ScoredTask[], choice: Choice): readonly string[] {
  const left = new Map(expectedShares(tasks, choice).map(expected => [expected.name, expected]));
  const whole = Array.from({ length: choice.entrants }, (_, entrant) =>
    [...left.values()].reduce((sum, { chances }) => sum + (chances[entrant] as number), 0),
  );
  const order: string[] = [];
  let [sums, luck] = [whole.map(() => 0), 0];
  while (left.size > 0) {
    const nearness = ({ chances, luck: own }: Expected): number =>
      noisyCorrelation(
        sums.map((sum, entrant) => sum + (chances[entrant] as number)),
        whole,
        luck + own,
      );
    const ranked = [...left.values()].map(expected => ({ expected, near: nearness(expected) }));
    const best = ranked.reduce((one, other) => (other.near > one.near ? other : one)).expected;
    left.delete(best.name);
    order.push(best.name);
    sums = sums.map((sum, entrant) => sum + (best.chances[entrant] as number));
    luck += best.luck;
  }
  return order;
}

function noisyCorrelation(x: readonly number[], y: readonly number[], noise: number): number {
  const [meanX, meanY] = [x, y].map(values => values.reduce((sum, value) => sum + value, 0) / values.length) as [
    number,
    number,
  ];
  let [both, squaresX, squaresY] = [0, 0, 0];
  for (const [index, value] of x.entries()) {
    const [dx, dy] = [value - meanX, (y[index] as number) - meanY];
    both += dx * dy;
    squaresX += dx * dx;
    squaresY += dy * dy;
  }
  return both / Math.sqrt((squaresX + noise * x.length) * squaresY || 1);
}

function agreement({ whole, byTemplate }: Scores, names: readonly string[]): number | null {
  const sums = whole.map((_, entrant) =>
    names.reduce((sum, name) => sum + (byTemplate.get(name)?.[entrant] ?? Number.NaN), 0),
  );
  return kendall(sums, whole);
}

function chanceAgreement(scores: Scores, usable: readonly string[], count: number): number {
  const random = createRandom(`subset/${count}`);
  let sum = 0;
  for (let draw = 0; draw < chanceDraws; draw++) sum += agreement(scores, random.sample(usable, count)) ?? 0;
  return sum / chanceDraws;
}

/** The first size that keeps the ranking on seeds that its templates were not chosen on; null where templates have too few. */
function smallestSize(tasks: readonly ScoredTask[], { usable, entrants }: Choice): number | null {
  const [first, second] = halves(tasks);
  const [inner, tried] = [scoresOf(first, entrants), scoresOf(second, entrants)];
  if (!usable.every(name => inner.byTemplate.has(name) && tried.byTemplate.has(name))) return null;
  const order = chooseInOrder(first, { usable, entrants });
  const size = order.findIndex((_, index) => (agreement(tried, order.slice(0, index + 1)) ?? -1) >= wanted);
  return size < 0 ? null : size + 1;
}
