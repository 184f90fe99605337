import type { Planner, StateEnvironment, StateSession, Verifier } from '../../core/contracts.ts';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import { DivergenceError } from '../../core/errors.ts';
import type { Random } from '../../core/random.ts';
import type { ForkWorld } from './signal.ts';

export interface ForkWorldOptions {
  readonly record: EpisodeRecord;
  readonly environment: StateEnvironment;
  readonly planner: Planner;
  /** The policy that continues from a state; a planner that errs at times when left out. */
  readonly continueFrom?: ForkWorld['continueFrom'];
}

/** Plays an episode again. Every state is compared with its recorded digest before anything is said of it. */
export function createForkWorld({ record, environment, planner, continueFrom }: ForkWorldOptions): ForkWorld {
  const { head, tree } = record;
  const sessions = new Map<number, StateSession>();
  const at = (node: number): StateSession => {
    const known = sessions.get(node);
    if (known !== undefined) return known;
    const session = node === 0 ? environment.open(head.task) : at(tree.node(node).parent).fork();
    if (node !== 0) session.step(tree.node(node).action);
    const digest = session.digest();
    if (digest !== tree.digest(node)) throw new DivergenceError(node, tree.digest(node), digest);
    sessions.set(node, session);
    return session;
  };
  let verifier: Verifier | null = null;
  return {
    planner,
    get verifier() {
      return (verifier ??= environment.verifier(head.task));
    },
    at: node => at(node).fork(),
    continueFrom: continueFrom ?? createErringContinuation(planner),
  };
}

/** Share of the steps of the default continuation that are drawn at random. */
const errorShare = 0.2;

/** Takes the planner's next step, or at times any step on offer, until the episode ends or its steps are used up. */
function createErringContinuation(planner: Planner): ForkWorld['continueFrom'] {
  return (session: StateSession, random: Random) => {
    for (let step = 0; step < session.task.budget.steps && session.ended() === null; step++) {
      const offered = session.candidates();
      const planned = random.next() < errorShare && offered.length > 0 ? null : planner.nextAction(session);
      const action = planned ?? (offered.length === 0 ? null : random.pick(offered).action);
      if (action === null) break;
      session.step(action);
    }
    return session.verify().pass;
  };
}
