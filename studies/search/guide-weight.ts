import { existsSync } from 'node:fs';
import { actionKey, type Action } from '../../src/core/action.ts';
import { createDigest } from '../../src/core/digest.ts';
import { readPrompt } from '../../src/core/episode/view.ts';
import { readExamples } from '../../src/dataset/read-rows.ts';
import { trainStudent } from '../../src/agents/learned/student.ts';
import {
  createScorePrior,
  createStudentPrior,
  type Moment,
  type ReadyPrior,
} from '../../src/agents/page-search/prior.ts';
import { createActionReader, createWordScorer } from '../../src/agents/page-search/word-prior.ts';
import type { FeatureWeights } from '../../src/agents/page-search/words/feature-weights.ts';
import { fitWeights, type WeighedStep } from './fit-weights.ts';
import { runPaths } from '../../src/runs/folder/folder.ts';

/** How much a student may say in a search, and how well it foretold solved tasks that it was not trained on. */
export interface GuideWeight {
  /** Of the student's probabilities; words have the rest. */
  readonly weight: number;
  readonly rows: number;
  /** Mean log loss of words alone, with weights set by hand and with learned ones, and of the mix with the better of both. */
  readonly words: number;
  readonly learned: number;
  readonly mixed: number;
  /** Whether words have the learned weights. */
  readonly usesLearned: boolean;
}

/** Apps that were trained on are known better than others. */
export interface GuideWeights {
  readonly knownApps: GuideWeight;
  readonly otherApps: GuideWeight;
  /** What features of words count, learned from all steps; null in files of before that was learned. */
  readonly features: FeatureWeights | null;
}

/** A step of a solution. */
export interface SolutionStep {
  readonly app: string;
  readonly task: string;
  readonly moment: Moment;
  readonly action: Action;
}

const folds = 3;
const weights = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9] as const;
/** So many rows say half of what very many would: few rows may flatter a student by chance. */
const halfRows = 20;

/** More take long to learn from. With far fewer than the student itself has, its weight is that of one who knows less. */
const mostSteps = 1200;

export interface GuideOptions {
  readonly seed: number;
  /** Lets others have their turn between two trainings. */
  rest(): Promise<void>;
}

/** Cross-validated: students and weights that were trained without some tasks, or some apps, foretell the steps of those. */
export async function measureGuide(all: readonly SolutionStep[], options: GuideOptions): Promise<GuideWeights> {
  const read = createActionReader();
  const steps = all.map(step => ({ ...step, ...weighedStep(read, step) }));
  const sample = sampleOf(steps);
  const features = fitWeights(steps);
  const apps = new Set(sample.map(({ app }) => app)).size;
  const knownApps = await crossValidate({ steps, sample }, options, ({ task }) => task);
  if (apps < 2) return { knownApps, otherApps: halved(knownApps), features };
  return { knownApps, otherApps: await crossValidate({ steps, sample }, options, ({ app }) => app), features };
}

/** A step with the features of everything that could be done in its place. */
type ReadStep = SolutionStep & WeighedStep;

function weighedStep(read: ReturnType<typeof createActionReader>, { moment, action }: SolutionStep): WeighedStep {
  const key = actionKey(action);
  const described = action.kind === 'finish' ? [] : read(moment);
  return {
    actions: described.map(({ values }) => values),
    right: described.findIndex(one => actionKey(one.action) === key),
  };
}

/** Whole tasks, in an order that has nothing to do with their names. */
function sampleOf<S extends SolutionStep>(steps: readonly S[]): readonly S[] {
  if (steps.length <= mostSteps) return steps;
  const byTask = Map.groupBy(steps, ({ task }) => task);
  return shuffled([...byTask.keys()])
    .flatMap(task => byTask.get(task) ?? [])
    .slice(0, mostSteps);
}

/** With one app nothing is known of others. */
function halved(known: GuideWeight): GuideWeight {
  return { ...known, weight: known.weight / 2 };
}

interface Chances {
  readonly words: number;
  readonly learned: number;
  readonly student: number;
}

