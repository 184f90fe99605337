import { cohensKappa } from '../../analysis/stats.ts';
import type { Agreement } from '../agents/reviews/api-reviews.ts';

/** What each person said of one question, by name. */
export type Opinions = ReadonlyMap<string, string>;

/** How far people agree, over the questions that two or more of them answered. */
export function measureAgreement(questions: readonly Opinions[]): Agreement {
  const shared = questions.filter(({ size }) => size > 1);
  const { observed, expected } = disagreements(shared);
  return {
    questions: shared.length,
    observed: shared.length === 0 ? null : 1 - observed,
    alpha: shared.length === 0 || expected === 0 ? null : 1 - observed / expected,
    pairs: pairsOf(shared),
  };
}

/** Observed and expected disagreement of Krippendorff's alpha for names, from the table of coincidences. */
function disagreements(questions: readonly Opinions[]): { readonly observed: number; readonly expected: number } {
  const totals = new Map<string, number>();
  let [all, different] = [0, 0];
  for (const opinions of questions) {
    const said = [...opinions.values()];
    all += said.length;
    for (const one of said) totals.set(one, (totals.get(one) ?? 0) + 1);
    const unequal = said.flatMap((one, place) => said.slice(place + 1).filter(other => other !== one)).length;
    different += (2 * unequal) / (said.length - 1);
  }
  const alike = [...totals.values()].reduce((sum, count) => sum + count * (count - 1), 0);
  return { observed: all === 0 ? 0 : different / all, expected: all < 2 ? 0 : 1 - alike / (all * (all - 1)) };
}

function pairsOf(questions: readonly Opinions[]): Agreement['pairs'] {
  const names = [...new Set(questions.flatMap(opinions => [...opinions.keys()]))].toSorted();
  return names.flatMap((one, place) =>
    names.slice(place + 1).flatMap(other => {
      const both = questions.filter(opinions => opinions.has(one) && opinions.has(other));
      if (both.length === 0) return [];
      const pairs = both.map(opinions => [opinions.get(one) as string, opinions.get(other) as string] as const);
      return [{ people: [one, other] as const, questions: both.length, kappa: cohensKappa(pairs) }];
    }),
  );
}
