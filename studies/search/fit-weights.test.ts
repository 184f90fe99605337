import { describe, expect, it } from 'vitest';
import type { Moment } from '../../src/agents/page-search/prior.ts';
import { createActionReader, createWordScorer } from '../../src/agents/page-search/word-prior.ts';
import { handWeights, scoreOf, type FeatureValues } from '../../src/agents/page-search/words/feature-weights.ts';
import { fitWeights, type WeighedStep } from './fit-weights.ts';

const screen = [
  'page "Notes"',
  '  [e1] button "Star"',
  '  [e2] textbox "Title"',
  '  [e3] checkbox "Weekly digest" (checked)',
  '  [e4] checkbox "Sounds"',
].join('\n');

const moment: Moment = { instruction: "Turn off 'Weekly digest'.", history: [], screen, screenBefore: null };

/** One action that is new in a menu and one that is a link, both without anything else. */
const choice = (right: number): WeighedStep => ({ actions: [{ newInMenu: 1 }, { isLink: 1 }], right });

/** Mean gradient of the fit: differences of features under its probabilities, and the pull towards the weights set by hand. */
function slope(steps: readonly WeighedStep[], name: 'newInMenu' | 'isLink', variance: number): number {
  const weights = fitWeights(steps);
  let sum = (weights[name] - handWeights[name]) / variance;
  for (const { actions, right } of steps) {
    const scores = actions.map(values => Math.exp(scoreOf(values, weights)));
    const total = scores.reduce((all, one) => all + one, 0);
    const of = (values: FeatureValues | undefined): number => values?.[name] ?? 0;
    sum += actions.reduce((all, values, at) => all + ((scores[at] as number) / total) * of(values), 0);
    sum -= of(actions[right]);
  }
  return sum;
}

describe('weights of what words tell', () => {
  it('[SEARCH-64] are read from the same features that scores are added up from', () => {
    const described = createActionReader()(moment);
    const scored = createWordScorer()(moment);
    expect(described.map(({ action }) => action)).toEqual(scored.map(({ action }) => action));
    expect(described.map(({ values }) => scoreOf(values, handWeights))).toEqual(scored.map(({ score }) => score));
    const digest = described.find(({ action }) => action.kind === 'click' && action.ref === 'e3');
    expect(digest?.values).toMatchObject({ isCheckbox: 1, turnsRight: 1, isWholeMatch: 1, isBestOwn: 1 });
    const learned = createWordScorer({ ...handWeights, isCheckbox: 100 })(moment);
    expect(learned.filter(({ score }) => score > 50)).toHaveLength(2);
  });

  it('[SEARCH-64] are those set by hand without steps, and the likeliest ones with the pull towards them else', () => {
    expect(fitWeights([])).toEqual(handWeights);
    expect(fitWeights([{ actions: [{ isLink: 1 }], right: -1 }])).toEqual(handWeights);
    // Nine times in ten the link was right, which weights set by hand rank last.
    const steps = Array.from({ length: 200 }, (_, at) => choice(at % 10 === 0 ? 0 : 1));
    const weights = fitWeights(steps);
    expect(weights.isLink).toBeGreaterThan(weights.newInMenu);
    expect(weights.ownWords).toBe(handWeights.ownWords);
    // At the maximum the gradient is zero: the fit is exact, and the same every time.
    expect(slope(steps, 'isLink', 0.1)).toBeCloseTo(0, 4);
    expect(slope(steps, 'newInMenu', 0.1)).toBeCloseTo(0, 4);
    expect(fitWeights(steps)).toEqual(weights);
    expect(fitWeights(steps.slice(0, 4)).isLink).toBeLessThan(weights.isLink);
  });
});
