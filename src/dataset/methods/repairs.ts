import type { EpisodeRecord } from '../../core/episode/record.ts';
import { comesFromHint, withoutHint } from '../requests/hints.ts';
import { columns } from '../rows/columns.ts';
import type { Exporter } from '../rows/exporter.ts';
import { provenanceColumns, provenanceOf } from '../rows/provenance.ts';
import { verifiedPaths, type VerifiedPath } from './verified-paths.ts';

const scores = ['security', 'utility', 'openness', 'validity'] as const;
/** What the verifier says of a repair, each from 0 to 1. */
type Scores = Readonly<Record<(typeof scores)[number], number>>;

/**
 * FATE: attempts of the same student after a failure, each scored by the verifier again. `kept` are those that pass with no
 * refused step; `front` are those that no other repair of the failure beats in one score without losing in another.
 */
export const repairs: Exporter = {
  name: 'repairs',
  about: 'FATE: repairs of a failed attempt by the same student, scored again in four ways, with their Pareto front.',
  episodes: 'training',
  pictured: false,
  isOptional: true,
  columns: [
    ...columns({
      /** The whole chat of the repair, without what the student was told of the failure. */
      messages: 'messages',
      tools: 'string',
      failed_texts: 'strings',
      failed_checks: 'strings',
      failed_leaf: 'int',
      leaf: 'int',
      /** Nothing changed beside the task; share of the checks that hold; not given up; share of steps that were applied. */
      security: 'float',
      utility: 'float',
      openness: 'float',
      validity: 'float',
      kept: 'boolean',
      front: 'boolean',
    }),
    ...provenanceColumns,
  ],
  *rows({ record, requests }) {
    const [failed, ...tried] = verifiedPaths(record).toSorted((one, other) => one.leaf - other.leaf);
    if (failed === undefined || failed.verdict.pass || failed.path.some(({ hint }) => hint !== undefined)) return;
    const sound = tried.filter(repair => !leaks(record, repair));
    const scored = sound.map(repair => ({ repair, own: scoresOf(record, repair) }));
    for (const { repair, own } of scored) {
      const { path, leaf, verdict } = repair;
      const last = path.at(-1);
      if (last === undefined) continue;
      yield {
        ...requests.rewritten(record, last.id, step => withoutHint(record, step)),
        failed_texts: failed.path.map(({ id }) => record.text(id)),
        failed_checks: failed.verdict.checks.filter(({ pass }) => !pass).map(({ name }) => name),
        failed_leaf: failed.leaf,
        leaf,
        ...own,
        kept: verdict.pass && own.validity === 1,
        front: !scored.some(({ own: other }) => dominates(other, own)),
        ...provenanceOf(record, last, verdict),
      };
    }
  },
};

/** A step that only what it was told explains would teach to make things up. */
function leaks(record: EpisodeRecord, { path }: VerifiedPath): boolean {
  const last = path.at(-1);
  return last !== undefined && comesFromHint(record, last.id);
}

function scoresOf({ head }: EpisodeRecord, { path, verdict }: VerifiedPath): Scores {
  const last = path.at(-1)?.action;
  const isGivenUp = last?.kind === 'finish' && last.infeasible === true && head.task.kind !== 'infeasible';
  return {
    security: Number(verdict.clean),
    utility: verdict.progress,
    openness: Number(!isGivenUp),
    validity: path.filter(({ outcome }) => outcome.applied).length / path.length,
  };
}

/** Nowhere worse, and better somewhere. */
export function dominates(one: Scores, other: Scores): boolean {
  return scores.every(score => one[score] >= other[score]) && scores.some(score => one[score] > other[score]);
}
