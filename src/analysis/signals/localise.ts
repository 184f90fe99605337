import { checkIds } from '../../core/check-ids.ts';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import type { TreeNode } from '../../core/tree.ts';
import { firstError } from './diagnosis/first-error.ts';
import { signsOf, type Sign } from './diagnosis/signs.ts';
import type { ForkWorld } from './signal.ts';
import { reachAlong } from './steps/reachability.ts';
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
  /** Of a guess from the record alone: the chance that the first wrong step is this one or one beside it. */
  readonly confidence?: number;
}

/** Where an episode that failed first went wrong; null for one that passed. With a world, states are tried; without, the record decides. */
export function localise(episode: EpisodeRecord, world?: ForkWorld, trace = createTrace(episode)): Localised | null {
  const { end } = episode;
  if (end.verdict?.pass === true) return null;
  if (end.outcome === 'errored')
    return {
      node: null,
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

/**
 * The first step of the loop-free path after which the goal was farther away than a good step would have left it. Steps that the
 * agent itself took back (the state before them comes again) are no reason for the failure.
 */
function byForks({ tree, end }: EpisodeRecord, world: ForkWorld, signs: readonly Sign[]): Localised | null {
  const path = withoutLoops(tree.root, tree.path(end.leaf));
  const reaches = reachAlong(
    world,
    path.map(({ id }) => id),
  );
  for (const [index, { id }] of path.entries()) {
    const before = reaches[index];
    const after = reaches[index + 1];
    if (before?.kind !== 'reachable' || after === undefined || after.kind === 'unknown') continue;
    if (after.kind === 'reachable' && after.cost < before.cost) continue;
    const sign = signs.find(({ node }) => node === id);
    const isEnd = path[index]?.action.kind === 'finish';
    const told =
      after.kind === 'unreachable'
        ? `After step ${id} no way to the goal is left; before it, ${before.cost} steps would have done.`
        : `Step ${id} does not lead on: ${before.cost} steps to go before it, ${after.cost} after.`;
    const cause = sign?.cause ?? (isEnd ? 'premature-end' : after.kind === 'unreachable' ? 'irrecoverable' : 'detour');
    return { node: id, reason: told, cause, evidence: sign === undefined ? [] : [sign.note] };
  }
  return null;
}

/** Leaves out what was undone: steps between two visits of the same state. */
export function withoutLoops(root: string, path: readonly TreeNode[]): readonly TreeNode[] {
  const kept: TreeNode[] = [];
  const states = [root];
  for (const step of path) {
    const seen = states.indexOf(step.after);
    if (seen >= 0 && step.after !== step.before) {
      kept.length = seen;
      states.length = seen + 1;
    } else {
      kept.push(step);
      states.push(step.after);
    }
  }
  return kept;
}

/** The step that is most probably the first wrong one, by what the record shows of every step. */
function byRecord(episode: EpisodeRecord, trace: Trace, signs: readonly Sign[]): Localised {
  const found = firstError(episode, trace, signs);
  if (found === null)
    return { node: null, reason: 'The record shows no step that is wrong by itself.', cause: 'unknown', evidence: [] };
  const { id, action } = trace.main[found.index] as TreeNode;
  const own = signs.find(({ node }) => node === id);
  const others = signs.filter(sign => sign !== own).slice(0, 3);
  return {
    node: id,
    reason: `Step ${id}: ${own?.note ?? found.why}`,
    cause: own?.cause ?? (action.kind === 'finish' ? 'premature-end' : 'detour'),
    evidence: others.map(sign => (sign.node === null ? sign.note : `step ${sign.node}: ${sign.note}`)),
    confidence: found.confidence,
  };
}
