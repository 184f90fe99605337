import { z } from 'zod';
import { isAction, type Action } from '../../core/action.ts';
import type { ModelCall, RecordCall } from '../../core/chat/model.ts';
import type { Session, StateSession } from '../../core/contracts.ts';
import {
  isSearching,
  type Alternative,
  type BranchSessions,
  type BranchStates,
  type Decision,
  type CorrectionRequest,
  type Policy,
  type Review,
  type Segment,
  type Teacher,
} from '../../core/episode/agents.ts';
import type { View } from '../../core/episode/view.ts';
import { EspalierError, invalidOption } from '../../core/errors.ts';
import type { Random } from '../../core/random.ts';
import { describeIssues } from '../../core/records.ts';
import type { Responder } from '../cursor/deadline.ts';
import { createAskAgent, isPrice, isTokens, priceOf, type AskingOptions } from './ask-agent.ts';

/** A decision that can be carried out. */
export type Usable = Decision & { readonly action: Action };

/** Times that a reviewer which breaks or answers out of range is asked again. */
const retries = 2;

export interface QuestionsOptions extends AskingOptions {
  readonly student: Policy;
  readonly teacher: Teacher | null;
  readonly random: Random;
  /** Writes down what a model was asked, before anything is made of its answer. */
  record(by: 'student' | 'teacher', call: ModelCall): void;
}

/** A state of the episode for an agent that may see it, or try steps in it. */
export interface Forks {
  state(): StateSession;
  session(): Promise<Session>;
}

/** The states of a branch, for either kind of agent. */
interface BranchForks {
  readonly states: BranchStates;
  readonly sessions: BranchSessions;
}

type Answered<T> = { readonly answer: T; readonly retries: number };

/** The questions put to the agents of an episode. Each has its own stream of chance, so a lost answer shifts no other. */
export interface Questions {
  /** What the student wants to do; its action is null when that is no use. */
  act(view: Omit<View, 'random'>, forks: Forks): Promise<Decision>;
  review(segment: Omit<Segment, 'random'>, forks: BranchForks): Promise<Answered<Review>>;
  /** The teacher's step from here; null when it knows none. */
  correct(correctionRequest: CorrectionRequestDraft, forks: Forks): Promise<Usable | null>;
}

interface CorrectionRequestDraft extends Omit<CorrectionRequest, 'view'> {
  readonly view: Omit<View, 'random'>;
}

export function createQuestions(options: QuestionsOptions): Questions {
  const { student, teacher, record } = options;
  let asked = 0;
  const chance = (): Random => options.random.fork(`question ${++asked}`);
  const askAgent = createAskAgent(options);
  const ask = <T>(party: Responder, question: (recordCall: RecordCall) => T | Promise<T>): Promise<T> =>
    askAgent({ party, ask: question, record: call => record(party === studentParty ? 'student' : 'teacher', call) });
  const studentParty = partyOf('policy', `The student "${student.name}"`, student);
  const teacherParty = partyOf('reviewer', `The teacher "${teacher?.name}"`, teacher);
  const persist = createPersistence(teacherParty);
  return {
    async act(draft, forks) {
      const random = chance();
      const answer = await ask(studentParty, recordCall => {
        const view: View = { ...draft, random, recordCall };
        if (isSearching(student)) return forks.session().then(session => student.act(view, session));
        return student.privileged ? student.act(view, forks.state()) : student.act(view);
      });
      return readDecision(answer) ?? { action: null };
    },
    review: (draft, forks) =>
      persist(async () => {
        const known = present(teacher);
        const random = chance();
        const answer = await ask(teacherParty, recordCall => {
          const segment: Segment = { ...draft, random, recordCall };
          if (isSearching(known)) return known.review(segment, forks.sessions);
          return known.privileged ? known.review(segment, forks.states) : known.review(segment);
        });
        return readReview(answer, { length: draft.steps.length, who: teacherParty.who });
      }),
    async correct({ view: draft, ...rest }, forks) {
      const { answer } = await persist(async () => {
        const known = present(teacher);
        const random = chance();
        const answered = await ask(teacherParty, recordCall => {
          const request: CorrectionRequest = { ...rest, view: { ...draft, random, recordCall } };
          if (isSearching(known)) return forks.session().then(session => known.correct(request, session));
          return known.privileged ? known.correct(request, forks.state()) : known.correct(request);
        });
        const decision = readDecision(answered);
        if (decision !== null) return decision;
        throw outOfRange(`${teacherParty.who} gave no correction.`, 'an action, or null where it knows none');
      });
      return isUsable(answer) ? answer : null;
    },
  };
}

function partyOf(boundary: Responder['boundary'], who: string, agent: Policy | Teacher | null): Responder {
  return { boundary, who, isPatient: agent?.patient === true };
}

