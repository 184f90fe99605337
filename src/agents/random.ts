import type { OrdinaryPolicy } from '../core/episode/agents.ts';
import { screenActions, textsIn } from '../core/episode/screen-actions.ts';
import { invalidOption, type EspalierError } from '../core/errors.ts';

export interface RandomPolicyOptions {
  /** Chance of finishing at each step. */
  readonly finish?: number;
}

/** Does anything that can be done on the screen, each equally likely: the floor that every policy is measured from. */
export function createRandomPolicy({ finish = 0.05 }: RandomPolicyOptions = {}): OrdinaryPolicy {
  if (!(finish > 0 && finish <= 1)) throw badChance(finish);
  return {
    name: 'random',
    act({ instruction, observation, random }) {
      const offered = random.chance(finish) ? [] : screenActions(observation.text, textsIn(instruction));
      return { action: offered.length === 0 ? { kind: 'finish' } : random.pick(offered) };
    },
  };
}

function badChance(finish: number): EspalierError {
  return invalidOption(`The chance of finishing is ${finish}.`, 'Expected a number above 0, at most 1.');
}
