import type { Action } from '../../core/action.ts';
import {
  isSearching,
  type Decision,
  type OrdinaryPolicy,
  type Policy,
  type Teacher,
} from '../../core/episode/agents.ts';
import { createCallWriter } from '../../core/episode/call-log.ts';
import type { EpisodeEvent } from '../../core/episode/events.ts';
import type { EpisodeLog } from '../../core/episode/journal.ts';
import type { Random } from '../../core/random.ts';
import type { Observation, Verdict } from '../../core/records.ts';
import type { Semaphore } from '../../core/semaphore.ts';
import type { Actor, Tree, TreeNode } from '../../core/tree.ts';
import type { Budget, Resource } from '../cursor/budget.ts';
import type { Cursor, Leaf } from '../cursor/cursor.ts';
import type { Guard } from '../cursor/deadline.ts';
import type { ReviewRequest } from '../cursor/path-view.ts';
import type { Turns } from '../cursor/turns.ts';
import { withForks, type SessionForks } from './session-forks.ts';
import { createStates, type States } from '../cursor/states.ts';
import { createQuestionOrder, type QuestionOrder } from './question-order.ts';
import { createQuestions, type Forks, type Questions, type Usable } from './questions.ts';

/** What a reviewer decided about a branch. */
type Ruling = { readonly accept: true } | { readonly accept: false; readonly at: TreeNode; readonly reason: string };

interface CorrectionOptions {
  readonly reason: string;
  /** The step that was rejected here; null when the student had none to offer. */
  readonly replaces: TreeNode | null;
}

/**
 * What a strategy can do in an episode. Every verb is budgeted; what came of it is in the journal before the strategy
 * hears of it; whatever breaks is thrown as an error that names its boundary.
 */
export interface Episode {
  readonly tree: Tree;
  /** What the student is told to do. */
  readonly instruction: string;
  /** The node it stands at. */
  at(): number;
  /** How the step to here ended the episode, if it did. */
  ended(): 'terminated' | 'truncated' | null;
  /** What it may still use; of steps, what may be taken from here on. */
  left(resource: Resource): number;
  look(): Promise<Observation>;
  /** Keeps the screen here in the journal, for a state that no step is taken from. */
  keepScreen(): Promise<void>;
  /** Asks the student, with a hint behind its task where one is given; an action of null is an answer that is no use. */
  act(hint?: string): Promise<Decision>;
  /** Takes a step that the student decided on. */
  step(decision: Usable): Promise<TreeNode>;
  /** Takes a step that nobody decided on. It is signed as a teacher's, so that no row credits the student with it. */
  plant(action: Action, thought?: string): Promise<TreeNode>;
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
   * Whether forks may be asked at once: sessions fork at no cost, and the student can be asked in several attempts. Then
   * call `act` of several cursors together and step each in the same order: the tree does not depend on who answers first.
   */
  readonly asksAtOnce: boolean;
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
  readonly cursor: Cursor;
  readonly student: Policy;
  readonly teacher: Teacher | null;
  readonly guard: Guard;
  readonly budget: Budget;
  readonly random: Random;
  /** Whether sessions fork at no cost. */
  readonly lightForks: boolean;
  /** Bounds the questions of all episodes of a run; left out, nothing does. */
  readonly slots?: Semaphore | undefined;
  readonly turns?: Turns | undefined;
}

/** Options of one cursor: the order of questions is shared by all cursors of an episode. */
interface CursorEpisodeOptions extends EpisodeOptions {
  readonly order: QuestionOrder;
}

/** How what agents do is signed. */
type Actors = Readonly<Record<'student' | 'teacher', Actor>>;

/** What the verbs of one cursor share. */
interface Workings extends EpisodeOptions {
  readonly actors: Actors;
  readonly states: States;
  readonly questions: Questions;
}

/** Adds agents to a cursor: who acts, who reviews and who corrects. */
export async function createEpisode(options: EpisodeOptions): Promise<Episode> {
  const { cursor, guard, student, teacher } = options;
  const wanted = [student, teacher].some(agent => agent?.privileged === true && !isSearching(agent));
  const order = createQuestionOrder();
  return createEpisodeAt({ ...options, order }, await createStates(cursor.trail, { wanted, guard }));
}

