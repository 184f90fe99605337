import { failureOf } from '../analysis/signals/causes.ts';
import { foldEpisode, type EpisodeRecord } from '../core/episode/record.ts';
import type { EpisodeSource } from '../core/episode/journal.ts';
import { collectSeed } from './settings/seeds.ts';

/** How a student did at a template in a round, and what it gets of the next. */
export interface FocusGroup {
  /** `mail/star-message`. */
  readonly template: string;
  /** Episodes that failed, or passed only with a teacher's steps. */
  readonly failed: number;
  readonly of: number;
  /** What they failed by, the most frequent cause; null where none failed. */
  readonly cause: string | null;
  /** Tasks in the next round. */
  readonly tasks: number;
}

interface FocusOptions {
  /** The round that is to be collected; the one before is read. */
  readonly round: number;
  readonly seed: number;
}

/**
 * The tasks of a round, as many as in the one before: each template has its share by how often the student failed there. Every task
 * is new. A template that was passed once may be luck, so none has a share of nothing.
 */
export function focusTasks(
  source: EpisodeSource,
  { round, seed }: FocusOptions,
): { readonly groups: readonly FocusGroup[]; readonly tasks: readonly string[] } {
  const tried = new Map<string, Tried>();
  const tasks = new Set<string>();
  for (const stored of source.episodes({ phase: 'collect', round: round - 1 })) {
    const record = foldEpisode(stored);
    if (record.end.outcome === 'errored') continue;
    const { id } = record.head.task;
    tasks.add(id);
    const template = id.slice(0, id.lastIndexOf('/'));
    const own = tried.get(template) ?? { of: 0, causes: [] };
    const cause = causeOf(record);
    tried.set(template, { of: own.of + 1, causes: cause === null ? own.causes : [...own.causes, cause] });
  }
  const shares = sharesOf([...tried.values()].map(needOf), tasks.size);
  const groups = [...tried].map(([template, { of, causes }], at) => ({
    template,
    failed: causes.length,
    of,
    cause: mostFrequent(causes),
    tasks: shares[at] as number,
  }));
  return {
    groups: groups.toSorted((one, other) => other.tasks - one.tasks || (one.template < other.template ? -1 : 1)),
    tasks: groups.flatMap(({ template, tasks: many }) =>
      Array.from({ length: many }, (_, instance) => `${template}/${collectSeed(seed, round, instance)}`),
    ),
  };
}

interface Tried {
  readonly of: number;
  readonly causes: readonly string[];
}

/** Why the student did not pass by itself; null where it did. */
function causeOf(record: EpisodeRecord): string | null {
  const failure = failureOf(record);
  if (failure !== null) return failure.cause;
  return record.end.counts.corrections > 0 ? 'corrected' : null;
}

/** How often the student is expected to fail: half a failure and half a pass stand for what was not tried. */
function needOf({ of, causes }: Tried): number {
  return (causes.length + 0.5) / (of + 1);
}

/** Whole shares in proportion to the weights: the largest remainders are rounded up. */
function sharesOf(weights: readonly number[], total: number): readonly number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  const exact = weights.map(weight => (weight / sum) * total);
  const whole = exact.map(Math.floor);
  const left = total - whole.reduce((all, share) => all + share, 0);
  const order = [...exact.keys()].toSorted((a, b) => rest(exact, b) - rest(exact, a) || a - b);
  for (const at of order.slice(0, left)) whole[at] = (whole[at] as number) + 1;
  return whole;
}

function rest(values: readonly number[], at: number): number {
  const value = values[at] as number;
  return value - Math.floor(value);
}

function mostFrequent(causes: readonly string[]): string | null {
  const counts = Map.groupBy(causes, cause => cause);
  return [...counts].toSorted(([, one], [, other]) => other.length - one.length)[0]?.[0] ?? null;
}
