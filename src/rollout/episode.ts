import type { Action } from '../core/action.ts';
import type { Environment } from '../core/contracts.ts';
import type { Decision, Policy, Teacher } from '../core/episode/agents.ts';
import { createCallWriter } from '../core/episode/call-log.ts';
import type { EpisodeEvent } from '../core/episode/events.ts';
import type { EpisodeLog } from '../core/episode/journal.ts';
import { targetOf } from '../core/episode/target.ts';
import type { Trail } from '../core/episode/trail.ts';
import { describeStep } from '../core/episode/view.ts';
import type { Random } from '../core/random.ts';
import type { Observation, Verdict } from '../core/records.ts';
import type { Actor, Tree, TreeNode } from '../core/tree.ts';
import { BudgetError, type Budget, type Resource } from './budget.ts';
import { blame, type Guard, type Responder } from './deadline.ts';
import { createCursor, type Cursor, type ReviewRequest } from './cursor.ts';
import { createQuestions, type Questions, type Usable } from './questions.ts';
import { createStates, type States } from './states.ts';
import { verdictOn } from './verdict.ts';

/** What a reviewer decided about a branch. */
export type Ruling =
  | { readonly accept: true }
  | { readonly accept: false; readonly at: TreeNode; readonly reason: string };

export interface CorrectionOptions {
  readonly reason: string;
  /** The step that was rejected here; null when the student had none to offer. */
  readonly replaces: TreeNode | null;
}

export type Leaf = Omit<Extract<EpisodeEvent, { kind: 'leaf' }>, 'kind' | 'node' | 'screen'>;

/**
 * What a strategy can do in an episode. Every verb is budgeted; what came of it is in the journal before the strategy
 * hears of it; whatever breaks is thrown as an error that names its boundary.
 */
export interface Episode {
  readonly tree: Tree;
  /** The node it stands at. */
  at(): number;
  /** How the step to here ended the episode, if it did. */
  ended(): 'terminated' | 'truncated' | null;
  left(resource: Resource): number;
  look(): Promise<Observation>;
  /** Asks the student; an action of null is an answer that is no use. */
  act(): Promise<Decision>;
  /** Takes a step that the student decided on. */
  step(decision: Usable): Promise<TreeNode>;
  /** Asks the teacher about the steps of a branch that ends where the episode stands. */
  review(branch: readonly TreeNode[], request: ReviewRequest): Promise<Ruling>;
  /** Leaves out the review of a branch, and says so in the journal. */
  skipReview(branch: readonly TreeNode[]): void;
  /** Asks the teacher for a step from here, and takes it: an intervention. Null when the teacher knows none. */
  correct(request: CorrectionOptions): Promise<TreeNode | null>;
  /** Goes back to the recorded state of a node, restored or replayed, and compared; or throws. */
  rollback(node: number): Promise<void>;
  /** What the verifier says of where it stands. Who has not finished has not passed. */
  verify(): Promise<Verdict>;
  /** Counts a branch that lives on after its rejection: a fork of this cursor. */
  countBranch(): void;
  /**
   * Another cursor in the same tree, where this one stands, with a session of its own: forked where the environment can,
   * else opened anew and walked to here. It can be forked again. Let cursors take turns: the tree is the same again then.
   */
  fork(): Promise<Episode>;
  /** Closes the session of this cursor. What is still open is closed when the episode ends. */
  close(): Promise<void>;
  /** Records where it stands as a verified end of the tree. */
  leaf(leaf: Leaf): void;
}

export interface EpisodeOptions extends Pick<EpisodeLog, 'append' | 'attach'> {
  readonly environment: Environment;
  readonly student: Policy;
  readonly teacher: Teacher | null;
  readonly trail: Trail;
  /** Whom to blame for a trail that breaks. */
  readonly world: Responder;
  readonly guard: Guard;
  readonly budget: Budget;
  readonly random: Random;
  /** Whether leaves of this episode are certified by replay, as far as is known. */
  isReplayed(): boolean;
  /** Takes a session that somebody has to close. */
  onFork(trail: Trail): void;
}

