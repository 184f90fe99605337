import { createRandom } from '../../src/core/random.ts';

/** How long a model takes to answer: lognormal, as servers under load are, with nothing beyond the cap. In milliseconds. */
export interface Delays {
  readonly seed: string;
  readonly median: number;
  /** One in a hundred takes longer. */
  readonly p99: number;
  readonly cap: number;
}

/** The 99th percentile of the standard normal distribution. */
const normal99 = 2.326347874;

/** The delay of one answer: the same for all who ask for it, so that what a run could take at best is known. */
export function delayOf({ seed, median, p99, cap }: Delays, episode: number, step: number): number {
  const random = createRandom(`${seed}/${episode}/${step}`);
  const [radius, angle] = [1 - random.next(), random.next()];
  const normal = Math.sqrt(-2 * Math.log(radius)) * Math.cos(2 * Math.PI * angle);
  return Math.min(cap, median * Math.exp((normal * Math.log(p99 / median)) / normal99));
}

/** What a run of episodes takes that waits for nothing but its answers, with all of the episodes at once. */
export function idealMakespan(delays: Delays, episodes: number, steps: number): number {
  let longest = 0;
  for (let episode = 0; episode < episodes; episode++) {
    let sum = 0;
    for (let step = 0; step < steps; step++) sum += delayOf(delays, episode, step);
    longest = Math.max(longest, sum);
  }
  return longest;
}
