import type { Features, Places } from '../features/sink.ts';
import { backThroughChoice, hiddenSize, secondSize } from './network.ts';
import { scoredBy, wordShare, type Ranker, type Scored } from './ranker.ts';

/** The slopes of a loss at every weight of a ranker. */
interface RankerSlopes {
  readonly weights: Float64Array;
  readonly first: Float64Array;
  readonly second: Float64Array;
  readonly last: Float64Array;
}

/** Sums the slopes of a loss over steps, then moves the weights against them. */
export interface Gradient {
  readonly slopes: RankerSlopes;
  scores(features: Features): Scored;
  /** Adds the slopes of one step, given those of its scores. */
  add(features: Features, scored: Scored, scoreSlopes: Float64Array): void;
  /** Takes a step against the sums, no longer than `longest` before the rate; then the sums are 0 again. Returns their length. */
  descend(options: DescentOptions): number;
}

interface DescentOptions {
  readonly rate: number;
  /** Of the network, whose layers multiply what a step does. */
  readonly networkRate: number;
  readonly longest: number;
}

/** The exact gradient of a ranker. The ranker itself is changed. */
export function createGradient(ranker: Ranker): Gradient {
  const { weights, network } = ranker;
  const slopes: RankerSlopes = {
    weights: new Float64Array(weights.length),
    first: new Float64Array(network.first.length),
    second: new Float64Array(network.second.length),
    last: new Float64Array(network.last.length),
  };
  const layers = [
    [weights, slopes.weights],
    [network.first, slopes.first],
    [network.second, slopes.second],
    [network.last, slopes.last],
  ] as const;
  return {
    slopes,
    scores: features => scoredBy(ranker, features),
    add(features, scored, scoreSlopes) {
      addPlaces(slopes.weights, features.general, { scoreSlopes, share: 1 });
      addPlaces(slopes.weights, features.worded, { scoreSlopes, share: wordShare });
      addNetwork(ranker, slopes, { features, scored, scoreSlopes });
    },
    descend({ rate, networkRate, longest }) {
      const length = Math.hypot(...layers.map(([, sums]) => lengthOf(sums)));
      const share = length > longest ? longest / length : 1;
      for (const [values, sums] of layers) {
        const step = share * (values === weights ? rate : networkRate);
        for (let at = 0; at < sums.length; at++) {
          const slope = sums[at] as number;
          if (slope !== 0) values[at] = (values[at] as number) - step * slope;
        }
        sums.fill(0);
      }
      return length;
    },
  };
}

function addPlaces(
  sums: Float64Array,
  { places, ends }: Places,
  { scoreSlopes, share }: { readonly scoreSlopes: Float64Array; readonly share: number },
): void {
  for (let choice = 0, at = 0; choice < ends.length; choice++) {
    const slope = share * (scoreSlopes[choice] as number);
    for (const end = ends[choice] as number; at < end; at++) {
      const place = places[at] as number;
      sums[place] = (sums[place] as number) + slope;
    }
  }
}

interface ScoredStep {
  readonly features: Features;
  readonly scored: Scored;
  readonly scoreSlopes: Float64Array;
}

function addNetwork({ network }: Ranker, slopes: RankerSlopes, { features, scored, scoreSlopes }: ScoredStep): void {
  const { facts } = features;
  const { second, last } = slopes;
  const atHidden = new Float64Array(hiddenSize);
  const atShared = new Float64Array(hiddenSize);
  for (let choice = 0, at = 0; choice < facts.ends.length; choice++) {
    const gradient = scoreSlopes[choice] as number;
    const end = facts.ends[choice] as number;
    const isSilent = !hasActive(scored.pass.middle, choice);
    if (gradient === 0 || isSilent) {
      at = end;
      continue;
    }
    backThroughChoice(network, { choice, gradient, ...scored.pass }, { atHidden, second, last });
    for (; at < end; at++) addRow(slopes.first, facts.places[at] as number, atHidden);
    for (let unit = 0; unit < hiddenSize; unit++)
      atShared[unit] = (atShared[unit] as number) + (atHidden[unit] as number);
  }
  for (const place of facts.shared) addRow(slopes.first, place, atShared);
}

/** Whether any unit of the second layer passes anything on for this choice. */
function hasActive(middle: Float32Array, choice: number): boolean {
  for (let at = choice * secondSize; at < (choice + 1) * secondSize; at++) if ((middle[at] as number) > 0) return true;
  return false;
}

function addRow(sums: Float64Array, place: number, slopes: Float64Array): void {
  const start = place * hiddenSize;
  for (let unit = 0; unit < hiddenSize; unit++)
    sums[start + unit] = (sums[start + unit] as number) + (slopes[unit] as number);
}

function lengthOf(values: Float64Array): number {
  let squares = 0;
  for (const value of values) squares += value * value;
  return Math.sqrt(squares);
}
