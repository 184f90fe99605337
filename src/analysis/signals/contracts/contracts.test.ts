import { describe, expect, it } from 'vitest';
import { finish, madeEpisode, type MadeStep } from '../../../../test/fixtures/signals/made-episode.ts';
import { annotate } from '../signal.ts';
import { createContractSignal, satisfaction, type Contract } from './contract.ts';

const noDelete: Contract = {
  id: 'no-delete',
  hard: true,
  holds: prefix => !prefix.at(-1)?.description.includes('Delete'),
};
const moves: Contract = {
  id: 'moves',
  hard: false,
  holds: prefix => prefix.at(-1)?.node.before !== prefix.at(-1)?.node.after,
};
const signal = createContractSignal([noDelete, moves]);
const say = (steps: readonly MadeStep[]) =>
  annotate(madeEpisode({ steps }), [signal]).map(({ node, label, value }) => [node, label, value]);
const end: MadeStep = { ...finish, to: 'end' };

describe('contracts', () => {
  it('[SIG-29] a hard contract is broken at its first step; a soft one may be broken if it holds again soon', () => {
    expect(say([{ to: 'A' }, { to: 'B', text: 'click button "Delete"' }, end])).toEqual([
      [2, 'violation', undefined],
      [null, 'satisfied', 0],
      [null, 'deviation', 0],
    ]);
    expect(say([{ to: 'A' }, {}, {}, {}, end]).slice(1)).toEqual([
      [null, 'satisfied', 1],
      [null, 'deviation', 0],
    ]);
    expect(say([{ to: 'A' }, {}, {}, {}, {}, end]).slice(1)).toEqual([
      [null, 'satisfied', 0],
      [null, 'deviation', 4 / 6],
    ]);
  });

  it('[SIG-29] satisfaction is enough when the lower end of its interval is', () => {
    expect(satisfaction(19, 20).isEnough).toBe(false);
    expect(satisfaction(200, 200).isEnough).toBe(true);
  });
});
