import { isRight } from './case.ts';
import type { Examined, Outcome } from './examine.ts';
import type { Slot } from './page.ts';

export interface FeatureTally {
  readonly name: string;
  readonly pages: number;
  /** Pages by what came of them. */
  readonly outcomes: Readonly<Record<Outcome, number>>;
}

export interface Tally {
  add(slots: readonly Slot[], examined: Examined): void;
  pages(): number;
  outcomes(): Readonly<Record<Outcome, number>>;
  /** Pages whose certificate a later replay contradicted. */
  certifiedWrong(): number;
  /** Pages that were restored or replayed, and right. */
  right(): number;
  rollbacks(): { readonly restored: number; readonly refused: number };
  /** Why snapshots were not put back, most frequent first. */
  reasons(): readonly (readonly [reason: string, count: number])[];
  features(): readonly FeatureTally[];
}

const outcomes: readonly Outcome[] = [
  'restored',
  'replayed',
  'restored-wrong',
  'unsteady',
  'refused',
  'failed',
  'stuck',
];

export function createTally(): Tally {
  const all = emptyOutcomes();
  const byFeature = new Map<string, Record<Outcome, number>>();
  const reasons = new Map<string, number>();
  let [certifiedWrong, restored, refused] = [0, 0, 0];
  return {
    add(slots, { outcome, certificate, rollbacks }) {
      all[outcome]++;
      if (certificate === 'wrong') certifiedWrong++;
      for (const { feature } of slots) {
        const counts = byFeature.get(feature) ?? emptyOutcomes();
        counts[outcome]++;
        byFeature.set(feature, counts);
      }
      for (const { method, reason } of rollbacks) {
        if (method === 'restore') restored++;
        else refused++;
        if (reason !== null) reasons.set(shortReason(reason), (reasons.get(shortReason(reason)) ?? 0) + 1);
      }
    },
    pages: () => sum(all),
    outcomes: () => all,
    certifiedWrong: () => certifiedWrong,
    right: () => outcomes.filter(isRight).reduce((total, outcome) => total + all[outcome], 0),
    rollbacks: () => ({ restored, refused }),
    reasons: () => [...reasons].toSorted((one, other) => other[1] - one[1]),
    features: () =>
      [...byFeature]
        .map(([name, counts]) => ({ name, pages: sum(counts), outcomes: counts }))
        .toSorted((one, other) => badness(other) - badness(one) || one.name.localeCompare(other.name)),
  };
}

function emptyOutcomes(): Record<Outcome, number> {
  return { restored: 0, replayed: 0, 'restored-wrong': 0, unsteady: 0, refused: 0, failed: 0, stuck: 0 };
}

function sum(counts: Readonly<Record<Outcome, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

function badness({ pages, outcomes: counts }: FeatureTally): number {
  return (pages - counts.restored - counts.replayed) / pages;
}

/** What differs between pages is left out, so that equal reasons count together. */
function shortReason(reason: string): string {
  return reason
    .replace(/^.*?could not be restored: /, '')
    .replaceAll(/\bs\d+(?=[a-zA-Z])/g, '')
    .replaceAll(/[\da-f]{32}/g, '…')
    .slice(0, 100);
}
