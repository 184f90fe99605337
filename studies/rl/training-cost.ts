import { leavesOf, type EpisodeRecord } from '../../src/core/episode/record.ts';
import type { RlRound } from '../../src/runs/rl/rl.ts';

/** What training one student took, in every currency. */
export interface TrainingCost {
  readonly steps: number;
  /** Ends that the verifier judged. */
  readonly verifierCalls: number;
  /** Times that the student was changed. */
  readonly updates: number;
  /** Questions to a teacher: reviews and corrections. */
  readonly queries: number;
}

export const noCost: TrainingCost = { steps: 0, verifierCalls: 0, updates: 0, queries: 0 };

const currencies = ['steps', 'verifierCalls', 'updates', 'queries'] as const;

export function addCosts(one: TrainingCost, other: TrainingCost): TrainingCost {
  return combine(currency => one[currency] + other[currency]);
}

/** The mean over several students. */
export function meanCost(costs: readonly TrainingCost[]): TrainingCost {
  if (costs.length === 0) return noCost;
  return combine(currency => costs.reduce((sum, cost) => sum + cost[currency], 0) / costs.length);
}

/** What a student took up to this round. */
export function costUpTo(rounds: readonly RlRound[], last: number): TrainingCost {
  const updates = rounds.flatMap(({ round, update }) => (update === null || round > last ? [] : [update]));
  const sum = (pick: (update: (typeof updates)[number]) => number): number =>
    updates.reduce((total, update) => total + pick(update), 0);
  return {
    steps: sum(({ steps }) => steps),
    verifierCalls: sum(({ attempts }) => attempts),
    updates: sum(({ updated }) => Number(updated)),
    queries: 0,
  };
}

/** How often the verifier was asked in an episode: at each finish, and at each end that was judged without one. */
export function verifierCallsOf(record: EpisodeRecord): number {
  const finished = new Set(
    record.tree
      .leaves()
      .filter(({ outcome }) => outcome.end === 'terminated')
      .map(({ id }) => id),
  );
  const others = leavesOf(record).filter(({ node, verdict }) => verdict !== null && !finished.has(node));
  return finished.size + others.length;
}

/** The least that any arm took, in each currency that reinforcement learning spends. */
export function commonBudget(costs: readonly TrainingCost[]): Omit<TrainingCost, 'queries'> {
  const least = (currency: (typeof currencies)[number]): number => Math.min(...costs.map(cost => cost[currency]));
  return { steps: least('steps'), verifierCalls: least('verifierCalls'), updates: least('updates') };
}

export function isWithin(cost: TrainingCost, budget: Omit<TrainingCost, 'queries'>): boolean {
  return (['steps', 'verifierCalls', 'updates'] as const).every(currency => cost[currency] <= budget[currency]);
}

/** Whether at least half of the budget is spent in one of the currencies. */
export function isSpent(cost: TrainingCost, budget: Omit<TrainingCost, 'queries'>): boolean {
  return (['steps', 'verifierCalls', 'updates'] as const).some(
    currency => budget[currency] > 0 && cost[currency] >= budget[currency] / 2,
  );
}

function combine(value: (currency: (typeof currencies)[number]) => number): TrainingCost {
  return Object.fromEntries(currencies.map(currency => [currency, value(currency)])) as unknown as TrainingCost;
}
