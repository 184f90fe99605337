import type { RlRound } from '../rl.ts';

/** What is drawn and tracked of a round of reinforcement learning. */
export interface TrackedRound {
  readonly round: number;
  /** Seconds that collecting and updating took, up to the end of this round. */
  readonly seconds: number;
  /** By name; what was not measured is left out. */
  readonly metrics: Readonly<Record<string, number>>;
}

/** Rounds as points of curves: the mean reward of attempts, the KL divergence to the first student, the entropy, and rates. */
export function trackedRounds(rounds: readonly RlRound[]): readonly TrackedRound[] {
  let seconds = 0;
  return rounds.map(({ round, update, totalSteps, evaluation }) => {
    seconds += update === null ? 0 : update.collectSeconds + update.updateSeconds;
    const measured = {
      reward: update === null || update.attempts === 0 ? null : update.passed / update.attempts,
      kl: update?.kl ?? null,
      entropy: update?.entropy ?? null,
      loss: update?.loss ?? null,
      clipped: update?.clipped ?? null,
      length: update?.length ?? null,
      steps: totalSteps,
      'evaluation/new_instances': evaluation?.newInstances?.overall.rate ?? null,
      'evaluation/held_out': evaluation?.heldOut?.overall.rate ?? null,
      'evaluation/unseen_apps': evaluation?.unseenApps?.overall.rate ?? null,
    };
    const metrics = Object.entries(measured).filter((entry): entry is [string, number] => entry[1] !== null);
    return { round, seconds, metrics: Object.fromEntries(metrics) };
  });
}