type ShotParts = Pick<Extract<EpisodeEvent, { kind: 'step' }>, 'image' | 'target'>;

/** How what agents do is signed. */
type Actors = Readonly<Record<'student' | 'teacher', Actor>>;

/** What the verbs of one episode share. */
interface Workings extends EpisodeOptions {
  readonly actors: Actors;
  readonly cursor: Cursor;
  readonly states: States;
  readonly questions: Questions;
}

export async function createEpisode(options: EpisodeOptions): Promise<Episode> {
  const { student, teacher, trail, environment } = options;
  const cursor = createCursor({ trail, environment });
  const states = await createStates(trail, student.privileged === true || teacher?.privileged === true);
  return createEpisodeAt(options, { cursor, states, next: createCount() });
}

/** Where a cursor stands, and what all of them share. */
interface Standing {
  readonly cursor: Cursor;
  readonly states: States;
  /** Numbers the cursors of the episode. */
  next(): number;
}

function createCount(): () => number {
  let count = 0;
  return () => ++count;
}

function createEpisodeAt(options: EpisodeOptions, { cursor, states, next }: Standing): Episode {
  const { trail, budget } = options;
  const actors = actorsOf(options);
  const writeCall = createCallWriter(options.attach);
  const questions = createQuestions({
    ...options,
    record: (by, call) => options.append(writeCall(call, { by: actors[by], at: cursor.at() })),
  });
  const workings: Workings = { ...options, actors, cursor, states, questions };
  return {
    tree: trail.tree,
    at: cursor.at,
    ended: cursor.ended,
    look: cursor.look,
    left: resource => (resource === 'steps' ? budget.limits.steps - cursor.depth() : budget.left(resource)),
    ...movingVerbs(workings),
    ...teachingVerbs(workings),
    ...endingVerbs(workings),
    fork: () => forkEpisode(options, { cursor, states, next }),
    close: async () => {
      await trail.session().close();
    },
  };
}

async function forkEpisode(options: EpisodeOptions, { cursor, states, next }: Standing): Promise<Episode> {
  const { budget, random, world, append } = options;
  budget.require('forks');
  budget.count('forks');
  const number = next();
  const { trail, method } = await options.trail.fork().catch((cause: unknown) => {
    throw blame(cause, world);
  });
  options.onFork(trail);
  append({ kind: 'fork', at: cursor.at(), cursor: number, method });
  // Its own stream of chance: what another cursor is asked in between makes no difference.
  const own: EpisodeOptions = { ...options, trail, random: random.fork(`cursor ${number}`) };
  return createEpisodeAt(own, { cursor: cursor.fork(trail), states: states.on(trail), next });
}

function actorsOf({ student, teacher }: EpisodeOptions): Actors {
  return {
    // A privileged policy shows how it is done: its steps are never taken for a student's.
    student: { role: student.privileged ? 'teacher' : 'student', name: student.name },
    teacher: { role: 'teacher', name: teacher?.name ?? '' },
  };
}

function movingVerbs(workings: Workings): Pick<Episode, 'act' | 'step' | 'rollback'> {
  const { actors, trail, world, budget, cursor, states, questions, append } = workings;
  return {
    act: async () => questions.act(await cursor.view(), () => states.fork(cursor.at())),
    step: decision => takeStep(workings, decision, actors.student),
    async rollback(to) {
      const from = cursor.at();
      const { method, digest, divergence } = await trail.rollback(to).catch((cause: unknown) => {
        throw blame(cause, world);
      });
      budget.count('rollbacks');
      append({ kind: 'rollback', from, to, method, digest, ...(divergence === null ? {} : { divergence }) });
      cursor.settle(to);
    },
  };
}

