import { invalidOption } from '../../core/errors.ts';
import { mean } from '../stats.ts';

/** What somebody held to be at fault, the likeliest first, and what really was. */
export interface Ranking<C extends string = string> {
  readonly ranked: readonly C[];
  readonly fault: C;
}

export interface RankingScores {
  /** Share of rankings with the fault in the first place. */
  readonly accuracy: number;
  /** Mean of 1 over the place of the fault. */
  readonly reciprocalRank: number;
  /** Mean gain of the fault, discounted by its place: 1/log₂(place + 1). The ideal is 1. */
  readonly ndcg: number;
}

/** How well rankings find a single fault; null without any. */
export function scoreRankings(rankings: readonly Ranking[]): RankingScores | null {
  const places = rankings.map(({ ranked, fault }) => {
    const place = ranked.indexOf(fault) + 1;
    if (place === 0 || new Set(ranked).size !== ranked.length)
      throw invalidOption(`"${ranked.join(', ')}" is no ranking with "${fault}".`, 'Expected every component once.');
    return place;
  });
  return places.length === 0 ? null : scorePlaces(places);
}

/** What rankings by chance score on average, over so many components. */
export function randomScores(components: number): RankingScores {
  return scorePlaces(Array.from({ length: components }, (_, at) => at + 1));
}

function scorePlaces(places: readonly number[]): RankingScores {
  const average = (of: (place: number) => number): number => mean(places.map(of)) as number;
  return {
    accuracy: average(place => Number(place === 1)),
    reciprocalRank: average(place => 1 / place),
    ndcg: average(place => 1 / Math.log2(place + 1)),
  };
}
