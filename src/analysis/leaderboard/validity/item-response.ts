/** How often entrants passed an item, out of how many trials. */
export interface ItemResponses {
  readonly item: string;
  /** By entrant. */
  readonly passed: readonly number[];
  readonly trials: readonly number[];
}

/** An item of the two-parameter logistic model: an entrant of ability θ passes with logistic(a (θ − b)). */
export interface FittedItem {
  readonly item: string;
  /** Share of all trials that passed. */
  readonly rate: number;
  readonly trials: number;
  /** a: how sharply it tells entrants apart. Below 0, the better fail where the worse pass. */
  readonly discrimination: number;
  /** b: the ability at which half of the trials pass. Null where the item hardly tells entrants apart. */
  readonly difficulty: number | null;
  /** −a b: what an entrant of ability 0 has on the logistic scale. */
  readonly easiness: number;
  /** Mean of squared standardised residuals: about 1 where the model fits, far above where passes come against it. */
  readonly outfit: number;
}

export interface ItemModel {
  readonly items: readonly FittedItem[];
  /** Expected ability of each entrant and its standard deviation, given its responses. */
  readonly abilities: readonly { readonly mean: number; readonly deviation: number }[];
  readonly iterations: number;
  /** The chance that an entrant passes a trial of an item. */
  chance(entrant: number, item: string): number;
}

/** Whether the model of items predicts trials on seeds that it was not fitted on, in bits a trial. */
export interface ItemFit {
  readonly model: number;
  /** Of a model that knows the rate of each entrant, and no items. */
  readonly entrantsAlone: number;
}

/** Abilities are standard normal; priors hold items with few responses to the usual. */
const prior = { discrimination: { mean: 1, deviation: 0.75 }, easiness: { mean: 0, deviation: 2 } };
const nodes = Array.from({ length: 61 }, (_, index) => -6 + index * 0.2);
const weights = nodes.map(node => Math.exp((-node * node) / 2));
const mostIterations = 3000;
const settled = 1e-7;
const longestStep = 1;
/** An item flatter than this has no place where half of the trials pass. */
const flat = 0.1;

interface Line {
  /** Slope and intercept on the logistic scale. */
  readonly a: number;
  readonly c: number;
}

/**
 * Fits the two-parameter logistic model by marginal maximum likelihood with priors: expectation over abilities on a grid, then
 * a Newton step for each item, until nothing moves. Every other pair of rounds is carried on along its way (SQUAREM), unless that
 * leads down.
 */
