import type { Action } from '../src/core/action.ts';
import type { StateSession } from '../src/core/contracts.ts';
import { mail } from '../src/envs/apps/mail/mail.ts';
import { createWorld } from '../src/worlds/world.ts';
import { figure, heapInUse, timings, type Bench, type Figure } from './measure.ts';

const world = createWorld(mail);

export const mailBench: Bench = {
  group: 'mail',
  figures: ['mail.step-observe', 'mail.tool-command', 'mail.sessions-10k'],
  async *run() {
    yield stepAndObserve();
    yield toolCommand();
    yield openSessions();
  },
};

function openMail(seed: number): StateSession {
  const templates = world.templates;
  const template = templates[seed % templates.length]?.id as string;
  return world.open(world.task(template, seed));
}

/** What people do in a mail program, in a circle: read, star, unstar, go back, turn the page, search, look elsewhere. */
const round = [
  '@link',
  'Star',
  'Star',
  'Back to list',
  'Next page',
  'Previous page',
  'Archive',
  'Inbox',
  'Contacts',
  'Inbox',
];

function stepAndObserve(): Figure {
  const session = openMail(7);
  const actions = round.map(name => press(session, name));
  let seen = 0;
  const seconds = timings(index => {
    if (!session.step(actions[index % actions.length] as Action).applied) throw new Error('the round is broken');
    // A character is read, so that the text is really there and not merely promised by the engine.
    seen += session.observe().text.charCodeAt(0);
  });
  if (seen === 0) throw new Error('nothing was seen');
  return figure(
    'mail.step-observe',
    '1/s',
    seconds.map(value => 1 / value),
  );
}

/** Clicks the first element of that name (or of that role, in a row) and returns the action that did it. */
function press(session: StateSession, name: string): Action {
  const offered = session.candidates().filter(({ action }) => action.kind === 'click');
  const inList = ({ within = [] }: { within?: readonly string[] }): boolean =>
    within.some(text => text.endsWith(' messages'));
  const found = offered.find(candidate =>
    name === '@link' ? candidate.role === 'link' && inList(candidate) : candidate.name === name,
  );
  if (found === undefined) throw new Error(`no "${name}" on the screen:\n${session.observe().text}`);
  if (!session.step(found.action).applied) throw new Error(`"${name}" cannot be clicked`);
  return found.action;
}

function toolCommand(): Figure {
  const session = openMail(7);
  const ids = (session.state() as { messages: { id: string }[] }).messages.slice(0, 40).map(({ id }) => id);
  const calls = [true, false].flatMap(starred =>
    ids.map((id): Action => ({ kind: 'call', tool: 'star_message', input: { id, starred } })),
  );
  const seconds = timings(index => {
    if (!session.step(calls[index % calls.length] as Action).applied) throw new Error('the call was rejected');
  });
  return figure(
    'mail.tool-command',
    '1/s',
    seconds.map(value => 1 / value),
  );
}

/** Every session has a world of its own and has been looked at once. */
function openSessions(): Figure {
  const before = heapInUse();
  const sessions: StateSession[] = [];
  for (let seed = 0; seed < 10_000; seed++) {
    const session = openMail(seed);
    session.observe();
    sessions.push(session);
  }
  const used = heapInUse() - before;
  if (sessions.length !== 10_000) throw new Error('not all sessions are open');
  return figure('mail.sessions-10k', 'MiB', [used]);
}
