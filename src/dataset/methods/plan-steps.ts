import type { TreeNode } from '../../core/tree.ts';
import { columns } from '../rows/columns.ts';
import type { Exporter } from '../rows/exporter.ts';
import { provenanceColumns, provenanceOf } from '../rows/provenance.ts';
import { taughtColumns, taughtStep } from '../rows/taught-step.ts';
import { verifiedPaths } from './verified-paths.ts';

const askForPlan = 'Before you act: list the steps that are left until the task is done, one a line.';

/**
 * Rows for a planner and an executor: what is left of a path that passed is the plan. One row asks for the plan at the start, and
 * each step has the plan in its request. Names of records are in the plan as the steps said them.
 */
export const planSteps: Exporter = {
  name: 'plan-steps',
  about:
    'Plan-conditioned rows (ABCD): the plan of a path that passed, and each of its steps with that plan in the request.',
  episodes: 'training',
  pictured: false,
  isOptional: true,
  columns: [
    ...columns({
      ...taughtColumns,
      /** `plan` asks for the plan, `step` for the next step of it. */
      part: 'string',
      leaf: 'int',
      plan: 'string',
      /** The step of the plan that is next, from 1. */
      next: 'int',
    }),
    ...provenanceColumns,
  ],
  *rows({ record, requests, masked }) {
    for (const { path, leaf, verdict } of verifiedPaths(record)) {
      if (!verdict.pass) continue;
      const steps = path.filter(({ outcome }) => outcome.applied);
      const plan = steps.map(({ id }, at) => `${at + 1}. ${record.text(id)}`).join('\n');
      const about = (node: TreeNode) => ({ leaf, plan, ...provenanceOf(record, node, verdict) });
      const [first] = path;
      const asked = first === undefined ? null : requests.of(record, first.id);
      if (first === undefined || asked === null) continue;
      yield {
        messages: [...asked.messages, { role: 'user', content: askForPlan }, { role: 'assistant', content: plan }],
        tools: asked.tools,
        request: asked.source,
        action: JSON.stringify(first.action),
        part: 'plan',
        next: 1,
        ...about(first),
      };
      for (const [at, node] of steps.entries()) {
        const request = requests.of(record, node.id);
        if (request === null || masked.has(node.id)) continue;
        const told = { role: 'user', content: `The plan:\n${plan}\n\nTake step ${at + 1}.` };
        yield {
          ...taughtStep(request, node),
          messages: [...request.messages, told, request.answer(node.id)],
          part: 'step',
          next: at + 1,
          ...about(node),
        };
      }
    }
  },
};
