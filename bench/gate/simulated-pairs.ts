import type { Unit } from '../../src/analysis/gate/decide.ts';
import type { Random } from '../../src/core/random.ts';

/** A world in which candidate and release are compared, and the truth is known. */
export interface Truth {
  /** Rate of the candidate minus that of the release, over all templates that there could be. */
  readonly difference: number;
  /** How much templates differ in that: standard deviation. */
  readonly spread: number;
  /** Share of templates that the candidate breaks altogether; the others gain what these lose. */
  readonly broken?: number;
  /** Tasks of a template. */
  readonly tasks: number;
}

/** One more template with its pairs. Tasks of a template share its rates, and both policies the difficulty of a task in half of them. */
export function drawUnit(random: Random, { difference, spread, broken = 0, tasks }: Truth): Unit {
  const release = 0.2 + 0.5 * random.next();
  const candidate =
    random.next() < broken ? 0 : clip(release + gainOf(random, { release, difference, spread, broken }));
  let [fixes, regressions] = [0, 0];
  for (let task = 0; task < tasks; task++) {
    const difficulty = random.next();
    const own = random.next() < 0.5 ? difficulty : random.next();
    const [before, after] = [difficulty < release, own < candidate];
    if (after && !before) fixes++;
    if (before && !after) regressions++;
  }
  return { name: '', pairs: tasks, fixes, regressions };
}

interface Gain {
  readonly release: number;
  readonly difference: number;
  readonly spread: number;
  readonly broken: number;
}

/** Symmetric around the difference within what is possible, so that its mean is exact. */
function gainOf(random: Random, { release, difference, spread, broken }: Gain): number {
  const mean = (difference + broken * release) / (1 - broken);
  const room = Math.min(release + mean, 1 - release - mean);
  return mean + Math.max(-room, Math.min(room, spread * normal(random)));
}

function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}

function clip(rate: number): number {
  return Math.max(0, Math.min(1, rate));
}
