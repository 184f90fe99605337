import { describe, expect, it } from 'vitest';
import { app as library } from '../../../examples/library/library.ts';
import type { Action } from '../../core/action.ts';
import type { StateEnvironment, StateSession } from '../../core/contracts.ts';
import type { JsonObject } from '../../core/json.ts';
import { createLadderPlanner } from '../../runs/environments/ladder-planner.ts';
import { checkLaws } from '../../worlds/laws.ts';
import { createWorld } from '../../worlds/world.ts';
import { userIn, userTools } from '../../worlds/wrappers/user.ts';
import { mail } from '../apps/mail/mail.ts';
import { leaveOut, namedValues } from './left-out.ts';
import { personas } from './personas.ts';
import { playedUser } from './played-user.ts';
import { appWithUser, readUserName } from './user-app.ts';

const app = appWithUser(library, { personas, played: false });
const world = createWorld(app);
const ask = (question: string): Action => ({ kind: 'call', tool: userTools.ask, input: { question } });
const show: Action = { kind: 'call', tool: userTools.show, input: {} };
const finish: Action = { kind: 'finish' };
const opened = (persona: string, seed = 3): StateSession => world.open(world.task(`lend-to-reader.${persona}`, seed));
const user = (session: StateSession) => userIn(session.state() as JsonObject) as NonNullable<ReturnType<typeof userIn>>;
const failed = (session: StateSession): string[] =>
  session
    .verify()
    .checks.filter(({ pass }) => !pass)
    .map(({ id }) => id ?? '');
const replyTo = (session: StateSession, action: Action): string =>
  (session.step(action).result as { reply: string }).reply;
/** Does what the user wants, knowing it. */
function lend(session: StateSession, which: 'of' | 'change' = 'of'): void {
  const { id, reader } = session.task.parameters[which] as { id: string; reader: string };
  expect(session.step({ kind: 'call', tool: 'lend_book', input: { id, reader } })).toMatchObject({ applied: true });
}

