import { z } from 'zod';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import { shellWord } from '../../core/naming/shell-word.ts';
import { adviceOf } from './failure/advice.ts';
import { mistakeIn, type Mistake } from './failure/mistake.ts';
import { shownAtEnd } from './failure/screens.ts';
import { wantedIn, type FailedCheck } from './failure/wanted.ts';
import { localise, type Localised } from './localise.ts';
import { createTrace } from './trace.ts';

const countedSchema = z.strictObject({ name: z.string(), count: z.int().positive() });

/** Why episodes failed, by cause. */
export const failureCauseSchema = z.strictObject({
  /** `wrong-value`, or `discarded: deadline`. */
  cause: z.string(),
  count: z.int().positive(),
  /** Episodes that did not pass. */
  of: z.int().positive(),
  /** Checks that did not hold, by id, and templates: the most frequent first. */
  checks: z.array(countedSchema).readonly().default([]),
  templates: z.array(countedSchema).readonly().default([]),
  example: z.strictObject({
    episode: z.string(),
    /** What the task says, and which checks did not hold, in its words. */
    task: z.string().default(''),
    wanted: z.array(z.string()).readonly().default([]),
    /** What the screen at the end says instead. */
    shown: z.array(z.string()).readonly().default([]),
    reason: z.string(),
    /** Opens the episode; empty where the folder of the run is not known. */
    command: z.string().default(''),
  }),
  /** What to do about it, in a sentence or two. */
  advice: z.string(),
});
export type FailureCause = z.infer<typeof failureCauseSchema>;

/** Why an episode did not pass: a word that reports group by, and a sentence. */
export interface Failure {
  readonly cause: string;
  /** The first wrong step; null when the record shows none. */
  readonly node: number | null;
  /** How that step was found: shown by the record, guessed from it, or found by trying other steps. */
  readonly by: 'record' | 'guess' | 'forks';
  readonly reason: string;
  /** Why it is that step, where the reason does not say it. */
  readonly place?: string;
  readonly failed: readonly FailedCheck[];
  /** What the screen at the end says of the fields that the task names. */
  readonly shown: readonly string[];
  /** What else shows it. */
  readonly evidence: readonly string[];
  /** Of a guess: the chance that this is the first wrong step, by the model itself. */
  readonly confidence?: number;
}

/** A step that forks found to be the decisive one, and why. */
export interface TriedPlace {
  readonly node: number;
  readonly reason: string;
}

/** Null for an episode that passed. What was given up or broke was never verified: its reason is its cause. */
export function failureOf(episode: EpisodeRecord, tried?: TriedPlace): Failure | null {
  const { outcome, reason, boundary, message, leaf } = episode.end;
  if (outcome === 'passed') return null;
  const bare = { node: null, by: 'record', failed: [], shown: [], evidence: [] } as const;
  if (outcome === 'discarded') {
    const place = leaf === 0 ? 'before the first step' : `after step ${leaf}`;
    const why = reason ?? 'no reason given';
    return { ...bare, cause: `discarded: ${why}`, reason: `Given up ${place}: ${why}.` };
  }
  if (outcome === 'errored')
    return {
      ...bare,
      cause: reason === null ? 'infrastructure' : `infrastructure: ${reason}`,
      reason: `The ${boundary ?? 'run'} broke: ${(message ?? 'it did not say why').replace(/\.+$/, '')}.`,
    };
  return judgedFailure(episode, tried);
}

/** Why, by the checks that failed; and where: by forks, by a mistake that names its step, or by the first doubtful one. */
function judgedFailure(episode: EpisodeRecord, tried: TriedPlace | undefined): Failure {
  const trace = createTrace(episode);
  const wanted = wantedIn(episode);
  const mistake = mistakeIn({ episode, trace, wanted });
  const guess = localise(episode, undefined, trace);
  const shown = trace.main.length === 0 ? [] : shownAtEnd(episode.screen(episode.end.leaf), wanted.fields.keys());
  return {
    cause: mistake?.kind ?? guess?.cause ?? 'unknown',
    reason: mistake?.reason ?? guess?.reason ?? 'Its last state passes, but it was not counted.',
    failed: wanted.failed,
    shown,
    evidence: guess?.evidence ?? [],
    ...placeOf({ mistake, guess, tried }),
  };
}

