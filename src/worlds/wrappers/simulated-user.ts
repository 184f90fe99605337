import { z } from 'zod';
import { jsonObjectSchema, type JsonObject } from '../../core/json.ts';
import { standsIn } from '../../core/text.ts';
import type { App } from '../app/app.ts';

const factSchema = z.strictObject({
  name: z.string(),
  value: z.string(),
  /** What they say the first time, by mistake; null where they are right at once. */
  wrong: z.string().nullable(),
  told: z.enum(['no', 'wrong', 'yes']),
  /** Answers that spoke of it. */
  answers: z.int().nonnegative(),
});

export const userSchema = z.strictObject({
  /** What they want: parameters of a template of the app. */
  template: z.string(),
  wish: jsonObjectSchema,
  /** What they left out of the task, and tell when they are asked. */
  facts: z.array(factSchema),
  /** Whether one answer tells all of it, and a refusal what is missing. */
  tellsAll: z.boolean(),
  /** Messages that they still answer. */
  patience: z.int().nonnegative(),
  /** What they want instead once they see what they wanted first; null after that, and for who knows what they want. */
  change: z.strictObject({ wish: jsonObjectSchema, says: z.string() }).nullable(),
  hasChanged: z.boolean(),
  /** Whether they misjudge what they are shown next. */
  misjudges: z.boolean(),
  /** What they said of the work that they were shown last, and a digest of it; null before. */
  accepted: z.boolean(),
  seen: z.string().nullable(),
  talk: z.array(z.strictObject({ by: z.enum(['agent', 'user']), text: z.string() })),
  /** What they said that is not so. */
  errors: z.array(z.string()),
  /** Whether an agent plays them, and what it has to answer; null when nothing. */
  played: z.boolean(),
  pending: z.enum(['question', 'showing']).nullable(),
  /** The state that the task began in, kept with the first step. In writing: it is one value for who compares states. */
  initial: z.string().nullable(),
});
/** A simulated user, as the state holds them. */
export type SimulatedUser = z.infer<typeof userSchema>;
type UserFact = z.infer<typeof factSchema>;

/** What the user says. */
export interface UserReply {
  readonly text: string;
  /** Left out where they were only asked something. */
  readonly accepts?: boolean;
}

/** What a user says by the script; they must have been asked or shown something. */
export function scriptedReply<S extends JsonObject>(app: App<S>, state: S, user: SimulatedUser): UserReply {
  return user.pending === 'showing' ? judgement(app, state, user) : answer(user);
}

function answer({ facts, tellsAll, talk }: SimulatedUser): UserReply {
  const question = (talk.at(-1)?.text ?? '').toLowerCase();
  const asked = facts.filter(({ name }) => standsIn(question, name.toLowerCase()));
  const missing = facts.filter(({ told }) => told !== 'yes');
  const meant = tellsAll ? facts : asked.slice(0, 1);
  const [only] = missing;
  const told = meant.length > 0 ? meant : missing.length === 1 && only !== undefined ? [only] : [];
  if (told.length === 0)
    return { text: `What do you want to know? Ask for one of: ${facts.map(({ name }) => name).join(', ')}.` };
  return { text: told.map(fact => `The ${fact.name} is "${spokenValue(fact)}".`).join(' ') };
}

/** The first time, it may be the wrong one. */
function spokenValue({ value, wrong, told }: UserFact): string {
  return wrong !== null && told === 'no' ? wrong : value;
}

function judgement<S extends JsonObject>(app: App<S>, state: S, user: SimulatedUser): UserReply {
  const unmet = unmetBy(app, state, user);
  if (user.change !== null && unmet.length === 0) return { text: user.change.says, accepts: false };
  const accepts = (unmet.length === 0) !== user.misjudges;
  if (accepts) return { text: 'Thank you, that is what I wanted.', accepts };
  const missing = user.tellsAll && unmet.length > 0 ? ` It should be so: ${unmet.join('; ')}.` : '';
  return { text: `That is not what I wanted yet.${missing}`, accepts };
}

/** What of the user's wish is not so, in words. */
function unmetBy<S extends JsonObject>(app: App<S>, state: S, { template, wish, initial }: SimulatedUser): string[] {
  const start = JSON.parse(initial ?? 'null') as S;
  const checks = app.templates.find(({ id }) => id === template)?.goal(wish, start).checks ?? [];
  return checks.filter(check => !check.test(state, start)).map(({ name }) => name);
}

interface Said {
  readonly user: SimulatedUser;
  readonly reply: UserReply;
}

/** The user after they said something: what is known now, and whether it was right. */
export function replied<S extends JsonObject>(app: App<S>, state: S, { user, reply }: Said): SimulatedUser {
  const { text } = reply;
  const facts = user.facts.map((fact): UserFact => {
    const answers = fact.answers + 1;
    if (standsIn(text, fact.value)) return { ...fact, told: 'yes', answers };
    const isWrong = fact.wrong !== null && standsIn(text, fact.wrong) && fact.told === 'no';
    return isWrong ? { ...fact, told: 'wrong', answers } : fact;
  });
  const said: SimulatedUser = {
    ...user,
    facts,
    pending: null,
    talk: [...user.talk, { by: 'user', text }],
    errors: [...user.errors, ...errorsIn(app, state, { user, reply })],
  };
  if (user.pending !== 'showing') return said;
  const change = changeNow(app, state, user);
  if (change !== null) return { ...said, accepted: false, wish: change.wish, change: null, hasChanged: true };
  return { ...said, accepted: reply.accepts === true, misjudges: false };
}

/** The change of mind of a user who sees what they wanted; null where they have none. */
function changeNow<S extends JsonObject>(app: App<S>, state: S, user: SimulatedUser): SimulatedUser['change'] {
  return user.change !== null && unmetBy(app, state, user).length === 0 ? user.change : null;
}

/** The error of a user who refuses work that is right: they look at it again. */
export const wronglyRefused = 'wrongly refused';

function errorsIn<S extends JsonObject>(app: App<S>, state: S, { user, reply: { text, accepts } }: Said): string[] {
  const { facts } = user;
  const wrong = facts.filter(fact => fact.wrong !== null && standsIn(text, fact.wrong) && !standsIn(text, fact.value));
  const errors = wrong.map(({ name }) => `told a wrong ${name}`);
  if (user.pending === 'question') {
    const isAsked = facts.some(({ told }) => told !== 'yes');
    const hasTold = facts.some(({ value, told }) => told !== 'yes' && standsIn(text, value));
    const madeUp = quotedIn(text).filter(words => !isKnown(user, words));
    errors.push(...madeUp.map(words => `made up "${words}"`));
    if (user.played && isAsked && !hasTold && wrong.length === 0 && madeUp.length === 0) errors.push('told nothing');
    return errors;
  }
  const change = changeNow(app, state, user);
  if (change !== null) return text.includes(change.says) ? errors : [...errors, 'kept a change of mind back'];
  const isRight = unmetBy(app, state, user).length === 0;
  return accepts === isRight ? errors : [...errors, accepts === true ? 'wrongly accepted' : wronglyRefused];
}

function quotedIn(text: string): string[] {
  return [...text.matchAll(/"([^"]+)"/g)].map(([, words = '']) => words);
}

function isKnown({ facts, talk, wish }: SimulatedUser, words: string): boolean {
  const known = [
    ...facts.flatMap(({ value, wrong, name }) => [value, name, ...(wrong === null ? [] : [wrong])]),
    ...talk.map(({ text }) => text),
    JSON.stringify(wish),
  ];
  return known.some(text => standsIn(text.toLowerCase(), words.toLowerCase()));
}
