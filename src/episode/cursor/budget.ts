import type { Clock } from '../../core/clock.ts';
import type { Counts } from '../../core/episode/events.ts';
import { EspalierError, invalidOption } from '../../core/errors.ts';
import type { Task } from '../../core/records.ts';

/** What one episode may use. Infinity means no limit. */
export interface Limits {
  /** Steps on any path from the start; what was rolled back does not count. The budget of the task holds as well. */
  readonly steps: number;
  /** All steps that are taken, rolled-back ones included. */
  readonly taken: number;
  /** Questions to the student for a step. */
  readonly queries: number;
  /** Steps that the teacher takes. */
  readonly interventions: number;
  readonly reviews: number;
  /** Rejected branches that live on. */
  readonly forks: number;
  /** Ends of the tree that are verified, the main one included. */
  readonly leaves: number;
  readonly milliseconds: number;
  /** In the unit that the agents state their cost in. */
  readonly cost: number;
  /** Of all answers. An answer under way may go beyond it, as for cost: its price is known when it is there. */
  readonly tokens: number;
  /** How long any single answer may take: of an agent, of the environment, of the verifier. */
  readonly waitMilliseconds: number;
}

export const defaultLimits: Limits = {
  steps: 30,
  taken: Infinity,
  queries: Infinity,
  interventions: 6,
  reviews: Infinity,
  forks: 4,
  leaves: 8,
  milliseconds: Infinity,
  cost: Infinity,
  tokens: Infinity,
  waitMilliseconds: 60_000,
};

type Countable = 'taken' | 'queries' | 'interventions' | 'reviews' | 'forks' | 'leaves';
export type Resource = Countable | 'steps' | 'tokens';

/** What costs tokens. */
const asking: ReadonlySet<Resource> = new Set(['queries', 'reviews', 'interventions']);

/** An episode wanted more than it may use. */
export class BudgetError extends EspalierError {
  readonly resource: string;

  constructor(resource: string, limit: number) {
    super({
      boundary: 'budget',
      code: 'out-of-budget',
      message: `Out of ${resource}: the limit is ${limit}.`,
      expected: 'Raise the limit, or let the strategy stop before it.',
    });
    this.name = 'BudgetError';
    this.resource = resource;
  }
}

/** The limits of an episode of this task: the smaller of its own step budget and the given one. */
export function limitsFor(task: Task, given: Partial<Limits> = {}): Limits {
  const limits = { ...defaultLimits, ...given };
  for (const [name, limit] of Object.entries(limits)) if (!isLimit(name, limit)) throw badLimit(name, limit);
  return { ...limits, steps: Math.min(limits.steps, task.budget.steps) };
}

function isLimit(name: string, limit: unknown): boolean {
  if (!(name in defaultLimits) || typeof limit !== 'number' || !(limit >= 0)) return false;
  const least = ['steps', 'taken', 'queries', 'leaves', 'waitMilliseconds'].includes(name) ? 1 : 0;
  return limit >= least && (name === 'cost' || limit === Infinity || Number.isInteger(limit));
}

function badLimit(name: string, limit: unknown): EspalierError {
  return invalidOption(
    `The limit "${name}" is ${String(limit)}.`,
    `Expected a whole number, Infinity for none, for one of: ${Object.keys(defaultLimits).join(', ')}.`,
  );
}

/** What an episode has used, and what it may still use. */
export interface Budget {
  readonly limits: Limits;
  /** Of questions none is left when the tokens are used up. */
  left(resource: Countable | 'tokens'): number;
  millisecondsLeft(): number;
  millisecondsUsed(): number;
  /** Throws a BudgetError when there is none left. */
  require(resource: Countable): void;
  /** Throws a BudgetError when time or money has run out: asked before every question to an agent. */
  requireMeans(): void;
  count(what: Exclude<keyof Counts, 'steps' | 'taught' | 'cost' | 'tokens'> | 'leaves', times?: number): void;
  /** What an episode had used when it is resumed. */
  restore(counts: Readonly<Record<'taken' | 'rollbacks' | 'forks' | 'leaves', number>>): void;
  charge(price: { readonly cost?: number; readonly tokens?: number }): void;
  counts(steps: number): Counts;
}

export function createBudget(limits: Limits, clock: Clock): Budget {
  const teaching = { reviews: 0, shown: 0, skipped: 0, corrections: 0, interventions: 0 };
  const used = { taken: 0, queries: 0, ...teaching, rollbacks: 0, forks: 0, leaves: 0 };
  const spent = { cost: 0, tokens: 0 };
  const started = clock.now();
  const millisecondsUsed = (): number => Math.max(0, clock.now() - started);
  const millisecondsLeft = (): number => limits.milliseconds - millisecondsUsed();
  const left = (resource: Countable | 'tokens'): number => {
    const tokens = Math.max(0, limits.tokens - spent.tokens);
    if (resource === 'tokens' || (tokens <= 0 && asking.has(resource))) return tokens;
    return limits[resource] - used[resource];
  };
  return {
    limits,
    left,
    millisecondsLeft,
    millisecondsUsed,
    require(resource) {
      if (limits[resource] - used[resource] <= 0) throw new BudgetError(resource, limits[resource]);
    },
    requireMeans() {
      if (limits.milliseconds !== Infinity && millisecondsLeft() <= 0)
        throw new BudgetError('time', limits.milliseconds);
      if (spent.cost >= limits.cost) throw new BudgetError('cost', limits.cost);
      if (spent.tokens >= limits.tokens) throw new BudgetError('tokens', limits.tokens);
    },
    count(what, times = 1) {
      used[what] += times;
    },
    restore: counts => void Object.assign(used, counts),
    charge({ cost = 0, tokens = 0 }) {
      spent.cost += cost;
      spent.tokens += tokens;
    },
    counts(steps) {
      const { leaves: _leaves, queries, ...counted } = used;
      return { steps, ...counted, ...(queries === 0 ? {} : { queries }), ...spent };
    },
  };
}
