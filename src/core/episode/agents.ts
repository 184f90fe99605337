import type { Action } from '../action.ts';
import type { RecordCall } from '../chat/model.ts';
import type { Awaitable, Session, StateSession } from '../contracts.ts';
import type { Random } from '../random.ts';
import type { Observation, Verdict } from '../records.ts';
import type { PastStep, View } from './view.ts';

/** Another action that an agent weighed. */
export interface Alternative {
  readonly action: Action;
  /** How likely the agent was to choose it, from 0 to 1. */
  readonly prior: number;
}

export interface Decision {
  /** Null when the agent gave nothing that can be used as an action. */
  readonly action: Action | null;
  /** Why there is none, in words. */
  readonly problem?: string;
  readonly thought?: string;
  readonly tokens?: number;
  readonly cost?: number;
  /** How likely the agent was to choose this action among others, from 0 to 1. */
  readonly prior?: number;
  /** What the agent expects of the state before this action, in a unit of its own. */
  readonly value?: number;
  /** How sure it is that the action is right, from 0 to 1. */
  readonly confidence?: number;
  /** Log probability with which the agent sampled this action, at its own temperature; 0 or less. */
  readonly logprob?: number;
  /** Entropy of its choice in this state, in nats. */
  readonly entropy?: number;
  /** Ids of the items of a memory that it followed, and of those whose step the screen did not offer. */
  readonly memory?: { readonly used: readonly string[]; readonly broken: readonly string[] };
  /** Other actions that it weighed, the likeliest first; for strategies that search. Not kept in the tree. */
  readonly alternatives?: readonly Alternative[];
  /** What the strategy told it beside the task. An agent does not say this itself. */
  readonly hint?: string;
  /** The member of a team that decided: the step is signed with its name, and as a teacher's where it is privileged. */
  readonly member?: { readonly name: string; readonly privileged: boolean };
  /** Name of the person who gave it, where a teacher is people: the step is signed `human`. */
  readonly person?: string;
}

/** What a policy says of the teams that it can play in. */
interface Playing {
  /** The roles that it has a policy for; any role when left out. */
  readonly roles?: readonly string[];
}

interface Patience {
  /** Whoever keeps deadlines of its own, or is a person, is waited for as long as the episode has time. */
  readonly patient?: true;
}

/** Acts on what anybody at the screen can see. */
export interface OrdinaryPolicy extends Patience, Playing {
  readonly name: string;
  readonly privileged?: false;
  /** A person: steps are signed as those of a human. */
  readonly human?: true;
  act(view: View): Awaitable<Decision>;
  /**
   * A policy like this one for another attempt at the same task: it remembers the same so far, and both go on apart.
   * A policy that has it may be asked at once in several attempts; others are asked in one after another.
   */
  fork?(): OrdinaryPolicy;
}

/** Acts on privileged state as well: never a student. The session given is a fork, its own to spoil. */
export interface PrivilegedPolicy extends Patience, Playing {
  readonly name: string;
  readonly privileged: true;
  /** Left out, it reads the state of the app. */
  readonly needs?: 'forks';
  act(view: View, session: StateSession): Awaitable<Decision>;
}

/**
 * Tries steps before it acts, and asks the verifier about them; it reads nothing but screens. Never a student. The session
 * given is a fork, its own to spoil.
 */
export interface SearchingPolicy extends PrivilegedPolicy {
  readonly needs: 'forks';
  act(view: View, session: Session): Awaitable<Decision>;
}

export type Policy = OrdinaryPolicy | PrivilegedPolicy;

/** Whether an agent does without the state: any session that forks will do. */
export function isSearching<T extends Policy | Teacher>(
  agent: T,
): agent is T & (T extends Policy ? SearchingPolicy : SearchingTeacher) {
  return agent.privileged === true && agent.needs === 'forks';
}

/** A step of a branch under review. */
export interface BranchStep extends PastStep {
  /** Digest of the state before it. */
  readonly before: string;
}

/** What a reviewer is shown. */
export interface Segment {
  readonly instruction: string;
  /** The last committed steps before the branch, oldest first. */
  readonly context: readonly string[];
  /** All the committed steps before the branch, in full. */
  readonly path: readonly PastStep[];
  /** Digests of the states on the committed path, the start included, the branch not. */
  readonly visited: readonly string[];
  readonly steps: readonly BranchStep[];
  readonly after: Observation;
  /** Digest of the state after the branch. */
  readonly end: string;
  /** What the hard verifier says of a finish at the end of the branch; null when there is none. */
  readonly verdict: Verdict | null;
  readonly random: Random;
  /** Where a reviewer hands over what it asked models. */
  readonly recordCall?: RecordCall;
}

/** Accepted, or rejected at the first harmful step: steps before `at` are kept. */
export type Review = Pick<Decision, 'cost' | 'tokens' | 'person'> &
  ({ readonly accept: true } | { readonly accept: false; readonly at: number; readonly reason: string });

/** What a teacher is asked after a rejection, in the restored state. */
export interface CorrectionRequest {
  readonly view: View;
  readonly reason: string;
  /** The step that was rejected here. */
  readonly rejected: Action | null;
}

/** The states of a branch, for reviewers that may see them: `at(0)` is before its first step. Forks, free to spoil. */
export interface BranchStates {
  at(index: number): StateSession;
}

export interface OrdinaryTeacher extends Patience {
  readonly name: string;
  readonly privileged?: false;
  review(segment: Segment): Awaitable<Review>;
  /** One step from here. An action of null says that it knows no way from here: the episode is given up. */
  correct(plea: CorrectionRequest): Awaitable<Decision>;
}

export interface PrivilegedTeacher extends Patience {
  readonly name: string;
  readonly privileged: true;
  /** Left out, it reads the state of the app. */
  readonly needs?: 'forks';
  review(segment: Segment, states: BranchStates): Awaitable<Review>;
  /** As of an ordinary teacher, from the state itself: a fork, its own to spoil. */
  correct(plea: CorrectionRequest, session: StateSession): Awaitable<Decision>;
}

/** The states of a branch as sessions: `at(0)` is before its first step. Each is a fork, free to spoil. */
export interface BranchSessions {
  at(index: number): Awaitable<Session>;
}

/** Tries steps and asks the verifier, as a searching policy does. */
export interface SearchingTeacher extends PrivilegedTeacher {
  readonly needs: 'forks';
  review(segment: Segment, sessions: BranchSessions): Awaitable<Review>;
  correct(request: CorrectionRequest, session: Session): Awaitable<Decision>;
}

/** Reviews branches, and corrects the step it rejected when it is asked again in the restored state. */
export type Teacher = OrdinaryTeacher | PrivilegedTeacher;
