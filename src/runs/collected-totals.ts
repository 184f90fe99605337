import { judgeReviewer, type ReviewerQuality } from '../analysis/reviewer.ts';
import { describeLack } from '../core/episode/certificate.ts';
import type { EpisodeEnd, Outcome } from '../core/episode/events.ts';
import type { EpisodeSource } from '../core/episode/journal.ts';
import { foldEpisode } from '../core/episode/record.ts';
import { isUncertified } from './certify/certify.ts';
import type { RunConfig } from './config/config.ts';

/** Episodes by how they ended. */
type Outcomes = Readonly<Record<Outcome, number>>;

interface EnvironmentTotals {
  readonly environment: string;
  readonly outcomes: Outcomes;
  /** Of those that passed, the ones that are certified: by construction, or by a replay that agreed. */
  readonly certified: number;
  readonly steps: number;
  readonly reviews: number;
  /** Steps that the teacher was shown, once for each review. */
  readonly shown: number;
  /** Reviews that were left out. */
  readonly skipped: number;
  readonly corrections: number;
  /** Steps of the episodes that passed, and those of them that the teacher took. */
  readonly kept: number;
  readonly taught: number;
}

/** An error that episodes ended with. */
interface Breakage {
  readonly boundary: string;
  readonly count: number;
  /** Of the first of them. */
  readonly message: string;
  readonly episode: string;
}

/** Episodes that passed, not certified. */
interface Uncertified {
  readonly count: number;
  /** Why the first of them is not. */
  readonly reason: string;
  readonly episode: string;
}

/** What a round has collected, by what its store holds. */
export interface CollectedTotals {
  readonly environments: readonly EnvironmentTotals[];
  /** Only when rejected branches live on. */
  readonly reviewer: ReviewerQuality | null;
  readonly breakages: readonly Breakage[];
  /** What passed without the certificate that it needs; null when nothing did. */
  readonly uncertified: Uncertified | null;
}

/** What the store holds of a round. */
export function totalsOf(source: EpisodeSource, { run, round, strategy }: RunConfig): CollectedTotals {
  const filter = { run, round, phase: 'collect' } as const;
  const environments = new Map<string, EnvironmentTotals>();
  const breakages = new Map<string, Breakage>();
  let uncertified: Uncertified | null = null;
  for (const summary of source.summaries(filter)) {
    const { head, end } = summary;
    const { environment } = head.task;
    const lacks = isUncertified(summary);
    environments.set(environment, addEpisode(environments.get(environment) ?? noTotals(environment), end, lacks));
    if (lacks) {
      const first: Uncertified = uncertified ?? {
        count: 0,
        reason: describeLack(summary, end.leaf),
        episode: head.key,
      };
      uncertified = { ...first, count: first.count + 1 };
    }
    if (end.boundary === null) continue;
    const known = breakages.get(end.boundary);
    const first = known ?? { boundary: end.boundary, count: 0, message: end.message ?? '', episode: head.key };
    breakages.set(end.boundary, { ...first, count: first.count + 1 });
  }
  const branching = 'branching' in strategy && strategy['branching'] === true;
  return {
    environments: [...environments.values()],
    breakages: [...breakages.values()],
    uncertified,
    reviewer: branching ? judgeReviewer(recordsOf(source, filter)) : null,
  };
}

function* recordsOf(source: EpisodeSource, filter: Parameters<EpisodeSource['episodes']>[0]) {
  for (const stored of source.episodes(filter)) yield foldEpisode(stored);
}

function noTotals(environment: string): EnvironmentTotals {
  return {
    environment,
    outcomes: { passed: 0, failed: 0, discarded: 0, errored: 0 },
    certified: 0,
    steps: 0,
    reviews: 0,
    shown: 0,
    skipped: 0,
    corrections: 0,
    kept: 0,
    taught: 0,
  };
}

function addEpisode(
  totals: EnvironmentTotals,
  { outcome, counts }: EpisodeEnd,
  lacksCertificate: boolean,
): EnvironmentTotals {
  const { outcomes, certified, steps, reviews, shown, skipped, corrections } = totals;
  return {
    ...totals,
    outcomes: { ...outcomes, [outcome]: outcomes[outcome] + 1 },
    certified: certified + Number(outcome === 'passed' && !lacksCertificate),
    steps: steps + counts.taken,
    reviews: reviews + counts.reviews,
    shown: shown + (counts.shown ?? 0),
    skipped: skipped + (counts.skipped ?? 0),
    corrections: corrections + counts.corrections,
    kept: totals.kept + (outcome === 'passed' ? counts.steps : 0),
    taught: totals.taught + (outcome === 'passed' ? (counts.taught ?? 0) : 0),
  };
}