/** Asks a few times; what still fails then is the teacher's failure, never an acceptance. What others break is theirs. */
function createPersistence({ who, boundary }: Responder) {
  return async <T>(question: () => Promise<T>): Promise<Answered<T>> => {
    for (let failures = 0; ; failures++) {
      try {
        return { answer: await question(), retries: failures };
      } catch (cause) {
        if (!(cause instanceof EspalierError) || cause.boundary !== boundary) throw cause;
        if (failures < retries) continue;
        throw new EspalierError({
          boundary,
          code: cause.code,
          message: `${who} failed ${failures + 1} times: ${cause.message}`,
          expected: 'The episode ends here: a review that failed is not an acceptance.',
          cause,
        });
      }
    }
  };
}

function present(teacher: Teacher | null): Teacher {
  if (teacher !== null) return teacher;
  throw invalidOption(
    'The strategy asks a teacher, and there is none.',
    'Give the episode a teacher, or a strategy that needs none.',
  );
}

export function isUsable(decision: Decision): decision is Usable {
  return decision.action !== null;
}

/** What came from an agent, trusted no further than it fits; null when it does not. */
function readDecision(answer: unknown): Decision | null {
  if (typeof answer !== 'object' || answer === null) return null;
  const {
    action,
    problem,
    thought,
    tokens,
    cost,
    prior,
    value,
    confidence,
    logprob,
    entropy,
    memory,
    alternatives,
    person,
    member,
  } = answer as Partial<Record<keyof Decision, unknown>>;
  if (action !== null && !isAction(action)) return null;
  if (!isText(problem) || !isText(thought) || !isText(person) || !isPrice(cost) || !isTokens(tokens)) return null;
  if (!isShare(prior) || !isNumber(value) || !isShare(confidence) || !areAlternatives(alternatives)) return null;
  if (!isLogprob(logprob) || !isEntropy(entropy) || !isMember(member) || !isMemory(memory)) return null;
  return {
    action,
    ...(problem === undefined ? {} : { problem }),
    ...(thought === undefined ? {} : { thought }),
    ...priceOf(answer),
    ...(prior === undefined ? {} : { prior }),
    ...(value === undefined ? {} : { value }),
    ...(confidence === undefined ? {} : { confidence }),
    ...(logprob === undefined ? {} : { logprob }),
    ...(entropy === undefined ? {} : { entropy }),
    ...(memory === undefined ? {} : { memory }),
    ...(alternatives === undefined ? {} : { alternatives }),
    ...(person === undefined ? {} : { person }),
    ...(member === undefined ? {} : { member }),
  };
}

function isText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

function isMember(value: unknown): value is Decision['member'] {
  if (value === undefined) return true;
  const { name, privileged } = (value ?? {}) as Partial<Record<'name' | 'privileged', unknown>>;
  return typeof name === 'string' && typeof privileged === 'boolean';
}

function isMemory(value: unknown): value is Decision['memory'] {
  if (value === undefined) return true;
  const { used, broken } = (value ?? {}) as Partial<Record<'used' | 'broken', unknown>>;
  return [used, broken].every(ids => Array.isArray(ids) && ids.every(id => typeof id === 'string'));
}

function isNumber(value: unknown): value is number | undefined {
  return value === undefined || (typeof value === 'number' && Number.isFinite(value));
}

function isShare(value: unknown): value is number | undefined {
  return isNumber(value) && (value === undefined || (value >= 0 && value <= 1));
}

function isLogprob(value: unknown): value is number | undefined {
  return isNumber(value) && (value === undefined || value <= 0);
}

function isEntropy(value: unknown): value is number | undefined {
  return isNumber(value) && (value === undefined || value >= 0);
}

function areAlternatives(value: unknown): value is Decision['alternatives'] {
  if (value === undefined) return true;
  return Array.isArray(value) && value.every((one: Partial<Alternative> | null) => isAlternative(one));
}

function isAlternative(value: Partial<Alternative> | null | undefined): boolean {
  return isAction(value?.action) && value?.prior !== undefined && isShare(value.prior);
}

const extras = {
  cost: z.number().nonnegative().optional(),
  tokens: z.int().nonnegative().optional(),
  person: z.string().optional(),
};
const reviewSchema = z.discriminatedUnion('accept', [
  z.object({ accept: z.literal(true), ...extras }),
  z.object({ accept: z.literal(false), at: z.int().nonnegative(), reason: z.string(), ...extras }),
]);

function readReview(answer: unknown, { length, who }: { readonly length: number; readonly who: string }): Review {
  const parsed = reviewSchema.safeParse(answer);
  if (!parsed.success) throw outOfRange(`${who} gave no review: ${describeIssues(parsed.error)}.`, 'a review');
  const review = parsed.data;
  if (!review.accept && review.at >= length) {
    throw outOfRange(`${who} rejected step ${review.at} of a branch of ${length}.`, `a step from 0 to ${length - 1}`);
  }
  return review as Review;
}

function outOfRange(message: string, expected: string, boundary: Responder['boundary'] = 'reviewer'): EspalierError {
  return new EspalierError({
    boundary,
    code: 'out-of-range',
    message,
    expected: `Expected ${expected}.`,
  });
}
