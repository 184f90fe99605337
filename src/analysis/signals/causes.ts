import { z } from 'zod';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import { shellWord } from '../../core/naming/shell-word.ts';
import { adviceOf } from './failure/advice.ts';
import { mistakeIn } from './failure/mistake.ts';
import { shownAtEnd } from './failure/screens.ts';
import { wantedIn, type FailedCheck } from './failure/wanted.ts';
import { localise } from './localise.ts';
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
  /** The step that made it so; null when it is a step that never came, or the record shows none. */
  readonly node: number | null;
  readonly reason: string;
  readonly failed: readonly FailedCheck[];
  /** What the screen at the end says of the fields that the task names. */
  readonly shown: readonly string[];
  /** What else shows it. */
  readonly evidence: readonly string[];
  /** Of a guess from the record alone: the chance that the first wrong step is this one or one beside it. */
  readonly confidence?: number;
}

/** Null for an episode that passed. What was given up or broke was never verified: its reason is its cause. */
export function failureOf(episode: EpisodeRecord): Failure | null {
  const { outcome, reason, boundary, message, leaf } = episode.end;
  if (outcome === 'passed') return null;
  const bare = { node: null, failed: [], shown: [], evidence: [] };
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
  return judgedFailure(episode);
}

/** By the checks that failed and the step that left them so; where the record shows no such step, by the first doubtful one. */
function judgedFailure(episode: EpisodeRecord): Failure {
  const trace = createTrace(episode);
  const wanted = wantedIn(episode);
  const mistake = mistakeIn({ episode, trace, wanted });
  const guess = localise(episode, undefined, trace);
  const { failed } = wanted;
  const shown = trace.main.length === 0 ? [] : shownAtEnd(episode.screen(episode.end.leaf), wanted.fields.keys());
  if (mistake === null) {
    const { node = null, cause = 'unknown', evidence = [], confidence } = guess ?? {};
    const reason = guess?.reason ?? 'Its last state passes, but it was not counted.';
    return { cause, node, reason, failed, shown, evidence, ...(confidence === undefined ? {} : { confidence }) };
  }
  const others = guess?.evidence ?? [];
  const isElsewhere = guess !== null && guess.node !== null && guess.node !== mistake.node;
  return {
    cause: mistake.kind,
    node: mistake.node,
    reason: mistake.reason,
    failed,
    shown,
    evidence: isElsewhere ? [`first doubtful step: ${guess.reason}`, ...others] : others,
  };
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
}

/** Why episodes did not pass: the most frequent cause first, with its checks and templates, an example and what to do about it. */
export function countCauses(
  episodes: Iterable<EpisodeRecord>,
  { run, collected }: CausesOptions,
): readonly FailureCause[] {
  const found = new Map<string, Group>();
  let of = 0;
  for (const episode of episodes) {
    const failure = failureOf(episode);
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

function newGroup({ head }: EpisodeRecord, { cause, reason, failed, shown }: Failure, run: string | undefined): Group {
  const { key: episode, task } = head;
  const command = run === undefined ? '' : `espalier inspect ${shellWord(run)} ${shellWord(episode)}`;
  const wanted = failed.map(({ name }) => name);
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
