import { describeAction } from '../../core/action.ts';
import type { TreeNode } from '../../core/tree.ts';
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

/** A trajectory without its refused steps. They changed nothing, so that it still leads to the same state. */
function purify(path: readonly TreeNode[]): readonly KeptStep[] {
  const kept: KeptStep[] = [];
  let failed: TreeNode | null = null;
  for (const node of path) {
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

/** CLEANER: trajectories that passed in spite of refused steps, without those steps. */
export const purified: Exporter = {
  name: 'purified',
  about: 'CLEANER: trajectories that passed after refused steps, without those; a similar retry keeps the reasoning.',
  episodes: 'training',
  pictured: false,
  isOptional: true,
  columns: [
    ...columns({
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
  *rows({ record }) {
    for (const { path, leaf, verdict } of verifiedPaths(record)) {
      const kept = purify(path);
      const last = kept.at(-1)?.node;
      if (!verdict.pass || kept.length === path.length || last === undefined) continue;
      const first = path.findIndex(({ outcome }) => !outcome.applied);
      yield {
        instruction: record.head.task.instruction,
        leaf,
        nodes: kept.map(({ node }) => node.id),
        removed_nodes: path.filter(({ outcome }) => !outcome.applied).map(({ id }) => id),
        actions: kept.map(({ node }) => JSON.stringify(node.action)),
        screens: kept.map(({ node }) => record.screen(node.id)),
        reasoning: kept.map(({ node, failed, keepsReasoning }) => (keepsReasoning ? failed : node)?.thought ?? ''),
        keeps_reasoning: kept.map(({ keepsReasoning }) => keepsReasoning),
        stale_logprobs: kept.map(({ node }) => path.indexOf(node) > first),
        last_digest: last.after,
        ...provenanceOf(record, last, verdict),
      };
    }
  },
};
