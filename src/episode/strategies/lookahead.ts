import { describeAction, type Action } from '../../core/action.ts';
import { invalidOption, type EspalierError } from '../../core/errors.ts';
import type { Episode } from '../verbs/episode.ts';
import { isUsable, type Usable } from '../verbs/questions.ts';
import { failureReason, goTo, runAlone, type Strategy } from './strategy.ts';

export interface LookaheadOptions {
  /** Steps that are tried, all branches together, before the best branch is taken to its end. */
  readonly expansions?: number;
  /** Actions that are considered in each state. */
  readonly width?: number;
  /** How much the student's own value of a state counts beside how likely the steps to it are. */
  readonly valueWeight?: number;
}

/** An action that was not tried yet, and the state to try it in. */
interface Untried {
  readonly from: number;
  readonly decision: Usable;
  /** The logarithm of how likely the student was to take all the steps up to and with this one. */
  readonly logprob: number;
  readonly score: number;
}

/** Settings of a search, and what it has found. */
interface Search {
  readonly width: number;
  readonly valueWeight: number;
  readonly untried: Untried[];
  /** Digests of the states that were looked at. */
  readonly seen: Set<string>;
}

/**
 * Best-first search with the student's own probabilities and values: a branch goes on while it is the likeliest, and
 * another is taken up when its next steps become unlikely. The verifier is asked once, at the end, about the branch chosen.
 */
export function createLookahead({ expansions = 60, width = 4, valueWeight = 0.1 }: LookaheadOptions = {}): Strategy {
  for (const [name, value] of Object.entries({ expansions, width })) {
    if (!(Number.isInteger(value) && value > 0)) throw badOption(name, value);
  }
  return {
    name: `lookahead-${expansions}`,
    asksTeacher: false,
    async run(episode) {
      const search: Search = { width, valueWeight, untried: [], seen: new Set([episode.tree.root]) };
      const stopped = await explore(episode, search, expansions);
      const verdict = await episode.verify();
      episode.leaf({ role: 'main', verdict, from: null });
      return { kind: 'verified', leaf: episode.at(), verdict, reason: failureReason(verdict, stopped) };
    },
  };
}

/** Ends where the best branch ends, and says what stopped it; null when it finished. */
async function explore(episode: Episode, search: Search, expansions: number): Promise<string | null> {
  await look(episode, search, 0);
  // One step is kept for the finish.
  for (let tried = 0; tried < expansions && episode.left('taken') > 1; ) {
    const best = takeBest(search.untried);
    if (best === null) break;
    if (isFinish(best.decision.action)) return take(episode, best);
    tried++;
    await goTo(episode, best.from);
    const { id, outcome, after } = await episode.step(best.decision);
    // What was refused, and what leads to a state that is known, opens nothing new.
    if (!outcome.applied || search.seen.has(after)) continue;
    search.seen.add(after);
    if (outcome.end === undefined && episode.left('steps') > 0 && id === episode.at())
      await look(episode, search, best.logprob);
  }
  const finish = takeBest(search.untried.filter(({ decision }) => isFinish(decision.action)));
  if (finish !== null) return take(episode, finish);
  if (episode.ended() !== null) await episode.rollback(0);
  return runAlone(episode);
}

/** Asks the student what it weighs here. */
async function look(episode: Episode, search: Search, before: number): Promise<void> {
  if (episode.left('queries') <= 0) return;
  const decision = await episode.act();
  if (!isUsable(decision)) return;
  const { alternatives = [], value = 0, ...taken } = decision;
  const shown = describeAction(taken.action);
  const others = alternatives.filter(({ action }) => describeAction(action) !== shown);
  const options: Usable[] = [{ ...taken, value }, ...others.map(other => ({ ...other, value }))];
  for (const option of options.slice(0, search.width)) {
    const logprob = before + Math.log(Math.max(option.prior ?? 1, smallestPrior));
    const score = logprob + search.valueWeight * value;
    search.untried.push({ from: episode.at(), decision: option, logprob, score });
  }
}

const smallestPrior = 1e-9;

async function take(episode: Episode, { from, decision }: Untried): Promise<string | null> {
  await goTo(episode, from);
  if (episode.left('steps') <= 0) return 'out of steps';
  await episode.step(decision);
  return episode.ended() === 'terminated' ? null : 'out of steps';
}

/** Takes the best out of the list; of equals, the one that was found first. */
function takeBest(untried: Untried[]): Untried | null {
  let best = 0;
  for (const [index, { score }] of untried.entries()) if (score > (untried[best] as Untried).score) best = index;
  return untried.splice(best, 1)[0] ?? null;
}

function isFinish({ kind }: Action): boolean {
  return kind === 'finish';
}

function badOption(name: string, value: number): EspalierError {
  return invalidOption(`lookahead was given ${name} = ${value}.`, 'Expected a whole number above 0.');
}
