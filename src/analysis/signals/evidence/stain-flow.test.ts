import { describe, expect, it } from 'vitest';
import { finish, madeEpisode, type MadeStep } from '../../../../test/fixtures/signals/made-episode.ts';
import { annotate } from '../signal.ts';
import { entitiesOf, stainFlow, stainsOf } from './stain-flow.ts';

const instruction = 'Star "Lunch" and archive "Dinner"';
const lunch: MadeStep = {
  to: 'L',
  text: 'click button "Star" in "Lunch"',
  screen: 'listitem "Lunch"\nlistitem "Dinner"',
};
const dinner: MadeStep = {
  to: 'D',
  text: 'click button "Archive" in "Dinner"',
  screen: 'listitem "Lunch"\nlistitem "Dinner"',
};
const idle: MadeStep = { to: 'I', text: 'click link "Settings"', screen: 'listitem "Lunch"\nlistitem "Dinner"' };

function say(steps: readonly MadeStep[]) {
  const said = annotate(madeEpisode({ instruction, steps }), [stainFlow]);
  const of = (label: string) => said.filter(one => one.label === label);
  const value = (label: string) => of(label)[0]?.value;
  return {
    rewards: of('reward').map(one => one.value),
    keys: of('key').map(one => [one.node, one.note]),
    phases: value('phases'),
    committed: value('committed'),
    windows: of('window').length,
  };
}

describe('stain-flow', () => {
  it('[SIG-28] entities are the values that the instruction names, and places have weights', () => {
    expect(entitiesOf(madeEpisode({ instruction, steps: [] }))).toEqual(['dinner', 'lunch']);
    expect(stainsOf('lunch', { screen: 'lunch', description: '', entered: '' })).toBeCloseTo(1 / 6, 10);
    expect(stainsOf('lunch', { screen: 'lunch', description: 'click lunch', entered: 'lunch' })).toBe(1);
  });

  it('[SIG-28] planted phases are found, and the reward is the share of entities that a step commits', () => {
    const { rewards, keys, phases, committed } = say([idle, lunch, dinner, finish]);
    expect(keys).toEqual([
      [1, 'dinner observed, lunch observed'],
      [2, 'lunch committed'],
      [3, 'dinner committed'],
    ]);
    expect(rewards).toEqual([0, 0.5, 0.5, 0]);
    expect([phases, committed]).toEqual([4, 1]);
  });

  it('[SIG-28] the order of independent goals changes the phases, not the total; idle steps get nothing', () => {
    const sum = (values: readonly (number | undefined)[]) => values.reduce<number>((all, value = 0) => all + value, 0);
    const [one, other] = [say([lunch, idle, dinner, finish]), say([dinner, idle, lunch, finish])];
    expect(one.keys).not.toEqual(other.keys);
    expect(sum(one.rewards)).toBe(sum(other.rewards));
    expect(one.rewards[1]).toBe(0);
  });

  it('[SIG-28] a task without named values says so', () => {
    expect(
      annotate(madeEpisode({ instruction: 'Do it', steps: [finish] }), [stainFlow]).map(({ label }) => label),
    ).toEqual(['no-entities']);
  });
});
