import { describe, expect, it } from 'vitest';
import type { Decision } from '../../core/episode/agents.ts';
import type { Episode } from '../verbs/episode.ts';
import { createValueScale, propose } from './proposals.ts';

const click = (ref: string): { kind: 'click'; ref: string } => ({ kind: 'click', ref });

/** An episode whose student gives these answers, one after another. */
function answering(answers: readonly Decision[], queries = Infinity): { episode: Episode; asked: () => number } {
  let asked = 0;
  const episode = {
    left: () => queries - asked,
    act: () => Promise.resolve(answers[asked++ % answers.length]),
  } as unknown as Episode;
  return { episode, asked: () => asked };
}

describe('proposals', () => {
  it('[ROL-38] come from one answer, where the student says what else it weighed', async () => {
    const alternatives = [
      { action: click('e2'), prior: 0.5 },
      { action: click('e1'), prior: 0.1 },
      { action: click('e3'), prior: 0.1 },
    ];
    const { episode, asked } = answering([{ action: click('e1'), prior: 0.3, value: -4, alternatives }]);
    const { proposals, value } = await propose(episode, { width: 2, samples: 9 });
    expect(proposals.map(({ action, prior }) => [action, prior])).toEqual([
      [click('e2'), 0.5],
      [click('e1'), 0.4],
    ]);
    expect([value, asked()]).toEqual([-4, 1]);
  });

  it('[ROL-38] are the shares of several answers, where it names one action', async () => {
    const { episode, asked } = answering([
      { action: click('e1') },
      { action: click('e2') },
      { action: null },
      { action: click('e1') },
    ]);
    const { proposals, value } = await propose(episode, { width: 4, samples: 4 });
    expect(proposals.map(({ action, prior }) => [action, prior])).toEqual([
      [click('e1'), 2 / 3],
      [click('e2'), 1 / 3],
    ]);
    expect([value, asked()]).toEqual([null, 4]);
  });

  it('[ROL-37] ask no more than the budget has', async () => {
    const { episode, asked } = answering([{ action: click('e1') }], 2);
    expect((await propose(episode, { width: 4, samples: 9 })).proposals).toHaveLength(1);
    expect(asked()).toBe(2);
  });
});

it('[SRC-41] values are shares of those seen: -9 is 0, -1 is 1, -5 is a half; what is not said is a half', () => {
  const scale = createValueScale();
  expect(scale.share(3)).toBe(0.5);
  for (const value of [-9, null, -1]) scale.see(value);
  expect([-9, -1, -5, -3, null].map(value => scale.share(value))).toEqual([0, 1, 0.5, 0.75, 0.5]);
});
