import { actionKey } from '../../core/action.ts';
import { count } from '../../core/text.ts';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import type { TreeNode } from '../../core/tree.ts';
import { columns } from '../rows/columns.ts';
import { provenanceColumns, provenanceOf } from '../rows/provenance.ts';
import type { Exporter } from '../rows/exporter.ts';
import { bestSteps, shortestPasses, verifiedPaths, type BestStep, type VerifiedPath } from './verified-paths.ts';

/** Steps of a branch that a trace tells before it goes on to the result. */
const toldSteps = 3;

/**
 * Dyna-Mind: reasoning over what really happened. Where several actions were tried in a state, the trace tells each with
 * the steps that followed and how it ended, and then the best one: that with the fewest steps to its pass.
 */
export const searchTraces: Exporter = {
  name: 'search-traces',
  about: 'Dyna-Mind: reasoning written from real branches, with what each action led to and the one to take.',
  episodes: 'training',
  pictured: false,
  isOptional: true,
  columns: [
    ...columns({
      messages: 'messages',
      tools: 'string',
      request: 'string',
      trace: 'string',
      action: 'string',
      /** The steps that the trace tells: the first of each branch. */
      branches: 'ints',
    }),
    ...provenanceColumns,
  ],
  *rows({ record, requests }) {
    const paths = verifiedPaths(record);
    for (const best of bestSteps(record, paths)) {
      const { node, shortest } = best;
      const branches = branchesAt(record, paths, best);
      const request = requests.of(record, node.id);
      if (branches.length < 2 || request === null) continue;
      yield {
        messages: [...request.messages, request.answer(node.id)],
        tools: request.tools,
        request: request.source,
        trace: traceOf(record, branches, node),
        action: JSON.stringify(node.action),
        branches: branches.map(branch => branch.node.id),
        ...provenanceOf(record, node, shortest.verdict),
      };
    }
  },
};

/** An action that was tried, and the trajectory that tells how it ended: one that passed, where any did. */
interface Branch {
  readonly node: TreeNode;
  readonly told: VerifiedPath;
}

/** Every action that was tried in the place of the best one and has a verdict, each once. */
function branchesAt({ tree }: EpisodeRecord, paths: readonly VerifiedPath[], best: BestStep): readonly Branch[] {
  const passes = shortestPasses(paths);
  const branches = tree.children(best.node.parent).flatMap((node): Branch[] => {
    const told = passes.get(node.id) ?? paths.find(({ path }) => path.some(({ id }) => id === node.id));
    return told === undefined ? [] : [{ node, told }];
  });
  return [...Map.groupBy(branches, ({ node }) => actionKey(node.action)).values()]
    .map(same => same.toSorted(byWorth)[0] as Branch)
    .toSorted((left, right) => left.node.id - right.node.id);
}

/** Passes first, the shortest of them first, then by age. */
function byWorth(left: Branch, right: Branch): number {
  const [one, other] = [left.told, right.told];
  if (one.verdict.pass !== other.verdict.pass) return one.verdict.pass ? -1 : 1;
  return (one.verdict.pass ? one.path.length - other.path.length : 0) || left.node.id - right.node.id;
}

function traceOf(record: EpisodeRecord, branches: readonly Branch[], best: TreeNode): string {
  const told = branches.map(({ node: { id }, told: { path, verdict } }, place) => {
    const after = path.slice(path.findIndex(step => step.id === id) + 1);
    const shown = after.slice(0, toldSteps).map(step => record.text(step.id));
    const more = after.length > shown.length ? [`${count(after.length - shown.length, 'more step')}`] : [];
    const then = [...shown, ...more].join('; then ');
    const result = verdict.pass ? 'The task is done.' : 'The task fails.';
    return `Option ${place + 1}: ${record.text(id)}.${then === '' ? '' : ` Then: ${then}.`} ${result}`;
  });
  const option = branches.findIndex(({ node }) => node.id === best.id) + 1;
  return [...told, `Best: option ${option}, ${record.text(best.id)}.`].join('\n');
}
