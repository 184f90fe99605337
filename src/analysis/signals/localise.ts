import { checkIds } from '../../core/check-ids.ts';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import type { TreeNode } from '../../core/tree.ts';
import { decisiveStep } from './diagnosis/decisive-step.ts';
import { firstError } from './diagnosis/first-error.ts';
import { shownStep } from './diagnosis/shown-step.ts';
import { signsOf, type Sign } from './diagnosis/signs.ts';
import type { ForkWorld } from './signal.ts';
import { createTrace, type Trace } from './trace.ts';

/** Where an episode first went wrong. */
export interface Localised {
  /** The first bad step; null when the record shows none. */
  readonly node: number | null;
  /** In a sentence. */
  readonly reason: string;
  /** A word for the cause, by which reports group episodes. */
  readonly cause: string;
  /** What shows it: other signs, checks that failed. */
  readonly evidence: readonly string[];
  /** How it was found: by trying other steps, or guessed from the record. */
  readonly by: 'forks' | 'record';
  /** Of a guess from the record: the chance that this is the first wrong step, by the model itself. */
  readonly confidence?: number;
}

/** Where an episode that failed first went wrong; null for one that passed. With a world, states are tried; without, the record decides. */
export function localise(episode: EpisodeRecord, world?: ForkWorld, trace = createTrace(episode)): Localised | null {
  const { end } = episode;
  if (end.verdict?.pass === true) return null;
  if (end.outcome === 'errored')
    return {
      node: null,
      by: 'record',
      cause: 'infrastructure',
      reason: `The ${end.boundary ?? 'run'} broke: nothing can be said of the agent.`,
      evidence: end.message === null ? [] : [end.message],
    };
  const signs = signsOf(episode, trace);
  const failed = failedNames(episode);
  const forked = world === undefined ? null : byForks(episode, world, signs);
  return withEvidence(forked ?? byRecord(episode, trace, signs), failed);
}

function withEvidence(found: Localised, failed: readonly string[]): Localised {
  return { ...found, evidence: [...found.evidence, ...failed.map(name => `check failed: ${name}`)] };
}

function failedNames({ end, head }: EpisodeRecord): readonly string[] {
  if (end.verdict === null) return [];
  const ids = checkIds(end.verdict.checks, head.task.parameters);
  return end.verdict.checks.flatMap(({ pass, name }, index) => (pass ? [] : [name || (ids[index] ?? 'a check')]));
}

/** The step that decided the failure, by trying others in its place. */
function byForks(episode: EpisodeRecord, world: ForkWorld, signs: readonly Sign[]): Localised | null {
  const decisive = decisiveStep(episode, world);
  if (decisive === null) return null;
  const { id, action } = episode.tree.path(episode.end.leaf)[decisive.index] as TreeNode;
  const sign = signs.find(({ node }) => node === id);
  const isEnd = action.kind === 'finish';
  const bare = isEnd ? 'premature-end' : decisive.after.kind === 'unreachable' ? 'irrecoverable' : 'detour';
  const evidence = sign === undefined ? [] : [sign.note];
  return { node: id, by: 'forks', reason: decisive.reason, cause: sign?.cause ?? bare, evidence };
}

/** The step that is most probably the first wrong one, by what the record shows of every step. */
function byRecord(episode: EpisodeRecord, trace: Trace, signs: readonly Sign[]): Localised {
  const shown = shownStep(episode, trace);
  const found = shown === null ? firstError(episode, trace, signs) : { index: shown.index, why: shown.note };
  if (found === null) {
    const reason = 'The record shows no step that is wrong by itself.';
    return { node: null, by: 'record', reason, cause: 'unknown', evidence: [] };
  }
  const { id, action } = trace.main[found.index] as TreeNode;
  const own = signs.find(({ node }) => node === id);
  const others = signs.filter(sign => sign !== own).slice(0, 3);
  return {
    node: id,
    by: 'record',
    reason: `Step ${id}: ${shown?.note ?? own?.note ?? found.why}`,
    cause: own?.cause ?? (action.kind === 'finish' ? 'premature-end' : 'detour'),
    evidence: others.map(sign => (sign.node === null ? sign.note : `step ${sign.node}: ${sign.note}`)),
    ...('confidence' in found ? { confidence: found.confidence } : {}),
  };
}