interface Places {
  readonly mistake: Mistake | null;
  readonly guess: Localised | null;
  readonly tried: TriedPlace | undefined;
}

/** What was tried is better than what the record shows, and that is better than a guess. */
function placeOf({ mistake, guess, tried }: Places): Pick<Failure, 'node' | 'by' | 'place' | 'confidence'> {
  if (tried !== undefined) return { node: tried.node, by: 'forks', place: tried.reason };
  if (mistake !== null && mistake.node !== null) return { node: mistake.node, by: 'record' };
  const { node = null, confidence } = guess ?? {};
  // Without a mistake the reason is that of the place.
  const place = mistake === null || guess === null ? {} : { place: guess.reason };
  return confidence === undefined ? { node, by: 'record', ...place } : { node, by: 'guess', confidence, ...place };
}

interface Group {
  readonly cause: string;
  count: number;
  readonly checks: Map<string, number>;
  readonly templates: Map<string, number>;
  /** Templates that nothing may be trained on. */
  readonly heldOut: Set<string>;
  readonly example: FailureCause['example'];
}

export interface CausesOptions {
  /** Folder of the run: examples have the command that opens them. */
  readonly run?: string;
  /** Worlds that the run collects in. All others may be held out: no advice sends training there. */
  readonly collected: ReadonlySet<string>;
  /** Where forks found the first wrong step of an episode. */
  tried?(episode: EpisodeRecord): TriedPlace | undefined;
}

/** Why episodes did not pass: the most frequent cause first, with its checks and templates, an example and what to do about it. */
export function countCauses(
  episodes: Iterable<EpisodeRecord>,
  { run, collected, tried }: CausesOptions,
): readonly FailureCause[] {
  const found = new Map<string, Group>();
  let of = 0;
  for (const episode of episodes) {
    const failure = failureOf(episode, tried?.(episode));
    if (failure === null) continue;
    of++;
    const { cause, failed } = failure;
    const group = found.get(cause) ?? newGroup(episode, failure, run);
    found.set(cause, group);
    group.count++;
    for (const { id } of failed) raise(group.checks, id);
    const { environment, template, split } = episode.head.task;
    const name = `${environment}/${template}`;
    raise(group.templates, name);
    if (split !== 'train' || !collected.has(environment)) group.heldOut.add(name);
  }
  return [...found.values()]
    .map(({ cause, count, checks, templates, heldOut, example }) => {
      const where = ranked(templates);
      const trainable = where.map(({ name }) => name).filter(name => !heldOut.has(name));
      return {
        cause,
        count,
        of,
        checks: ranked(checks),
        templates: where,
        example,
        advice: adviceOf(cause, trainable),
      };
    })
    .toSorted((one, other) => other.count - one.count || (one.cause < other.cause ? -1 : 1));
}

/** Where it went wrong, and how sure that is; nothing where the reason says it. */
export function placeText({ by, place, node, confidence }: Failure): readonly string[] {
  if (by === 'forks') return [`Tried by forks: ${place ?? `step ${node}`}`];
  if (by === 'record' && place !== undefined) return [`First wrong step, as the record shows it: ${place}.`];
  if (by !== 'guess' || confidence === undefined) return [];
  const sure = `${Math.round(confidence * 100)} % by its model`;
  return [
    place === undefined
      ? `The step is a guess from the record: ${sure}.`
      : `First wrong step, a guess from the record (${sure}): ${place}.`,
  ];
}

function newGroup({ head }: EpisodeRecord, failure: Failure, run: string | undefined): Group {
  const { cause, failed, shown } = failure;
  const { key: episode, task } = head;
  const command = run === undefined ? '' : `espalier inspect ${shellWord(run)} ${shellWord(episode)}`;
  const wanted = failed.map(({ name }) => name);
  const reason = [failure.reason, ...placeText(failure)].join(' ');
  const example = { episode, task: task.instruction, wanted, shown, reason, command };
  return { cause, count: 0, checks: new Map(), templates: new Map(), heldOut: new Set(), example };
}

function raise(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function ranked(counts: ReadonlyMap<string, number>): FailureCause['checks'] {
  return [...counts]
    .map(([name, number]) => ({ name, count: number }))
    .toSorted((one, other) => other.count - one.count || (one.name < other.name ? -1 : 1));
}
