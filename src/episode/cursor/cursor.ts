import type { Action } from '../../core/action.ts';
import type { Environment, SessionEnd } from '../../core/contracts.ts';
import type { Segment } from '../../core/episode/agents.ts';
import type { EpisodeEvent } from '../../core/episode/events.ts';
import type { EpisodeLog } from '../../core/episode/journal.ts';
import { targetOf } from '../../core/episode/target.ts';
import type { Remarks, Rollback, Trail } from '../../core/episode/trail.ts';
import { describeStep, type View } from '../../core/episode/view.ts';
import { DivergenceError } from '../../core/errors.ts';
import type { Observation, Verdict } from '../../core/records.ts';
import type { Actor, Tree, TreeNode } from '../../core/tree.ts';
import { BudgetError, type Budget, type Resource } from './budget.ts';
import { blame, type Responder } from './deadline.ts';
import { createPathView, type PathView, type ReviewRequest, type TakenStep } from './path-view.ts';
import type { RecordedEpisode } from './resume.ts';
import { verdictOn } from './verdict.ts';

/** An action to take, and what its actor said about it. */
export type PlannedStep = Remarks & { readonly action: Action };

interface StepBy {
  readonly actor: Actor;
  /** What the actor saw instead of the screen: the answer to its last tool call, say. */
  readonly seen?: string | undefined;
  /** The request of a client that asks for it. */
  readonly request?: string | undefined;
}

/** What was seen at a leaf: its screen, and a picture of it or what moves in it. */
type LastScreen = Pick<Extract<EpisodeEvent, { kind: 'leaf' }>, 'screen' | 'picture' | 'moving'>;

export type Leaf = Omit<Extract<EpisodeEvent, { kind: 'leaf' }>, 'kind' | 'node' | keyof LastScreen>;

/**
 * A position in the tree of an episode, with a session of its own. Every verb is budgeted and is in the journal before
 * its caller hears of it. What breaks is thrown as an error that names its boundary.
 */
export interface Cursor {
  readonly tree: Tree;
  readonly trail: Trail;
  /** 0 for the cursor that the episode begins with; forks count from 1. */
  readonly number: number;
  /** The node it stands at. */
  at(): number;
  /** How the step to here ended the episode; null if it did not. */
  ended(): SessionEnd | null;
  left(resource: Resource): number;
  observe(): Promise<Observation>;
  /** What an agent sees here. */
  view(): Promise<Omit<View, 'random'>>;
  /** What a reviewer of a branch that ends here sees. */
  segment(branch: readonly TreeNode[], request: ReviewRequest): Promise<Omit<Segment, 'random'>>;
  step(step: PlannedStep, by: StepBy): Promise<TreeNode>;
  /** The steps to here that this request took, when it took the last ones. */
  takenFor(request: string): readonly TakenStep[];
  /** The request that took the last step to here; null when the client named none. */
  lastRequest(): string | null;
  /** Goes back to the recorded state of a node, restored or replayed, and compared. */
  rollback(node: number): Promise<Rollback>;
  /** Another cursor at the same node: forked where the environment can, else replayed. */
  fork(): Promise<Cursor>;
  /** The verdict here. An agent that has not finished has not passed. */
  verify(): Promise<Verdict>;
  /** Records this node as a verified end of the tree. */
  leaf(leaf: Leaf): void;
  close(): Promise<void>;
}

export interface CursorOptions extends Pick<EpisodeLog, 'append' | 'attach'> {
  readonly environment: Pick<Environment, 'tools' | 'hasScreen'>;
  readonly trail: Trail;
  /** Who is to blame when the trail breaks. */
  readonly world: Responder;
  readonly budget: Budget;
  /** Whether leaves keep their screen: a replay is compared with it. */
  recordsLastScreen(): boolean;
  /** Takes the trail of each fork, to close it when the episode ends. */
  onFork(trail: Trail): void;
}

export function createCursor(options: CursorOptions): Cursor {
  let count = 0;
  const next = (): number => ++count;
  return cursorAt(options, { view: createPathView(options), number: 0, next });
}

export interface RestoreRequest {
  /** The cursors to go on with: the record has a place for each of them. */
  readonly open: ReadonlySet<number>;
  /** The highest number that was ever given out, also where the record lost it. */
  readonly lastNumber: number;
}

export interface RestoredCursors {
  readonly cursors: ReadonlyMap<number, Cursor>;
  /** Cursors whose path leads to another state now. */
  readonly diverged: ReadonlyMap<number, DivergenceError>;
}

