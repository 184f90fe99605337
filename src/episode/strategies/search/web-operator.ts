import { z } from 'zod';
import { actionKey, type Action } from '../../../core/action.ts';
import { describeStep } from '../../../core/episode/view.ts';
import type { Episode } from '../../verbs/episode.ts';
import { counting, defineStrategy } from '../definition.ts';
import { createReserve } from '../reserve.ts';
import { conclude, goTo, runAlone, type Strategy } from '../strategy.ts';
import { bestOf, createFrontier, isFinish, type Untried } from './frontier.ts';

interface WebOperatorOptions {
  /** Untried actions that may wait before a destructive one is no longer delayed. */
  readonly budget: number;
  readonly candidates: number;
  readonly samples: number;
  readonly expansions: number;
}

type ActionClass = 'terminating' | 'destructive' | 'normal';

/** Names of controls whose effect other people or the data feel. */
const destructive =
  /\b(delete|remove|discard|send|submit|save|apply|confirm|place|buy|pay|order|publish|post|close|archive|cancel|reset|merge|assign|move)\b/i;

/** What an action does, as far as its words tell before it is taken. */
export function classOf(action: Action, screen: string): ActionClass {
  if (action.kind === 'finish') return 'terminating';
  const text = action.kind === 'call' ? action.tool.replaceAll(/[_-]/g, ' ') : describeStep(action, screen);
  const acts = action.kind === 'click' || action.kind === 'call' || action.kind === 'click-at';
  return acts && destructive.test(text) ? 'destructive' : 'normal';
}

/**
 * Best-first search that knows which actions cannot be taken back by a person. Those wait while others are untried, and once one
 * was taken the search goes on from there: it never goes back across it.
 */
function createWebOperator(options: WebOperatorOptions): Strategy {
  return {
    name: `web-operator-${options.budget}`,
    asksTeacher: false,
    run: async episode => conclude(episode, await search(episode, options)),
  };
}

async function search(episode: Episode, options: WebOperatorOptions): Promise<string | null> {
  const frontier = createFrontier(episode, { width: options.candidates, samples: options.samples });
  const reserve = createReserve(episode);
  const finishes: Finishes = new Map();
  await frontier.look({ depth: 0, logprob: 0 });
  for (let tried = 0; tried < options.expansions && reserve.mayTry(); tried++) {
    const next = choose(frontier.untried, options.budget, finishes);
    if (next === null) break;
    frontier.take(one => (one === next ? 0 : -Infinity));
    const node = await frontier.try(next);
    if (episode.ended() !== null) return episode.ended() === 'terminated' ? null : 'out of steps';
    const isDone = kindOf(next) === 'destructive' && node.outcome.applied;
    if (!isDone || node.after === node.before) continue;
    // What was done stays done: only what can be done from here is open.
    frontier.clear();
    if (episode.left('steps') <= 0) return 'out of steps';
    await frontier.look(next);
  }
  const last = frontier.take(one => (isFinish(one) ? scoreOf(one) : -Infinity)) ?? frontier.take(scoreOf);
  if (last !== null) {
    await goTo(episode, last.from);
    if (isFinish(last) && episode.left('steps') > 0) await episode.step(last.decision);
  }
  return runAlone(episode);
}

/** States in which the same finish was the likeliest action, after which the search believes it. */
const agreeing = 2;

/** By the finish: the states in which it was the likeliest action. */
type Finishes = Map<string, Set<number>>;

/** The next action: the best one; in the place of a destructive one, or of a finish that no other state agrees to, the best normal one. */
function choose(untried: readonly Untried[], budget: number, finishes: Finishes): Untried | null {
  const best = bestOf(untried, scoreOf);
  if (best === null || kindOf(best) === 'normal' || best.decision.prior >= 0.5) return best;
  const waiting = untried.filter(one => kindOf(one) === 'destructive').length;
  const waits = isFinish(best) ? !isAgreed(best, finishes) : untried.length <= budget && waiting <= 1;
  const normal = bestOf(untried, one => (kindOf(one) === 'normal' ? scoreOf(one) : -Infinity));
  return waits ? (normal ?? best) : best;
}

function isAgreed({ decision, from }: Untried, finishes: Finishes): boolean {
  const key = actionKey(decision.action);
  const states = (finishes.get(key) ?? new Set()).add(from);
  finishes.set(key, states);
  return states.size >= agreeing;
}

function kindOf({ decision, screen }: Untried): ActionClass {
  return classOf(decision.action, screen);
}

function scoreOf({ logprob }: Untried): number {
  return logprob;
}

export const webOperator = defineStrategy({
  name: 'web-operator',
  about: 'Best-first search that delays destructive actions and never goes back across one that was taken.',
  asksTeacher: false,
  evaluates: true,
  options: z.object({
    budget: counting.default(4).describe('untried actions up to which a destructive one waits'),
    candidates: counting.default(2).describe('actions that the search considers in a state'),
    samples: counting.default(4).describe('questions in a state, to a student that names one action only'),
    expansions: counting.default(20).describe('steps that the search takes; those that go back are not counted'),
  }),
  create: createWebOperator,
});
