import type { Random } from '../core/random.ts';
import { bootstrap, type NestedMean } from './bootstrap.ts';
import type { Trial } from './evaluate.ts';

/** Where a trial stands in a grid: how much its task asks for, and how the app looked. */
interface GridPlace {
  readonly tier: string;
  readonly look: string;
  /** What its tasks are counted by: the same in all looks. */
  readonly template: string;
  readonly task: string;
}

interface GridRate extends NestedMean {
  readonly trials: number;
}

interface GridCell extends Pick<GridPlace, 'tier' | 'look'> {
  readonly rate: GridRate;
}

/** The fall from one tier to the next, over all looks. */
interface TierFall {
  readonly from: string;
  readonly to: string;
  readonly fall: NestedMean;
  /** What is left of the rate; null where there was none. */
  readonly left: number | null;
}

/** Success by tier and look (UI-CUBE), with the fall from tier to tier. */
export interface CapabilityGrid {
  readonly tiers: readonly { readonly tier: string; readonly rate: GridRate }[];
  readonly looks: readonly string[];
  readonly cells: readonly GridCell[];
  readonly falls: readonly TierFall[];
  /** The largest fall whose interval lies above 0; null where there is none. */
  readonly cliff: TierFall | null;
}

export interface GridOptions {
  readonly random: Random;
  /** Tiers from the one that asks for least. */
  readonly tiers: readonly string[];
  /** Null for trials that are not in the grid. */
  placeOf(trial: Trial): GridPlace | null;
}

/** The grid of an evaluation; null where none of its trials is in one. Episodes without a verdict are in no rate. */
export function gridOf(
  trials: readonly Trial[],
  { random, tiers: order, placeOf }: GridOptions,
): CapabilityGrid | null {
  const placed = trials.flatMap(trial => {
    const place = trial.passed === null ? null : placeOf(trial);
    return place === null ? [] : [{ ...place, trial }];
  });
  if (placed.length === 0) return null;
  const looks = [...new Set(placed.map(({ look }) => look))];
  const known = order.filter(tier => placed.some(own => own.tier === tier));
  const rateOf = (own: typeof placed, name: string): GridRate => ({
    ...bootstrap(
      own.map(({ template, task, trial: { app, seed, passed } }) => ({
        app,
        template,
        task,
        seed,
        value: Number(passed),
      })),
      { random: random.fork(name), range: { low: 0, high: 1 } },
    ),
    trials: own.length,
  });
  const tiers = known.map(tier => ({
    tier,
    rate: rateOf(
      placed.filter(own => own.tier === tier),
      tier,
    ),
  }));
  const cells = known.flatMap(tier =>
    looks.flatMap(look => {
      const own = placed.filter(one => one.tier === tier && one.look === look);
      return own.length === 0 ? [] : [{ tier, look, rate: rateOf(own, `${tier} ${look}`) }];
    }),
  );
  const falls = tiers.slice(1).map(({ tier: to, rate }, at): TierFall => {
    const { tier: from, rate: before } = tiers[at] as (typeof tiers)[number];
    return { from, to, fall: differenceOf(before, rate), left: before.mean === 0 ? null : rate.mean / before.mean };
  });
  const steep = falls.filter(({ fall }) => fall.low > 0).toSorted((one, other) => other.fall.mean - one.fall.mean);
  return { tiers, looks, cells, falls, cliff: steep[0] ?? null };
}

/** The difference of two independent rates, with the interval that theirs leave (Zou and Donner 2008). */
export function differenceOf(one: NestedMean, other: NestedMean): NestedMean {
  const mean = one.mean - other.mean;
  return {
    mean,
    low: mean - Math.hypot(one.mean - one.low, other.high - other.mean),
    high: mean + Math.hypot(one.high - one.mean, other.mean - other.low),
  };
}
