import { describe, expect, it } from 'vitest';
import { EspalierError } from '../../core/errors.ts';
import { differences, readConfig } from './config.ts';

const least = { run: 'one', environments: ['mail'] };

function refusalOf(draft: object): string {
  try {
    readConfig({ ...least, ...draft }, 'config.json');
  } catch (cause) {
    if (cause instanceof EspalierError) return cause.message;
    throw cause;
  }
  throw new Error('It was taken.');
}

describe('the config of a run', () => {
  it('fills in what is left out, and reads back what it gave', () => {
    const config = readConfig(least, 'config.json');
    expect(config).toMatchObject({
      round: 1,
      instances: 3,
      student: { kind: 'untrained' },
      strategy: { kind: 'speculative-rollback', speculate: 3 },
      teacher: { kind: 'planner', errors: 0, strict: false },
      concurrency: 8,
    });
    expect(readConfig(JSON.parse(JSON.stringify(config)), 'config.json')).toEqual(config);
    expect(readConfig({ ...least, strategy: { kind: 'linear' } }, '').teacher).toEqual({ kind: 'none' });
    expect(readConfig({ ...least, teacher: { kind: 'human' } }, '').concurrency).toBe(1);
  });

  it.each([
    [{ instnaces: 4 }, 'unknown key "instnaces". Did you mean "instances"?'],
    [{ limits: { step: 4 } }, 'unknown key "limits.step". Did you mean "steps"?'],
    [{ strategy: { kind: 'linear', speculate: 3 } }, 'unknown key "strategy.speculate". Expected in strategy: kind.'],
    [{ teacher: { kind: 'planner', error: 0.1 } }, 'Did you mean "errors"? Expected in teacher: kind, errors, strict.'],
    [{ instances: 0 }, '"instances" as 0. Expected'],
    [{ instances: 98_001 }, '"instances" as 98001. Expected'],
    [{ environments: [] }, '"environments" as []. Expected'],
    [{ version: 2 }, '"version" as 2. Expected version 1'],
    [{ strategy: { kind: 'liner' } }, 'Expected linear, speculative-rollback, dagger, retry, alternatives, '],
    [
      { strategy: { kind: 'speculative-rollback', speculate: 0 } },
      '"strategy.speculate" as 0. Expected a whole number above 0.',
    ],
    [{ teacher: { kind: 'planner', errors: 1.5 } }, '"teacher.errors" as 1.5. Expected'],
    [{ teacher: { kind: 'none' } }, '"teacher.kind" as "none". Expected a teacher'],
    [
      { strategy: { kind: 'linear' }, teacher: { kind: 'planner' } },
      'Expected none: the strategy linear asks no teacher.',
    ],
    [{ teacher: { kind: 'human' }, concurrency: 2 }, '"concurrency" as 2. Expected 1'],
  ])('[RUN-2] refuses %j, and says why', (draft, expected) => {
    expect(refusalOf(draft)).toContain(`config.json`);
    expect(refusalOf(draft)).toContain(expected);
  });

  it('[RUN-3] says what differs; how many run at once makes no difference', () => {
    const config = readConfig(least, '');
    const other = { ...config, seed: 2, limits: { ...config.limits, steps: 9 }, concurrency: 1 };
    expect(differences(config, other)).toEqual(['seed was 1, is 2', 'limits.steps was 30, is 9']);
    expect(differences(config, readConfig(least, ''))).toEqual([]);
  });
});
