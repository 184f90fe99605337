import type { Random } from '../../../src/core/random.ts';
import type { Knob, Settings } from '../knobs.ts';
import type { Bench, Skill } from './skill.ts';

interface Space {
  readonly knobs: readonly Knob[];
  readonly random: Random;
}

interface Point {
  readonly settings: Settings;
  readonly rates: number[];
}

/** The share of the measurements that look everywhere, and of those that look again at the best. */
const shares = { wide: 0.5, again: 0.25 };
/** Points that are measured again before one is chosen. */
const finalists = 3;
const mostDraws = 20;

/**
 * Searches all knobs together: points all over the space, then changes of one or two knobs at the best, then the best ones again, because
 * the best of many noisy measurements was lucky.
 */
export const jointSearch: Skill<Space, Settings> = {
  name: 'joint search',
  refuses: ({ knobs }) => (knobs.length === 0 ? 'there is no knob to search' : null),
  async run(bench, { knobs, random }) {
    const points = new Map<string, Point>();
    const whole = bench.left();
    await look(bench, points, {});
    while (bench.left() > whole * (1 - shares.wide))
      await look(
        bench,
        points,
        fresh(points, () => drawn(knobs, random)),
      );
    while (bench.left() > whole * shares.again)
      await look(
        bench,
        points,
        fresh(points, () => near(best(points, 1)[0], { knobs, random })),
      );
    const last = best(points, finalists);
    for (let at = 0; bench.left() > 0; at++) await look(bench, points, last[at % last.length]?.settings ?? {});
    return best(new Map(last.map(point => [keyOf(point.settings), point])), 1)[0]?.settings ?? {};
  },
};

async function look(bench: Bench, points: Map<string, Point>, settings: Settings): Promise<void> {
  const rate = await bench.measure(settings);
  const point = points.get(keyOf(settings)) ?? { settings, rates: [] };
  points.set(keyOf(settings), { ...point, rates: [...point.rates, rate ?? 0] });
}

/** What was not measured before, unless so many draws find nothing else. */
function fresh(points: ReadonlyMap<string, Point>, draw: () => Settings): Settings {
  let settings = draw();
  for (let tries = 1; tries < mostDraws && points.has(keyOf(settings)); tries++) settings = draw();
  return settings;
}

function drawn(knobs: readonly Knob[], random: Random): Settings {
  return Object.fromEntries(knobs.map(({ name, values }) => [name, random.pick(values)]));
}

/** One or two knobs are set otherwise. */
function near(point: Point | undefined, { knobs, random }: Space): Settings {
  const changed = random.sample(knobs, random.between(1, 2));
  return { ...point?.settings, ...drawn(changed, random) };
}

function best(points: ReadonlyMap<string, Point>, count: number): Point[] {
  const mean = ({ rates }: Point): number => rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
  return [...points.values()].toSorted((one, other) => mean(other) - mean(one)).slice(0, count);
}

function keyOf(settings: Settings): string {
  return JSON.stringify(Object.entries(settings).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