describe('simulated users', () => {
  it('[USER-1] leave named values out of the task, and the same seed is the same task for every persona', () => {
    const left = namedValues('Lend "Emma" to Yuki Sato.', { id: 'b6', title: 'Emma', newReader: 'Yuki Sato' });
    expect(left.map(({ name }) => name)).toEqual(['title', 'new reader']);
    expect(leaveOut('Lend "Emma" to Yuki Sato.', left)).toBe(
      'Lend (ask me for the title) to (ask me for the new reader).',
    );
    const whole = namedValues('Put "Home" into Homes, not Home.', { label: 'Home' });
    expect(leaveOut('Put "Home" into Homes, not Home.', whole)).toBe(
      'Put (ask me for the label) into Homes, not (ask me for the label).',
    );
    const tasks = personas.map(({ name }) => opened(name).task);
    expect(new Set(tasks.map(({ parameters }) => JSON.stringify(parameters['of']))).size).toBe(1);
    const { instruction, parameters } = opened('terse').task;
    const { title, reader } = parameters['of'] as { title: string; reader: string };
    expect(instruction).not.toContain(title);
    expect(instruction).not.toContain(reader);
  });

  it('[USER-2] answer what they are asked, and who did not ask does not pass though all is done', () => {
    const session = opened('terse');
    const { title, reader } = session.task.parameters['of'] as { title: string; reader: string };
    const blind = session.fork();
    lend(blind);
    expect(replyTo(blind, show)).toBe('Thank you, that is what I wanted.');
    blind.step(finish);
    expect(failed(blind)).toEqual(['looked-up']);
    // Who changes something afterwards shows it again.
    const later = session.fork();
    later.step(show);
    expect(failed(later)).toContain('user-accepted');
    expect(replyTo(session, ask('How are you?'))).toContain('Ask for one of: title, reader');
    expect(replyTo(session, ask('Which title?'))).toBe(`The title is "${title}".`);
    expect(replyTo(session, ask('Tell me more.'))).toBe(`The reader is "${reader}".`);
    lend(session);
    session.step(show);
    // The question too much was the one that they had to spare.
    expect(session.step(ask('Anything else?'))).toMatchObject({ applied: false, problem: { code: 'refused' } });
    session.step(finish);
    expect([failed(session), session.verify().pass]).toEqual([[], true]);
  });

  it('[USER-3] say what is missing when they are shown the work; nobody passes whose work they did not accept', () => {
    const session = opened('helpful');
    session.step(ask('What is missing?'));
    expect(replyTo(session, show)).toContain('That is not what I wanted yet. It should be so:');
    lend(session);
    const unseen = session.fork();
    unseen.step(finish);
    expect(failed(unseen)).toEqual(['user-accepted']);
    session.step(show);
    session.step(finish);
    expect(session.verify().pass).toBe(true);
  });

  it('[USER-4] who changes their mind wants the other thing alone, from when they said so', () => {
    const session = opened('undecided');
    session.step(ask('What is missing?'));
    expect(replyTo(session, show)).toContain('That is not what I wanted yet');
    lend(session);
    const outcome = session.step(show);
    expect(outcome.incidents).toMatchObject([{ kind: 'user-changed-mind' }]);
    const done = session.fork();
    done.step(show);
    done.step(finish);
    expect(failed(done).toSorted()).toEqual(['is-lent-to.then', 'user-accepted']);
    lend(session, 'change');
    session.step(show);
    session.step(finish);
    expect([failed(session), session.verify().pass]).toEqual([[], true]);
  });

  it('[USER-5] their own errors are planned by the seed, kept with the step, and can be asked away', () => {
    const sessions = Array.from({ length: 12 }, (_, seed) => opened('careless', seed + 1));
    const slipping = sessions.find(session => user(session).facts.some(({ wrong }) => wrong !== null)) as StateSession;
    const wrong = user(slipping).facts.find(fact => fact.wrong !== null);
    const first = slipping.step(ask('What is missing?'));
    expect((first.result as { reply: string }).reply).toContain(`The ${wrong?.name} is "${wrong?.wrong}"`);
    expect(first.incidents).toContainEqual({ kind: 'user-error', detail: `told a wrong ${wrong?.name}` });
    expect(replyTo(slipping, ask('Are you sure?'))).toContain(`The ${wrong?.name} is "${wrong?.value}"`);
    const misjudging = sessions.find(session => user(session).misjudges) as StateSession;
    const judged = misjudging.step(show);
    expect(judged.incidents?.map(({ kind, detail }) => `${kind} ${detail}`)).toEqual([
      'user-judged accepted',
      'user-error wrongly accepted',
    ]);
    const share = sessions.flatMap(session => user(session).facts).filter(fact => fact.wrong !== null).length / 24;
    expect(Math.abs(share - 0.5)).toBeLessThan(0.35);
  });

  it('[USER-6] a planner gets through with every persona, in a built-in app too, and the laws hold', async () => {
    const planner = createLadderPlanner();
    for (const { name } of personas) expect([name, planner.plan(opened(name, 2)).outcome]).toEqual([name, 'solved']);
    const starring = { ...mail, templates: mail.templates.filter(({ id }) => id === 'star-message') };
    const inMail = createWorld(appWithUser(starring, { personas: personas, played: false }));
    for (const persona of ['terse', 'undecided'])
      expect(planner.plan(inMail.open(inMail.task(`star-message.${persona}`, 3))).outcome).toBe('solved');
    const results = await checkLaws(world, { tasks: [world.task('lend-to-reader.undecided', 4)], steps: 12 });
    expect(results.filter(({ pass }) => !pass)).toEqual([]);
  });

  it('[USER-7] a played user is a role: only it answers, it alone sees what was left out, and its errors are found', () => {
    const played = appWithUser(library, { personas, played: true });
    const table: StateEnvironment = playedUser(createWorld(played), played);
    const session = table.open(table.task('lend-to-reader.helpful', 3));
    const [fact] = user(session).facts;
    const reply = (text: string, accepts?: boolean): Action => ({
      kind: 'call',
      tool: userTools.reply,
      input: accepts === undefined ? { text } : { text, accepts },
    });
    expect([table.roles, session.role?.()]).toEqual([['agent', 'user'], 'agent']);
    expect(session.step(reply('Hello.'))).toMatchObject({ applied: false, role: 'agent' });
    expect(session.observe().text).not.toContain(`the ${fact?.name} is "${fact?.value}"`);
    session.step(ask('Which one?'));
    expect(session.role?.()).toBe('user');
    expect(session.observe().text).toContain(`the ${fact?.name} is "${fact?.value}"`);
    expect(session.step(finish)).toMatchObject({ applied: false, role: 'user' });
    expect(session.step(reply('It is "The Invented One".')).incidents).toContainEqual({
      kind: 'user-error',
      detail: 'made up "The Invented One"',
    });
    session.step(ask('Really?'));
    expect(session.step(reply(`Sorry: ${fact?.value}.`)).incidents).toEqual([
      { kind: 'user-asked', detail: fact?.name },
    ]);
    session.step(show);
    expect(session.step(reply('Fine.'))).toMatchObject({ applied: false });
    expect(session.step(reply('Fine.', true)).incidents).toContainEqual({
      kind: 'user-error',
      detail: 'wrongly accepted',
    });
    const again = table.open(table.task('lend-to-reader.helpful', 3));
    const plan = createLadderPlanner().plan(again);
    expect(plan.outcome).toBe('solved');
  });

  it('[USER-1] an unknown persona or option is refused with what is known; others are the app’s own', () => {
    expect(() => readUserName('users:mail,persona=tense')).toThrow('Did you mean "terse"');
    expect(() => readUserName('users:mail,slips=2')).toThrow('is no option of users');
    expect(() => readUserName('users:')).toThrow('names no app');
    const [command] = library.commands;
    const taken = { ...library, commands: [...library.commands, { ...command, name: 'ask_user' } as typeof command] };
    expect(() => appWithUser(taken as typeof library, { personas, played: false })).toThrow('has a command "ask_user"');
    expect(readUserName('users:forge:mail,kinds=commands,patience=2')).toMatchObject({
      place: 'forge:mail,kinds=commands',
      played: false,
    });
  });
});
