import { isBrowserAction } from '../core/action.ts';
import type { Clock, Timers } from '../core/clock.ts';
import type { Environment, Session } from '../core/contracts.ts';
import type { EpisodeEnd, EpisodeEvent } from '../core/episode/events.ts';
import type { EpisodeLog } from '../core/episode/journal.ts';
import type { Opener, Trail, TrailOptions } from '../core/episode/trail.ts';
import type { Task } from '../core/records.ts';
import type { Tree } from '../core/tree.ts';
import { createBudget, limitsFor, type Budget, type Limits } from './budget.ts';
import { createCursor, type Cursor } from './cursor.ts';
import { blame, createGuard, type Guard, type GuardOptions } from './deadline.ts';
import type { EpisodeResult } from './result.ts';
import { closeQuietly, watchWorld, worldParty } from './watched-world.ts';

export type CreateTrail = (environment: Opener<Session>, task: Task, options?: TrailOptions) => Promise<Trail>;

export interface LifecycleOptions extends Pick<GuardOptions, 'onAsk'> {
  readonly environment: Environment;
  readonly task: Task;
  readonly log: EpisodeLog;
  readonly limits?: Partial<Limits> | undefined;
  readonly clock: Clock;
  readonly timers: Timers;
  /** When it is raised, nothing is waited for any more. */
  readonly signal: AbortSignal;
  readonly createTrail: CreateTrail;
  /** Why no snapshot may be restored; null when they may. */
  readonly distrust?: string | null | undefined;
  /** False when agents act on what they are told, and not on screens. */
  readonly showsScreen?: boolean | undefined;
  /** Told of every event once it is in the journal. */
  onEvent?(event: EpisodeEvent): void;
}

/** An episode from its first event to its end. Whoever drives it opens it, closes it, and says how it ended. */
export interface Lifecycle extends Pick<EpisodeLog, 'append' | 'attach'> {
  readonly budget: Budget;
  /** Puts a deadline on every answer of an agent. */
  readonly guard: Guard;
  /** Opens the task. The first event says which state it starts in. */
  open(): Promise<Cursor>;
  /** Closes every session. */
  close(): Promise<void>;
  /** Writes the end, with what was counted. */
  end(result: EpisodeResult, leaf: number): EpisodeEnd;
}

export function createLifecycle(options: LifecycleOptions): Lifecycle {
  const {
    environment,
    task,
    log,
    limits,
    clock,
    timers,
    signal,
    createTrail,
    distrust = null,
    showsScreen = true,
  } = options;
  const budget = createBudget(limitsFor(task, limits), clock);
  const guard = createGuard({ budget, timers, signal, onAsk: options.onAsk });
  const world = worldParty(task.id);
  const trails: Trail[] = [];
  let tree: Tree | null = null;
  let isByHand = false;
  const isReplayed = (): boolean => environment.certification !== 'by-construction' || isByHand;
  const append = (event: EpisodeEvent): void => {
    log.append(event);
    isByHand ||= isDoneByHand(event);
    options.onEvent?.(event);
  };
  const onFork = (trail: Trail): void => void trails.push(trail);
  return {
    budget,
    guard,
    append,
    attach: log.attach,
    async open() {
      const watched = watchWorld(environment, guard);
      const trail = await createTrail(watched, task, distrust === null ? {} : { distrust }).catch((cause: unknown) => {
        throw blame(cause, world);
      });
      trails.push(trail);
      tree = trail.tree;
      append({ kind: 'open', root: tree.root });
      const parts = { environment, trail, world, budget, append, attach: log.attach };
      return createCursor({ ...parts, recordsLastScreen: () => showsScreen && isReplayed(), onFork });
    },
    async close() {
      await Promise.all(trails.splice(0).map(trail => closeQuietly(trail.session())));
    },
    end(result, leaf) {
      const certification = isReplayed() ? 'by-replay' : 'by-construction';
      const steps = tree?.path(leaf).length ?? 0;
      const measured = { counts: budget.counts(steps), milliseconds: budget.millisecondsUsed() };
      const end: EpisodeEnd = { ...result, leaf, certification, ...measured };
      log.end(end);
      return end;
    },
  };
}

/** What a pointer or a key does depends on the page that is drawn, also where the state behind it is ours. */
function isDoneByHand(event: EpisodeEvent): boolean {
  return event.kind === 'step' && event.node.outcome.applied && isBrowserAction(event.node.action);
}
