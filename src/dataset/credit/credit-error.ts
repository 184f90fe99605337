import { EspalierError } from '../../core/errors.ts';

/** Why a group has no advantages. */
export type CreditReason =
  | 'no-verdict'
  | 'group-of-one'
  | 'equal-rewards'
  | 'nothing-credited'
  | 'missing-logprobs'
  | 'stale-logprobs'
  | 'missing-entropies'
  | 'no-role'
  | 'no-generation';

/** A group that cannot be credited. */
export class CreditError extends EspalierError {
  readonly reason: CreditReason;
  /** What is wrong with the group. */
  readonly detail: string;

  constructor(reason: CreditReason, detail: string) {
    super({ boundary: 'input', code: 'no-credit', message: detail, expected: answers[reason] });
    this.name = 'CreditError';
    this.reason = reason;
    this.detail = detail;
  }
}

/** What to do about a group without advantages. */
const answers: Readonly<Record<CreditReason, string>> = {
  'no-verdict': 'Expected verified trajectories: collect with a verifier, and leave out runs that broke.',
  'group-of-one': 'Expected more tries at the same task: collect with --trials 8, or with a strategy that forks.',
  'equal-rewards': 'Expected tries that ended differently: take harder or easier tasks, or more trials.',
  'nothing-credited': 'Expected a step of the student that counts: the masks of this estimator leave none.',
  'missing-logprobs': 'Expected the log probability of every step when it was sampled: collect it with the policy.',
  'stale-logprobs': 'Expected log probabilities of the policy version that is trained: collect again with it.',
  'missing-entropies': 'Expected the entropy of the policy at every step: collect it with the policy.',
  'no-role': 'Expected a run of a team, such as team:einstein or team:<app>. For one agent: --advantage grpo.',
  'no-generation': 'Expected tries at the same task in two rounds or more.',
};
