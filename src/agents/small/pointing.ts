import { describeAction, type Action } from '../../core/action.ts';
import { readScreen } from '../../core/episode/screen-text.ts';
import { logSoftmax, logSum } from '../learned/ranking/ranker.ts';
import { stepKinds, type StepKind } from './model-facts.ts';
import type { PromptTokens } from './prompt-tokens.ts';
import { createTexts, type StepScores, type Target, type Texts } from './texts.ts';

/** A step that the model weighs, and the logarithm of its probability among all of them. */
export interface WeighedStep {
  readonly action: Action;
  readonly logprob: number;
}

export interface PointedPrompt {
  readonly tokens: PromptTokens;
  /** Places of the reference tokens. */
  readonly references: readonly number[];
  /** The newest screen as the app shows it. */
  readonly screen: string;
}

/** Elements less likely than this are not asked for a text. */
const leastLogprob = -12;
const enteredRoles: ReadonlySet<string> = new Set(['textbox', 'searchbox', 'spinbutton', 'slider', 'combobox']);

/** Everything that can be done on the screen, as likely as the model finds it; the likeliest first. */
export function weighSteps(scores: StepScores, prompt: PointedPrompt): readonly WeighedStep[] {
  const targets = targetsOf(prompt);
  const byKind: Record<StepKind, readonly Target[]> = {
    click: targets.filter(({ line }) => line?.role !== 'textbox' && (line?.options.length ?? 0) === 0),
    fill: targets.filter(isEntered),
    select: targets.filter(({ line }) => (line?.options.length ?? 0) > 0),
    finish: [],
    answer: [],
    infeasible: [],
  };
  const usable = stepKinds.filter(kind => byKind[kind].length > 0 || !isOnElement(kind));
  const kinds = logSoftmax(Float64Array.from(usable, kind => scores.kind[stepKinds.indexOf(kind)] as number));
  const steps = usable.flatMap((kind, at) => {
    const writer = createTexts(scores, prompt.tokens, kind);
    return stepsOf({ kind, targets: byKind[kind], logprob: kinds[at] as number, writer, scores, prompt });
  });
  return normalised(steps);
}

/** The likeliest step of the likeliest kind. */
export function likeliest(steps: readonly WeighedStep[]): WeighedStep {
  const [kind] = [...massByKind(steps)].reduce((best, one) => (one[1] > best[1] ? one : best));
  return steps.find(({ action }) => kindOf(action) === kind) as WeighedStep;
}

export function massByKind(steps: readonly WeighedStep[]): ReadonlyMap<string, number> {
  const mass = new Map<string, number>();
  for (const { action, logprob } of steps) {
    const kind = kindOf(action);
    mass.set(kind, (mass.get(kind) ?? 0) + Math.exp(logprob));
  }
  return mass;
}

export function kindOf(action: Action): string {
  return action.kind === 'finish' ? `finish ${action.infeasible === true} ${action.answer !== undefined}` : action.kind;
}

function isOnElement(kind: StepKind): boolean {
  return kind === 'click' || kind === 'fill' || kind === 'select';
}

function isEntered({ line }: Target): boolean {
  return line !== undefined && enteredRoles.has(line.role) && line.options.length === 0;
}

function targetsOf({ tokens, references, screen }: PointedPrompt): Target[] {
  const lines = new Map(readScreen(screen).flatMap(line => (line.ref === null ? [] : [[line.ref, line] as const])));
  return references.map((place, index) => {
    const ref = tokens.text.slice((tokens.starts[place] as number) + 1, (tokens.ends[place] as number) - 1);
    return { ref, index, place, line: lines.get(ref) };
  });
}

interface Branch {
  readonly kind: StepKind;
  readonly targets: readonly Target[];
  /** Of the kind. */
  readonly logprob: number;
  readonly writer: Texts;
  readonly scores: StepScores;
  readonly prompt: PointedPrompt;
}

function stepsOf({ kind, targets, logprob, writer, scores, prompt }: Branch): WeighedStep[] {
  if (kind === 'finish') return [{ action: { kind }, logprob }];
  if (kind === 'infeasible') return [{ action: { kind: 'finish', infeasible: true }, logprob }];
  if (kind === 'answer')
    return writer
      .spans(null)
      .map(({ text, logprob: own }) => ({ action: { kind: 'finish', answer: text }, logprob: logprob + own }));
  const row = stepKinds.indexOf(kind) * prompt.tokens.ids.length;
  const elements = logSoftmax(Float64Array.from(targets, ({ place }) => scores.element[row + place] as number));
  return targets.flatMap((target, at): WeighedStep[] => {
    const whole = logprob + (elements[at] as number);
    const { ref } = target;
    if (kind === 'click') return [{ action: { kind, ref }, logprob: whole }];
    if (whole < leastLogprob) return [];
    const texts = kind === 'fill' ? writer.spans(target) : writer.options(target);
    return texts.map(({ text, logprob: own }) => ({
      action: kind === 'fill' ? { kind, ref, text } : { kind: 'select', ref, option: text },
      logprob: whole + own,
    }));
  });
}

/** One step each, the likeliest first; their probabilities add up to 1. */
export function normalised(steps: readonly WeighedStep[]): readonly WeighedStep[] {
  const found = new Map<string, WeighedStep>();
  for (const { action, logprob } of steps) {
    const key = describeAction(action);
    found.set(key, { action, logprob: added(found.get(key)?.logprob, logprob) });
  }
  const all = [...found.values()].toSorted((left, right) => right.logprob - left.logprob);
  const logprobs = logSoftmax(Float64Array.from(all, ({ logprob }) => logprob));
  return all.map(({ action }, at) => ({ action, logprob: logprobs[at] as number }));
}

function added(before: number | undefined, logprob: number): number {
  return before === undefined ? logprob : logSum(before, logprob);
}