export function fitItems(responses: readonly ItemResponses[], entrants: number): ItemModel {
  let lines: readonly Line[] = responses.map(() => ({ a: prior.discrimination.mean, c: prior.easiness.mean }));
  const round = (from: readonly Line[]): readonly Line[] => improved(responses, from, entrants);
  let iterations = 0;
  for (let moved = Infinity; moved > settled && iterations < mostIterations; iterations += 3) {
    const first = round(lines);
    const second = round(first);
    const far = carriedOn(lines, first, second);
    const isHigher = heightOf(responses, far, entrants) >= heightOf(responses, second, entrants);
    const next = round(isHigher ? far : second);
    moved = Math.max(0, ...next.map((line, index) => distance(line, lines[index] as Line)));
    lines = next;
  }
  const { shares: posterior } = posteriors(responses, lines, entrants);
  const abilities = posterior.map(momentsOf);
  const placeOf = new Map(responses.map(({ item }, index) => [item, index]));
  const chance = (entrant: number, item: string): number => {
    const line = lines[placeOf.get(item) ?? -1] ?? { a: 0, c: 0 };
    const own = posterior[entrant] as Float64Array;
    return nodes.reduce((sum, node, place) => sum + (own[place] as number) * logistic(line.a * node + line.c), 0);
  };
  const items = responses.map((own, index): FittedItem => {
    const { a, c } = lines[index] as Line;
    return {
      item: own.item,
      rate: total(own.passed) / total(own.trials),
      trials: total(own.trials),
      discrimination: a,
      difficulty: Math.abs(a) < flat ? null : -c / a,
      easiness: c,
      outfit: outfitOf(own, entrant => logistic(a * (abilities[entrant]?.mean ?? 0) + c)),
    };
  });
  return { items, abilities, iterations, chance };
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function distance(one: Line, other: Line): number {
  return Math.max(Math.abs(one.a - other.a), Math.abs(one.c - other.c));
}

/** Where the steps of two rounds would lead if they went on shrinking as they do. */
function carriedOn(start: readonly Line[], first: readonly Line[], second: readonly Line[]): readonly Line[] {
  let [steps, bends] = [0, 0];
  const parts = start.map((from, index) => {
    const [one, two] = [first[index] as Line, second[index] as Line];
    const step = { a: one.a - from.a, c: one.c - from.c };
    const bend = { a: two.a - one.a - step.a, c: two.c - one.c - step.c };
    steps += step.a ** 2 + step.c ** 2;
    bends += bend.a ** 2 + bend.c ** 2;
    return { from, step, bend };
  });
  const length = bends === 0 ? 1 : Math.max(1, Math.sqrt(steps / bends));
  return parts.map(({ from, step, bend }) => ({
    a: from.a + 2 * length * step.a + length ** 2 * bend.a,
    c: from.c + 2 * length * step.c + length ** 2 * bend.c,
  }));
}

interface Posteriors {
  /** For each entrant, how likely each node is as its ability. */
  readonly shares: readonly Float64Array[];
  /** Log likelihood of all responses. */
  readonly likelihood: number;
}

function posteriors(responses: readonly ItemResponses[], lines: readonly Line[], entrants: number): Posteriors {
  const logs = Array.from({ length: entrants }, () => Float64Array.from(weights, weight => Math.log(weight)));
  for (const [index, { passed, trials }] of responses.entries()) {
    const { a, c } = lines[index] as Line;
    for (let place = 0; place < nodes.length; place++) {
      const logit = a * (nodes[place] as number) + c;
      const fail = -softplus(logit);
      for (let entrant = 0; entrant < entrants; entrant++) {
        const own = logs[entrant] as Float64Array;
        // log of the chance to pass is that of the chance to fail and the logit.
        own[place] = (own[place] as number) + (passed[entrant] as number) * logit + (trials[entrant] as number) * fail;
      }
    }
  }
  let likelihood = 0;
  const shares = logs.map(own => {
    const most = Math.max(...own);
    const scaled = own.map(log => Math.exp(log - most));
    const sum = scaled.reduce((whole, share) => whole + share, 0);
    likelihood += most + Math.log(sum);
    return scaled.map(share => share / sum);
  });
  return { shares, likelihood };
}

function heightOf(responses: readonly ItemResponses[], lines: readonly Line[], entrants: number): number {
  const { likelihood } = posteriors(responses, lines, entrants);
  return lines.reduce(
    (sum, { a, c }) => sum - penalty(a, prior.discrimination) - penalty(c, prior.easiness),
    likelihood,
  );
}

function penalty(value: number, { mean, deviation }: { readonly mean: number; readonly deviation: number }): number {
  return ((value - mean) / deviation) ** 2 / 2;
}

/** One round: what abilities are likely, then a step of Newton's method for each item. */
function improved(responses: readonly ItemResponses[], lines: readonly Line[], entrants: number): readonly Line[] {
  const { shares } = posteriors(responses, lines, entrants);
  return responses.map((own, index) => newtonStep(own, lines[index] as Line, shares));
}

function newtonStep({ passed, trials }: ItemResponses, { a, c }: Line, shares: readonly Float64Array[]): Line {
  const { discrimination: forA, easiness: forC } = prior;
  const gradient = { a: -(a - forA.mean) / forA.deviation ** 2, c: -(c - forC.mean) / forC.deviation ** 2 };
  const curve = { aa: 1 / forA.deviation ** 2, cc: 1 / forC.deviation ** 2, ac: 0 };
  for (let place = 0; place < nodes.length; place++) {
    const node = nodes[place] as number;
    let [yes, all] = [0, 0];
    for (let entrant = 0; entrant < shares.length; entrant++) {
      const share = (shares[entrant] as Float64Array)[place] as number;
      yes += share * (passed[entrant] as number);
      all += share * (trials[entrant] as number);
    }
    const chance = logistic(a * node + c);
    const [error, weight] = [yes - all * chance, all * chance * (1 - chance)];
    gradient.a += error * node;
    gradient.c += error;
    curve.aa += weight * node * node;
    curve.cc += weight;
    curve.ac += weight * node;
  }
  const determinant = curve.aa * curve.cc - curve.ac * curve.ac;
  const step = {
    a: (curve.cc * gradient.a - curve.ac * gradient.c) / determinant,
    c: (curve.aa * gradient.c - curve.ac * gradient.a) / determinant,
  };
  // A step this long may leave what Newton's method describes.
  const scale = Math.min(1, longestStep / Math.max(Math.abs(step.a), Math.abs(step.c)));
  return { a: a + scale * step.a, c: c + scale * step.c };
}

function momentsOf(shares: Float64Array): { readonly mean: number; readonly deviation: number } {
  const mean = nodes.reduce((sum, node, place) => sum + node * (shares[place] as number), 0);
  const square = nodes.reduce((sum, node, place) => sum + (node - mean) ** 2 * (shares[place] as number), 0);
  return { mean, deviation: Math.sqrt(square) };
}

function outfitOf({ passed, trials }: ItemResponses, chanceOf: (entrant: number) => number): number {
  const squares = passed.flatMap((yes, entrant) => {
    const all = trials[entrant] as number;
    if (all === 0) return [];
    const chance = chanceOf(entrant);
    return [(yes - all * chance) ** 2 / (all * chance * (1 - chance))];
  });
  return squares.reduce((sum, square) => sum + square, 0) / squares.length;
}

function logistic(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}

/** log(1 + e^x), without overflow. */
function softplus(x: number): number {
  return Math.max(0, x) + Math.log1p(Math.exp(-Math.abs(x)));
}
