import type { CreditTrajectory, TrajectoryCredit } from '../contract.ts';
import { CreditError } from '../credit-error.ts';
import { groupAdvantages } from '../group/grpo.ts';

/** The steps of one agent in a trajectory. */
interface Part {
  readonly trajectory: CreditTrajectory;
  readonly role: string;
  readonly steps: ReadonlySet<number>;
}

/** Compares what each agent of a team did with what agents of its role did, each step with steps of its role alone. */
export function creditByRole(
  trajectories: readonly CreditTrajectory[],
  choose: <T>(own: readonly T[]) => readonly T[],
): readonly TrajectoryCredit[] {
  const credits = new Map(
    trajectories.map(({ id, steps }) => [id, { id, advantages: steps.map(() => 0), mask: steps.map(() => false) }]),
  );
  // By name: the order in which attempts were read changes nothing.
  const parts = trajectories.toSorted(byId).flatMap(partsOf);
  for (const own of Map.groupBy(parts, ({ role }) => role).values()) {
    const chosen = choose(own);
    const advantages = chosen.length > 1 ? groupAdvantages(chosen.map(({ trajectory }) => trajectory)) : [];
    for (const part of own) {
      const advantage = advantages[chosen.indexOf(part)];
      const credit = credits.get(part.trajectory.id);
      // A part that is alone in its role, or was not chosen, is compared with nothing.
      if (advantage === undefined || credit === undefined) continue;
      for (const step of part.steps) {
        credit.advantages[step] = advantage;
        credit.mask[step] = true;
      }
    }
  }
  return [...credits.values()];
}

function byId(left: CreditTrajectory, right: CreditTrajectory): number {
  return left.id < right.id ? -1 : Number(left.id > right.id);
}

function partsOf(trajectory: CreditTrajectory): Part[] {
  const numbers = trajectory.steps.map((_, step) => step);
  const byRole = Map.groupBy(numbers, step => trajectory.steps[step]?.role ?? roleOf(trajectory));
  return [...byRole].map(([role, steps]) => ({ trajectory, role, steps: new Set(steps) }));
}

function roleOf({ id, role }: CreditTrajectory): string {
  if (role !== undefined) return role;
  throw new CreditError('no-role', `Steps of ${id} have no role: a team estimator has nothing to compare them by.`);
}
