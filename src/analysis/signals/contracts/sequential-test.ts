export interface SequentialTestOptions {
  /** The rate that is not enough, and the one that is. */
  readonly p0?: number;
  readonly p1?: number;
  /** Chance to accept a rate that is not enough, and to reject one that is. */
  readonly alpha?: number;
  readonly beta?: number;
}

/** Wald's sequential test of a pass rate: runs are added until it decides. */
export function createSequentialTest({ p0 = 0.85, p1 = 0.95, alpha = 0.05, beta = 0.1 }: SequentialTestOptions = {}) {
  const accept = Math.log((1 - beta) / alpha);
  const reject = Math.log(beta / (1 - alpha));
  let sum = 0;
  const decision = (): 'accept' | 'reject' | 'go on' => (sum >= accept ? 'accept' : sum <= reject ? 'reject' : 'go on');
  return {
    bounds: { accept, reject },
    decision,
    add(passed: boolean): ReturnType<typeof decision> {
      sum += passed ? Math.log(p1 / p0) : Math.log((1 - p1) / (1 - p0));
      return decision();
    },
  };
}
