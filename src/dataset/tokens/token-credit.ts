import type { CreditLedger, StepCredit } from '../credit/ledger.ts';
import { mask, partition, type Span } from '../credit/masks.ts';
import { columns, type Table } from '../rows/columns.ts';
import type { TokenSegment } from './token-segment.ts';

const creditColumns = columns({
  estimator: 'string',
  /** Of each token that is no part of the prompt. */
  advantages: 'floats',
  advantage_mask: 'ints',
  observation_weights: 'floats?',
});

export function withCredit(table: Table): Table {
  return { ...table, columns: [...table.columns, ...creditColumns] };
}

/** The members that rows have beside the others in an export with advantages. */
export function creditMembers({ credit }: Pick<TokenSegment, 'credit'>) {
  if (credit === undefined) return {};
  return {
    estimator: credit.estimator,
    advantages: credit.advantages,
    advantage_mask: credit.mask,
    observation_weights: credit.observationWeights,
  };
}

/** Segments with the credit of the steps that their answers led to; null where no step has any. */
export function creditSegment(segment: TokenSegment, ledger: CreditLedger): TokenSegment | null {
  const { leaf, turns, kinds } = segment;
  const { record } = leaf;
  if (ledger.leaf(record, leaf.leaf) === null) return null;
  const credits = turns.map(({ node }) => ledger.step(record, node ?? 0));
  // Each token has one owner: overlapping spans are refused here.
  const owners = partition<string>(
    kinds.length,
    turns.map(({ start, end }, turn) => mask(`answer ${turn}`, [{ start, end }])),
  );
  const advantages = kinds.map(() => 0);
  const counted = kinds.map(() => 0);
  const weights = kinds.map(() => 0);
  for (const [turn, credit] of credits.entries()) {
    if (credit === null) continue;
    const { start, end } = turns[turn] as Span;
    for (let token = start; token < end; token++) {
      if (owners[token] === null || !credit.isCounted) continue;
      advantages[token] = credit.advantage;
      counted[token] = 1;
    }
    const until = turns[turn + 1]?.start ?? kinds.length;
    for (let token = end; token < until; token++)
      if (kinds[token] === 'observation') weights[token] = credit.observationWeight ?? 0;
  }
  const isWeighed = credits.some(weighs);
  return {
    ...segment,
    credit: { estimator: ledger.estimator, advantages, mask: counted, observationWeights: isWeighed ? weights : null },
  };
}

function weighs(credit: StepCredit | null): boolean {
  return credit !== null && credit.observationWeight !== null;
}
