import { z } from 'zod';
import { createAttempts, type Attempt } from '../attempts.ts';
import { counting, defineStrategy } from '../definition.ts';
import { winnerOf, type Tournament } from '../judging.ts';
import type { Strategy } from '../strategy.ts';
import { attemptsFromStart } from './judged.ts';

interface TournamentOptions extends Tournament {
  readonly name: string;
  readonly attempts: number;
  /** Rounds of attempts; each one but the first is told the summaries of the one before. */
  readonly rounds: number;
}

/** A recursive tournament over summaries of attempts (RTV); in further rounds, attempts that read them (PDR). */
function createTournament({ name, attempts: count, rounds, group, votes }: TournamentOptions): Strategy {
  return {
    name: `${name}-${count}x${rounds}`,
    asksTeacher: false,
    limits: { leaves: count * rounds },
    async run(episode) {
      const attempts = createAttempts(episode);
      let last: readonly Attempt[] = [];
      for (let round = 0; round < rounds && (round === 0 || attempts.mayBegin()); round++) {
        const hint = last.length === 0 ? undefined : distil(last);
        const before = attempts.made.length;
        await attemptsFromStart(episode, attempts, { count, lead: { hint } });
        last = attempts.made.slice(before);
      }
      return attempts.conclude(winnerOf(attempts.made, { group, votes }));
    },
  };
}

/** What attempts did, in a few lines: what a further attempt is told. */
export function distil(attempts: readonly Attempt[]): string {
  const told = attempts.map(({ summary: { lines, finished, refused } }, at) => {
    const end = finished ? 'finished' : 'did not finish';
    return `Attempt ${at + 1} ${end}${refused === 0 ? '' : `, ${refused} steps refused`}: ${lines.join('; ')}`;
  });
  return `earlier attempts at this task:\n${told.join('\n')}`;
}

const shape = {
  attempts: counting.default(4).describe('attempts of a round'),
  group: z
    .int('a whole number from 2 up')
    .min(2, 'a whole number from 2 up')
    .default(2)
    .describe('attempts of a match'),
  votes: counting.default(8).describe('votes of a comparison'),
};

export const rtv = defineStrategy({
  name: 'rtv',
  about: 'Several attempts; matches over their summaries, decided by votes, leave one (recursive tournament voting).',
  asksTeacher: false,
  evaluates: true,
  options: z.object(shape),
  create: options => createTournament({ ...options, name: 'rtv', rounds: 1 }),
});

export const pdr = defineStrategy({
  name: 'pdr',
  about: 'Attempts in rounds: each round reads the summaries of the one before; a tournament leaves one.',
  asksTeacher: false,
  evaluates: true,
  options: z.object({ ...shape, rounds: counting.default(2).describe('rounds of attempts') }),
  create: options => createTournament({ ...options, name: 'pdr', attempts: options.attempts }),
});
