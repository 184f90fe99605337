/** What weighs how much in a drift: broken contracts, and actions that differ from the reference. */
const compliance = 0.6;
const divergence = 0.4;

/** Drift of a window of steps from a reference: 0 when all contracts hold and the actions are distributed alike. */
export function driftOf(
  satisfied: number,
  window: ReadonlyMap<string, number>,
  reference: ReadonlyMap<string, number>,
): number {
  return compliance * (1 - satisfied) + divergence * jensenShannon(window, reference);
}

/** Jensen–Shannon divergence of two counts, from 0 to 1. */
export function jensenShannon(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): number {
  const [sumOne, sumOther] = [one, other].map(counts =>
    [...counts.values()].reduce((sum, value) => sum + value, 0),
  ) as [number, number];
  let found = 0;
  for (const key of new Set([...one.keys(), ...other.keys()])) {
    const p = (one.get(key) ?? 0) / sumOne;
    const q = (other.get(key) ?? 0) / sumOther;
    const middle = (p + q) / 2;
    if (p > 0) found += (p / 2) * Math.log2(p / middle);
    if (q > 0) found += (q / 2) * Math.log2(q / middle);
  }
  return found;
}

/** Where a drift settles that grows at `alpha` and is drawn back at `gamma`: dD = (alpha − gamma D) dt. */
export function settledDrift(alpha: number, gamma: number, { step = 0.1, steps = 1000 } = {}): number {
  let drift = 0;
  for (let at = 0; at < steps; at++) drift += (alpha - gamma * drift) * step;
  return drift;
}
