import { describe, expect, it } from 'vitest';
import { finish, storedEpisode } from '../../../test/fixtures/signals/made-episode.ts';
import { estimators } from '../../dataset/credit/estimators.ts';
import { untrainedWeights } from '../../agents/learned/weights.ts';
import type { EpisodeSource } from '../../core/episode/journal.ts';
import { updateStudent } from './update.ts';

const learning = {
  temperature: 1,
  rate: 1,
  epochs: 1,
  batch: 8,
  longest: 1,
  clipLow: 0.2,
  clipHigh: 0.2,
  kl: 0,
  entropy: 0,
};

describe('the attempts of a round', () => {
  it('[RL-20] counts attempts that broke or were given up as those without a verdict', () => {
    const stored = [
      storedEpisode({ key: 'collect/1/a', steps: [finish], passed: false }),
      storedEpisode({ key: 'collect/1/b', steps: [finish], passed: null, outcome: 'errored' }),
      storedEpisode({ key: 'collect/1/c', steps: [], passed: null, outcome: 'errored' }),
      storedEpisode({ key: 'collect/1/d', steps: [finish], passed: null, outcome: 'discarded' }),
    ];
    const source = { episodes: () => stored.values() } as unknown as EpisodeSource;
    const { figures } = updateStudent({
      source,
      round: 1,
      seed: 1,
      weights: untrainedWeights(),
      version: 'v',
      reference: untrainedWeights(),
      estimator: estimators.need('grpo'),
      estimatorOptions: {},
      learning,
    });
    expect(figures).toMatchObject({ groups: 1, attempts: 1, unverified: 3, leftOut: { 'group-of-one': 1 } });
  });
});
