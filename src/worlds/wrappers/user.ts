import { current, isDraft } from 'mutative';
import { z } from 'zod';
import { invalidApp, refuse } from '../../core/errors.ts';
import { createDigest } from '../../core/digest.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { StepOutcome } from '../../core/records.ts';
import type { UiNode } from '../../core/ui.ts';
import type { App } from '../app/app.ts';
import { createCommand, type AppCommand } from '../app/command.ts';
import { replied, scriptedReply, userSchema, wronglyRefused, type SimulatedUser } from './simulated-user.ts';
import { wrapSteps } from './steps-on-screen.ts';

const member = 'user';

/** The path under which a task plans its user. */
export const userPath = `/ui/${member}`;

/** What agents speak to a user with, and what an agent that plays one answers with. */
export const userTools = { ask: 'ask_user', show: 'show_user', reply: 'user_reply' } as const;

/** Kinds of incidents of steps that a user took part in. */
const userIncidents = {
  asked: 'user-asked',
  judged: 'user-judged',
  changed: 'user-changed-mind',
  error: 'user-error',
  left: 'user-left',
} as const;

export function userIn(state: JsonObject): SimulatedUser | null {
  return ((state['ui'] as JsonObject | undefined)?.[member] ?? null) as SimulatedUser | null;
}

/**
 * The app with a user beside it. A task may plan one: they left something out and tell it when they are asked, look at the work
 * when they are shown it, and may change their mind, err or lose patience. All of it is in the state, where rollback covers it.
 */
export function withUser<S extends JsonObject>(app: App<S>): App<S> {
  requireFree(app);
  const digest = createWorkDigest();
  const wrapped = wrapSteps(app, {
    member,
    schema: z.union([z.null(), userSchema]) as unknown as z.ZodType<Json>,
    start: null,
    around({ draft, remember, run }) {
      const user = userIn(plain(draft));
      if (user !== null && user.initial === null)
        remember({ ...user, initial: startOf(plain(draft)) } as unknown as Json);
      return run();
    },
  });
  return {
    ...wrapped,
    commands: [...wrapped.commands, ...conversation(app, digest)],
    incidents: (before, after) => [...(app.incidents?.(before, after) ?? []), ...happened(before, after)],
    view(state) {
      const screen = wrapped.view(state);
      const user = userIn(state);
      return user === null
        ? screen
        : { ...screen, children: [...(screen.children ?? []), drawTalk(user, isNews(user, digest(state)))] };
    },
  };
}

/** Tools of the app with the names of those that speak to the user would hide them. */
function requireFree<S extends JsonObject>({ id, commands }: App<S>): void {
  const names: readonly string[] = Object.values(userTools);
  const taken = commands.find(({ name }) => names.includes(name));
  if (taken === undefined) return;
  throw invalidApp(
    `No user can be put beside the app "${id}": it has a command "${taken.name}" of its own.`,
    `Expected another name for it than ${names.join(', ')}.`,
  );
}

function plain<T>(value: T): T {
  return isDraft(value) ? (current(value as object) as T) : value;
}

function startOf<S extends JsonObject>(state: S): string {
  return JSON.stringify({ ...state, ui: { ...(state['ui'] as JsonObject), [member]: null } });
}

interface Heard {
  readonly kind: 'question' | 'showing';
  readonly text: string;
}

