import type { Action } from '../../core/action.ts';
import { after, type Awaitable, type Environment, type Session, type Snapshot } from '../../core/contracts.ts';
import { createDigest, type Digest } from '../../core/digest.ts';
import { EspalierError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Observation, StepOutcome, Task } from '../../core/records.ts';
import { wrapEnvironment } from '../../core/wrap-environment.ts';
import { withRole, wrapSession } from '../../core/wrap-session.ts';

/** What a layer acts in. */
export type Acting = Pick<Session, 'observe' | 'step'>;

export interface LayerStep<L> {
  readonly outcome: StepOutcome;
  readonly next: L;
}

/**
 * What a wrapper adds to a session. Its own memory is an immutable value, so that snapshots, forks and digests of a
 * wrapped session cover it like the state inside.
 */
export interface Layer<L> {
  readonly start: L;
  step(inner: Acting, action: Action, memory: L): Awaitable<LayerStep<L>>;
  observe?(inner: Pick<Session, 'observe'>, memory: L): Awaitable<Observation>;
  /** The part of the memory that observations depend on: it belongs to the digest. Counters of attempts do not. */
  visible?(memory: L): JsonObject;
  /** The task as the agent is told it. */
  retell?(task: Task): Task;
  /** Whether the layer lets no action through any more. */
  isOver?(memory: L): boolean;
}

interface LayerSnapshot<L> extends Snapshot {
  readonly layer: Layer<L>;
  readonly inner: Snapshot;
  readonly memory: L;
}

/** The environment behind a layer. It shows no state: what a planner tries there would meet the faults that the layer makes. */
export function withLayer<L>(environment: Environment, layerOf: (task: Task) => Layer<L>): Environment {
  const digest = createDigest();
  return wrapEnvironment(environment, {
    opened(session, task) {
      const layer = layerOf(task);
      return layered(session, layer, { memory: layer.start, digest });
    },
  });
}

interface Position<L> {
  readonly memory: L;
  readonly digest: Digest;
}

function layered<L>(inner: Session, layer: Layer<L>, { memory: start, digest }: Position<L>): Session {
  let memory = start;
  const owner = `layer of ${inner.task.id}`;
  const isOver = (): boolean => layer.isOver?.(memory) === true;
  return wrapSession(inner, {
    task: task => layer.retell?.(task) ?? task,
    observe: look => () => layer.observe?.(inner, memory) ?? look(),
    step: take => {
      const acting = { observe: () => inner.observe(), step: take };
      return action =>
        after(layer.step(acting, action, memory), ({ outcome, next }) => {
          memory = next;
          return outcome.role === undefined ? withRole(inner, outcome) : outcome;
        });
    },
    digest: ask => () => after(ask(), below => (layer.visible ? digest({ below, own: layer.visible(memory) }) : below)),
    candidates: list => () => (isOver() ? [] : list()),
    ended: ask => () => after(ask(), end => end ?? (isOver() ? ('truncated' as const) : null)),
    snapshot: take => () => after(take(), below => ({ owner, layer, inner: below, memory }) as Snapshot),
    restore: put => given => {
      const { inner: below, memory: then, layer: own } = (given ?? {}) as LayerSnapshot<L>;
      if (own !== layer) throw foreign(owner, given?.owner);
      return after(put(below), () => {
        memory = then;
      });
    },
    forked: fork => layered(fork, layer, { memory, digest }),
  });
}

function foreign(owner: string, given: unknown): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'foreign-snapshot',
    message: `A snapshot of "${String(given)}" was given to "${owner}".`,
    expected: 'Restore a snapshot in the session that took it, or in a fork of it.',
  });
}
