import { expect, it } from 'vitest';
import { app as library } from '../../../examples/library/library.ts';
import { createWorld } from '../../worlds/world.ts';
import { createPlanner } from '../../agents/planner/planner.ts';
import { createTaskPool } from '../pool/admit-task.ts';
import { forgeApp } from '../forge-app.ts';
import { coverageOf } from './coverage.ts';

const app = forgeApp(library, { kinds: ['commands'] });
const world = createWorld(app);
const planner = createPlanner({ clock: { now: () => 0 }, maxNodes: 300 });

it('[FORGE-17] coverage grows with the tasks, and says what no task uses', async () => {
  const pool = createTaskPool({ environment: world, planner });
  const none = coverageOf(app, world, pool.solved);
  expect(none.commands).toEqual({ used: 0, known: 3, missing: ['lend_book', 'reserve_book', 'return_book'] });
  expect(none.controls.used + none.screens.used).toBe(0);
  // Two screens: the catalogue, and a book with its desk. Sixty links to books are one control.
  expect(none.screens.known).toBe(2);
  expect(none.controls.missing).toEqual([
    'button lend_book',
    'button reserve_book',
    'button return_book',
    'button turn_page',
    'link open_book',
    'textbox name_reader',
    'textbox search',
  ]);
  await pool.admit('lend-book.forged', 1);
  const one = coverageOf(app, world, pool.solved);
  expect(one.commands.missing).toEqual(['reserve_book', 'return_book']);
  expect(one.screens.used).toBe(2);
  expect(one.controls.missing).not.toContain('button lend_book');
  expect(one.controls.missing).toContain('button return_book');
});
