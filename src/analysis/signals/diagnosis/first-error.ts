import type { EpisodeRecord } from '../../../core/episode/record.ts';
import type { Trace } from '../trace.ts';
import { guessFirst, type Guess, type StepFeatures } from './hazard-model.ts';
import type { Sign } from './signs.ts';
import { featuresOf } from './step-features.ts';

/**
 * What is asked of each step of a failure, and how much it weighs: a hazard model. The weights are those that `bench localiser`
 * prints; it also judges the model in templates and on kinds of errors that it was not fitted to.
 */
const weights: Readonly<Record<string, number>> = {
  bias: -0.62,
  'contradicts its thought': 2.12,
  ambiguous: 0.22,
  'first misplaced': 3.46,
  'first refused': 3.21,
  'next is misplaced': 2.02,
  'rest is misplaced': 0.7,
  'refused by the form': -0.1,
  'enters what is told': -2.16,
  'enters nearly what is told': 2.14,
  'calls with nearly what is told': 0.36,
  'enters what nobody said': 2.29,
  'calls with what nobody said': 0.51,
  'last call for a failed check': 0.37,
  'enters what is not told': 1.02,
  'calls with what is not told': -0.55,
  'another option is told': 1.82,
  'entered again later': -0.46,
  'overwrites what is told': 0.96,
  'searches amiss': 0.57,
  first: -1.13,
  'no effect': 2.83,
  'way round without a loss': -1.64,
  'way round at the end of the steps': 3.65,
  'takes back what was done': 1.61,
  repeated: 1.1,
  'last act': 1.3,
  'toggles again': -1.63,
  'unclean and acts': 0.98,
  'names the side effect': -0.05,
  'names the side effect best': 0.39,
  'another names the side effect better': -0.8,
  'calls with an id that no check has': 0.35,
  'calls with an id of a failed check': 0.25,
  finish: 3.13,
  'finish leaves much': 1.3,
  'finish leaves something': 0.33,
  'finish after an entry': 0.86,
  'finish with a wrong answer': 0.3,
  'finish that did not look': 0.34,
  'finish of a run that made no change': 0.52,
  'finish right away': 0.8,
  'progress at the end': 0.55,
  'commits too little': -0.02,
  'click names what is told': -2.58,
  'click names nothing': -0.98,
  'click names a part': -1.89,
  'passes by what is told': 0.2,
  'names nothing beside what is told': 0.87,
  'passes by for good': 0.54,
  'acts in another row': 1.1,
  'click withdraws': 0.22,
  'click commits': -0.08,
  'commits what is not told': 0.48,
  'link names nothing': -0.46,
  'row is not told': 3.66,
};

export interface FirstError extends Guess {
  /** What the record shows of the step. */
  readonly why: string;
}

/** The step that is most probably the first wrong one; null for a path without steps. */
export function firstError(episode: EpisodeRecord, trace: Trace, signs: readonly Sign[]): FirstError | null {
  const rows = featuresOf({ episode, trace, signs });
  const guess = guessFirst(rows, weights);
  return guess === null ? null : { ...guess, why: whyOf(rows[guess.index] ?? {}) };
}

/** What counts against a step, in words. */
const reasons: Readonly<Record<string, string>> = {
  'contradicts its thought': 'its thought names something else',
  ambiguous: 'several elements have this name',
  'first misplaced': 'the screen has no such element, or it takes no such action',
  'first refused': 'it was refused',
  'next is misplaced': 'the step after it finds its element no more',
  'rest is misplaced': 'most steps after it find their elements no more',
  'enters nearly what is told': 'it enters a part of what the task says, or more than that',
  'calls with nearly what is told': 'it gives a part of what the task says, or more than that',
  'enters what nobody said': 'it enters what the task does not say and no screen showed',
  'calls with what nobody said': 'it gives a value that the task does not say and no screen showed',
  'enters what is not told': 'it enters what the task does not say',
  'another option is told': 'the task says another option of the list',
  'overwrites what is told': 'it overwrites what the task says',
  'searches amiss': 'it searches for what the task does not say',
  'click names nothing': 'it names nothing that the task names',
  'names nothing beside what is told': 'it names nothing that the task names, and the screen has what the task names',
  'passes by what is told': 'the screen has what the task names',
  'passes by for good': 'the screen has what the task names, and no step takes that',
  'acts in another row': 'the task names another row of this screen',
  'click withdraws': 'it withdraws',
  'row is not told': 'it acts on a record that the task does not name',
  'no effect': 'it changed nothing',
  'way round at the end of the steps': 'it leads round until the steps run out',
  'takes back what was done': 'it leads back to a screen from before something was done',
  repeated: 'an earlier step did the same',
  'unclean and acts': 'it changed something, and the verdict names a side effect',
  'names the side effect': 'the verdict names a side effect in these words',
  'names the side effect best': 'of all steps it fits the side effect best that the verdict names',
  'calls with an id that no check has': 'it takes a record that no check names',
  'last call for a failed check': 'no later call changes the record of the check that failed',
  'commits too little': 'it confirms before everything was entered that the task names',
  'last act': 'nothing after it does anything',
  finish: 'it ends the episode',
  'finish leaves much': 'it ends the episode, and much that the task names was never used',
  'finish leaves something': 'it ends the episode, and something that the task names was never used',
  'finish after an entry': 'it ends the episode right after an entry',
  'finish with a wrong answer': 'its answer is wrong',
};

/** The strongest reason against a step; without any, that there is none. */
function whyOf(row: StepFeatures): string {
  const [best] = Object.entries(row)
    .map(([name, value]) => ({ name, weight: Number(value) * (weights[name] ?? 0) }))
    .filter(({ name, weight }) => weight > 0 && name in reasons)
    .toSorted((one, other) => other.weight - one.weight);
  return best === undefined
    ? 'the record shows nothing wrong with it, and less with the others'
    : (reasons[best.name] as string);
}
