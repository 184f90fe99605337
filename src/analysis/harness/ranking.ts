import { invalidOption } from '../../core/errors.ts';
import { mean } from '../stats.ts';

/** What somebody held to be at fault, the likeliest first and those that are as likely together, and what really was. */
export interface Ranking<C extends string = string> {
  readonly ranked: readonly (readonly C[])[];
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

/** How well rankings find a single fault; null without any. Ties score what any order of them scores on average. */
export function scoreRankings(rankings: readonly Ranking[]): RankingScores | null {
  if (rankings.length === 0) return null;
  const scores = rankings.map(ranking => scorePlaces(placesOf(ranking)));
  const average = (name: keyof RankingScores): number => mean(scores.map(score => score[name])) as number;
  return { accuracy: average('accuracy'), reciprocalRank: average('reciprocalRank'), ndcg: average('ndcg') };
}

/** The places that the fault may stand in: as many as are held to be as likely. */
export function placesOf({ ranked, fault }: Ranking): readonly number[] {
  const all = ranked.flat();
  const at = ranked.findIndex(tied => tied.includes(fault));
  if (at === -1 || new Set(all).size !== all.length)
    throw invalidOption(`"${all.join(', ')}" is no ranking with "${fault}".`, 'Expected every component once.');
  const before = ranked.slice(0, at).flat().length;
  return (ranked[at] ?? []).map((_, place) => before + place + 1);
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
