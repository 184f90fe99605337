import { quotient, quotientKeys, type QuotientNode } from '../../src/analysis/quotient.ts';
import { createRandom } from '../../src/core/random.ts';
import type { CreditGroup, CreditStep, CreditTrajectory } from '../../src/dataset/credit/contract.ts';
import { createCredit } from '../../src/dataset/credit/credit.ts';
import { estimators } from '../../src/dataset/credit/estimators.ts';
import { figure, type Bench } from '../measure.ts';

const episodes = 100_000;
const stepsPerEpisode = 10;
const perGroup = 8;
const nodes = 1_000_000;

/** Advantages of every estimator, and the quotient of a large run by each key. The slowest of each is the figure. */
export const advantagesBench: Bench = {
  group: 'credit',
  figures: ['credit.advantages-100k', 'credit.quotient-1m'],
  async *run() {
    const groups = manyGroups();
    const slowest: number[] = [];
    for (const { name, create, ...rest } of estimators.entries) {
      const credit = createCredit({ name, create, ...rest });
      const start = performance.now();
      let credited = 0;
      for (const group of groups) if (credit(group).kind === 'credited') credited++;
      const seconds = (performance.now() - start) / 1000;
      if (credited < groups.length / 2) throw new Error(`${name} credits ${credited} of ${groups.length} groups`);
      slowest.push(seconds);
      yield figure(`credit.advantages-100k ${name}`, 's', [seconds]);
    }
    yield figure('credit.advantages-100k', 's', [Math.max(...slowest)]);
    yield* quotientFigures();
  },
};

async function* quotientFigures(): ReturnType<Bench['run']> {
  const trees = manyTrees();
  const keys = {
    state: quotientKeys.state,
    'last-states': quotientKeys.lastStates(3),
    'action-and-next': quotientKeys.actionAndNext,
    node: quotientKeys.node,
  };
  const slowest: number[] = [];
  for (const [name, key] of Object.entries(keys)) {
    const start = performance.now();
    const { classes } = quotient(trees, key);
    const seconds = (performance.now() - start) / 1000;
    const merged = classes.reduce((sum, own) => sum + own.length, 0);
    if (merged !== nodes) throw new Error(`${merged} nodes were merged`);
    slowest.push(seconds);
    yield figure(`credit.quotient-1m ${name}`, 's', [seconds]);
  }
  yield figure('credit.quotient-1m', 's', [Math.max(...slowest)]);
}

/** Tries that meet in some states: an estimator that groups by state finds partners, but not always. */
function manyGroups(): CreditGroup[] {
  const random = createRandom('advantages');
  return Array.from({ length: episodes / perGroup }, (_, group) => ({
    id: `group ${group}`,
    trajectories: Array.from({ length: perGroup }, (__, trial) => trajectory(`${group} ${trial}`, random)),
  }));
}

function trajectory(id: string, random: ReturnType<typeof createRandom>): CreditTrajectory {
  const steps = Array.from({ length: stepsPerEpisode }, (_, place): CreditStep => {
    const state = digestOf(place * 4 + random.between(0, 3));
    const logprob = -random.between(1, 300) / 100;
    return {
      state,
      after: digestOf(place * 4 + 4),
      action: `click ${random.between(0, 5)}`,
      node: `${id} ${place}`,
      actor: 'student',
      applied: true,
      logprob,
      entropy: -logprob,
      version: '1',
    };
  });
  const progress = random.between(0, 4) / 4;
  return {
    id,
    reward: progress === 1 ? 1 : 0,
    steps,
    end: { progress, clean: true, by: 'declared' },
    role: random.between(0, 1) === 0 ? 'main' : 'search',
    generation: random.between(0, 1),
  };
}

/** Trees of a thousand steps, each with ten branches. */
function manyTrees(): QuotientNode[][] {
  const random = createRandom('quotient');
  return Array.from({ length: nodes / 1000 }, (_, tree) =>
    Array.from({ length: 1000 }, (__, place): QuotientNode => {
      const state = random.between(0, 400);
      return {
        parent: place % 100 === 0 ? -1 : place - 1,
        before: digestOf(tree * 1000 + state),
        after: digestOf(tree * 1000 + state + 1),
        action: `click ${random.between(0, 20)}`,
        node: `${tree} ${place}`,
      };
    }),
  );
}

/** As long as a digest of a state. */
function digestOf(number: number): string {
  return number.toString(16).padStart(32, '0');
}
