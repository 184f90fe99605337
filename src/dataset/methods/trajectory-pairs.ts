import { columns } from '../rows/columns.ts';
import { provenanceColumns, provenanceOf } from '../rows/provenance.ts';
import type { Exporter } from '../rows/exporter.ts';
import { verifiedPaths } from './verified-paths.ts';

/** DMPO: a trajectory that failed, beside the shortest one of the same task that passed, in any episode. */
export const trajectoryPairs: Exporter = {
  name: 'trajectory-pairs',
  about: 'DMPO: whole trajectories of one task, one that passed against one that failed.',
  episodes: 'training',
  pictured: false,
  isOptional: true,
  columns: [
    ...columns({
      prompt: 'messages',
      /** Actions as JSON, and the steps as lines of text. */
      chosen_actions: 'strings',
      rejected_actions: 'strings',
      chosen_texts: 'strings',
      rejected_texts: 'strings',
      chosen_episode: 'string',
      chosen_leaf: 'int',
      rejected_leaf: 'int',
    }),
    ...provenanceColumns,
  ],
  *rows({ record, requests, passing }) {
    const chosen = passing();
    if (chosen === null) return;
    for (const { path, leaf, verdict } of verifiedPaths(record)) {
      const [first] = path;
      if (verdict.pass || first === undefined) continue;
      const request = requests.of(record, first.id);
      if (request === null) continue;
      yield {
        prompt: request.messages,
        chosen_actions: chosen.actions,
        rejected_actions: path.map(({ action }) => JSON.stringify(action)),
        chosen_texts: chosen.texts,
        rejected_texts: path.map(({ id }) => record.text(id)),
        chosen_episode: chosen.episode,
        chosen_leaf: chosen.leaf,
        rejected_leaf: leaf,
        ...provenanceOf(record, first, verdict),
      };
    }
  },
};
