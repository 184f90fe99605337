import type { Judge } from 'espalier';

/** Trusts short runs: `espalier judge runs/one --judge ./short-run-judge.ts`. */
export const judge: Judge = {
  name: 'short-run',
  judge({ history, ending }) {
    const steps = history.length + 1;
    return {
      pass: !ending.infeasible && steps <= 12,
      confidence: 1 / (1 + steps / 12),
      reason: `It finished after ${steps} steps.`,
    };
  },
};
