import type { ComparisonByLevel } from '../../src/analysis/compare.ts';
import { pooled, type Evaluation } from '../../src/analysis/evaluate.ts';
import type { EstimatorOptions } from '../../src/dataset/credit/contract.ts';
import { compareStudents, intervalsOf } from '../../src/runs/evaluation/intervals.ts';
import type { RlOptions } from '../../src/runs/rl/options.ts';
import type { RlRound } from '../../src/runs/rl/rl.ts';
import {
  addCosts,
  commonBudget,
  costUpTo,
  isSpent,
  isWithin,
  meanCost,
  noCost,
  type TrainingCost,
} from './training-cost.ts';
import type { Update } from '../../src/runs/rl/update.ts';

/** A way to credit steps, and how its groups are made. */
export interface RlArm {
  readonly label: string;
  readonly estimator: string;
  readonly estimatorOptions?: EstimatorOptions;
  readonly groups: RlOptions['groups'];
  /** Begins with the student that SRC taught, instead of the one that demonstrations taught. */
  readonly afterSrc?: true;
}

/** A place of the learning curve of an arm, over all its students. */
interface RlPoint {
  readonly round: number;
  /** Mean over the students. What SRC took before is counted. */
  readonly cost: TrainingCost;
  readonly evaluation: Evaluation;
}

export interface RlArmResult {
  readonly label: string;
  readonly points: readonly RlPoint[];
  /** All students after their last round. */
  readonly final: Evaluation;
  /** Episodes of each student until it passed 80 % of new instances; null if it never did. */
  readonly episodesTo80: readonly (number | null)[];
  /** Mean over the students. What SRC took before is counted. */
  readonly cost: TrainingCost;
  /** Change on the tasks that the first student was evaluated on as well; null where there are none. */
  readonly change: ComparisonByLevel;
  /** Means over the students, without SRC: steps, attempts, steps that attempts shared, and seconds of collecting. */
  readonly ownSteps: number;
  readonly attempts: number;
  readonly sharedSteps: number;
  readonly collectSeconds: number;
}

export interface SrcResult {
  readonly evaluation: Evaluation;
  /** All students learn from one collection. */
  readonly cost: TrainingCost;
  /** Change against the first student. */
  readonly change: ComparisonByLevel | null;
}

/** Success where no arm had spent more than the thriftiest one, in any currency. */
export interface AtCommonBudget {
  readonly budget: Omit<TrainingCost, 'queries'>;
  /** The last evaluation of each arm within the budget, if it had spent half of one of the currencies by then. */
  readonly points: readonly (RlPoint & { readonly label: string })[];
  /** Arms that had spent less: they are set against no other. With the cost of their next evaluation. */
  readonly tooEarly: readonly { readonly label: string; readonly next: TrainingCost | null }[];
}

const target = 0.8;

export interface TrainedArm {
  readonly arm: RlArm;
  readonly students: readonly (readonly RlRound[])[];
  readonly src: SrcResult | null;
  readonly start: Evaluation;
}

export function resultOf({ arm, students, src, start }: TrainedArm): RlArmResult {
  const { label } = arm;
  const before = arm.afterSrc === true && src !== null ? src.cost : noCost;
  const costAt = (round: number): TrainingCost =>
    addCosts(before, meanCost(students.map(rounds => costUpTo(rounds, round))));
  const mean = (pick: (update: Update) => number): number =>
    students.flat().reduce((sum, { update }) => sum + (update === null ? 0 : pick(update)), 0) / students.length;
  const final = poolStudents(
    students.map(made => made.at(-1)?.evaluation ?? null),
    `${label} at the end`,
  );
  return {
    label,
    points: evaluatedRounds(students).map(round => ({
      round,
      cost: costAt(round),
      evaluation: poolStudents(
        students.map(made => made.find(at => at.round === round)?.evaluation ?? null),
        `${label} after round ${round}`,
      ),
    })),
    final,
    episodesTo80: students.map(
      made =>
        made.find(({ evaluation }) => (evaluation?.newInstances?.overall.rate ?? 0) >= target)?.totalAttempts ?? null,
    ),
    cost: costAt(Infinity),
    change: compareStudents(final, start),
    ownSteps: mean(({ steps }) => steps),
    attempts: mean(({ attempts }) => attempts),
    sharedSteps: mean(({ sharedSteps }) => sharedSteps),
    collectSeconds: mean(({ collectSeconds }) => collectSeconds),
  };
}

/** Rounds after which all students were evaluated. */
function evaluatedRounds(students: readonly (readonly RlRound[])[]): readonly number[] {
  const evaluated = students.map(
    rounds => new Set(rounds.flatMap(({ round, evaluation }) => (evaluation === null ? [] : [round]))),
  );
  const [first = new Set<number>(), ...others] = evaluated;
  return [...others.reduce((common, rounds) => common.intersection(rounds), first)];
}

function poolStudents(evaluations: readonly (Evaluation | null)[], name: string): Evaluation {
  const known = evaluations.filter(evaluation => evaluation !== null);
  return pooled(known, { random: intervalsOf(name) }) as Evaluation;
}

/**
 * Every arm where it had spent no more than the arm that spent least, in steps, verifier calls and updates alike. An arm that was
 * evaluated only long before is left out and named: hardly trained, it says nothing beside one that had spent the budget.
 */
export function atCommonBudget(arms: readonly RlArmResult[]): AtCommonBudget {
  const budget = commonBudget(arms.map(({ cost }) => cost));
  const found = arms.map(({ label, points: own }) => {
    const at = own.findLastIndex(({ cost }) => isWithin(cost, budget));
    const next = own[at + 1]?.cost ?? null;
    const point = own[at];
    return { label, next, point: point !== undefined && isSpent(point.cost, budget) ? point : null };
  });
  return {
    budget,
    points: found.flatMap(({ label, point }) => (point === null ? [] : [{ label, ...point }])),
    tooEarly: found.flatMap(({ label, next, point }) => (point === null ? [{ label, next }] : [])),
  };
}

/** The student that arms begin with, once for each of their seeds: so it is paired with what each seed became. */
export function firstOf(students: readonly (readonly RlRound[])[]): Evaluation | null {
  const first = students.flatMap(rounds => rounds[0]?.evaluation ?? []);
  return pooled(first, { random: intervalsOf('start') });
}
