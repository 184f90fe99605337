import type { Action } from '../../core/action.ts';
import type { StateEnvironment, StateSession } from '../../core/contracts.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { StepOutcome } from '../../core/records.ts';
import { wrapStateEnvironment } from '../../core/wrap-environment.ts';
import { wrapStateSession } from '../../core/wrap-session.ts';
import type { App } from '../../worlds/app/app.ts';
import { refusal } from '../../worlds/rules/rule-session.ts';
import { scriptedReply, type SimulatedUser } from '../../worlds/wrappers/simulated-user.ts';
import { userIn, userTools } from '../../worlds/wrappers/user.ts';

const roles = ['agent', 'user'] as const;

/** The same world, where the user is a role of a team: a model or a program answers when it is their turn. */
export function playedUser<S extends JsonObject>(environment: StateEnvironment, app: App<S>): StateEnvironment {
  return wrapStateEnvironment(environment, {
    roles,
    open: task => play(environment.open(task), app),
  }) as StateEnvironment;
}

function play<S extends JsonObject>(session: StateSession, app: App<S>): StateSession {
  const user = (): SimulatedUser => userIn(session.state() as JsonObject) as SimulatedUser;
  const role = (): string => (user().pending === null ? 'agent' : 'user');
  const step = (take: StateSession['step'], action: Action): StepOutcome => {
    const by = role();
    const isReply = action.kind === 'call' && action.tool === userTools.reply;
    if (isReply !== (by === 'user') && session.ended() === null)
      return {
        ...refusal(
          'not-allowed',
          by === 'user' ? `The user answers with ${userTools.reply}.` : 'Only the user answers as the user.',
        ),
        role: by,
      };
    return { ...take(action), role: by };
  };
  const wrapped = wrapStateSession<StateSession>(session, {
    observe: look => () => (role() === 'user' ? { text: cardOf(user(), look().text) } : look()),
    step: take => action => step(take as StateSession['step'], action),
    candidates: list => () => {
      if (role() === 'agent') return list();
      const { text, accepts } = scriptedReply(app, session.state() as S, user());
      const input: Record<string, Json> = accepts === undefined ? { text } : { text, accepts };
      return [{ action: { kind: 'call', tool: userTools.reply, input }, name: text }];
    },
    guide: ask => () => {
      const guide = ask();
      // Only the agent can finish.
      return role() === 'agent' ? guide : { ...guide, unmet: Math.max(1, guide.unmet) };
    },
    forked: fork => play(fork, app),
  });
  return { ...wrapped, role };
}

/** What whoever plays the user knows: nobody else sees it. */
function cardOf({ facts, change, pending, talk, misjudges }: SimulatedUser, screen: string): string {
  const known = facts.map(
    ({ name, value, wrong, told }) =>
      `- the ${name} is "${value}"${wrong !== null && told === 'no' ? `; you remember it wrongly the first time, as "${wrong}"` : ''}`,
  );
  const isShown = pending === 'showing';
  return [
    'You are the user who gave this task. You left out:',
    ...known,
    'The conversation so far:',
    ...talk.map(({ by, text }) => `${by === 'user' ? 'You' : 'Agent'}: ${text}`),
    ...(isShown ? ['The screen that the agent shows you:', screen.trimEnd()] : []),
    ...(isShown && change !== null
      ? [`If it is what you wanted, do not accept it, and say word for word: ${change.says}`]
      : []),
    ...(isShown && change === null && misjudges ? ['You misjudge what you see this time.'] : []),
    isShown
      ? `Answer with ${userTools.reply}: what you think of it, and accepts true or false.`
      : `Answer the last message with ${userTools.reply}. Tell only what you are asked for.`,
    '',
  ].join('\n');
}
