import type { EpisodeRecord } from '../../../core/episode/record.ts';
import { scalars } from '../../../core/json.ts';
import type { TreeNode } from '../../../core/tree.ts';
import { isStall, type Trace } from '../trace.ts';
import { guessFirst, type Guess, type HazardModel } from './hazard-model.ts';
import type { Sign } from './signs.ts';

/**
 * What is asked of each step of a failure, and how much it weighs. The weights are those that `bench localiser` prints: a hazard
 * model, fitted to 24 failures of two learned students (first wrong steps by forks) and 650 planted errors, all in training
 * templates of the built-in apps. The bench judges it in templates that it was not fitted in.
 */
const weights = {
  bias: -1.75,
  first: 0.02,
  second: -0.01,
  'sure sign': 3.52,
  'weak sign': 2.26,
  refused: -1.18,
  'no effect': 0.26,
  'taken back': 1.41,
  repeated: 2.07,
  finish: 4.33,
  'gives up': 0.1,
  'ends early': 1.67,
  'names nothing': 2.04,
  'names little': 1.0,
  'other record': 1.8,
  'exact value': -1.29,
  'part of a value': 4.25,
  search: 1.4,
  'search for a wrong thing': 0.54,
  link: 0.22,
  commits: -1.5,
  progress: -2.45,
  'late progress': 3.15,
  'side effect': 1.98,
} as const;

interface Context {
  readonly episode: EpisodeRecord;
  readonly trace: Trace;
  readonly signs: readonly Sign[];
  /** Values of the task, in lower case. */
  readonly named: readonly string[];
  readonly told: ReadonlySet<string>;
}

/** What the weights are of, in their order. */
export const featureNames: readonly string[] = Object.keys(weights);

/** The features of every step on the path, in the order of the weights. */
export function featuresOf(
  episode: EpisodeRecord,
  trace: Trace,
  signs: readonly Sign[],
): readonly (readonly number[])[] {
  const named = scalars(episode.head.task.parameters).map(value => String(value).toLowerCase());
  const told = new Set(wordsOf(trace.told));
  const context = { episode, trace, signs, named, told };
  return trace.main.map((step, index) => stepRow(step, index, context));
}

function stepRow(step: TreeNode, index: number, context: Context): readonly number[] {
  const { episode, trace, signs } = context;
  const { main } = trace;
  const description = trace.description(step);
  const strength = Math.max(0, ...signs.filter(({ node }) => node === step.id).map(sign => sign.strength));
  const isFinish = step.action.kind === 'finish';
  const gaveUp = step.action.kind === 'finish' && step.action.infeasible === true;
  const { verdict } = episode.end;
  const progress = verdict?.progress ?? 0;
  const place = main.length < 2 ? 0 : index / (main.length - 1);
  const isLater = (state: string): boolean => main.slice(index + 1).some(({ after }) => after === state);
  return [
    1,
    index === 0,
    index === 1,
    !isFinish && strength >= 0.5,
    !isFinish && strength > 0 && strength < 0.5,
    !step.outcome.applied,
    isStall(step),
    step.before !== step.after && isLater(step.before),
    main.slice(0, index).some(other => trace.description(other) === description),
    isFinish,
    gaveUp,
    isFinish && main.length <= 2,
    ...wordFeatures(step, description, context),
    progress,
    progress * place,
    verdict?.clean === false && step.before !== step.after,
  ].map(Number);
}

const committing =
  /^click \w+ "(save|send|publish|place|apply|add|create|delete|remove|submit|confirm|move|buy|order)\b/i;

/** How far the words of a step agree with what the task names. */
function wordFeatures(
  { action }: TreeNode,
  description: string,
  { named, told }: Context,
): readonly (boolean | number)[] {
  const isEnd = action.kind === 'finish';
  const label = wordsOf(/"([^"]*)"/.exec(description)?.[1] ?? '');
  const hits = label.filter(word => told.has(word)).length;
  const row = / in "([^"]*)"/.exec(description)?.[1]?.toLowerCase();
  const text = action.kind === 'fill' ? action.text : action.kind === 'select' ? action.option : null;
  const value = text?.toLowerCase() ?? null;
  const isExact = value !== null && named.includes(value);
  const isPart = value !== null && !isExact && named.some(one => one.includes(value) || value.includes(one));
  const isSearch = action.kind === 'fill' && /^fill \w+ "search/i.test(description);
  return [
    !isEnd && value === null && label.length > 0 && hits === 0,
    !isEnd && value === null && hits > 0 && hits < label.length,
    row !== undefined &&
      !named.some(one => one.length > 2 && (row.includes(one) || description.toLowerCase().includes(one))),
    isExact,
    isPart,
    isSearch,
    isSearch && !isExact,
    description.startsWith('click link '),
    committing.test(description),
  ];
}

function wordsOf(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word.length > 1);
}

export interface FirstError extends Guess {
  /** What the record shows of the step, or of the one beside it that the guess is for. */
  readonly why: string;
}

const model: HazardModel = { weights: Object.values(weights), besideShare: 1 };

/** The step that is most probably the first wrong one, or next to it; null for a path without steps. */
export function firstError(episode: EpisodeRecord, trace: Trace, signs: readonly Sign[]): FirstError | null {
  const rows = featuresOf(episode, trace, signs);
  const guess = guessFirst(rows, model);
  return guess === null ? null : { ...guess, why: whyOf(guess.index, rows, { trace, signs }) };
}

/** A step without a fault of its own is named for the steps beside it, or because no step shows any. */
function whyOf(
  index: number,
  rows: readonly (readonly number[])[],
  { trace, signs }: { readonly trace: Trace; readonly signs: readonly Sign[] },
): string {
  const own = strongestReason(rows[index] ?? []);
  if (own !== null) return own;
  const beside = [index + 1, index - 1].flatMap(at => {
    const id = trace.main[at]?.id;
    if (id === undefined) return [];
    const fault = signs.find(({ node }) => node === id)?.note ?? strongestReason(rows[at] ?? []);
    return fault === null ? [] : [`step ${id}: ${fault}`];
  });
  const [first] = beside;
  return first === undefined
    ? 'the record shows nothing wrong with it, nor with the steps beside it'
    : `the record shows nothing wrong with it; beside it, ${first}`;
}

const reasons: Readonly<Record<string, string>> = {
  'names nothing': 'it names nothing that the task names',
  'names little': 'it names little of what the task names',
  'other record': 'it acts on a record that the task does not name',
  'part of a value': 'it enters a part of what the task names, or more than that',
  search: 'it searches',
  'search for a wrong thing': 'it searches for something that is no value of the task',
  refused: 'it was refused',
  'no effect': 'it changed nothing',
  'taken back': 'a later step took it back',
  repeated: 'an earlier step did the same',
  'side effect': 'it changed something, and the verdict names a side effect',
  finish: 'it ends the episode',
};

function strongestReason(row: readonly number[]): string | null {
  const [best] = Object.entries(weights)
    .map(([name, weight], at) => ({ name, weight: weight * (row[at] ?? 0) }))
    .filter(({ name, weight }) => weight > 0 && name in reasons)
    .toSorted((one, other) => other.weight - one.weight);
  return best === undefined ? null : (reasons[best.name] as string);
}
