import { z } from 'zod';
import type { Verdict } from '../../../core/records.ts';
import type { Episode } from '../../verbs/episode.ts';
import { counting, defineStrategy, share } from '../definition.ts';
import { createValueScale, propose } from '../proposals.ts';
import { createReserve } from '../reserve.ts';
import { conclude, failureReason, goTo, runAlone, type Conclusion, type Strategy } from '../strategy.ts';
import { backUp, edgeOf, mostVisited, puctScore, type Edge, type Mixing, type Outcome } from './tree-policy.ts';

interface MonteCarloOptions {
  readonly name: string;
  readonly simulations: number;
  readonly width: number;
  readonly samples: number;
  readonly explore: number;
  readonly alpha: number;
  /** Whether each simulation is played to its end and verified. */
  readonly verifies: boolean;
}

/** A passing end, found on the way. */
interface Passed {
  readonly leaf: number;
  readonly verdict: Verdict;
}

interface Search extends MonteCarloOptions {
  readonly mixing: Mixing;
  /** Actions of each state that was looked at, by node. */
  readonly edges: Map<number, Edge[]>;
  /** What the ends that were reached are worth, by node: coming to one again counts it again. */
  readonly ends: Map<number, Outcome>;
  passed: Passed | null;
}

/** Monte Carlo tree search over real states: rollback restores each one. */
function createMonteCarlo(options: MonteCarloOptions): Strategy {
  return {
    name: `${options.name}-${options.simulations}`,
    asksTeacher: false,
    limits: { leaves: options.simulations + 1 },
    run: episode => run(episode, options),
  };
}

async function run(episode: Episode, options: MonteCarloOptions): Promise<Conclusion> {
  const mixing: Mixing = { alpha: options.alpha, scale: createValueScale() };
  const search: Search = { ...options, mixing, edges: new Map(), ends: new Map(), passed: null };
  const reserve = createReserve(episode);
  await look(episode, search);
  for (let made = 0; made < options.simulations && reserve.mayTry(); made++) {
    if (options.verifies && episode.left('leaves') <= 1) break;
    if (!(await simulate(episode, search))) break;
  }
  if (search.passed !== null) return { kind: 'verified', ...search.passed, reason: null };
  return conclude(episode, await takeBest(episode, search));
}

/** One way down the tree to an action that was not tried, and back up with what it led to. False when nothing is left. */
async function simulate(episode: Episode, search: Search): Promise<boolean> {
  const path: Edge[] = [];
  let at = 0;
  for (;;) {
    const edges = search.edges.get(at) ?? [];
    const visits = edges.reduce((sum, edge) => sum + edge.visits, 1);
    const open = edges.filter(({ node }) => node === null || search.edges.has(node) || search.ends.has(node));
    if (open.length === 0) return deadEnd(search, path);
    const scored = open.map(edge => ({
      edge,
      score: puctScore(edge, visits, { ...search.mixing, explore: search.explore }),
    }));
    const { edge } = scored.reduce((best, one) => (one.score > best.score ? one : best));
    path.push(edge);
    const end = edge.node === null ? undefined : search.ends.get(edge.node);
    if (end !== undefined) {
      backUp(path, end);
      return true;
    }
    if (edge.node !== null) {
      at = edge.node;
      continue;
    }
    await goTo(episode, at);
    if (episode.left('steps') <= 0) return false;
    const node = await episode.step(edge.decision);
    edge.node = node.id;
    const isEnd = episode.ended() !== null;
    const parent = lastValue(path.at(-2) ?? null, edge);
    const outcome = await evaluate(episode, search, { refused: !node.outcome.applied, parent });
    backUp(path, outcome);
    if (isEnd) search.ends.set(node.id, outcome);
    return true;
  }
}

/** A state below which everything was tried is closed; the search goes on above it, if there is anything above. */
function deadEnd(search: Search, path: readonly Edge[]): boolean {
  const closed = path.at(-1);
  if (closed === undefined || closed.node === null) return false;
  search.edges.delete(closed.node);
  return true;
}

function lastValue(above: Edge | null, { decision }: Edge): number | null {
  if (decision.value !== undefined) return decision.value;
  return above === null || above.critics === 0 ? null : above.critic / above.critics;
}

interface Reached {
  readonly refused: boolean;
  /** What the student expected of the state before. */
  readonly parent: number | null;
}

/** What the state is worth: what the student expects of it, and where that is asked for the verdict on an end from here. */
async function evaluate(episode: Episode, search: Search, { refused, parent }: Reached): Promise<Outcome> {
  const ended = episode.ended() !== null;
  const value = ended || refused ? parent : await look(episode, search);
  if (!search.verifies) return { reward: ended && episode.ended() === 'truncated' ? 0 : null, value };
  if (refused) return { reward: 0, value };
  const stopped = ended ? null : await runAlone(episode);
  const verdict = await episode.verify();
  episode.leaf({ role: 'simulation', verdict, from: null });
  if (verdict.pass) search.passed ??= { leaf: episode.at(), verdict };
  return { reward: failureReason(verdict, stopped) === null ? 1 : 0, value };
}

/** Asks the student what it would do here, and keeps that. Says what it expects of this state. */
async function look(episode: Episode, search: Search): Promise<number | null> {
  const { proposals, value } = await propose(episode, search);
  search.mixing.scale.see(value);
  search.edges.set(
    episode.at(),
    proposals.map(decision => edgeOf(value === null ? decision : { ...decision, value })),
  );
  return value;
}

/** Goes the way that was tried most, and then lets the student go on. */
async function takeBest(episode: Episode, search: Search): Promise<string | null> {
  let at = 0;
  for (let best = bestAt(0, search); best !== null; best = bestAt(at, search)) at = best;
  await goTo(episode, at);
  if (episode.ended() !== null) return episode.ended() === 'terminated' ? null : 'out of steps';
  return runAlone(episode);
}

function bestAt(node: number, search: Search): number | null {
  return mostVisited(search.edges.get(node) ?? [], search.mixing)?.node ?? null;
}

const shape = {
  simulations: counting.default(24).describe('ways down the tree'),
  width: counting.default(4).describe('actions that the search considers in a state'),
  samples: counting.default(4).describe('questions in a state, to a student that names one action only'),
  explore: z
    .number('a number from 0 up')
    .min(0, 'a number from 0 up')
    .default(1.25)
    .describe('weight of what was tried little: c in PUCT'),
};

export const puct = defineStrategy({
  name: 'puct',
  about: 'Monte Carlo tree search by what the student expects of each state (PUCT); one verdict, at the end.',
  asksTeacher: false,
  evaluates: true,
  options: z.object(shape),
  create: options => createMonteCarlo({ ...options, name: 'puct', alpha: 0, verifies: false }),
});

export const agentQ = defineStrategy({
  name: 'agent-q',
  about:
    'Monte Carlo tree search whose simulations are played to a verified end; pairs of steps come from the same states.',
  asksTeacher: false,
  evaluates: false,
  options: z.object({
    ...shape,
    alpha: share.default(0.5).describe('weight of verdicts beside what the student expects of a state'),
  }),
  create: options => createMonteCarlo({ ...options, name: 'agent-q', verifies: true }),
});
