import { z } from 'zod';
import type { Episode } from '../../verbs/episode.ts';
import { createAttempts, type Attempts, type Lead } from '../attempts.ts';
import { counting, defineStrategy } from '../definition.ts';
import { best, winnerOf } from '../judging.ts';
import { goTo, type Strategy } from '../strategy.ts';

/** Attempts of the student from the start, so many as the budget has. */
export async function attemptsFromStart(
  episode: Episode,
  attempts: Attempts,
  { count, lead }: { readonly count: number; readonly lead?: Lead },
): Promise<void> {
  const before = attempts.made.length;
  for (let made = 0; made < count && (before + made === 0 || attempts.mayBegin()); made++) {
    await goTo(episode, 0);
    await attempts.run(lead);
  }
}

interface JudgedOptions {
  readonly attempts: number;
  readonly judge: 'order' | 'votes';
}

/** Several attempts, of which a judge keeps one by what an agent can see of them. */
function createJudged({ attempts: count, judge }: JudgedOptions): Strategy {
  return {
    name: `best-of-${count} by ${judge}`,
    asksTeacher: false,
    limits: { leaves: count },
    async run(episode) {
      const attempts = createAttempts(episode);
      await attemptsFromStart(episode, attempts, { count });
      return attempts.conclude(
        judge === 'order' ? best(attempts.made) : winnerOf(attempts.made, { group: count, votes: 8 }),
      );
    },
  };
}

export const judged = defineStrategy({
  name: 'judged',
  about: 'Several attempts of the student; a judge keeps one by what can be seen of them, without a verdict.',
  asksTeacher: false,
  evaluates: true,
  options: z.object({
    attempts: counting.default(4).describe('attempts of the student'),
    judge: z
      .enum(['order', 'votes'])
      .default('order')
      .describe(
        'order: finished, agreed, unrefused, unrepeated, sure, short, in this order; votes: eight views, one vote each',
      ),
  }),
  create: createJudged,
});
