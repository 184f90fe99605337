import { describe, expect, it } from 'vitest';
import {
  ImpossibleLogprobError,
  oldestVersion,
  requireOwnLogprobs,
  StaleLogprobsError,
  type VersionedTokens,
} from './token-versions.ts';

const row: VersionedTokens = {
  loss_mask: [1, 1, 0, 1],
  response_logprobs: [-0.1, -0.2, 0, -0.4],
  policy_versions: [3, 3, 4, 4],
  logprob_versions: [3, 3, 0, 4],
};

describe('versions of tokens', () => {
  it('[RAS-5] may differ in a row, as long as each log probability is of the version of its token', () => {
    expect(() => requireOwnLogprobs(row)).not.toThrow();
    expect(oldestVersion([row])).toBe(3);
    expect(
      oldestVersion([
        { ...row, loss_mask: [0, 0, 0, 1] },
        { ...row, loss_mask: [0, 0, 0, 0] },
      ]),
    ).toBe(4);
    expect(oldestVersion([])).toBeNull();
  });

  it('[RAS-5] refuse a row with a log probability of another version, or without one, and name the token', () => {
    const stale = { ...row, logprob_versions: [3, 4, 0, 4] };
    expect(() => requireOwnLogprobs(stale)).toThrow(StaleLogprobsError);
    expect(() => requireOwnLogprobs(stale)).toThrow(
      'Token 1 was sampled by policy version 3; its log probability is of version 4.',
    );
    expect(() => requireOwnLogprobs({ ...row, response_logprobs: null })).toThrow(
      'Token 0 was sampled by policy version 3 and has no',
    );
    // What nobody sampled needs none.
    expect(() => requireOwnLogprobs({ ...row, loss_mask: [0, 0, 0, 0], response_logprobs: null })).not.toThrow();
  });

  it('[RAS-12] refuse a row with a log probability that no distribution has', () => {
    for (const value of [0.5, Number.NaN, -Infinity, null as unknown as number]) {
      const impossible = { ...row, response_logprobs: [-0.1, value, 0, -0.4] };
      expect(() => requireOwnLogprobs(impossible)).toThrow(ImpossibleLogprobError);
      expect(() => requireOwnLogprobs(impossible)).toThrow(`Token 1 has the log probability ${value}.`);
    }
    // A sure token, as servers round it.
    expect(() => requireOwnLogprobs({ ...row, response_logprobs: [0, 1e-6, 0, -0.4] })).not.toThrow();
  });
});
