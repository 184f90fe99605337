import { describe, expect, it } from 'vitest';
import { openBuiltIn } from '../../catalog.ts';
import type { EpisodeHead } from '../../core/episode/events.ts';
import type { Environment } from '../../core/contracts.ts';
import { createPlan } from './plan.ts';
import { firstEvaluationSeed, isEvaluationSeed } from '../settings/seeds.ts';
import { namedTemplates } from '../environments/worlds.ts';

const mail = await openBuiltIn('mail');

/** The plan of two templates, with three instances of each. */
function planOf(environment: Environment, firstSeed = 10) {
  const choices = namedTemplates(new Map([['mail', environment]]), ['star-message', 'mail/two-settings']);
  return createPlan({
    choices,
    instances: 3,
    trials: 1,
    seedOf: instance => firstSeed + instance,
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
    expect(size()).toBe(6);
    const found = [...heads].map(({ key, index }) => [index, key]);
    expect(found).toEqual([
      [0, 'mail/star-message/10/0'],
      [1, 'mail/two-settings/10/0'],
      [3, 'mail/two-settings/11/0'],
      [4, 'mail/star-message/12/0'],
      [5, 'mail/two-settings/12/0'],
    ]);
    expect(unmade).toEqual([{ task: 'mail/star-message/11', message: 'no message to star' }]);
    expect(size()).toBe(5);
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

  it('[RUN-40] knows its size beforehand where templates are lists of tasks, but for evaluations', async () => {
    const few: Environment = {
      ...mail,
      templates: mail.templates.map(template => ({ ...template, tasks: 2 })),
      task: (template, seed) => mail.task(template, isEvaluationSeed(seed) ? seed : seed % 2),
    };
    const plan = await planOf(few);
    expect(plan.size()).toBe(4);
    expect([...plan.heads]).toHaveLength(4);
    const evaluation = await planOf(few, firstEvaluationSeed);
    expect(evaluation.size()).toBe(6);
    expect([...evaluation.heads]).toHaveLength(6);
  });

  it('is the same when an environment takes its time to make tasks', async () => {
    const slow: Environment = { ...mail, task: async (template, seed) => mail.task(template, seed) };
    const [now, later] = await Promise.all([planOf(mail), planOf(slow)]);
    expect([...later.heads]).toEqual([...now.heads]);
  });
});
