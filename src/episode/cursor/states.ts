import { isStateSession, type StateSession } from '../../core/contracts.ts';
import type { Trail } from '../../core/episode/trail.ts';
import { EspalierError } from '../../core/errors.ts';
import type { Guard } from './deadline.ts';
import { watchState } from './watched-world.ts';

/** The states of an episode, for agents that may see them. Kept as forks: each is a pointer. */
export interface States {
  /** Keeps the state that the trail stands in. */
  keep(node: number): Promise<void>;
  /** A session in the state after this node, the caller's to spoil. */
  fork(node: number): StateSession;
  /** The same states, to which another trail of the same tree adds. */
  on(trail: Trail): States;
}

export interface StatesOptions {
  /** Whether somebody may look. Nothing is kept otherwise. */
  readonly wanted: boolean;
  readonly guard: Guard;
}

export async function createStates(trail: Trail, { wanted, guard }: StatesOptions): Promise<States> {
  const states = statesOn(trail, { wanted, guard }, new Map());
  await states.keep(0);
  return states;
}

function statesOn(trail: Trail, options: StatesOptions, kept: Map<number, StateSession>): States {
  const { wanted, guard } = options;
  const keep = async (node: number): Promise<void> => {
    if (!wanted) return;
    const forked = await trail.session().fork?.();
    if (forked === undefined || !isStateSession(forked)) {
      await forked?.close();
      throw noStates(trail.session().task.id);
    }
    kept.set(node, forked);
  };
  return {
    keep,
    on: other => statesOn(other, options, kept),
    fork(node) {
      const state = kept.get(node);
      if (state === undefined) throw noStates(trail.session().task.id);
      return watchState(state.fork(), guard);
    },
  };
}

function noStates(task: string): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'unsupported',
    message: `An agent of this episode reads the state of the app, such as the planner does, and task ${task} does not show it.`,
    expected:
      'Expected an app made with defineApp, or agents that go by the screen: a trained student, a model, a person.',
  });
}
