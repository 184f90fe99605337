import { rankSurprisalRatio, type TokenSurprise } from '../../analysis/signals/quality/rank-surprisal.ts';
import { actionKey, type Action } from '../../core/action.ts';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import type { TreeNode } from '../../core/tree.ts';
import { columns, type Row } from '../rows/columns.ts';
import type { Exporter } from '../rows/exporter.ts';
import { provenanceColumns, provenanceOf } from '../rows/provenance.ts';
import { taughtColumns, taughtStep } from '../rows/taught-step.ts';

/** What a policy would do in a state: its likeliest actions, with the chance of each. */
export type Weighing = readonly { readonly action: Action; readonly chance: number }[];

/** What another policy made of the states of episodes. */
export interface Weighings {
  readonly by: string;
  /** Null where it gave no chances. */
  of(record: EpisodeRecord, node: number): Weighing | null;
}

/**
 * The steps to archived leaves with the log probabilities that another policy gives to what can be done there: a teacher's
 * to distil, or a student's to rank data by.
 */
export function weighedTable(weighings: Weighings): Exporter {
  return {
    name: 'weighed',
    about: 'What another policy gives to the actions of each state: with --weigh.',
    episodes: 'training',
    pictured: false,
    columns: [
      ...columns({
        ...taughtColumns,
        leaf: 'int',
        weighed_by: 'string',
        /** Its likeliest actions in this state, the likeliest first, and their log probabilities. */
        likely_actions: 'strings',
        likely_logprobs: 'floats',
        /** Of the step that was taken, 1 for the likeliest; the next number where it is none of them. */
        rank: 'int',
        /** Minus its log probability; where it is none of the likeliest, that of all the others together. */
        surprisal: 'float',
        /** RSR of the trajectory for this policy: lower is better. */
        rsr: 'float?',
      }),
      ...provenanceColumns,
    ],
    *rows({ record, archived, requests, masked }) {
      for (const { path, leaf, verdict } of archived) {
        const seen = path.flatMap(node => {
          const weighing = weighings.of(record, node.id);
          return weighing === null ? [] : [{ node, weighing, ...surpriseOf(node, weighing) }];
        });
        const rsr = ratioOf(seen);
        for (const { node, weighing, rank, nll } of seen) {
          const request = requests.of(record, node.id);
          if (request === null || masked.has(node.id)) continue;
          yield {
            ...taughtStep(request, node),
            leaf,
            weighed_by: weighings.by,
            likely_actions: weighing.map(({ action }) => JSON.stringify(action)),
            likely_logprobs: weighing.map(({ chance }) => logOf(chance)),
            rank,
            surprisal: nll,
            rsr,
            ...provenanceOf(record, node, verdict),
          } satisfies Row;
        }
      }
    },
  };
}

function surpriseOf({ action }: TreeNode, weighing: Weighing): TokenSurprise {
  const own = weighing.findIndex(other => actionKey(other.action) === actionKey(action));
  if (own >= 0) return { rank: own + 1, nll: -logOf(weighing[own]?.chance ?? 0) };
  const rest = 1 - weighing.reduce((sum, { chance }) => sum + chance, 0);
  return { rank: weighing.length + 1, nll: -logOf(rest) };
}

function ratioOf(seen: readonly TokenSurprise[]): number | null {
  return seen.some(({ nll }) => nll > 0) ? rankSurprisalRatio(seen) : null;
}

/** Chances are sums of rounded numbers: none is taken for less than this. */
const leastChance = 1e-6;

function logOf(chance: number): number {
  return Math.min(0, Math.log(Math.max(chance, leastChance))) + 0;
}