async function takeStep(workings: Workings, decision: Usable, actor: Actor): Promise<TreeNode> {
  const { trail, world, budget, cursor, states, append } = workings;
  if (cursor.depth() >= budget.limits.steps) throw new BudgetError('steps', budget.limits.steps);
  const { action, ...remarks } = decision;
  const seen = await cursor.look();
  const screen = seen.text;
  const node = await trail.step(action, actor, remarks).catch((cause: unknown) => {
    throw blame(cause, world);
  });
  const text = describeStep(action, screen, node.outcome.problem?.message);
  budget.count('taken');
  append({ kind: 'step', node, screen, text, ...attachShot(workings, action, seen) });
  cursor.advance(node.id, { screen, text, image: seen.image });
  await states.keep(node.id);
  return node;
}

/** What the event of a step says of the picture that it was taken on. */
function attachShot({ attach }: Workings, action: Action, { image, layout }: Observation): ShotParts {
  if (image === undefined) return {};
  const { data, ...kind } = image;
  const target = targetOf(action, layout);
  return { image: { ...kind, hash: attach(data) }, ...(target === null ? {} : { target }) };
}

function teachingVerbs(workings: Workings): Pick<Episode, 'review' | 'skipReview' | 'correct'> {
  const { actors, budget, cursor, states, questions, append } = workings;
  const by = actors.teacher;
  return {
    async review(branch, request) {
      budget.require('reviews');
      const nodes = branch.map(({ id }) => id);
      const places = [branch[0]?.parent ?? cursor.at(), ...nodes];
      const { answer, retries } = await questions.review(await cursor.segment(branch, request), {
        at: index => states.fork(places[index] ?? -1),
      });
      const rejected = answer.accept ? undefined : branch[answer.at];
      const reason = answer.accept ? null : answer.reason;
      budget.count('reviews');
      budget.count('shown', nodes.length);
      const ruling = { accept: answer.accept, at: rejected?.id ?? null, reason, retries };
      append({ kind: 'review', nodes, by, ...ruling, ...remarksOn(ruling.accept, request) });
      return rejected === undefined ? { accept: true } : { accept: false, at: rejected, reason: reason ?? '' };
    },
    skipReview(branch) {
      budget.count('skipped');
      append({ kind: 'skip', nodes: branch.map(({ id }) => id) });
    },
    async correct({ reason, replaces }) {
      budget.require('interventions');
      const correctionRequest = { view: await cursor.view(), reason, rejected: replaces?.action ?? null };
      const correction = await questions.correct(correctionRequest, () => states.fork(cursor.at()));
      if (correction === null) return null;
      const node = await takeStep(workings, correction, by);
      budget.count('corrections');
      budget.count('interventions');
      append({ kind: 'correction', node: node.id, replaces: replaces?.id ?? null, reason });
      return node;
    },
  };
}

function remarksOn(
  accept: boolean,
  { verdict, audit = false }: ReviewRequest,
): Pick<Extract<EpisodeEvent, { kind: 'review' }>, 'overruled' | 'audit'> {
  return {
    ...(!accept && verdict?.pass === true ? { overruled: true } : {}),
    ...(audit ? { audit: true } : {}),
  };
}

function endingVerbs(workings: Workings): Pick<Episode, 'verify' | 'countBranch' | 'leaf'> {
  const { trail, budget, cursor, append, isReplayed } = workings;
  /** The screen that the verifier was asked on, by node. */
  const screens = new Map<number, string>();
  return {
    async verify() {
      // A replay is held against the last screen as well.
      if (isReplayed()) screens.set(cursor.at(), (await cursor.look()).text);
      return verdictOn(await trail.session().verify(), cursor.ended() === 'terminated');
    },
    countBranch() {
      budget.require('forks');
      budget.count('forks');
    },
    leaf(leaf) {
      budget.require('leaves');
      budget.count('leaves');
      const screen = screens.get(cursor.at());
      append({ kind: 'leaf', node: cursor.at(), ...leaf, ...(screen === undefined ? {} : { screen }) });
    },
  };
}
