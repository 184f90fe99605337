import { confidenceSequence, createBetting, valuesNeeded, type Needed } from './betting.ts';
import { signFlipTest, type SignFlips } from '../sign-flip.ts';
import type { Interval } from '../stats.ts';

/** What a candidate has to show: that it is better, or that it has not lost as much as the difference that matters. */
type Goal = 'better' | 'no-worse';

/** `sequential` may stop at any time; `exact` is one test after everything ran. */
type GateTest = 'sequential' | 'exact';

export interface Rule {
  readonly goal: Goal;
  readonly test: GateTest;
  /** Chance of shipping what should not be shipped, at most; and of refusing what should be. */
  readonly alpha: number;
  /** The difference of rates that matters. */
  readonly difference: number;
}

/** What pairs are taken together, because they depend on each other. */
export type UnitKind = 'template' | 'app' | 'instance';

/** Pairs that depend on each other: those of one template, of one app, or of one round over all templates. */
export interface Unit {
  readonly name: string;
  readonly pairs: number;
  /** Pairs that only the candidate passed. */
  readonly fixes: number;
  /** Pairs that only the release passed. */
  readonly regressions: number;
}

type Finding = 'shown' | 'refuted' | 'open';

export interface Evidence {
  readonly finding: Finding;
  /** Units until the finding, and all of them. */
  readonly used: number;
  readonly units: number;
  /** Mean of the units: rate of the candidate minus that of the release. */
  readonly mean: number | null;
  /** Of 1 - 2α; holds at every look. */
  readonly interval: Interval;
  /** The most evidence that there ever was for the goal, and against it; α is reached at 1/α. */
  readonly forGoal: number;
  readonly againstGoal: number;
  /** Exact, over units, at the end: valid if nothing was stopped by what was seen. */
  readonly exact: SignFlips;
  /** Further units that would be enough; null where it is decided. */
  readonly needed: Needed | null;
}

/** The mean that a candidate has to lie above. */
export function thresholdOf({ goal, difference }: Pick<Rule, 'goal' | 'difference'>): number {
  return goal === 'better' ? 0 : -difference;
}

/** What is known after a unit. */
interface LookedAt {
  readonly finding: Finding;
  readonly forGoal: number;
  readonly againstGoal: number;
}

/** A test that takes units in their order, and knows after each whether it is decided. */
export interface GateRun {
  add(unit: Unit): LookedAt;
  evidence(): Evidence;
}

export function createGateRun(rule: Rule): GateRun {
  const { alpha, difference } = rule;
  const threshold = thresholdOf(rule);
  const above = createBetting({ threshold, distance: difference, side: 'above' });
  const below = createBetting({ threshold, distance: difference, side: 'below' });
  const [values, balances]: [number[], number[]] = [[], []];
  let [finding, used]: [Finding, number] = ['open', 0];
  const exactFinding = ({ above: better, below: worse }: SignFlips): Finding =>
    better <= alpha ? 'shown' : worse <= alpha ? 'refuted' : 'open';
  return {
    add(unit) {
      const { pairs, fixes, regressions } = unit;
      const looked = (): LookedAt => ({ finding, forGoal: above.evidence(), againstGoal: below.evidence() });
      if (pairs === 0) return looked();
      const value = (fixes - regressions) / pairs;
      values.push(value);
      balances.push(fixes - regressions);
      const [shown, refuted] = [above.add(value) >= 1 / alpha, below.add(value) >= 1 / alpha];
      if (rule.test === 'exact' || finding !== 'open') return looked();
      used = values.length;
      finding = shown ? 'shown' : refuted ? 'refuted' : 'open';
      return looked();
    },
    evidence() {
      const exact = signFlipTest(balances);
      const found = rule.test === 'exact' ? exactFinding(exact) : finding;
      return {
        finding: found,
        used: rule.test === 'exact' ? values.length : used,
        units: values.length,
        mean: values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length,
        interval: confidenceSequence(values, alpha, difference),
        forGoal: above.peak(),
        againstGoal: below.peak(),
        exact,
        needed: found === 'open' ? valuesNeeded(values, { threshold, distance: difference }, alpha) : null,
      };
    },
  };
}
