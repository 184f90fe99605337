import type { Action } from '../../core/action.ts';
import type { Situation } from '../../core/episode/view.ts';
import type { Random } from '../../core/random.ts';
import { likeliest, type WeighedStep } from './pointing.ts';
import type { SmallModel } from './small-model.ts';
import { drawStep, heated } from './small-policy.ts';

/** How the model is asked when its odds are wanted as well. */
export interface SmallInquiry {
  /** The screens that were seen, the newest last, where they are known. */
  readonly situation: Situation & { readonly screens?: readonly string[] };
  readonly temperature: number;
  readonly random: Random;
  /** Which actions may be taken; the odds are those among them. */
  allows(action: Action): boolean;
}

/** What the model does, and how likely it was to do that and everything else. */
export interface SmallOdds {
  readonly taken: WeighedStep;
  readonly choices: readonly WeighedStep[];
}

/** The model as a distribution. At temperature 0 the odds are those of temperature 1. Null when nothing may be taken. */
export function createSmallOdds(model: SmallModel): (inquiry: SmallInquiry) => Promise<SmallOdds | null> {
  return async ({ situation, temperature, random, allows }) => {
    const { instruction, history, screen, screens = [screen] } = situation;
    const { steps } = await model.weigh({ task: instruction, done: history, screens });
    const allowed = steps.filter(({ action }) => allows(action));
    if (allowed.length === 0) return null;
    const choices = heated(allowed, temperature === 0 ? 1 : temperature);
    return { taken: temperature === 0 ? likeliest(choices) : drawStep(choices, 1, random), choices };
  };
}
