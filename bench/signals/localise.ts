import { aegis, type AegisMode } from '../../src/analysis/signals/diagnosis/aegis.ts';
import { createForkWorld } from '../../src/analysis/signals/fork-world.ts';
import { localise } from '../../src/analysis/signals/localise.ts';
import { annotate } from '../../src/analysis/signals/signal.ts';
import { wilson } from '../../src/analysis/stats.ts';
import { environments } from '../../src/catalog.ts';
import type { Action } from '../../src/core/action.ts';
import type { StateEnvironment } from '../../src/core/contracts.ts';
import { foldEpisode } from '../../src/core/episode/record.ts';
import { createRandom } from '../../src/core/random.ts';
import { createPlanner } from '../../src/policies/planner.ts';
import { figure, type Bench, type BenchNews } from '../measure.ts';
import { injectErrors, type InjectedFailure, type PassingRun } from './inject.ts';

const seeds = 2;
const clock = { now: () => performance.now() };
const createBenchPlanner = () => createPlanner({ clock, maxNodes: 600, maxMilliseconds: Infinity, patience: 3 });

/** Where planted errors are found: with forks, and from the record alone, beside trivial guesses. */
export const localiseBench: Bench = {
  group: 'credit',
  onDemand: true,
  figures: [
    'credit.localise-fork',
    'credit.localise',
    'credit.localise-first',
    'credit.localise-last',
    'credit.localise-random',
  ],
  async *run(_options, news) {
    const tally = createTally();
    for (const { id, load } of environments) {
      const environment = await load();
      for (const template of environment.templates.filter(({ split }) => split === 'train'))
        for (let seed = 0; seed < seeds; seed++) {
          news.progress(`injecting errors: ${id}/${template.id} …`);
          const run = passingRun(environment, template.id, 700 + seed);
          if (run !== null)
            for (const failure of injectErrors(run, createRandom(`${run.task.id}`))) tally.add(run, failure);
        }
    }
    tally.tell(news);
    for (const [name, hits] of tally.hits) yield figure(name, 'share', [hits / tally.total()]);
  },
};

/** The planner's run. */
function passingRun(environment: StateEnvironment, template: string, seed: number): PassingRun | null {
  const task = environment.task(template, seed);
  const planner = createBenchPlanner();
  const plan = planner.plan(environment.open(task));
  if (plan.outcome !== 'solved') return null;
  return { environment, task, actions: plan.actions as readonly Action[] };
}

function createTally() {
  const hits = new Map(localiseBench.figures.map(name => [name, 0]));
  const modes = new Map<AegisMode, { planted: number; found: number; said: number }>();
  let total = 0;
  const count = (name: string, isHit: boolean | number): void =>
    void hits.set(name, (hits.get(name) ?? 0) + Number(isHit));
  const modeOf = (mode: AegisMode) => {
    const known = modes.get(mode) ?? { planted: 0, found: 0, said: 0 };
    modes.set(mode, known);
    return known;
  };
  return {
    hits,
    total: () => total,
    add({ environment }: PassingRun, { stored, mode, step }: InjectedFailure): void {
      const record = foldEpisode(stored);
      const { steps } = record.end.counts;
      const isNear = (node: number | null | undefined): boolean => Math.abs((node ?? Infinity) - step) <= 1;
      total++;
      const world = createForkWorld({ record, environment, planner: createBenchPlanner() });
      count('credit.localise-fork', isNear(localise(record, world)?.node));
      count('credit.localise', isNear(localise(record)?.node));
      count('credit.localise-first', isNear(1));
      count('credit.localise-last', isNear(steps));
      const near = [step - 1, step, step + 1].filter(node => node >= 1 && node <= steps).length;
      count('credit.localise-random', near / steps);
      modeOf(mode).planted++;
      const said = new Set(
        annotate(record, [aegis])
          .filter(({ node }) => isNear(node))
          .map(({ label }) => label as AegisMode),
      );
      for (const label of said) modeOf(label).said++;
      if (said.has(mode)) modeOf(mode).found++;
    },
    tell({ line }: BenchNews): void {
      line(`${total} failures with one planted error. Modes at the planted step, with 95 % intervals:`);
      for (const [mode, { planted, found, said }] of [...modes].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
        if (planted === 0) continue;
        line(`${mode}  recall ${rateText(found, planted)}  precision ${said === 0 ? '–' : rateText(found, said)}`);
      }
    },
  };
}

function rateText(part: number, all: number): string {
  const { low, high } = wilson(part, all);
  return `${(part / all).toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)}, n = ${all})`;
}
