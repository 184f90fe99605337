import { figure, type Bench, type Figure } from '../measure.ts';
import { fixedSize, nulls, shareBy, stoppingTimes, tenPoints } from './simulate.ts';

const pairs = 10_000;
const alpha = 0.05;
/** Templates after which a gate without a difference gives up. */
const units = 200;
/** Chance of missing ten points that both designs are made for. */
const missed = 0.05;

/** Error, power and saving of the gate in simulated worlds where templates are clusters. */
export const gateBench: Bench = {
  group: 'gate',
  onDemand: true,
  figures: ['gate.false', 'gate.power', 'gate.saved'],
  async *run(_options, news) {
    for (const [name, truth] of Object.entries(nulls)) {
      news.progress(`gate.false: ${name}`);
      const times = stoppingTimes({ truth, pairs, units, alpha, seed: `false/${name}` });
      yield shareOf(`gate.false (${name})`, shareBy(times, units));
    }
    news.progress('gate.power');
    const times = stoppingTimes({ truth: tenPoints, pairs, units: 1000, alpha, seed: 'power' });
    for (const at of [50, 100, 150]) yield shareOf(`gate.power (${at} templates)`, shareBy(times, at));
    const sorted = times.toSorted((one, other) => one - other);
    for (const miss of [missed, 0.1, 0.2]) {
      news.progress('gate.saved');
      const most = sorted[Math.ceil((1 - miss) * pairs) - 1] as number;
      const mean = sorted.reduce((sum, time) => sum + Math.min(time, most), 0) / pairs;
      yield shareOf(`gate.saved (missing ${miss * 100} %)`, 1 - mean / sizeFor(1 - miss));
    }
  },
};

/** Templates that the exact test needs to show ten points so often. */
function sizeFor(power: number): number {
  const shows = (size: number): number =>
    fixedSize({ truth: tenPoints, pairs: pairs / 4, units: size, alpha, seed: 'size' }).byTemplate;
  let [low, high] = [10, 200];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (shows(middle) >= power) high = middle;
    else low = middle;
  }
  return high;
}

/** Spread: two standard errors of a share of so many. */
function shareOf(name: string, value: number): Figure {
  return { ...figure(name, 'share', [value]), spread: 4 * Math.sqrt((value * (1 - value)) / pairs), runs: pairs };
}
