import { withoutHint } from '../requests/hints.ts';
import { columns } from '../rows/columns.ts';
import { provenanceColumns, provenanceOf } from '../rows/provenance.ts';
import { taughtColumns, taughtStep } from '../rows/taught-step.ts';
import type { Exporter } from '../rows/exporter.ts';
import { verifiedPaths } from './verified-paths.ts';

const askForReason = 'This is the step that was taken. Write the thought that led to it, in one or two sentences.';

/**
 * A3T: every step of verified trajectories with a reward of 1 or -1, for contrastive training. A step without a thought
 * has the request for one: the action is given, and the reason is asked for.
 */
export const contrasts: Exporter = {
  name: 'contrasts',
  about: 'A3T: steps of trajectories that passed (1) and failed (-1), with their thought or the request for one.',
  episodes: 'training',
  pictured: false,
  isOptional: true,
  columns: [
    ...columns({
      ...taughtColumns,
      leaf: 'int',
      step: 'int',
      /** 1 when the trajectory passed, else -1. */
      reward: 'int',
      thought: 'string?',
      /** What to ask a model for the thought; null where there is one. */
      reason_request: 'messages?',
    }),
    ...provenanceColumns,
  ],
  *rows({ record, requests }) {
    for (const { path, leaf, verdict } of verifiedPaths(record))
      for (const [step, node] of path.entries()) {
        const request = requests.of(record, node.id);
        if (request === null) continue;
        const messages = [...request.messages, request.answer(node.id)];
        const thought = withoutHint(record, node).thought ?? null;
        yield {
          ...taughtStep(request, node),
          leaf,
          step,
          reward: verdict.pass ? 1 : -1,
          thought,
          reason_request: thought === null ? [...messages, { role: 'user', content: askForReason }] : null,
          ...provenanceOf(record, node, verdict),
        };
      }
  },
};
