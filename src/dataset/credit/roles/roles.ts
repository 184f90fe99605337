import type { CreditTrajectory, TrajectoryCredit } from '../contract.ts';
import { CreditError } from '../credit-error.ts';
import { groupAdvantages } from '../group/grpo.ts';
import { sameForAllSteps } from '../returns.ts';

/** Trajectories of one role, each beside those of its role alone. */
export function creditByRole(
  trajectories: readonly CreditTrajectory[],
  choose: (own: readonly CreditTrajectory[]) => readonly CreditTrajectory[],
): readonly TrajectoryCredit[] {
  const credits = new Map<string, TrajectoryCredit>();
  for (const own of Map.groupBy(trajectories, roleOf).values()) {
    const chosen = choose(own);
    const advantages = chosen.length > 1 ? groupAdvantages(chosen) : [];
    for (const trajectory of own) {
      const advantage = advantages[chosen.indexOf(trajectory)];
      const credit = sameForAllSteps(trajectory, advantage ?? 0);
      // A trajectory that is alone in its role, or was not chosen, is compared with nothing.
      credits.set(trajectory.id, advantage === undefined ? { ...credit, mask: credit.mask.map(() => false) } : credit);
    }
  }
  return trajectories.map(({ id }) => credits.get(id) as TrajectoryCredit);
}

function roleOf({ id, role }: CreditTrajectory): string {
  if (role !== undefined) return role;
  throw new CreditError('no-role', `Trajectory ${id} does not say which agent of the team took it.`);
}
