import { CreditError } from '../../../dataset/credit/credit-error.ts';
import { estimators } from '../../../dataset/credit/estimators.ts';
import { createCreditLedger } from '../../../dataset/credit/ledger.ts';
import { isByPerson } from '../../../core/episode/events.ts';
import { foldEpisode, type EpisodeRecord } from '../../../core/episode/record.ts';
import type { StepAdvantages } from '../../api/api-episodes.ts';
import type { RunIndex } from '../run-index.ts';

/** Episodes of a group that are read, the episode itself first. */
const mostEpisodes = 100;

/** What each estimator says a step was worth beside the other tries at its task in the same round. */
export function stepAdvantages(index: RunIndex, episode: number, node: number): StepAdvantages {
  const own = index.rows().find(({ id }) => id === episode);
  const others = index
    .rows()
    .filter(
      row => row.task === own?.task && row.run === own.run && row.phase === own.phase && row.outcome !== 'errored',
    )
    .filter(row => isByPerson(row) === (own !== undefined && isByPerson(own)))
    .filter(({ id }) => id !== episode);
  const records = [episode, ...others.map(({ id }) => id)]
    .slice(0, mostEpisodes)
    .map(id => foldEpisode(index.listing.episode(id)));
  return {
    episodes: records.length,
    advantages: estimators.entries
      .filter(({ needsLogprobs, needsEntropies }) => needsLogprobs !== true && needsEntropies !== true)
      .map(estimator => creditOf(estimator, records, node)),
  };
}

type Advantage = StepAdvantages['advantages'][number];

function creditOf(
  estimator: (typeof estimators.entries)[number],
  records: readonly EpisodeRecord[],
  node: number,
): Advantage {
  const { name } = estimator;
  const ledger = createCreditLedger({ estimator }, () => {
    throw new Error(`The estimator "${name}" reads no calls.`);
  });
  const none = (why: string): Advantage => ({
    estimator: name,
    advantage: null,
    isCounted: false,
    why: why.replaceAll('-', ' '),
  });
  try {
    for (const record of records) ledger.add(record);
    const found = ledger.step(records[0] as EpisodeRecord, node);
    if (found !== null) return { estimator: name, advantage: found.advantage, isCounted: found.isCounted, why: null };
    const [why = 'no verdict'] = Object.keys(ledger.figures().left);
    return none(why);
  } catch (cause) {
    // One that is meant for other runs altogether, such as those of teams.
    if (cause instanceof CreditError) return none(cause.reason);
    throw cause;
  }
}
