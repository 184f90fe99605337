import { after, type Environment } from '../../core/contracts.ts';
import type { StepOutcome } from '../../core/records.ts';
import { wrapEnvironment, type Layer } from './layer.ts';

interface StepsTaken {
  readonly taken: number;
}

/** Ends an episode as `truncated` after the task's step budget, or after `steps` when given. */
export function withStepLimit(environment: Environment, options: { readonly steps?: number } = {}): Environment {
  return wrapEnvironment(environment, task => stepLimit(options.steps ?? task.budget.steps));
}

function stepLimit(limit: number): Layer<StepsTaken> {
  return {
    start: { taken: 0 },
    step(inner, action, { taken }) {
      if (taken >= limit) return { outcome: overLimit(limit), next: { taken } };
      return after(inner.step(action), outcome => {
        const next = { taken: taken + 1 };
        return next.taken < limit || outcome.end !== undefined
          ? { outcome, next }
          : { outcome: { ...outcome, end: 'truncated' as const }, next };
      });
    },
  };
}

function overLimit(limit: number): StepOutcome {
  return {
    applied: false,
    problem: { code: 'ended', message: `The step limit of ${limit} is used up: open the task again or roll back.` },
    end: 'truncated',
  };
}
