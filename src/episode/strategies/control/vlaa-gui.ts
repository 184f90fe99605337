import { z } from 'zod';
import { actionKey, type Action } from '../../../core/action.ts';
import { standsIn } from '../../../core/text.ts';
import type { Episode } from '../../verbs/episode.ts';
import { counting, defineStrategy } from '../definition.ts';
import { propose, type Proposal } from '../proposals.ts';
import { piecesOf } from '../search/argus.ts';
import { conclude, goTo, whyNothing, type Strategy } from '../strategy.ts';
import { loopTier } from './monitors.ts';

interface VlaaGuiOptions {
  readonly width: number;
  readonly samples: number;
  /** Finishes without evidence that are turned away. */
  readonly gates: number;
}

/** What the breaker and the gate remember. */
interface Control extends VlaaGuiOptions {
  /** Actions that are not taken again, by state. */
  readonly banned: Map<string, Set<string>>;
  /** What the task names and no screen has shown yet. */
  readonly unseen: Set<string>;
  turnedAway: number;
}

/**
 * A loop breaker in three tiers, and a gate before the finish. An action that changed nothing twice is not taken again in that
 * state; after three steps on the same screen, or when a state comes a third time, the student goes back to where it
 * last came to a new state, and takes another action there. A finish is turned away while something that the task names was never seen.
 */
function createVlaaGui(options: VlaaGuiOptions): Strategy {
  return {
    name: `vlaa-gui-${options.gates}`,
    asksTeacher: false,
    async run(episode) {
      const unseen = new Set(piecesOf(episode.instruction).map(({ text }) => text));
      const control: Control = { ...options, banned: new Map(), unseen, turnedAway: 0 };
      return conclude(episode, await lead(episode, control));
    },
  };
}

async function lead(episode: Episode, control: Control): Promise<string | null> {
  while (episode.ended() === null && episode.left('steps') > 0) {
    const { text } = await episode.look();
    for (const piece of control.unseen) if (standsIn(text, piece)) control.unseen.delete(piece);
    const decision = await choose(episode, control);
    if (decision === null) return whyNothing(episode);
    await episode.step(decision);
    await breakLoop(episode, control);
  }
  return episode.ended() === 'terminated' ? null : 'out of steps';
}

async function choose(episode: Episode, control: Control): Promise<Proposal | null> {
  const { proposals } = await propose(episode, control);
  const banned = control.banned.get(episode.tree.digest(episode.at()));
  const open = proposals.filter(({ action }) => banned?.has(actionKey(action)) !== true);
  const [first] = open.length > 0 ? open : proposals;
  if (first === undefined || !isPremature(first.action, control)) return first ?? null;
  control.turnedAway++;
  return open.find(({ action }) => action.kind !== 'finish') ?? first;
}

/** A finish is complete when everything that the task names was seen, or its answer says that it cannot be done. */
function isPremature(action: Action, { unseen, turnedAway, gates }: Control): boolean {
  return action.kind === 'finish' && action.infeasible !== true && unseen.size > 0 && turnedAway < gates;
}

async function breakLoop(episode: Episode, control: Control): Promise<void> {
  const path = episode.tree.path(episode.at());
  const tier = loopTier(path, episode.tree.root);
  const last = path.at(-1);
  if (tier === 0 || last === undefined) return;
  ban(control, last.before, last.action);
  if (tier === 1) return;
  // Back to before the step that last led to a state for the first time: another one is taken there.
  const first = path.findLast(
    ({ after, id }) => path.every(step => step.id >= id || step.after !== after) && after !== last.after,
  );
  if (first === undefined) return;
  const next = path.find(({ parent }) => parent === first.id);
  if (next !== undefined) ban(control, next.before, next.action);
  await goTo(episode, first.id);
}

function ban({ banned }: Control, state: string, action: Action): void {
  const known = banned.get(state) ?? new Set();
  banned.set(state, known.add(actionKey(action)));
}

export const vlaaGui = defineStrategy({
  name: 'vlaa-gui',
  about:
    'The student with a loop breaker in three tiers, and no finish before everything that the task names was seen.',
  asksTeacher: false,
  evaluates: true,
  options: z.object({
    width: counting.default(6).describe('actions that are considered in a state'),
    samples: counting.default(1).describe('questions in a state, to a student that names one action only'),
    gates: counting.default(2).describe('finishes without evidence that are turned away'),
  }),
  create: createVlaaGui,
});