interface Validation {
  readonly steps: readonly ReadStep[];
  /** Those that students learn from and are asked about. */
  readonly sample: readonly ReadStep[];
}

async function crossValidate(
  { steps, sample }: Validation,
  { seed, rest }: GuideOptions,
  groupOf: (step: SolutionStep) => string,
): Promise<GuideWeight> {
  const foldOf = foldsOf([...new Set(sample.map(groupOf))]);
  const found: Chances[] = [];
  for (let fold = 0; fold < folds; fold++) {
    const isOut = (step: SolutionStep): boolean => foldOf.get(groupOf(step)) === fold;
    const examples = sample.filter(step => !isOut(step)).map(({ moment, action }) => ({ situation: moment, action }));
    const out = sample.filter(step => isOut(step) && step.action.kind !== 'finish');
    if (examples.length === 0 || out.length === 0) continue;
    await rest();
    const trained = trainStudent(examples, seed).weights;
    const words = createScorePrior(createWordScorer());
    const learned = createScorePrior(createWordScorer(fitWeights(steps.filter(step => !isOut(step)))));
    const student = createStudentPrior(trained, words, 1);
    for (const step of out) {
      // What the search does not offer says nothing of how to weigh what it offers.
      if (step.right < 0) continue;
      const chance = (prior: ReadyPrior): number => chanceOf(prior, step) ?? 0;
      found.push({ words: chance(words), learned: chance(learned), student: chance(student) });
    }
  }
  return bestWeight(found);
}

/** Groups in an order that has nothing to do with their names, dealt out to the folds. */
function foldsOf(groups: readonly string[]): ReadonlyMap<string, number> {
  return new Map(shuffled(groups).map((group, at) => [group, at % folds]));
}

function shuffled(names: readonly string[]): readonly string[] {
  const digest = createDigest();
  const keyed = names.map(name => [digest([name]), name] as const);
  return keyed.toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, name]) => name);
}

function chanceOf(prior: ReadyPrior, { moment, action }: SolutionStep): number | null {
  const key = actionKey(action);
  const found = prior(moment, 1).find(one => actionKey(one.action) === key);
  return found === undefined ? null : Math.exp(found.logprob);
}

function bestWeight(chances: readonly Chances[]): GuideWeight {
  const rows = chances.length;
  const lossOf = (by: 'words' | 'learned', weight: number): number => {
    const sum = chances.reduce((all, one) => all + Math.log((1 - weight) * one[by] + weight * one.student), 0);
    return rows === 0 ? 0 : -sum / rows;
  };
  const [words, learned] = [lossOf('words', 0), lossOf('learned', 0)];
  const usesLearned = learned < words;
  const loss = (weight: number): number => lossOf(usesLearned ? 'learned' : 'words', weight);
  const best = weights.reduce((left, right) => (loss(right) < loss(left) ? right : left));
  const weight = (best * rows) / (rows + halfRows);
  return { weight, rows, words, learned, mixed: loss(weight), usesLearned };
}

/** The steps of certified solutions in the exports of runs, each with the screen before it. */
export function readSolutionSteps(runs: readonly { readonly app: string; readonly folder: string }[]): SolutionStep[] {
  return runs.flatMap(({ app, folder }) => {
    const path = runPaths(folder).export;
    return existsSync(path) ? stepsIn(app, path) : [];
  });
}

function stepsIn(app: string, folder: string): SolutionStep[] {
  const steps: SolutionStep[] = [];
  let before: { readonly episode: string; readonly screens: readonly string[] } | null = null;
  for (const { kind, pass, prompt, action, run, episode, task } of readExamples(folder)) {
    const situation = readPrompt(prompt);
    if (kind !== 'next-action' || pass !== true || situation === null) continue;
    const id = `${run} ${episode}`;
    const earlier: readonly string[] = before?.episode === id ? before.screens : [];
    const screens = [...earlier, situation.screen];
    steps.push({
      app,
      task: task ?? id,
      moment: { ...situation, screenBefore: earlier.at(-1) ?? null, screens },
      action,
    });
    before = { episode: id, screens };
  }
  return steps;
}
