import { createBetting } from '../../src/analysis/gate/betting.ts';
import { signFlipTest } from '../../src/analysis/sign-flip.ts';
import type { Unit } from '../../src/analysis/gate/decide.ts';
import { createRandom } from '../../src/core/random.ts';
import { drawUnit, type Truth } from './simulated-pairs.ts';

export interface SimulationOptions {
  readonly truth: Truth;
  readonly pairs: number;
  /** Templates after which a gate gives up. */
  readonly units: number;
  readonly alpha: number;
  readonly seed: string;
}

/** After how many templates each simulated gate showed that the candidate is better; Infinity for never. */
export function stoppingTimes({ truth, pairs, units, alpha, seed }: SimulationOptions): number[] {
  return Array.from({ length: pairs }, (_, index) => {
    const random = createRandom(`${seed}/${index}`);
    const betting = createBetting({ threshold: 0, distance: 0.1, side: 'above' });
    for (let used = 1; used <= units; used++) {
      const { fixes, regressions, pairs: own } = drawUnit(random, truth);
      if (betting.add((fixes - regressions) / own) >= 1 / alpha) return used;
    }
    return Infinity;
  });
}

/** How often tests of a fixed size show it: exact over templates, and exact over tasks as if these were independent. */
export interface FixedSize {
  readonly byTemplate: number;
  readonly byTask: number;
}

export function fixedSize({ truth, pairs, units, alpha, seed }: SimulationOptions): FixedSize {
  let [byTemplate, byTask] = [0, 0];
  for (let index = 0; index < pairs; index++) {
    const random = createRandom(`${seed}/${index}`);
    const drawn = Array.from({ length: units }, () => drawUnit(random, truth));
    if (signFlipTest(drawn.map(({ fixes, regressions }) => fixes - regressions)).above <= alpha) byTemplate++;
    if (signFlipTest(drawn.flatMap(flipsOf)).above <= alpha) byTask++;
  }
  return { byTemplate: byTemplate / pairs, byTask: byTask / pairs };
}

function flipsOf({ fixes, regressions }: Unit): number[] {
  return [...Array.from({ length: fixes }, () => 1), ...Array.from({ length: regressions }, () => -1)];
}

/** Share of gates that stopped by then. */
export function shareBy(times: readonly number[], units: number): number {
  return times.filter(time => time <= units).length / times.length;
}

/** Worlds without a difference, from the mildest to the nastiest. */
export const nulls: Readonly<Record<string, Truth>> = {
  alike: { difference: 0, spread: 0, tasks: 4 },
  clustered: { difference: 0, spread: 0.15, tasks: 4 },
  'strongly clustered': { difference: 0, spread: 0.3, tasks: 8 },
  'a twentieth broken': { difference: 0, spread: 0.05, broken: 0.05, tasks: 4 },
};

/** A difference of ten points. */
export const tenPoints: Truth = { difference: 0.1, spread: 0.15, tasks: 4 };
