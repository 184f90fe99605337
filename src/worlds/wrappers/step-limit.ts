import { after, type Environment } from '../../core/contracts.ts';
import { invalidOption, type EspalierError } from '../../core/errors.ts';
import type { StepOutcome } from '../../core/records.ts';
import { withLayer, type Layer } from './layer.ts';

interface StepsTaken {
  readonly taken: number;
  /** The agent has finished: nothing is counted any more. */
  readonly ended: boolean;
}

/** Ends an episode as `truncated` after the task's step budget, or after `steps` when given. */
export function withStepLimit(environment: Environment, options: { readonly steps?: number } = {}): Environment {
  const { steps } = options;
  if (steps !== undefined && !(Number.isInteger(steps) && steps > 0)) throw badLimit(steps);
  return withLayer(environment, task => stepLimit(steps ?? task.budget.steps));
}

function stepLimit(limit: number): Layer<StepsTaken> {
  return {
    start: { taken: 0, ended: false },
    isOver: ({ taken, ended }) => ended || taken >= limit,
    step(inner, action, memory) {
      const { taken, ended } = memory;
      if (ended) return after(inner.step(action), outcome => ({ outcome, next: memory }));
      if (taken >= limit) return { outcome: overLimit(limit), next: memory };
      return after(inner.step(action), outcome => {
        const next = { taken: taken + 1, ended: outcome.end !== undefined };
        if (next.ended || next.taken < limit) return { outcome, next };
        return { outcome: { ...outcome, end: 'truncated' as const }, next };
      });
    },
  };
}

function badLimit(steps: number): EspalierError {
  return invalidOption(`The step limit is ${steps}.`, 'Expected a whole number above 0.');
}

function overLimit(limit: number): StepOutcome {
  return {
    applied: false,
    problem: { code: 'ended', message: `The step limit of ${limit} is used up: open the task again or roll back.` },
    end: 'truncated',
  };
}
