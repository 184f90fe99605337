import type { Action } from '../../core/action.ts';
import { after, type Awaitable, type Environment, type Session, type Snapshot } from '../../core/contracts.ts';
import { createDigest, type Digest } from '../../core/digest.ts';
import { EspalierError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Observation, StepOutcome, Task } from '../../core/records.ts';

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
  step(inner: Session, action: Action, memory: L): Awaitable<LayerStep<L>>;
  observe?(inner: Session, memory: L): Awaitable<Observation>;
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

export function wrapEnvironment<L>(environment: Environment, layerOf: (task: Task) => Layer<L>): Environment {
  const digest = createDigest();
  const { id, title, templates, tools, certification, lightForks } = environment;
  return {
    id,
    title,
    templates,
    tools,
    // The memory of a layer is an immutable value as well.
    ...(certification === undefined ? {} : { certification }),
    ...(lightForks === undefined ? {} : { lightForks }),
    task: (template, seed) => environment.task(template, seed),
    close: () => environment.close?.(),
    open: task =>
      after(environment.open(task), inner => {
        const layer = layerOf(task);
        return wrapSession(inner, layer, { memory: layer.start, digest });
      }),
  };
}

interface Position<L> {
  readonly memory: L;
  readonly digest: Digest;
}

function wrapSession<L>(inner: Session, layer: Layer<L>, { memory: start, digest }: Position<L>): Session {
  let memory = start;
  // Whoever wraps a session may wait for it, so programs need not block this thread.
  const acting: Session = inner.background === undefined ? inner : { ...inner, ...inner.background };
  const snapshot = inner.snapshot?.bind(inner);
  const restore = inner.restore?.bind(inner);
  const fork = inner.fork?.bind(inner);
  const candidates = inner.candidates?.bind(inner);
  const ended = inner.ended?.bind(inner);
  const isOver = (): boolean => layer.isOver?.(memory) === true;
  const owner = `layer of ${inner.task.id}`;
  const reinstate = (given: Snapshot): Awaitable<void> => {
    const { inner: below, memory: then, layer: own } = (given ?? {}) as LayerSnapshot<L>;
    if (own !== layer || restore === undefined) throw foreign(owner, given?.owner);
    return after(restore(below), () => {
      memory = then;
    });
  };
  return {
    task: layer.retell?.(inner.task) ?? inner.task,
    observe: () => layer.observe?.(inner, memory) ?? inner.observe(),
    step: action =>
      after(layer.step(acting, action, memory), ({ outcome, next }) => {
        memory = next;
        return outcome;
      }),
    digest: () =>
      after(inner.digest(), below => (layer.visible ? digest({ below, own: layer.visible(memory) }) : below)),
    verify: () => acting.verify(),
    close: () => inner.close(),
    ...(candidates === undefined ? {} : { candidates: () => (isOver() ? [] : candidates()) }),
    ...(ended === undefined
      ? {}
      : { ended: () => after(ended(), end => end ?? (isOver() ? ('truncated' as const) : null)) }),
    ...(snapshot === undefined
      ? {}
      : { snapshot: () => after(snapshot(), below => ({ owner, layer, inner: below, memory }) as Snapshot) }),
    ...(restore === undefined ? {} : { restore: reinstate }),
    ...(fork === undefined
      ? {}
      : { fork: options => after(fork(options), forked => wrapSession(forked, layer, { memory, digest })) }),
  };
}

function foreign(owner: string, given: unknown): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'foreign-snapshot',
    message: `A snapshot of "${String(given)}" was given to "${owner}".`,
    expected: 'Restore a snapshot in the session that took it, or in a fork of it.',
  });
}
