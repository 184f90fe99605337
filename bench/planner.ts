import { environments } from '../src/catalog.ts';
import { createPlanner } from '../src/agents/planner/planner.ts';
import { figure, quantile, type Bench } from './measure.ts';

const seeds = 8;
const clock = { now: () => performance.now() };

export const plannerBench: Bench = {
  group: 'planner',
  figures: ['planner.median', 'planner.p99'],
  async *run() {
    const medians: number[] = [];
    const tails: number[] = [];
    for (let run = -1; run < 3; run++) {
      const times = (await planAll(run + 1)).toSorted((left, right) => left - right);
      // The first run warms up.
      if (run < 0) continue;
      medians.push(quantile(times, 0.5));
      tails.push(quantile(times, 0.99));
    }
    yield figure('planner.median', 'ms', medians);
    yield figure('planner.p99', 'ms', tails);
  },
};

/** Milliseconds for each instance of the feasible templates whose plan has 2 to 6 steps; other seeds each run. */
async function planAll(run: number): Promise<number[]> {
  const times: number[] = [];
  for (const entry of environments) {
    const world = await entry.load();
    for (const { id } of world.templates.filter(({ kind }) => kind === 'feasible')) {
      for (let seed = run * seeds; seed < (run + 1) * seeds; seed++) {
        const session = world.open(world.task(id, seed));
        const start = performance.now();
        const plan = createPlanner({ clock }).plan(session);
        const time = performance.now() - start;
        if (plan.outcome === 'solved' && plan.cost >= 2 && plan.cost <= 6) times.push(time);
      }
    }
  }
  return times;
}
