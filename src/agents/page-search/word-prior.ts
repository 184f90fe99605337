import { remembering } from '../learned/remembering.ts';
import { readPageWords } from './page-words.ts';
import type { Scorer } from './prior.ts';
import { handWeights, scoreOf, type FeatureWeights } from './words/feature-weights.ts';
import { readScene } from './words/scene.ts';
import { readTask } from './words/task-words.ts';
import { describeActions, type DescribedAction } from './words/word-features.ts';
import type { Moment } from './prior.ts';

/** Scores actions by words alone: nothing is known of any app. The weights are set by hand unless learned ones are given. */
export function createWordScorer(learned: Partial<FeatureWeights> = handWeights): Scorer {
  // Weights that an older study learned say nothing of features that came since.
  const weights: FeatureWeights = { ...handWeights, ...learned };
  const describe = createActionReader();
  return moment => describe(moment).map(({ action, values }) => ({ action, score: scoreOf(values, weights) }));
}

/** Reads what can be done in states, with the features of each action. */
export function createActionReader(): (moment: Moment) => readonly DescribedAction[] {
  let task = readTask('');
  const read = remembering(mostScreens, readPageWords);
  return moment => {
    if (task.instruction !== moment.instruction) task = readTask(moment.instruction);
    return describeActions(readScene(task, moment, screen => read(screen, screen)));
  };
}

/** The same screens are weighed again with another temperature, and as the screen before others. */
const mostScreens = 64;
