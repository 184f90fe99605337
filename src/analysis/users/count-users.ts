import { z } from 'zod';
import type { StoredEpisode } from '../../core/episode/journal.ts';
import { foldEpisode } from '../../core/episode/record.ts';
import { isJsonObject, type JsonObject } from '../../core/json.ts';
import type { StepOutcome } from '../../core/records.ts';
import { spearman } from '../ranks.ts';
import { cohensKappa, mean, wilson } from '../stats.ts';

type Incident = NonNullable<StepOutcome['incidents']>[number];

const share = z.number().min(0).max(1);
const whole = z.int().nonnegative();

/** What a user would say of an episode. */
const rubricSchema = z.strictObject({
  /** They accepted the work in the end. */
  accepted: share,
  /** The share of what they left out that they were asked for. */
  asked: share,
  /** The share of the questions that brought something new. */
  brief: share,
  /** They did not run out of patience. */
  kept: share,
});
type Rubric = z.infer<typeof rubricSchema>;

const weights: Rubric = { accepted: 0.5, asked: 0.2, brief: 0.15, kept: 0.15 };
/** Work that was not accepted cannot reach it. */
const enough = 0.6;

interface Conversation {
  readonly student: string;
  readonly persona: string;
  readonly questions: number;
  readonly rounds: number;
  readonly errors: readonly string[];
  /** Messages with an error. */
  readonly wrong: number;
  readonly rubric: Rubric;
  readonly score: number;
  readonly pass: boolean;
  readonly progress: number;
}

/** How often something was so. */
const rateSchema = z.strictObject({ rate: share, n: whole, low: share, high: share });
export type UserRate = z.infer<typeof rateSchema>;

/** What the users of one persona went through with a student. */
const userSummarySchema = z.strictObject({
  student: z.string(),
  persona: z.string(),
  passed: rateSchema,
  /** Of an episode, on average. */
  questions: z.number().nonnegative(),
  rounds: z.number().nonnegative(),
  score: share,
  rubric: rubricSchema,
  /** Messages of the user that were wrong, and what was wrong with them. */
  errors: rateSchema.extend({ kinds: z.record(z.string(), whole) }),
  /** What passed where the user made an error, and where they made none; null where there is no such episode. */
  passedDespite: rateSchema.nullable(),
  passedWithout: rateSchema.nullable(),
});
type UserSummary = z.infer<typeof userSummarySchema>;

/** What the rubric says of all episodes of a student, beside the verifier. */
const agreementSchema = z.strictObject({
  student: z.string(),
  n: whole,
  both: whole,
  neither: whole,
  rubricOnly: whole,
  verifierOnly: whole,
  /** Cohen's; null where one of them always says the same. */
  kappa: z.number().nullable(),
  /** Spearman's, between the score of the rubric and the progress of the verdict. */
  correlation: z.number().nullable(),
});
type RubricAgreement = z.infer<typeof agreementSchema>;

export const usersFoundSchema = z.strictObject({
  users: z.array(userSummarySchema).readonly(),
  agreement: z.array(agreementSchema).readonly(),
});
export type UsersFound = z.infer<typeof usersFoundSchema>;

/** Reads what users said and how they were treated. Episodes without a user, or without a verdict, count nowhere. */
export function countUsers(episodes: Iterable<StoredEpisode>): UsersFound {
  const all = [...episodes].flatMap(episode => conversationOf(episode) ?? []);
  const groups = Map.groupBy(all, ({ student, persona }) => JSON.stringify([student, persona]));
  return {
    users: [...groups.values()].map(summarise),
    agreement: [...Map.groupBy(all, ({ student }) => student)].map(([student, own]) => agreementOf(student, own)),
  };
}

