import { isByPerson, type EpisodeEnd, type EpisodeHead } from '../../core/episode/events.ts';
import { ownChecks } from '../../core/check-ids.ts';
import type { EpisodeRow } from '../api/api.ts';
import type { ListedEpisode } from '../../store/listing.ts';
import { baselineNames } from '../../runs/evaluation/baselines.ts';

/** A row of the index: everything that is filtered by and can be had without reading the task. */
export type IndexedRow = Omit<EpisodeRow, 'instruction'> & {
  readonly run: string;
  /** Number of its task in the store. */
  readonly task: number;
  /** `mail/star-message`. */
  readonly path: string;
  readonly reviews: number;
  /** Whether a person took steps, as an actor or as the teacher of a student. */
  readonly isByHand: boolean;
};

/** Baselines pass or fail by design and people are no agents: neither says anything of a student. */
export function isOfStudent(row: IndexedRow): boolean {
  return !isByPerson(row) && (row.phase === 'collect' || !baselineNames.includes(row.student));
}

export function indexRow({ attempt, head, end, task }: ListedEpisode): IndexedRow {
  const { counts } = end;
  const place = taskOf(head);
  return {
    id: attempt,
    run: head.run,
    key: head.key,
    outcome: end.outcome,
    cause: causeOf(end),
    phase: head.phase,
    round: head.round,
    ...place,
    path: `${place.environment}/${place.template}`,
    task,
    student: head.student,
    strategy: head.strategy,
    steps: counts.steps,
    taken: counts.taken,
    corrections: counts.corrections,
    reviews: counts.reviews,
    rollbacks: counts.rollbacks,
    cost: counts.cost,
    tokens: counts.tokens,
    seconds: Math.round(end.milliseconds) / 1000,
    isByHand: isByPerson(head) || (head.teacher === 'studio' && counts.reviews > 0),
  };
}

/** `collect/2/mail/star-message/17/0`: environment, template and seed, then the trial. The key of an evaluation ends with who acted. */
const keyPattern = /^[^/]+\/\d+\/(?<environment>[^/]+)\/(?<template>.+?)\/\d+\/\d+(?:\/|$)/;

function taskOf({ key }: Pick<EpisodeHead, 'key'>): Pick<EpisodeRow, 'environment' | 'template'> {
  const { environment = '', template = '' } = keyPattern.exec(key)?.groups ?? {};
  return { environment, template };
}

const longestCause = 120;

/** Why an episode did not pass, in words that similar episodes share; null when it passed. */
function causeOf({ outcome, reason, boundary, verdict }: EpisodeEnd): string | null {
  if (outcome === 'passed') return null;
  if (outcome === 'errored') return `broke: ${boundary ?? 'unknown'}`;
  const unmet = unmetIn(verdict);
  // That a finish did not pass says no more than that the episode failed: the checks do.
  if (reason !== null && (reason !== notPassed || unmet === null)) return reason.slice(0, longestCause);
  return (unmet ?? (verdict === null ? 'not verified' : 'not finished')).slice(0, longestCause);
}

const notPassed = 'finish not passed';

function unmetIn(verdict: EpisodeEnd['verdict']): string | null {
  if (verdict === null) return null;
  const unmet = verdict.checks.filter(({ pass }) => !pass).map(({ id, name }) => id ?? name);
  if (unmet.includes(ownChecks.notGivenUp.id)) return 'gave up a task that can be done';
  if (unmet.length > 0) return `unmet: ${unmet[0]}${unmet.length === 1 ? '' : ` and ${unmet.length - 1} more`}`;
  return verdict.clean ? null : 'changed something else';
}
