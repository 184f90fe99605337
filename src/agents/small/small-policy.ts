import { describeAction } from '../../core/action.ts';
import type { Decision, OrdinaryPolicy } from '../../core/episode/agents.ts';
import type { View } from '../../core/episode/view.ts';
import type { Random } from '../../core/random.ts';
import { compactSituation } from '../../models/prompt/compact.ts';
import { entropyOf, logSoftmax } from '../learned/ranking/ranker.ts';
import { kindOf, likeliest, massByKind, type WeighedStep } from './pointing.ts';
import type { SmallModel, WeighedSituation } from './small-model.ts';

export interface SmallPolicyOptions {
  readonly model: SmallModel;
  readonly name?: string;
  /** 0 takes the likeliest step; 1 draws by the model's own probabilities. */
  readonly temperature?: number;
  /** Told once when a screen did not fit into the prompt. */
  onNotice?(text: string): void;
}

const mostAlternatives = 7;

/** The small model as a policy. It reads screens as text, and acts by elements. */
export function createSmallPolicy(options: SmallPolicyOptions): OrdinaryPolicy {
  const { model, name = 'small', temperature = 0, onNotice = () => undefined } = options;
  const tell = onceOnly(onNotice);
  const policy: OrdinaryPolicy = {
    name,
    // It always answers; on a machine that is busy, not soon.
    patient: true,
    async act(view) {
      const weighed = await model.weigh(compactSituation(view));
      if (weighed.leftOut !== null) tell(noticeOf(weighed));
      const steps = withoutTaken(weighed.steps, view);
      return decide({ ...weighed, steps }, temperature, view.random);
    },
    fork: () => policy,
  };
  return policy;
}

/**
 * A step that was taken on this very screen before is not weighed again: who always takes the likeliest would go round in
 * circles. What it leaves goes to the other steps of its kind, so that somebody who looks on does not end instead.
 */
function withoutTaken(steps: readonly WeighedStep[], { path, observation }: View): readonly WeighedStep[] {
  const here = path.filter(({ screen }) => screen === observation.text);
  const taken = new Set(here.map(({ action }) => describeAction(action)));
  const left = steps.filter(({ action }) => !taken.has(describeAction(action)));
  if (left.length === 0 || left.length === steps.length) return steps;
  const [before, after] = [massByKind(steps), massByKind(left)];
  const share = ({ action, logprob }: WeighedStep): WeighedStep => {
    const kind = kindOf(action);
    return { action, logprob: logprob + Math.log((before.get(kind) ?? 0) / (after.get(kind) ?? 1)) };
  };
  return heated(left.map(share), 1).toSorted((one, other) => other.logprob - one.logprob);
}

/** Takes one of the steps; at temperature 0 the likelihood is that of temperature 1. */
function decide({ steps, tokens }: WeighedSituation, temperature: number, random: Random): Decision {
  const taken = temperature === 0 ? likeliest(steps) : drawStep(steps, temperature, random);
  const chances = temperature === 0 ? steps : heated(steps, temperature);
  const logprob = chances[steps.indexOf(taken)]?.logprob ?? 0;
  const others = steps.filter(step => step !== taken).slice(0, mostAlternatives);
  return {
    action: taken.action,
    tokens,
    prior: chanceOf(taken),
    confidence: chanceOf(taken),
    // Plus 0, as -0 is not what a store gives back.
    logprob: Math.min(0, logprob) + 0,
    entropy: entropyOf(Float64Array.from(chances, step => step.logprob)),
    alternatives: others.map(step => ({ action: step.action, prior: chanceOf(step) })),
  };
}

function chanceOf({ logprob }: WeighedStep): number {
  return Math.min(1, Math.exp(logprob));
}

export function heated(steps: readonly WeighedStep[], temperature: number): readonly WeighedStep[] {
  const logprobs = logSoftmax(Float64Array.from(steps, ({ logprob }) => logprob / temperature));
  return steps.map(({ action }, at) => ({ action, logprob: logprobs[at] as number }));
}

export function drawStep(steps: readonly WeighedStep[], temperature: number, random: Random): WeighedStep {
  let left = random.next();
  const chances = heated(steps, temperature);
  const at = chances.findIndex(({ logprob }) => (left -= Math.exp(logprob)) < 0);
  return steps[at < 0 ? steps.length - 1 : at] as WeighedStep;
}

function noticeOf({ leftOut, tokens }: WeighedSituation): string {
  return (
    `small: a screen did not fit into its context, and ${leftOut?.lines} of its ${leftOut?.of} lines were left out ` +
    `(${tokens} tokens are left); it may happen again. Filter or page long lists, or use a model with a longer context.`
  );
}

function onceOnly(tell: (text: string) => void): (text: string) => void {
  let isTold = false;
  return text => {
    if (!isTold) tell(text);
    isTold = true;
  };
}
