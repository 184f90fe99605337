import type { EpisodeSource } from '../../core/episode/journal.ts';
import { foldEpisode, type EpisodeRecord } from '../../core/episode/record.ts';
import type { Task } from '../../core/records.ts';
import { createFixedEnding, frequentEnding } from '../../agents/fixed-ending.ts';
import { createReplay } from '../../agents/replay.ts';
import { familyOf, isElsewhere } from '../environments/families.ts';
import type { Host } from '../host/host.ts';
import { baselinePolicies } from '../jobs/evaluate-job.ts';
import type { Entrant } from './run-entrants.ts';

/** The names of the baselines in a store. */
export const baselineNames: readonly string[] = ['random', 'infeasible', 'frequent ending', 'replay', 'planner'];
/** Baselines do not change from round to round. They have a round of their own. */
export const baselineRound = 0;

/** Whether the planner can read the state of all of these environments. */
export function isPlannable(environments: readonly string[]): boolean {
  return !environments.some(name => isElsewhere(name) || familyOf(name)?.family.isPlanned === false);
}

export interface BaselineOptions {
  readonly environments: readonly string[];
  readonly host: Host;
  readonly store: EpisodeSource;
  readonly run: string;
}

/** The planner comes first: others use what it did. Without a state to read, only `infeasible` and `random` can run. */
export function* baselinesFor({ environments, host, store, run }: BaselineOptions): Generator<Entrant> {
  const { planner, random, infeasible } = baselinePolicies(host.clock);
  const shared = { round: baselineRound, hasWorkers: true };
  if (isPlannable(environments)) {
    yield { ...shared, name: 'planner', policyFor: planner };
    const recordings = recordingsOf(store, run);
    const recorded = (task: Task): EpisodeRecord[] => recordings.get(`${task.environment}/${task.template}`) ?? [];
    yield {
      name: 'replay',
      round: baselineRound,
      hasWorkers: false,
      takes: task => recorded(task).some(({ head }) => head.task.seed !== task.seed),
      policyFor: ({ task }) => createReplay({ task, recordings: recorded(task) }),
    };
    const name = 'frequent ending';
    const ending = frequentEnding([...recordings.values()].flat().filter(({ head }) => head.task.split === 'train'));
    yield { name, round: baselineRound, hasWorkers: false, policyFor: () => createFixedEnding(name, ending) };
  }
  yield { ...shared, name: 'infeasible', policyFor: infeasible };
  yield { ...shared, name: 'random', policyFor: random };
}

/** Passed episodes of the planner, by template. Two are enough to have one of another instance. */
function recordingsOf(store: EpisodeSource, run: string): Map<string, EpisodeRecord[]> {
  const found = new Map<string, EpisodeRecord[]>();
  for (const stored of store.episodes({ run, phase: 'evaluate', round: baselineRound })) {
    const { student, trial, task } = stored.head;
    if (student !== 'planner' || trial !== 0) continue;
    const template = `${task.environment}/${task.template}`;
    const own = found.get(template) ?? [];
    if (own.filter(({ end }) => end.outcome === 'passed').length < 2)
      found.set(template, [...own, foldEpisode(stored)]);
  }
  return found;
}
