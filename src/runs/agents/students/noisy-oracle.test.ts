import { describe, expect, it } from 'vitest';
import { requireSuited } from '../../jobs/agents.ts';

describe('a student that answers problems alone', () => {
  it('[RUN-48] is refused before a run of apps begins', () => {
    const student = { kind: 'noisy-oracle' };
    expect(() => requireSuited({ student, environments: ['problem:gcd', 'mail'] })).toThrow(
      /noisy-oracle cannot act in mail/,
    );
    expect(() => requireSuited({ student, environments: ['problem:gcd', 'races:SEQUENTIAL(gcd,gcd)'] })).not.toThrow();
    expect(() => requireSuited({ student: { kind: 'untrained' }, environments: ['mail'] })).not.toThrow();
  });
});