/** Cursors where the record has them, in a trail that has the recorded tree. New ones get numbers that none had before. */
export async function restoreCursors(
  options: CursorOptions,
  { lines, positions }: Pick<RecordedEpisode, 'lines' | 'positions'>,
  { open, lastNumber }: RestoreRequest,
): Promise<RestoredCursors> {
  let count = [...positions.keys()].reduce((most, number) => Math.max(most, number), lastNumber);
  const next = (): number => ++count;
  const cursors = new Map<number, Cursor>();
  const diverged = new Map<number, DivergenceError>();
  const restore = async (number: number): Promise<void> => {
    const node = positions.get(number);
    if (node === undefined) throw new Error(`Cursor ${number} is not in the record.`);
    await options.trail.rollback(node);
    const trail = number === 0 ? options.trail : (await options.trail.fork()).trail;
    if (number !== 0) options.onFork(trail);
    const view = createPathView({ trail, environment: options.environment, lines });
    cursors.set(number, cursorAt({ ...options, trail }, { view, number, next }));
  };
  // The first one comes last: the others are forked from its trail.
  for (const number of [...open].toSorted((one, other) => other - one)) {
    try {
      await restore(number);
    } catch (cause) {
      if (!(cause instanceof DivergenceError)) throw cause;
      diverged.set(number, cause);
    }
  }
  return { cursors, diverged };
}

/** Where a cursor stands, and the numbers that all cursors of an episode share. */
interface Place {
  readonly view: PathView;
  readonly number: number;
  next(): number;
}

function cursorAt(options: CursorOptions, { view, number, next }: Place): Cursor {
  const { trail, budget } = options;
  return {
    tree: trail.tree,
    trail,
    number,
    at: view.at,
    ended: view.ended,
    left: resource => (resource === 'steps' ? stepsLeft(budget, view) : budget.left(resource)),
    observe: view.look,
    view: view.view,
    segment: view.segment,
    takenFor: view.takenFor,
    lastRequest: view.lastRequest,
    ...movingVerbs(options, view, number),
    ...endingVerbs(options, view),
    fork: () => forkCursor(options, { view, number: next(), next }),
    close: async () => {
      await trail.session().close();
    },
  };
}

/** What may still be taken from here on: no path is too long, and all steps together are not too many. */
function stepsLeft(budget: Budget, view: PathView): number {
  return Math.min(budget.limits.steps - view.depth(), budget.left('taken'));
}

function movingVerbs(options: CursorOptions, view: PathView, number: number): Pick<Cursor, 'step' | 'rollback'> {
  const { trail, world, budget, append } = options;
  const orBlame = (cause: unknown): never => {
    throw blame(cause, world);
  };
  return {
    async step({ action, ...remarks }, { actor, seen, request }) {
      if (view.depth() >= budget.limits.steps) throw new BudgetError('steps', budget.limits.steps);
      budget.require('taken');
      const observation = seen === undefined ? await view.look() : { text: seen };
      const screen = observation.text;
      const node = await trail.step(action, actor, remarks).catch(orBlame);
      const text = describeStep(action, screen, node.outcome.problem?.message);
      budget.count('taken');
      const by = { ...(number === 0 ? {} : { cursor: number }), ...(request === undefined ? {} : { request }) };
      append({ kind: 'step', node, ...by, screen, text, ...attachImage(options, action, observation) });
      view.advance(node.id, { screen, text, image: observation.image, request });
      return node;
    },
    async rollback(to) {
      const from = view.at();
      const rollback = await trail.rollback(to).catch(orBlame);
      const { method, digest, divergence } = rollback;
      budget.count('rollbacks');
      const cursor = number === 0 ? {} : { cursor: number };
      append({ kind: 'rollback', ...cursor, from, to, method, digest, ...(divergence === null ? {} : { divergence }) });
      view.settle(to);
      return rollback;
    },
  };
}

type ImageParts = Pick<Extract<EpisodeEvent, { kind: 'step' }>, 'image' | 'target'>;

/** What the event of a step says of the picture that it was taken on. */
function attachImage({ attach }: CursorOptions, action: Action, { image, layout }: Observation): ImageParts {
  if (image === undefined) return {};
  const { data, ...kind } = image;
  const target = targetOf(action, layout);
  return { image: { ...kind, hash: attach(data) }, ...(target === null ? {} : { target }) };
}

function endingVerbs(options: CursorOptions, view: PathView): Pick<Cursor, 'verify' | 'leaf'> {
  const { trail, budget, append, recordsLastScreen } = options;
  /** The screen that the verifier was asked on, by node. */
  const screens = new Map<number, LastScreen>();
  const lookAtEnd = async (): Promise<LastScreen> => {
    const { text: screen } = await view.look();
    return { screen, ...(await trail.session().appearance?.()) };
  };
  return {
    async verify() {
      if (recordsLastScreen()) screens.set(view.at(), await lookAtEnd());
      return verdictOn(await trail.session().verify(), view.ended() === 'terminated');
    },
    leaf(leaf) {
      budget.require('leaves');
      budget.count('leaves');
      append({ kind: 'leaf', node: view.at(), ...leaf, ...screens.get(view.at()) });
    },
  };
}

async function forkCursor(options: CursorOptions, { view, number, next }: Place): Promise<Cursor> {
  const { budget, world, append } = options;
  budget.require('forks');
  budget.count('forks');
  const { trail, method } = await options.trail.fork().catch((cause: unknown) => {
    throw blame(cause, world);
  });
  options.onFork(trail);
  append({ kind: 'fork', at: view.at(), cursor: number, method });
  return cursorAt({ ...options, trail }, { view: view.fork(trail), number, next });
}
