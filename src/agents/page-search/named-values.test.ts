import { expect, it } from 'vitest';
import { app } from '../../../examples/library/library.ts';
import type { Session } from '../../core/contracts.ts';
import { describeStep } from '../../core/episode/view.ts';
import { wrapSession } from '../../core/wrap-session.ts';
import { createWorld } from '../../worlds/world.ts';
import type { FoundStep } from './explorer.ts';
import { chooseWay, createMissingValues } from './named-values.ts';
import { shortenPath } from './shorten-path.ts';

const screen = 'page "Mail"\n  [e1] textbox "Subject": (empty)\n  [e2] checkbox "Read receipts"\n  [e3] button "Send"';
const sent = "Send a mail to ann@mail.org with the subject 'Lunch' and the body 'See you at noon.'";

function missingIn(instruction: string, start: object, end: object | null): readonly string[] {
  const step: FoundStep = { action: { kind: 'click', ref: 'e3' }, text: 'click button "Send"', screen };
  return createMissingValues(
    instruction,
    JSON.stringify(start),
  )({
    steps: [step],
    state: end === null ? null : JSON.stringify(end),
  });
}

it('[SEARCH-94] a path lacks what the instruction quotes and the app holds nowhere in the end', () => {
  const whole = { mails: [{ to: ['Ann@mail.org'], subject: 'Lunch', body: '<p>See you  at noon</p>' }] };
  expect(missingIn(sent, { mails: [] }, whole)).toEqual([]);
  const less = { mails: [{ to: ['ann@mail.org'], subject: 'Lunch', body: '' }] };
  expect(missingIn(sent, { mails: [] }, less)).toEqual(['See you at noon.']);
  const blue = "Create a label named 'Design' with blue color (#2196F3).";
  expect(missingIn(blue, { labels: [] }, { labels: [['Design', '#2196f3']] })).toEqual([]);
  expect(missingIn(blue, { labels: [] }, { labels: [['Design', '#6c4ff7']] })).toEqual(['#2196F3']);
  // What is there already names something, and so does what a screen shows.
  expect(missingIn("Star the mail 'Lunch'.", { mails: ['Lunch'] }, { mails: ['Lunch', 'starred'] })).toEqual([]);
  expect(missingIn("Delete the mail 'Lunch'.", { mails: ['Lunch'] }, { mails: [] })).toEqual([]);
  expect(missingIn("Turn off 'Read receipts'.", { receipts: true }, { receipts: false })).toEqual([]);
  expect(missingIn("Turn off the 'Blue ticks' toggle.", { receipts: true }, { receipts: false })).toEqual([]);
  // Without a state nothing is known.
  expect(missingIn(sent, { mails: [] }, null)).toEqual([]);
});

it('[SEARCH-94] steps that enter what the instruction gives stay, though the verifier passes without', async () => {
  const world = createWorld(app);
  const session = world.open(world.task('lend-to-reader', 2));
  const field = /\[(e\d+)\] textbox/.exec((await session.observe()).text)?.[1] ?? '';
  const judging = (instruction: string): Session =>
    noting({ ...session, task: { ...session.task, instruction } } as Session, []);
  /** Any path passes; the state is what was entered. */
  const noting = (one: Session, entered: readonly string[]): Session => {
    const own = [...entered];
    return {
      ...wrapSession(one, {
        step: take => action => {
          if (action.kind === 'fill') own.push(action.text);
          return take(action);
        },
        forked: fork => noting(fork, own),
      }),
      judgedState: () => JSON.stringify(own),
      verify: async () => ({ ...(await one.verify()), pass: true }),
    };
  };
  const steps: FoundStep[] = [];
  const walker = noting((await session.fork?.()) as Session, []);
  for (const words of ['Orchids', 'Harbour']) {
    const { text: seen } = await walker.observe();
    const action = { kind: 'fill', ref: field, text: words } as const;
    expect((await walker.step(action)).applied).toBe(true);
    steps.push({ action, text: describeStep(action, seen), screen: seen });
  }
  const path = { steps, state: (await walker.judgedState?.()) ?? null };
  expect((await shortenPath(judging('Look for a book.'), path)).steps).toHaveLength(1);
  expect((await shortenPath(judging("Look for 'Orchids'."), path)).steps).toHaveLength(2);
});

it('[SEARCH-109] of several ways the first that misses nothing is taken, and those that miss something are none', () => {
  const missing = createMissingValues(sent, JSON.stringify({ mails: [] }));
  const way = (subject: string, body: string) => ({
    steps: [{ action: { kind: 'click', ref: 'e3' } as const, text: 'click button "Send"', screen }],
    state: JSON.stringify({ mails: [{ to: 'ann@mail.org', subject, body }] }),
  });
  const [less, whole, other] = [way('Lunch', ''), way('Lunch', 'See you at noon.'), way('Lunch!', 'See you at noon.')];
  expect(chooseWay([less, whole, less, other], missing)).toEqual({ path: whole, others: [other], missing: [] });
  expect(chooseWay([less, less], missing)).toEqual({ path: less, others: [], missing: ['See you at noon.'] });
  expect(chooseWay([], missing)).toEqual({ path: null, others: [], missing: [] });
});