function createEpisodeAt(options: CursorEpisodeOptions, states: States): Episode {
  const { cursor, budget, student } = options;
  const actors = actorsOf(options);
  const writeCall = createCallWriter(options.attach);
  const questions = createQuestions({
    ...options,
    record: (by, call) => options.append(writeCall(call, { by: actors[by], at: cursor.at(), cursor: cursor.number })),
  });
  const workings: Workings = { ...options, actors, states, questions };
  return {
    tree: cursor.tree,
    instruction: cursor.trail.session().task.instruction,
    asksAtOnce: options.lightForks && canFork(student),
    at: cursor.at,
    ended: cursor.ended,
    left: cursor.left,
    look: cursor.observe,
    async keepScreen() {
      options.append({ kind: 'look', node: cursor.at(), screen: (await cursor.observe()).text });
    },
    async act(hint) {
      budget.require('queries');
      budget.count('queries');
      const view = await cursor.view();
      const told = hint === undefined ? view : { ...view, instruction: `${view.instruction}\n\nHint: ${hint}` };
      const ask = (forks: SessionForks): Promise<Decision> => questions.act(told, forksHere(workings, forks));
      const decision = await withForks(cursor.trail, options.guard, ask);
      return hint === undefined ? decision : { ...decision, hint };
    },
    step: decision => takeStep(workings, decision, memberOf(decision) ?? actors.student),
    plant: (action, thought) =>
      takeStep(
        workings,
        { action, ...(thought === undefined ? {} : { thought }) },
        { role: 'teacher', name: 'planted' },
      ),
    ...teachingVerbs(workings),
    rollback: async node => {
      await cursor.rollback(node);
    },
    verify: cursor.verify,
    countBranch() {
      budget.require('forks');
      budget.count('forks');
    },
    async fork() {
      const forked = await cursor.fork();
      // Its own stream of chance: what another cursor is asked in between makes no difference.
      const random = options.random.fork(`cursor ${forked.number}`);
      const own = canFork(student) ? student.fork() : student;
      return createEpisodeAt({ ...options, cursor: forked, random, student: own }, states.on(forked.trail));
    },
    close: cursor.close,
    leaf: cursor.leaf,
  };
}

/** The state that a cursor stands in, for agents that may see it or try steps in it. */
function forksHere({ states, cursor }: Workings, forks: SessionForks): Forks {
  return { state: () => states.fork(cursor.at()), session: () => forks.at(cursor.at()) };
}

function canFork(student: Policy): student is OrdinaryPolicy & Required<Pick<OrdinaryPolicy, 'fork'>> {
  return student.privileged !== true && student.fork !== undefined;
}

function actorsOf({ student, teacher }: EpisodeOptions): Actors {
  return {
    // A privileged policy shows how it is done: its steps are never taken for a student's.
    student: { role: student.privileged ? 'teacher' : student.human ? 'human' : 'student', name: student.name },
    teacher: { role: 'teacher', name: teacher?.name ?? '' },
  };
}

/** Each member of a team signs with its own name. */
function memberOf({ member }: Usable): Actor | null {
  return member === undefined ? null : { role: member.privileged ? 'teacher' : 'student', name: member.name };
}

async function takeStep({ cursor, states }: Workings, decision: Usable, actor: Actor): Promise<TreeNode> {
  const { alternatives: _weighed, person: _person, member: _member, ...kept } = decision;
  const node = await cursor.step(kept, { actor });
  await states.keep(node.id);
  return node;
}

function teachingVerbs(workings: Workings): Pick<Episode, 'review' | 'skipReview' | 'correct'> {
  const { actors, budget, cursor, states, questions, append } = workings;
  const by = actors.teacher;
  return {
    async review(branch, request) {
      budget.require('reviews');
      const nodes = branch.map(({ id }) => id);
      const places = [branch[0]?.parent ?? cursor.at(), ...nodes];
      const segment = await cursor.segment(branch, request);
      const { answer, retries } = await withForks(cursor.trail, workings.guard, forks =>
        questions.review(segment, {
          states: { at: index => states.fork(places[index] ?? -1) },
          sessions: { at: index => forks.at(places[index] ?? -1) },
        }),
      );
      const rejected = answer.accept ? undefined : branch[answer.at];
      const reason = answer.accept ? null : answer.reason;
      budget.count('reviews');
      budget.count('shown', nodes.length);
      const ruling = { accept: answer.accept, at: rejected?.id ?? null, reason, retries };
      const ruler = signedBy(by, answer.person);
      append({ kind: 'review', nodes, by: ruler, ...ruling, ...remarksOn(ruling.accept, request) });
      return rejected === undefined ? { accept: true } : { accept: false, at: rejected, reason: reason ?? '' };
    },
    skipReview(branch) {
      budget.count('skipped');
      append({ kind: 'skip', nodes: branch.map(({ id }) => id) });
    },
    async correct({ reason, replaces }) {
      budget.require('interventions');
      const correctionRequest = { view: await cursor.view(), reason, rejected: replaces?.action ?? null };
      const correction = await withForks(cursor.trail, workings.guard, forks =>
        questions.correct(correctionRequest, forksHere(workings, forks)),
      );
      if (correction === null) return null;
      const node = await takeStep(workings, correction, signedBy(by, correction.person));
      budget.count('corrections');
      budget.count('interventions');
      append({ kind: 'correction', node: node.id, replaces: replaces?.id ?? null, reason });
      return node;
    },
  };
}

/** A person signs with their own name. */
function signedBy(teacher: Actor, person: string | undefined): Actor {
  return person === undefined ? teacher : { role: 'human', name: person };
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
