import { candidatesOf } from '../rows/candidate.ts';
import { columns } from '../rows/columns.ts';
import { provenanceColumns, provenanceOf } from '../rows/provenance.ts';
import { taughtColumns, taughtStep } from '../rows/taught-step.ts';
import type { Exporter } from './tables.ts';
import type { CreditLedger } from '../credit/ledger.ts';

const advantageColumns = [
  ...columns({
    ...taughtColumns,
    applied: 'boolean',
    estimator: 'string',
    /** Tries at the same task in the same round; in all rounds when the estimator compares them. */
    group: 'string',
    leaf: 'int',
    leaf_role: 'string',
    /** Place in its trajectory, from 0. */
    step: 'int',
    /** Of the trajectory. */
    reward: 'float',
    advantage: 'float',
    /** 1 where the step counts in the loss. */
    loss_mask: 'int',
    observation_weight: 'float?',
    /** Digest of the state after the step. */
    next_digest: 'string',
    /** Mean over the sampled tokens, or of the whole action as our student gave it; null where none was recorded. */
    logprob: 'float?',
    entropy: 'float?',
    /** How many tokens were sampled for the step; null where that is not known. */
    sampled_tokens: 'int?',
    /** Items of a memory that the step followed; null where there was no memory. */
    followed: 'int?',
    /** The agent of a team that took the step; null where an agent is alone. */
    agent: 'string?',
    /** How the trajectory ended: declared, aborted or overdue; and whether it had no side effects. */
    ended_by: 'string?',
    clean: 'boolean?',
  }),
  ...provenanceColumns,
];

/** One row for each step of each trajectory that has advantages. Trajectories that share a step each have a row for it. */
export function advantageTable(ledger: CreditLedger): Exporter {
  return {
    name: 'advantages',
    about: 'What each step was worth beside other tries: with --advantage.',
    episodes: 'training',
    pictured: false,
    columns: advantageColumns,
    *rows({ record, requests, masked }) {
      for (const { leaf, role, path, verdict } of candidatesOf(record)) {
        const credit = ledger.leaf(record, leaf);
        if (credit === null) continue;
        for (const [place, node] of path.entries()) {
          const request = requests.of(record, node.id);
          const own = credit.steps[place];
          if (request === null || own === undefined) continue;
          yield {
            ...taughtStep(request, node),
            applied: node.outcome.applied,
            estimator: ledger.estimator,
            group: ledger.group(record),
            leaf,
            leaf_role: role,
            step: place,
            reward: credit.reward,
            advantage: own.advantage,
            loss_mask: own.isCounted && !masked.has(node.id) ? 1 : 0,
            observation_weight: own.observationWeight,
            next_digest: node.after,
            logprob: credit.seen[place]?.logprob ?? null,
            entropy: credit.seen[place]?.entropy ?? null,
            sampled_tokens: credit.seen[place]?.tokens ?? null,
            followed: node.memory?.used.length ?? null,
            agent: node.outcome.role ?? null,
            ended_by: credit.end?.by ?? null,
            clean: credit.end?.clean ?? null,
            ...provenanceOf(record, node, verdict),
          };
        }
      }
    },
  };
}
