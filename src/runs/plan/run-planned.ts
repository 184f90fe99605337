import type { EpisodeSource, StoredEpisode } from '../../core/episode/journal.ts';
import { invalidOption, type EspalierError } from '../../core/errors.ts';
import type { RunOptions, RunTotals } from '../../episode/engine.ts';
import { runSchedule, type ScheduledResult } from '../../episode/schedules/scheduler.ts';
import type { RunConfig } from '../config/config.ts';
import { schedules } from '../registry/schedules.ts';
import type { Host } from '../host/host.ts';
import type { RunPlan } from './plan.ts';
import { runAnywhere, type SharedRun } from './run-anywhere.ts';

interface PlannedRound {
  readonly config: RunConfig;
  readonly plan: RunPlan;
  /** What the run has so far. */
  readonly store: EpisodeSource;
  readonly host: Pick<Host, 'fleet'>;
  readonly shared: SharedRun | null;
}

/** Runs the plan as it is, or what a schedule makes of its tasks. */
export function runPlanned(
  { config, plan, store, host, shared }: PlannedRound,
  options: Omit<RunOptions, 'plan'>,
): Promise<RunTotals> {
  const { kind, ...sizes } = config.schedule;
  const { create } = schedules.need(kind);
  if (create === null) return runAnywhere(host, { ...options, plan: plan.heads }, shared);
  if (host.fleet !== undefined) throw isScheduled(kind);
  return runSchedule({
    ...options,
    scheduler: create(sizes),
    tasks: [...plan.heads].filter(({ trial }) => trial === 0),
    headOf: (first, { index, trial }) => ({
      ...first,
      index,
      trial,
      key: `collect/${first.round}/${first.task.id}/${trial}`,
    }),
    read: keys => readScheduled(store, config, keys),
  });
}

type Ended = Pick<ScheduledResult, 'passed' | 'entropy' | 'ending'>;

/** What a schedule may know of these episodes. */
function readScheduled(
  source: EpisodeSource,
  { run, round }: { readonly run: string; readonly round: number },
  keys: ReadonlySet<string>,
): ReadonlyMap<string, Ended> {
  const wants = ({ head }: Pick<StoredEpisode, 'head'>): boolean => keys.has(head.key);
  const found = new Map<string, Ended>();
  for (const episode of source.episodes({ run, round, phase: 'collect', wants }))
    if (wants(episode)) found.set(episode.head.key, endedOf(episode));
  return found;
}

function endedOf({ events, end }: StoredEpisode): Ended {
  const nodes = events.flatMap(event => (event.kind === 'step' ? [event.node] : []));
  const entropies = nodes.flatMap(({ entropy }) => entropy ?? []);
  const last = nodes.find(({ id }) => id === end.leaf);
  return {
    passed: end.outcome === 'errored' ? null : end.outcome === 'passed',
    entropy: entropies.length === 0 ? null : entropies.reduce((sum, one) => sum + one, 0) / entropies.length,
    ending: last?.after ?? 'start',
  };
}

function isScheduled(kind: string): EspalierError {
  return invalidOption(
    `The schedule ${kind} chooses the next episodes by those that have ended, in small batches: a fleet would wait for each of them.`,
    'Expected a run without --fleet, or schedule.kind=plan.',
  );
}
