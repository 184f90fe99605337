import type { TreeNode } from '../../../core/tree.ts';
import type { Episode } from '../../verbs/episode.ts';
import { propose, type Proposal } from '../proposals.ts';
import { createReserve } from '../reserve.ts';
import { goTo, runAlone } from '../strategy.ts';

/** An action that was not tried yet, and the state to try it in. */
export interface Untried {
  readonly from: number;
  readonly decision: Proposal;
  /** Steps on the way to it, this one included. */
  readonly depth: number;
  /** The logarithm of how likely the student was to take all the steps up to and with this one. */
  readonly logprob: number;
  /** What the student expects of the state to try it in; null when it does not say. */
  readonly value: number | null;
  /** The screen of that state. */
  readonly screen: string;
}

/** How the student is asked in each state. */
export interface Asking {
  readonly width: number;
  readonly samples: number;
}

type Way = Pick<Untried, 'depth' | 'logprob'>;

/** The untried actions of all states that were looked at. */
export interface Frontier {
  readonly untried: readonly Untried[];
  /** Asks the student what it would do where the episode stands. */
  look(way: Way): Promise<void>;
  /** Takes the one with the highest score out; of equals, the one that was found first. Null when none is left. */
  take(score: (one: Untried) => number): Untried | null;
  /** Goes to its state and tries it; looks at the state that it leads to, unless that is known. */
  try(one: Untried): Promise<TreeNode>;
  /** Forgets what is untried. */
  clear(): void;
}

const smallestPrior = 1e-9;

export function createFrontier(episode: Episode, asking: Asking): Frontier {
  let untried: Untried[] = [];
  const seen = new Set([episode.tree.root]);
  const look = async ({ depth, logprob }: Way): Promise<void> => {
    const { text: screen } = await episode.look();
    const { proposals, value } = await propose(episode, asking);
    for (const decision of proposals) {
      const likely = logprob + Math.log(Math.max(decision.prior, smallestPrior));
      untried.push({ from: episode.at(), decision, depth: depth + 1, logprob: likely, value, screen });
    }
  };
  return {
    get untried() {
      return untried;
    },
    look,
    take(score) {
      const best = bestOf(untried, score);
      untried = untried.filter(one => one !== best);
      return best;
    },
    async try(one) {
      await goTo(episode, one.from);
      const node = await episode.step(one.decision);
      // What was refused, and what leads to a state that is known, opens nothing new.
      const isNew = node.outcome.applied && !seen.has(node.after);
      seen.add(node.after);
      if (isNew && episode.ended() === null && episode.left('steps') > 0) await look(one);
      return node;
    },
    clear() {
      untried = [];
    },
  };
}

/** The one with the highest score; of equals the first. Null when there is none above -Infinity. */
export function bestOf(untried: readonly Untried[], score: (one: Untried) => number): Untried | null {
  let [best, most]: [Untried | null, number] = [null, -Infinity];
  for (const one of untried) {
    const own = score(one);
    if (own > most) [best, most] = [one, own];
  }
  return best;
}

export interface BestFirst extends Asking {
  /** Steps that are tried before the best branch is taken to its end. */
  readonly expansions: number;
  score(one: Untried): number;
}

/** Tries the best untried action of all, until the best one is a finish. Ends there, and says what stopped it; null when it finished. */
export async function searchBestFirst(episode: Episode, options: BestFirst): Promise<string | null> {
  const frontier = createFrontier(episode, options);
  const reserve = createReserve(episode);
  await frontier.look({ depth: 0, logprob: 0 });
  for (let tried = 0; tried < options.expansions && reserve.mayTry(); tried++) {
    const best = frontier.take(options.score);
    if (best === null) break;
    if (isFinish(best)) return finish(episode, best);
    await frontier.try(best);
  }
  const known = frontier.take(one => (isFinish(one) ? options.score(one) : -Infinity));
  if (known !== null) return finish(episode, known);
  const next = frontier.take(options.score);
  await goTo(episode, next?.from ?? 0);
  return runAlone(episode);
}

export function isFinish({ decision }: Pick<Untried, 'decision'>): boolean {
  return decision.action.kind === 'finish';
}

async function finish(episode: Episode, { from, decision }: Untried): Promise<string | null> {
  await goTo(episode, from);
  if (episode.left('steps') <= 0) return 'out of steps';
  await episode.step(decision);
  return episode.ended() === 'terminated' ? null : 'out of steps';
}
