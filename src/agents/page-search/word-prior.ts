import { remembering } from '../learned/remembering.ts';
import type { AppMap } from './app-map.ts';
import { readPageWords, type PageWords } from './page-words.ts';
import type { Scorer } from './prior.ts';
import { handWeights, scoreOf, type FeatureWeights } from './words/feature-weights.ts';
import { readScene, type Reading } from './words/scene.ts';
import { readTask } from './words/task-words.ts';
import { describeActions, type DescribedAction } from './words/word-features.ts';
import type { Moment } from './prior.ts';

/**
 * Scores actions by words, and by what a tour of the app found behind its controls. The weights are set by hand unless
 * learned ones are given.
 */
export function createWordScorer(learned: Partial<FeatureWeights> = handWeights, map: AppMap | null = null): Scorer {
  // Weights that an older study learned say nothing of features that came since.
  const weights: FeatureWeights = { ...handWeights, ...learned };
  const describe = createActionReader(map);
  return moment => describe(moment).map(({ action, values }) => ({ action, score: scoreOf(values, weights) }));
}

/** Reads what can be done in states, with the features of each action. */
export function createActionReader(map: AppMap | null = null): (moment: Moment) => readonly DescribedAction[] {
  const remember = remembering(mostScreens, readPageWords);
  const read = (screen: string): PageWords => remember(screen, screen);
  const readingOf = (instruction: string): Reading => {
    const task = readTask(instruction);
    return { task, map: map?.for(task) ?? null, read };
  };
  let reading = readingOf('');
  return moment => {
    if (reading.task.instruction !== moment.instruction) reading = readingOf(moment.instruction);
    return describeActions(readScene(reading, moment));
  };
}

/** The same screens are weighed again with another temperature, and as the screen before others. */
const mostScreens = 64;
