import { expect, it } from 'vitest';
import { appKit, find, need } from 'espalier';
import { app as library } from '../../../examples/library/library.ts';
import { createWorld } from '../../worlds/world.ts';
import { createPlanner } from '../../agents/planner/planner.ts';
import { forgeApp } from '../forge-app.ts';
import { heldOutCommands } from './held-out.ts';

const { template } = appKit(library.state);
type Library = ReturnType<typeof library.init>;

/** Takes a book back and lends it to somebody else: two commands. */
const handOver = template('hand-over', {
  about: 'Take a book back and lend it to somebody else.',
  split: 'train',
  sample: (state: Library, random) => ({ ...random.pick(state.books), reader: 'Ana Ruiz' }),
  setup(draft, { id }) {
    need(draft.books, id, 'book').loan = 'Bo Lind';
  },
  instruction: ({ title, reader }) => `Take "${title}" back and lend it to ${reader}.`,
  checks: ({ id, reader }) => [{ name: 'it is lent', test: final => find(final.books, id)?.loan === reader }],
  allow: ({ id }) => [`/books/${id}/loan`],
});

const takeBack = template('take-back', {
  about: 'Take a book back.',
  split: 'test',
  sample: (state: Library, random) => ({ ...random.pick(state.books) }),
  setup(draft, { id }) {
    need(draft.books, id, 'book').loan = 'Bo Lind';
  },
  instruction: ({ title }) => `Take "${title}" back.`,
  checks: ({ id }) => [{ name: 'it is on the shelf', test: final => find(final.books, id)?.loan === null }],
  allow: ({ id }) => [`/books/${id}/loan`],
});

const planner = createPlanner({ clock: { now: () => 0 }, maxNodes: 400 });

it('[FORGE-15] a command that is held out by itself is forged together with others only', () => {
  const app = { ...library, templates: [handOver, takeBack] };
  const { never, notAlone } = heldOutCommands(createWorld(app), planner);
  expect([[...never], [...notAlone]]).toEqual([[], ['return_book']]);
  const forged = createWorld(
    forgeApp(app, { kinds: ['commands', 'chains', 'conflicts', 'walks'], notAlone: [...notAlone] }),
  );
  expect(forged.templates.map(({ id }) => id)).not.toContain('return-book.forged');
  const used = new Map<string, Set<number>>();
  for (const { id } of forged.templates.filter(
    ({ id: name }) => !name.startsWith('lend') && !name.startsWith('reserve'),
  )) {
    for (let seed = 1; seed <= 8; seed++) {
      const calls = forged.task(id, seed).parameters['calls'] as unknown as { command: string }[];
      for (const { command } of calls) used.set(command, (used.get(command) ?? new Set()).add(calls.length));
    }
  }
  expect([...(used.get('return_book') ?? [])].toSorted()).toEqual([2, 3]);
  expect(used.get('lend_book')?.has(1)).toBe(true);
});

it('[FORGE-15] a command that training templates use by itself, too, is left as it is', () => {
  const trained = { ...takeBack, id: 'bring-back', split: 'train' } as const;
  const app = { ...library, templates: [handOver, takeBack, trained] };
  expect([...heldOutCommands(createWorld(app), planner).notAlone]).toEqual([]);
});

it('[FORGE-15] a held-out template without a task for a seed holds nothing out', () => {
  const none = { ...takeBack, id: 'none', make: () => null };
  const app = { ...library, templates: [handOver, none] };
  expect([...heldOutCommands(createWorld(app), planner, [1]).never]).toEqual([]);
});
