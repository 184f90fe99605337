import { describe, expect, it } from 'vitest';
import { describeAction, type Action } from '../../core/action.ts';
import type { SmallModel } from '../small/small-model.ts';
import { createModelPrior, createScorePrior, type Moment } from './prior.ts';

const click = (ref: string): Action => ({ kind: 'click', ref });
const words = createScorePrior(() => [click('e1'), click('e2')].map(action => ({ action, score: 0 })));
const moment: Moment = { instruction: 'Go on.', history: [], screen: 'page "Desk"', screenBefore: null };

function modelOf(chances: readonly (readonly [Action, number])[]): SmallModel {
  const steps = chances.map(([action, chance]) => ({ action, logprob: Math.log(chance) }));
  return { sha256: '', weigh: async () => ({ steps, tokens: 1, leftOut: null }) };
}

describe('a model as a prior', () => {
  it('[SEARCH-98] is tried where words offer nothing, is mixed where both do, and never ends the episode', async () => {
    const model = modelOf([
      [click('e1'), 0.5],
      [click('e3'), 0.29],
      [{ kind: 'finish' }, 0.2],
      [click('e4'), 0.01],
    ]);
    const found = await createModelPrior(model, words, 0.5)(moment, 1);
    const chances = Object.fromEntries(found.map(({ action, logprob }) => [describeAction(action), Math.exp(logprob)]));
    // Of the steps alone, e1 has 0.5 of 0.8, and e3 0.29 of 0.8; words give e1 and e2 a half each.
    const expected = { e1: 0.25 + 0.25 / 0.8, e2: 0.25, e3: 0.145 / 0.8 };
    expect(Object.keys(chances).toSorted()).toEqual(Object.keys(expected).map(ref => describeAction(click(ref))));
    for (const [ref, chance] of Object.entries(expected))
      expect(chances[describeAction(click(ref))]).toBeCloseTo(chance, 6);
    expect(await createModelPrior(model, words, 0)(moment, 1)).toEqual(words(moment, 1));
  });
});
