import { lacksCertificate } from '../../core/episode/certificate.ts';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import type { Entry } from '../../core/naming/registry.ts';
import { canaryOf, type Verdict } from '../../core/records.ts';
import { candidatesOf, type Candidate } from '../rows/candidate.ts';
import type { Requests } from '../requests/requests.ts';

/** An end of an episode whose verdict counts: it was verified, and is certified where its world needs that. */
export interface VerifiedLeaf extends Candidate {
  readonly verdict: Verdict;
}

export interface EpisodeToWrite {
  readonly record: EpisodeRecord;
  readonly requests: Requests;
  readonly leaves: readonly VerifiedLeaf[];
}

export interface TrajectoryFile {
  /** Inside the folder of its format. */
  readonly name: string;
  readonly trajectories: number;
  readonly bytes: number;
  readonly sha256: string;
}

/** Takes the episodes of an export one by one. */
export interface TrajectoryWriter {
  add(episode: EpisodeToWrite): void;
  finish(): readonly TrajectoryFile[];
  /** Closes what is still open. */
  abandon(): void;
}

export interface TrajectoryTarget {
  /** An empty folder. */
  readonly folder: string;
  /** When the run began, in milliseconds since 1970. The journal keeps the order of events, not their time. */
  readonly startedAt: number;
  /** Of Espalier. */
  readonly version: string;
}

/** Whole episodes as another tool reads them. */
export interface TrajectoryFormat extends Entry {
  /** `training`: only verified ends of episodes that may be trained on. `all`: every finished episode. */
  readonly episodes: 'training' | 'all';
  create(target: TrajectoryTarget): TrajectoryWriter;
}

/** Why an end of an episode is in no training format. */
export type LeftOut = 'the episode broke' | 'no verdict' | 'not certified';

/** The ends of an episode that may be trained on, and why the others may not. */
export function verifiedLeaves(record: EpisodeRecord): { leaves: VerifiedLeaf[]; left: LeftOut[] } {
  if (record.end.outcome === 'errored') return { leaves: [], left: ['the episode broke'] };
  const leaves: VerifiedLeaf[] = [];
  const left: LeftOut[] = [];
  for (const candidate of candidatesOf(record)) {
    const { verdict, leaf } = candidate;
    if (verdict === null) left.push('no verdict');
    else if (lacksCertificate(record, leaf)) left.push('not certified');
    else leaves.push({ ...candidate, verdict });
  }
  return { leaves, left };
}

/** 1 when the verifier passed this end, else 0. */
export function rewardOf({ verdict }: VerifiedLeaf): number {
  return verdict.pass ? 1 : 0;
}

/** The same for every format, and different for every end of every episode. */
export function trajectoryId({ record, leaf }: Candidate): string {
  const { run, key } = record.head;
  return leaf === record.end.leaf ? `${run}/${key}` : `${run}/${key}#${leaf}`;
}

/** What an agent is told of its task. Parameters may hold answers, and stay here. */
export function taskOf({ head }: EpisodeRecord) {
  const { id, environment, template, seed, split, kind, instruction } = head.task;
  const canary = canaryOf(head.task);
  return { id, environment, template, seed, split, kind, instruction, ...(canary === null ? {} : { canary }) };
}

/** Where a trajectory comes from, and how it ended. */
export function sourceOf({ record, leaf, role, interventions }: Candidate) {
  const { head, end } = record;
  const { run, key, phase, round, trial, student, teacher, strategy } = head;
  const source = { run, episode: key, phase, round, trial, student, teacher, strategy };
  return { ...source, leaf, leaf_role: role, outcome: end.outcome, certified: end.certification, interventions };
}

/** The verdict as figures. `clean` is null where nothing says what else was changed. */
export function verdictFigures({ pass, progress, clean, checks, evidence }: Verdict) {
  return {
    pass,
    progress,
    clean: evidence.sideEffectsKnown === false ? null : clean,
    checks: checks.map(({ name, pass: holds }) => ({ name, pass: holds })),
  };
}

/** A file name made of a key: other characters become `_`. */
export function fileNameOf(key: string): string {
  return key.replaceAll(/[^\w.-]+/g, '_').slice(0, 180);
}
