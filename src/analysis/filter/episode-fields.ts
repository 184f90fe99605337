import type { EpisodeSummary } from '../../core/episode/journal.ts';
import type { Value, ValueType } from './where.ts';

interface Field {
  readonly type: ValueType;
  readonly value: (summary: EpisodeSummary) => Value | null;
}

const number = (value: (summary: EpisodeSummary) => number | null): Field => ({ type: 'number', value });
const text = (value: (summary: EpisodeSummary) => string | null): Field => ({ type: 'text', value });
const boolean = (value: (summary: EpisodeSummary) => boolean | null): Field => ({ type: 'boolean', value });

/** What an expression may ask of every episode, without any signal. */
export const episodeFields: Readonly<Record<string, Field>> = {
  episode: text(({ head }) => head.key),
  environment: text(({ head }) => head.task.environment),
  template: text(({ head }) => head.task.template),
  task: text(({ head }) => head.task.id),
  split: text(({ head }) => head.task.split),
  kind: text(({ head }) => head.task.kind),
  phase: text(({ head }) => head.phase),
  round: number(({ head }) => head.round),
  trial: number(({ head }) => head.trial),
  student: text(({ head }) => head.student),
  teacher: text(({ head }) => head.teacher),
  strategy: text(({ head }) => head.strategy),
  outcome: text(({ end }) => end.outcome),
  reason: text(({ end }) => end.reason),
  passed: boolean(({ end }) => end.verdict?.pass ?? null),
  clean: boolean(({ end }) => end.verdict?.clean ?? null),
  progress: number(({ end }) => end.verdict?.progress ?? null),
  steps: number(({ end }) => end.counts.steps),
  taken: number(({ end }) => end.counts.taken),
  reviews: number(({ end }) => end.counts.reviews),
  corrections: number(({ end }) => end.counts.corrections),
  interventions: number(({ end }) => end.counts.interventions),
  rollbacks: number(({ end }) => end.counts.rollbacks),
  forks: number(({ end }) => end.counts.forks),
  cost: number(({ end }) => end.counts.cost),
  tokens: number(({ end }) => end.counts.tokens),
};
