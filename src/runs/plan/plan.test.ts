import { describe, expect, it } from 'vitest';
import { openBuiltIn } from '../../catalog.ts';
import type { EpisodeHead } from '../../core/episode/events.ts';
import type { Environment } from '../../core/contracts.ts';
import { createPlan } from './plan.ts';
import { namedTemplates } from '../environments/worlds.ts';

const mail = await openBuiltIn('mail');

/** The plan of two templates, with three instances of each. */
function planOf(environment: Environment) {
  const choices = namedTemplates(new Map([['mail', environment]]), ['star-message', 'mail/two-settings']);
  return createPlan({
    choices,
    instances: 3,
    trials: 1,
    seedOf: instance => 10 + instance,
    headOf: (task, { index, trial }): EpisodeHead => ({
      run: 'run',
      key: `${task.id}/${trial}`,
      index,
      phase: 'collect',
      round: 1,
      trial,
      task,
      student: 'random',
      teacher: null,
      strategy: 'linear',
    }),
  });
}

describe('a plan', () => {
  it('[RUN-14] leaves out a task that cannot be made, and says so', async () => {
    const broken: Environment = {
      ...mail,
      task(template, seed) {
        if (seed === 11 && template === 'star-message') throw new Error('no message to star');
        return mail.task(template, seed);
      },
    };
    const { heads, unmade, size } = await planOf(broken);
    const found = [...heads].map(({ key, index }) => [index, key]);
    expect(found).toEqual([
      [0, 'mail/star-message/10/0'],
      [1, 'mail/two-settings/10/0'],
      [3, 'mail/two-settings/11/0'],
      [4, 'mail/star-message/12/0'],
      [5, 'mail/two-settings/12/0'],
    ]);
    expect(unmade).toEqual([{ task: 'mail/star-message/11', message: 'no message to star' }]);
    expect(size).toBe(6);
  });

  it('[RUN-40] takes a task once, when an environment has fewer of them than instances', async () => {
    const few: Environment = { ...mail, task: (template, seed) => mail.task(template, seed % 2) };
    const { heads } = await planOf(few);
    const found = [...heads].map(({ key, index }) => [index, key]);
    expect(found).toEqual([
      [0, 'mail/star-message/0/0'],
      [1, 'mail/two-settings/0/0'],
      [2, 'mail/star-message/1/0'],
      [3, 'mail/two-settings/1/0'],
    ]);
  });

  it('is the same when an environment takes its time to make tasks', async () => {
    const slow: Environment = { ...mail, task: async (template, seed) => mail.task(template, seed) };
    const [now, later] = await Promise.all([planOf(mail), planOf(slow)]);
    expect([...later.heads]).toEqual([...now.heads]);
  });
});
