import { describeAction } from '../../core/action.ts';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import type { TreeNode } from '../../core/tree.ts';
import { withoutHint } from '../requests/hints.ts';
import { columns } from '../rows/columns.ts';
import type { Exporter } from '../rows/exporter.ts';
import { provenanceColumns, provenanceOf } from '../rows/provenance.ts';
import { similarity } from './similarity.ts';
import { verifiedPaths } from './verified-paths.ts';

/** From this similarity on, the retry is taken for a repaired call, and the reasoning before the failed one is kept. */
const repaired = 0.5;

interface KeptStep {
  readonly node: TreeNode;
  /** The step that failed and is replaced by this one. */
  readonly failed: TreeNode | null;
  readonly keepsReasoning: boolean;
}

/**
 * A trajectory without its refused steps, be they on its path or taken back before the step that stands there. They changed
 * nothing, so that it still leads to the same state.
 */
function purify({ tree }: EpisodeRecord, path: readonly TreeNode[]): readonly KeptStep[] {
  const kept: KeptStep[] = [];
  let failed: TreeNode | null = null;
  for (const node of path) {
    failed ??= takenBack(tree, node)[0] ?? null;
    if (!node.outcome.applied) {
      failed ??= node;
      continue;
    }
    const keepsReasoning =
      failed !== null && similarity(describeAction(failed.action), describeAction(node.action)) >= repaired;
    kept.push({ node, failed, keepsReasoning });
    failed = null;
  }
  return kept;
}

/** Refused steps that were tried in the same place before. */
function takenBack(tree: EpisodeRecord['tree'], { id, parent }: TreeNode): readonly TreeNode[] {
  return tree.children(parent).filter(other => other.id < id && !other.outcome.applied);
}

/** CLEANER: trajectories that passed in spite of refused steps, without those steps. */
export const purified: Exporter = {
  name: 'purified',
  about: 'CLEANER: trajectories that passed after refused steps, without those; a similar retry keeps the reasoning.',
  episodes: 'training',
  pictured: false,
  isOptional: true,
  columns: [
    ...columns({
      /** The whole chat, as if the refused steps had not been. */
      messages: 'messages',
      tools: 'string',
      instruction: 'string',
      leaf: 'int',
      nodes: 'ints',
      removed_nodes: 'ints',
      actions: 'strings',
      screens: 'strings',
      /** Empty where nothing was thought. */
      reasoning: 'strings',
      /** Whether the reasoning is that of the failed step before. */
      keeps_reasoning: 'booleans',
      /** Whether the step was sampled after what is removed: its recorded log probability does not fit any more. */
      stale_logprobs: 'booleans',
      last_digest: 'string',
    }),
    ...provenanceColumns,
  ],
  *rows({ record, requests }) {
    for (const { path, leaf, verdict } of verifiedPaths(record)) {
      const bare = (node: TreeNode): TreeNode => withoutHint(record, node);
      const kept = purify(record, path).map(step => ({
        ...step,
        node: bare(step.node),
        failed: step.failed === null ? null : bare(step.failed),
      }));
      const last = kept.at(-1)?.node;
      const removed = path.flatMap(node => [...takenBack(record.tree, node), ...(node.outcome.applied ? [] : [node])]);
      if (!verdict.pass || removed.length === 0 || last === undefined) continue;
      const first = Math.min(...removed.map(({ id }) => id));
      const steps = new Map(kept.map(step => [step.node.id, step]));
      const edit = (node: TreeNode): TreeNode | null => {
        const step = steps.get(node.id);
        return step === undefined ? null : withReasoning(node, step);
      };
      yield {
        ...requests.rewritten(record, last.id, edit),
        instruction: record.head.task.instruction,
        leaf,
        nodes: kept.map(({ node }) => node.id),
        removed_nodes: removed.map(({ id }) => id),
        actions: kept.map(({ node }) => JSON.stringify(node.action)),
        screens: kept.map(({ node }) => record.screen(node.id)),
        reasoning: kept.map(({ node, failed, keepsReasoning }) => (keepsReasoning ? failed : node)?.thought ?? ''),
        keeps_reasoning: kept.map(({ keepsReasoning }) => keepsReasoning),
        stale_logprobs: kept.map(({ node }) => node.id > first),
        last_digest: last.after,
        ...provenanceOf(record, last, verdict),
      };
    }
  },
};

function withReasoning(node: TreeNode, { failed, keepsReasoning }: KeptStep): TreeNode {
  const thought = keepsReasoning ? failed?.thought : undefined;
  return thought === undefined ? node : { ...node, thought };
}
