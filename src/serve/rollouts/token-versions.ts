import { EspalierError } from '../../core/errors.ts';

/** Tokens of one row, and which version of the policy they and their log probabilities are of. */
export interface VersionedTokens {
  /** 1 for a token that the policy sampled. */
  readonly loss_mask: readonly number[];
  readonly response_logprobs: readonly number[] | null;
  /** The version in force when a token was asked for; of a token that nobody sampled, that of the next one. */
  readonly policy_versions: readonly number[];
  /** The version in force when its log probability came. */
  readonly logprob_versions: readonly number[];
}

/** A row whose log probabilities are missing, or of another version than its tokens: no ratio can be made with them. */
export class StaleLogprobsError extends EspalierError {
  /** The first sampled token without a log probability of its own version. */
  readonly token: number;
  readonly policyVersion: number;
  /** Null when there is no log probability at all. */
  readonly logprobVersion: number | null;

  constructor(token: number, policyVersion: number, logprobVersion: number | null) {
    super({
      boundary: 'policy',
      code: 'out-of-range',
      message:
        logprobVersion === null
          ? `Token ${token} was sampled by policy version ${policyVersion} and has no log probability.`
          : `Token ${token} was sampled by policy version ${policyVersion}; its log probability is of version ${logprobVersion}.`,
      expected: 'Expected log probabilities of the version that sampled the tokens: leave this row out.',
    });
    this.name = 'StaleLogprobsError';
    this.token = token;
    this.policyVersion = policyVersion;
    this.logprobVersion = logprobVersion;
  }
}

/** A row with a log probability that no distribution has: not a number, or above 0. */
export class ImpossibleLogprobError extends EspalierError {
  constructor(token: number, value: unknown) {
    super({
      boundary: 'policy',
      code: 'out-of-range',
      message: `Token ${token} has the log probability ${String(value)}.`,
      expected: 'Expected a number that is not above 0: check the server of the model, and leave this row out.',
    });
    this.name = 'ImpossibleLogprobError';
  }
}

/** What rounding may add to the log probability of a sure token. */
const rounding = 1e-4;

/** Throws for a row that has a sampled token without a possible log probability of its own version. */
export function requireOwnLogprobs(row: VersionedTokens): void {
  const { loss_mask: mask, policy_versions: versions, response_logprobs: logprobs, logprob_versions: given } = row;
  for (const [token, trained] of mask.entries()) {
    if (trained !== 1) continue;
    const version = versions[token] ?? -1;
    if (logprobs?.[token] === undefined) throw new StaleLogprobsError(token, version, null);
    const value = logprobs[token];
    if (!Number.isFinite(value) || (value as number) > rounding) throw new ImpossibleLogprobError(token, value);
    if (given[token] !== version) throw new StaleLogprobsError(token, version, given[token] ?? null);
  }
}

/** The oldest version that sampled something in these rows; null when nothing was sampled. */
export function oldestVersion(rows: readonly VersionedTokens[]): number | null {
  let oldest: number | null = null;
  for (const { loss_mask: mask, policy_versions: versions } of rows)
    for (const [token, trained] of mask.entries()) {
      const version = versions[token];
      if (trained === 1 && version !== undefined && (oldest === null || version < oldest)) oldest = version;
    }
  return oldest;
}
