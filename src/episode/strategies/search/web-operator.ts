import { z } from 'zod';
import { actionKey, type Action } from '../../../core/action.ts';
import { describeStep } from '../../../core/episode/view.ts';
import type { Episode } from '../../verbs/episode.ts';
import { counting, defineStrategy } from '../definition.ts';
import { createReserve } from '../reserve.ts';
import { conclude, goTo, runAlone, type Strategy } from '../strategy.ts';
import { createFrontier, isFinish, type Frontier, type Untried } from './frontier.ts';

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
  const finishes = new Map<string, number>();
  await frontier.look({ depth: 0, logprob: 0 });
  for (let tried = 0; tried < options.expansions && reserve.mayTry(); tried++) {
    const next = choose(frontier, options.budget, finishes);
    if (next === null) break;
    const node = await frontier.try(next);
    if (episode.ended() !== null) return episode.ended() === 'terminated' ? null : 'out of steps';
    const isDone = classOf(next.decision.action, next.screen) === 'destructive' && node.outcome.applied;
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

/** Times the same finish was the likeliest action of a state, after which the search believes it. */
const agreeing = 2;

/** The next action: an agreed finish, then the best normal one; destructive ones when few wait or nothing else is left. */
function choose(frontier: Frontier, budget: number, finishes: Map<string, number>): Untried | null {
  const best = frontier.take(scoreOf);
  if (best === null) return null;
  if (isFinish(best)) {
    const key = actionKey(best.decision.action);
    finishes.set(key, (finishes.get(key) ?? 0) + 1);
    const others = frontier.untried.some(
      one => !isFinish(one) && classOf(one.decision.action, one.screen) === 'normal',
    );
    if ((finishes.get(key) as number) >= agreeing || !others || best.decision.prior >= 0.5) return best;
    return frontier.take(one => (isFinish(one) ? -Infinity : scoreOf(one))) ?? best;
  }
  if (classOf(best.decision.action, best.screen) === 'normal' || best.decision.prior >= 0.5) return best;
  const waiting = frontier.untried.filter(one => classOf(one.decision.action, one.screen) === 'destructive').length;
  if (frontier.untried.length > budget || waiting > 1) return best;
  const normal = frontier.take(one =>
    classOf(one.decision.action, one.screen) === 'normal' ? scoreOf(one) : -Infinity,
  );
  return normal ?? best;
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