function conversationOf(episode: StoredEpisode): Conversation | null {
  const { head, end } = episode;
  const { persona } = head.task.parameters;
  const user = head.task.patch.find(({ path }) => path === '/ui/user');
  const planned = user !== undefined && user.op !== 'remove' ? user.value : null;
  if (typeof persona !== 'string' || end.verdict === null || !isJsonObject(planned)) return null;
  const { tree } = foldEpisode(episode);
  const steps = tree.path(end.leaf).map(({ outcome }) => outcome.incidents ?? []);
  const incidents = steps.flat();
  const rubric = rubricOf(incidents, (planned['facts'] as readonly JsonObject[]).length);
  const items = Object.keys(weights) as (keyof Rubric)[];
  return {
    student: head.student,
    persona,
    questions: ofKind(incidents, 'user-asked').length,
    rounds: ofKind(incidents, 'user-judged').length + ofKind(incidents, 'user-changed-mind').length,
    errors: ofKind(incidents, 'user-error').map(({ detail }) => detail),
    wrong: steps.filter(own => ofKind(own, 'user-error').length > 0).length,
    rubric,
    score: items.reduce((sum, item) => sum + weights[item] * rubric[item], 0),
    pass: end.verdict.pass,
    progress: end.verdict.progress,
  };
}

function ofKind(incidents: readonly Incident[], wanted: string): readonly Incident[] {
  return incidents.filter(({ kind }) => kind === wanted);
}

function rubricOf(incidents: readonly Incident[], facts: number): Rubric {
  const asked = ofKind(incidents, 'user-asked');
  const told = new Set(asked.flatMap(({ detail }) => (detail === '' ? [] : detail.split(', '))));
  const accepted = Number(ofKind(incidents, 'user-judged').at(-1)?.detail === 'accepted');
  const useful = asked.filter(({ detail }) => detail !== '').length;
  return {
    accepted,
    asked: facts === 0 ? 1 : told.size / facts,
    brief: asked.length === 0 ? 1 : useful / asked.length,
    kept: ofKind(incidents, 'user-left').length > 0 && accepted === 0 ? 0 : 1,
  };
}

function summarise(own: readonly Conversation[]): UserSummary {
  const { student, persona } = own[0] as Conversation;
  const average = (valueOf: (one: Conversation) => number): number => mean(own.map(valueOf)) ?? 0;
  const messages = own.reduce((sum, { questions, rounds }) => sum + questions + rounds, 0);
  const errors = own.flatMap(one => one.errors);
  const kinds = Map.groupBy(errors, kindOfError);
  const erred = own.filter(one => one.errors.length > 0);
  const right = own.filter(one => one.errors.length === 0);
  return {
    student,
    persona,
    passed: rateOf(own.filter(({ pass }) => pass).length, own.length),
    questions: average(one => one.questions),
    rounds: average(one => one.rounds),
    score: average(one => one.score),
    rubric: {
      accepted: average(({ rubric }) => rubric.accepted),
      asked: average(({ rubric }) => rubric.asked),
      brief: average(({ rubric }) => rubric.brief),
      kept: average(({ rubric }) => rubric.kept),
    },
    errors: {
      ...rateOf(
        own.reduce((sum, { wrong }) => sum + wrong, 0),
        messages,
      ),
      kinds: Object.fromEntries([...kinds].map(([kind, found]) => [kind, found.length])),
    },
    passedDespite: erred.length === 0 ? null : rateOf(erred.filter(({ pass }) => pass).length, erred.length),
    passedWithout: right.length === 0 ? null : rateOf(right.filter(({ pass }) => pass).length, right.length),
  };
}

/** Without the value that it was about. */
function kindOfError(error: string): string {
  if (error.startsWith('told a wrong ')) return 'told a wrong value';
  return error.startsWith('made up ') ? 'made something up' : error;
}

function rateOf(count: number, n: number): UserRate {
  return { rate: n === 0 ? 0 : count / n, n, ...wilson(count, n) };
}

function agreementOf(student: string, own: readonly Conversation[]): RubricAgreement {
  const pairs = own.map(({ score, pass }) => [score >= enough, pass] as const);
  const count = (rubric: boolean, verifier: boolean): number =>
    pairs.filter(([said, is]) => said === rubric && is === verifier).length;
  return {
    student,
    n: own.length,
    both: count(true, true),
    neither: count(false, false),
    rubricOnly: count(true, false),
    verifierOnly: count(false, true),
    kappa: cohensKappa(pairs.map(([said, is]) => [String(said), String(is)])),
    correlation: spearman(
      own.map(({ score }) => score),
      own.map(({ progress }) => progress),
    ),
  };
}