function conversation<S extends JsonObject>(app: App<S>, digest: WorkDigest): readonly AppCommand<S>[] {
  const hear = (draft: S, heard: Heard): Json => {
    const user = present(plain(draft));
    if (user.pending !== null) refuse('The user has not answered yet.');
    if (user.patience === 0) refuse('The user has left and answers nothing any more.');
    const listening: SimulatedUser = {
      ...user,
      patience: user.patience - 1,
      pending: heard.kind,
      talk: [...user.talk, { by: 'agent', text: heard.text }],
      initial: user.initial ?? startOf(plain(draft)),
      seen: heard.kind === 'showing' ? digest(plain(draft)) : user.seen,
    };
    if (user.played) {
      put(draft, listening);
      return null;
    }
    const reply = scriptedReply(app, plain(draft), listening);
    put(draft, replied(app, plain(draft), { user: listening, reply }));
    return { reply: reply.text };
  };
  return [
    createCommand<S, { question: string }>(
      userTools.ask,
      {
        about: 'Ask the user who gave the task, such as for something that it leaves out.',
        input: z.strictObject({ question: z.string().min(1) }),
        run: (draft, { question }) => hear(draft, { kind: 'question', text: question }),
      },
      true,
    ),
    createCommand<S, Record<string, never>>(
      userTools.show,
      {
        about: 'Show the user what was done, and hear what they think of it.',
        input: z.strictObject({}),
        run: draft => hear(draft, { kind: 'showing', text: 'Please look at what I did.' }),
      },
      true,
    ),
    createCommand<S, { text: string; accepts?: boolean | undefined }>(
      userTools.reply,
      {
        about: 'As the user: answer the agent, and say with accepts whether the work that it shows is what you want.',
        input: z.strictObject({ text: z.string().min(1), accepts: z.boolean().optional() }),
        run(draft, { text, accepts }) {
          const user = present(plain(draft));
          if (!user.played || user.pending === null) refuse('Nobody asked the user anything.');
          if (user.pending === 'showing' && accepts === undefined)
            refuse('Say with accepts, true or false, whether the work is what you want.');
          put(draft, replied(app, plain(draft), { user, reply: accepts === undefined ? { text } : { text, accepts } }));
        },
      },
      true,
    ),
  ];
}

/** Whether there is something to show: the data changed since the last time, or was refused by mistake. */
function isNews({ seen, errors, accepted }: SimulatedUser, work: string): boolean {
  return seen !== work || (!accepted && errors.at(-1) === wronglyRefused);
}

export type WorkDigest = (state: JsonObject) => string;

/** A digest of the data, without what is on the screen. */
export function createWorkDigest(): WorkDigest {
  const digest = createDigest();
  return ({ ui: _ui, ...data }) => digest(data);
}

function present(state: JsonObject): SimulatedUser {
  return userIn(state) ?? refuse('There is no user here.');
}

function put<S extends JsonObject>(draft: S, user: SimulatedUser): void {
  (draft['ui'] as unknown as Record<string, Json>)[member] = user as unknown as Json;
}

/** What a step had of the user, for the journal. */
function happened(before: JsonObject, after: JsonObject): NonNullable<StepOutcome['incidents']> {
  const [was, is] = [userIn(before), userIn(after)];
  if (was === null || is === null || was.talk.length === is.talk.length) return [];
  if (is.talk.at(-1)?.by !== 'user') return [];
  const found: { kind: string; detail: string }[] = [];
  const wasShown = is.talk.at(-2)?.text === 'Please look at what I did.';
  const news = is.facts.filter(({ told }, at) => told !== was.facts[at]?.told).map(({ name }) => name);
  if (!wasShown) found.push({ kind: userIncidents.asked, detail: news.join(', ') });
  else if (is.hasChanged !== was.hasChanged)
    found.push({ kind: userIncidents.changed, detail: is.talk.at(-1)?.text ?? '' });
  else found.push({ kind: userIncidents.judged, detail: is.accepted ? 'accepted' : 'refused' });
  for (const detail of is.errors.slice(was.errors.length)) found.push({ kind: userIncidents.error, detail });
  if (is.patience === 0) found.push({ kind: userIncidents.left, detail: 'out of patience' });
  return found;
}

/** The second time is to be sure. Tools ask as often as they like. */
const timesToAsk = 2;

function drawTalk({ talk, facts, patience, pending }: SimulatedUser, canShow: boolean): UiNode {
  const said = talk.map(
    ({ by, text }): UiNode => ({ role: 'listitem', name: `${by === 'user' ? 'User' : 'You'}: ${text}` }),
  );
  const asking = facts
    .filter(({ answers }) => answers < timesToAsk)
    .map(
      ({ name }): UiNode => ({
        role: 'button',
        name: `Ask for the ${name}`,
        press: { command: userTools.ask, input: { question: `What is the ${name}?` } },
      }),
    );
  const showing: UiNode = { role: 'button', name: 'Show the work', press: { command: userTools.show, input: {} } };
  const isOver = patience === 0 || pending !== null;
  return {
    role: 'region',
    name: 'Conversation with the user',
    children: [
      ...(said.length === 0 ? [] : [{ role: 'list', children: said } as const]),
      ...(isOver ? [] : [...asking, ...(canShow ? [showing] : [])]),
      ...(patience === 0 && pending === null ? [{ role: 'text', name: 'The user has left.' } as const] : []),
    ],
  };
}
