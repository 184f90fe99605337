import type { EpisodeEnd, EpisodeHead } from '../../core/episode/events.ts';
import type { EpisodeRow } from '../../server/studio/api.ts';
import type { ListedEpisode } from '../../store/listing/listing.ts';

/** A row of the index: everything that is filtered by and can be had without reading the task. */
export type IndexedRow = Omit<EpisodeRow, 'instruction'> & {
  readonly run: string;
  /** Whether a person took steps. */
  readonly isByHand: boolean;
};

/** How strategies that let a person act are called. */
const byHand: ReadonlySet<string> = new Set(['play', 'studio']);

export function indexRow({ attempt, head, end }: ListedEpisode): IndexedRow {
  const { counts } = end;
  return {
    id: attempt,
    run: head.run,
    key: head.key,
    outcome: end.outcome,
    cause: causeOf(end),
    phase: head.phase,
    round: head.round,
    ...taskOf(head),
    student: head.student,
    strategy: head.strategy,
    steps: counts.steps,
    taken: counts.taken,
    corrections: counts.corrections,
    rollbacks: counts.rollbacks,
    cost: counts.cost,
    tokens: counts.tokens,
    seconds: Math.round(end.milliseconds) / 1000,
    isByHand: byHand.has(head.strategy),
  };
}

/** `collect/2/mail/star-message/17/0`: the task stands between the round and the trial. */
function taskOf({ key }: Pick<EpisodeHead, 'key'>): Pick<EpisodeRow, 'environment' | 'template'> {
  const parts = key.split('/');
  const task = parts.slice(2, -1);
  return { environment: task[0] ?? '', template: task.slice(1, -1).join('/') };
}

const longestCause = 120;

/** Why an episode did not pass, in words that similar episodes share; null when it passed. */
export function causeOf({ outcome, reason, boundary, verdict }: EpisodeEnd): string | null {
  if (outcome === 'passed') return null;
  if (outcome === 'errored') return `broke: ${boundary ?? 'unknown'}`;
  if (reason !== null) return reason.slice(0, longestCause);
  if (verdict === null) return 'not verified';
  const unmet = verdict.checks.find(({ pass }) => !pass);
  if (unmet !== undefined) return `unmet: ${unmet.id ?? unmet.name}`.slice(0, longestCause);
  return verdict.clean ? 'not finished' : 'changed something else';
}
