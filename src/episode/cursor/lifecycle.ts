import { isBrowserAction } from '../../core/action.ts';
import type { Clock, Timers } from '../../core/clock.ts';
import type { Environment, Session } from '../../core/contracts.ts';
import type { Counts, EpisodeEnd, EpisodeEvent } from '../../core/episode/events.ts';
import type { EpisodeLog } from '../../core/episode/journal.ts';
import type { Opener, Trail, TrailOptions } from '../../core/episode/trail.ts';
import type { Task } from '../../core/records.ts';
import type { Tree, TreeNode } from '../../core/tree.ts';
import { createBudget, limitsFor, type Budget, type Limits } from './budget.ts';
import {
  createCursor,
  restoreCursors,
  type Cursor,
  type CursorOptions,
  type RestoredCursors,
  type RestoreRequest,
} from './cursor.ts';
import { blame, createGuard, type Guard, type GuardOptions } from './deadline.ts';
import type { EpisodeResult } from './result.ts';
import { readRecordedEpisode, replayTree, treeOf, type RecordedEpisode } from './resume.ts';
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
  /** Opens the task again, takes the recorded steps in it, and gives back the cursors that are to go on. */
  resume(recorded: RecordedEpisode, request: RestoreRequest): Promise<RestoredCursors>;
  /** Reads what was recorded. The log has these events already. */
  record(events: readonly EpisodeEvent[]): RecordedEpisode;
  /** Closes the session of one cursor and forgets its snapshots; the others go on. */
  drop(cursor: Cursor): Promise<void>;
  /** Closes every session. */
  close(): Promise<void>;
  /** Writes the end, with what was counted. */
  end(result: EpisodeResult, leaf: number): EpisodeEnd;
}

export function createLifecycle(options: LifecycleOptions): Lifecycle {
  const { environment, task, log, limits, clock, timers, signal, showsScreen = true } = options;
  const budget = createBudget(limitsFor(task, limits), clock);
  const guard = createGuard({ budget, timers, signal, onAsk: options.onAsk });
  const trails = createOpenTrails();
  let [tree, isByHand]: [Tree | null, boolean] = [null, false];
  const isReplayed = (): boolean => environment.certification !== 'by-construction' || isByHand;
  const follow = (event: EpisodeEvent): void => {
    isByHand ||= isDoneByHand(event);
    options.onEvent?.(event);
  };
  const append = (event: EpisodeEvent): void => {
    log.append(event);
    follow(event);
  };
  const open = async (): Promise<Trail> => {
    const trail = await openTrail(options, guard);
    trails.add(trail);
    return trail;
  };
  const record = (events: readonly EpisodeEvent[]): RecordedEpisode => {
    const recorded = readRecordedEpisode(task.id, events);
    for (const event of events) follow(event);
    budget.restore(recorded.counts);
    tree = treeOf(recorded);
    return recorded;
  };
  const cursorOptions = (trail: Trail): CursorOptions => {
    const parts = { environment, trail, world: worldParty(task.id), budget, append, attach: log.attach };
    return { ...parts, recordsLastScreen: () => showsScreen && isReplayed(), onFork: trails.add };
  };
  return {
    budget,
    guard,
    append,
    attach: log.attach,
    async open() {
      const trail = await open();
      tree = trail.tree;
      append({ kind: 'open', root: trail.tree.root });
      return createCursor(cursorOptions(trail));
    },
    async resume(recorded, request) {
      const trail = await open();
      await replayTree(trail, recorded);
      tree = trail.tree;
      return restoreCursors(cursorOptions(trail), recorded, request);
    },
    record,
    drop: trails.drop,
    close: trails.close,
    end(result, leaf) {
      const certification = isReplayed() ? 'by-replay' : 'by-construction';
      const counts = countsOf(budget, tree?.path(leaf) ?? []);
      const end: EpisodeEnd = { ...result, leaf, certification, counts, milliseconds: budget.millisecondsUsed() };
      log.end(end);
      return end;
    },
  };
}

interface OpenTrails extends Pick<Lifecycle, 'drop' | 'close'> {
  add(trail: Trail): void;
}

/** The trails whose sessions have to be closed. */
function createOpenTrails(): OpenTrails {
  const trails = new Set<Trail>();
  return {
    add: trail => void trails.add(trail),
    async drop(cursor) {
      trails.delete(cursor.trail);
      await closeQuietly(cursor);
    },
    async close() {
      const sessions = [...trails].map(trail => trail.session());
      trails.clear();
      await Promise.all(sessions.map(closeQuietly));
    },
  };
}

async function openTrail(
  { environment, task, createTrail, distrust = null }: LifecycleOptions,
  guard: Guard,
): Promise<Trail> {
  const watched = watchWorld(environment, guard);
  return createTrail(watched, task, distrust === null ? {} : { distrust }).catch((cause: unknown) => {
    throw blame(cause, worldParty(task.id));
  });
}

/** What a pointer or a key does depends on the page that is drawn, also where the state behind it is ours. */
function isDoneByHand(event: EpisodeEvent): boolean {
  return event.kind === 'step' && event.node.outcome.applied && isBrowserAction(event.node.action);
}

function countsOf(budget: Pick<Budget, 'counts'>, path: readonly TreeNode[]): Counts {
  const taught = path.filter(({ actor }) => actor.role === 'teacher').length;
  return { ...budget.counts(path.length), ...(taught === 0 ? {} : { taught }) };
}
