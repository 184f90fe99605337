import { expect, it } from 'vitest';
import { scriptedEpisode, sourceOf } from '../../test/fixtures/episodes.ts';
import { focusTasks } from './loop-focus.ts';

it('[RUN-52] gives the tasks of the next round to the templates that the student failed at', async () => {
  const one = (template: string, index: number, how: object) =>
    scriptedEpisode({ template, index, seed: index + 1, round: 1, ...how });
  const episodes = await Promise.all([
    one('star-message', 0, { outcome: 'failed' }),
    one('star-message', 1, { slips: 1 }),
    one('star-message', 2, { outcome: 'failed' }),
    one('label-by-sender', 3, {}),
    one('label-by-sender', 4, {}),
    one('label-by-sender', 5, {}),
    // Another round, and one that broke: neither says anything.
    one('label-by-sender', 6, { round: 0, outcome: 'failed' }),
    one('label-by-sender', 7, { outcome: 'errored' }),
  ]);
  const { groups, tasks } = focusTasks(sourceOf(episodes), { round: 2, seed: 1 });
  // Expected failures of 3.5 of 4 and 0.5 of 4: six tasks are shared 5.25 to 0.75.
  expect(groups).toEqual([
    { template: 'mail/star-message', failed: 3, of: 3, cause: groups[0]?.cause, tasks: 5 },
    { template: 'mail/label-by-sender', failed: 0, of: 3, cause: null, tasks: 1 },
  ]);
  expect(groups[0]?.cause).not.toBe('corrected');
  expect(tasks).toHaveLength(6);
  expect(new Set(tasks).size).toBe(6);
  expect(tasks.filter(id => id.startsWith('mail/star-message/'))).toHaveLength(5);
  for (const { head } of episodes) expect(tasks).not.toContain(head.task.id);
});
